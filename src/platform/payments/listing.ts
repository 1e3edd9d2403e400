import { type Clock, MINUTE_MS } from '#kernel/clock.ts';
import type { ListingAnswer } from '#protocol/payment/extension-responses.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { as, integer, table, text } from '#platform/storage/table.ts';

/** What the facilitator last said of a paid call and its catalogue. */
export interface Listing extends ListingAnswer {
  readonly operationId: string;
  readonly atMs: number;
}

const LISTING = table(
  'bazaar_listing',
  {
    operation_id: as('operationId', text()),
    status: text<Listing['status']>(),
    reason: text(),
    at: as('atMs', integer()),
  },
  { key: ['operation_id'] },
);
export const LISTINGS = LISTING.select('ORDER BY operation_id');

const listingUnit: Unit<[Listing, null], ReadonlyMap<string, Listing>> = {
  name: 'bazaar_listing',
  reads: () => ({}),
  load: () => new Map(),
  decide: (state, _nowMs, _next, listing) => ({
    state: new Map(state).set(listing.operationId, listing),
    result: null,
  }),
  writes: (_before, after) => [LISTING.upsert([...after.values()])],
};

/** Keeps the newest answer of each call. The same answer within a minute is not written again. */
export function listingKeeper(store: Pick<Store, 'run'>, clock: Pick<Clock, 'now'>) {
  const kept = new Map<string, Listing>();
  return async (operationId: string, answer: ListingAnswer): Promise<void> => {
    const atMs = clock.now();
    const last = kept.get(operationId);
    const isSame = last?.status === answer.status && last.reason === answer.reason;
    if (isSame && atMs - last.atMs < MINUTE_MS) return;
    const listing = { operationId, ...answer, atMs };
    kept.set(operationId, listing);
    await store.run(listingUnit, listing);
  };
}

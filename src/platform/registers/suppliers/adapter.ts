import type { RegisterOutcome } from '../outcome.ts';
import type { RegisterClient, RegisterSession } from '../resilience/register-client.ts';
import type { PartOffer } from './offer.ts';

/** How an adapter came through a lookup. */
export type AdapterState = 'ok' | 'limited' | 'down' | 'not_configured';

export interface SupplierLookup {
  /** What was answered; a part that nobody has is there with no offers. */
  readonly offers: ReadonlyMap<string, readonly PartOffer[]>;
  readonly state: AdapterState;
}

/** A supplier of offers. A lookup ends in time whatever the supplier does. */
export interface OfferAdapter {
  readonly name: string;
  lookup(mpns: readonly string[]): Promise<SupplierLookup>;
}

type Found = readonly (readonly [mpn: string, offers: readonly PartOffer[]])[];

/** Asks in portions that the supplier takes, all at once; the client keeps its limits. */
export async function inPortions(
  client: RegisterClient,
  { mpns, size }: { readonly mpns: readonly string[]; readonly size: number },
  ask: (portion: readonly string[], session: RegisterSession) => Promise<Found>,
): Promise<SupplierLookup> {
  const portions: string[][] = [];
  for (let from = 0; from < mpns.length; from += size) portions.push(mpns.slice(from, from + size));
  const outcomes = await Promise.all(
    portions.map((portion) =>
      client.ask<Found>({
        key: JSON.stringify(portion),
        // Offers are kept in the store, for whoever asked.
        freshMs: () => 0,
        attempt: async (session) => ({ kind: 'answered', value: await ask(portion, session) }),
      }),
    ),
  );
  const offers = new Map<string, readonly PartOffer[]>();
  outcomes.forEach((outcome, index) => {
    if (outcome.kind !== 'answered') return;
    for (const mpn of portions[index] as string[]) offers.set(mpn, []);
    for (const [mpn, found] of outcome.value) if (offers.has(mpn)) offers.set(mpn, found);
  });
  return { offers, state: stateOf(outcomes) };
}

function stateOf(outcomes: readonly RegisterOutcome<Found>[]): AdapterState {
  const failures = outcomes.flatMap((outcome) => (outcome.kind === 'unavailable' ? [outcome.class] : []));
  if (failures.length === 0) return 'ok';
  return failures.every((failure) => failure === 'throttled') ? 'limited' : 'down';
}

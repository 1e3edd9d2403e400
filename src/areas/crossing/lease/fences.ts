import type { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import type { Store } from '#platform/storage/store.ts';
import type { FenceAnswer, FenceInput, FenceState } from './fence-operation.ts';
import { shownKey } from '../fields.ts';
import { type EndedLease, isInClearance, isLive, type Lease } from './lease.ts';
import * as sql from '../sql.ts';

/** Says what became of a grant. Reads one statement, so that lease and end are never both missed. */
export class Fences {
  readonly #store: Pick<Store, 'read'>;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(store: Pick<Store, 'read'>, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  async check({ key, fence }: FenceInput): Promise<z.output<typeof FenceAnswer>> {
    const nowMs = this.#clock.now();
    const grants = await this.#store.read(sql.GRANTS_OF_KEY, [key.key, fence]);
    const newest = grants.length === 0 ? null : Math.max(...grants.map((grant) => grant.fence));
    const asked = grants.find((grant) => grant.fence === fence);
    const state = asked === undefined ? 'unknown' : stateOf(asked, newest ?? fence, nowMs);
    return { ...shownKey(key), fence, newest, current: state === 'held', state, at: isoTime(nowMs) };
  }
}

type Grant = Pick<Lease, 'fence' | 'mode' | 'expiresAtMs'> & { readonly how: EndedLease['how'] | null };

function stateOf(grant: Grant, newest: number, nowMs: number): FenceState {
  const { how, fence } = grant;
  if (how === null && isLive(grant, nowMs)) return 'held';
  if (how === null && isInClearance(grant, nowMs)) return 'clearance';
  return newest > fence ? 'superseded' : (how ?? 'expired');
}

import type { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import type { Row, Store } from '#platform/storage/store.ts';
import type { FenceAnswer, FenceInput, FenceState } from './fence-operation.ts';
import { shownKey } from '../fields.ts';
import { isInClearance, isLive, type LeaseMode } from './lease.ts';
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
    const rows = await this.#store.read(sql.GRANTS_OF_KEY, [key.key, fence]);
    const newest = rows.length === 0 ? null : Math.max(...rows.map((row) => row['fence'] as number));
    const asked = rows.find((row) => row['fence'] === fence);
    const state = asked === undefined ? 'unknown' : stateOf(asked, newest ?? fence, nowMs);
    return { ...shownKey(key), fence, newest, current: state === 'held', state, at: isoTime(nowMs) };
  }
}

function stateOf(row: Row, newest: number, nowMs: number): FenceState {
  const how = row['how'] as 'released' | 'expired' | null;
  const lease = { mode: row['mode'] as LeaseMode, expiresAtMs: row['expires_at'] as number };
  if (how === null && isLive(lease, nowMs)) return 'held';
  if (how === null && isInClearance(lease, nowMs)) return 'clearance';
  return newest > (row['fence'] as number) ? 'superseded' : (how ?? 'expired');
}

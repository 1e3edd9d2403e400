import { ROTATION } from './flag-rules.ts';

/** The calls from one address: the key in use now, and those whose quota was used up right before it. */
interface Row {
  readonly usedUp: readonly string[];
  /** Null from the refusal of one key to the first call of the next. */
  readonly key: string | null;
  readonly accepted: number;
  readonly beganMs: number;
  readonly lastMs: number;
}

interface KeyedCall {
  readonly addressTag: string;
  readonly key: string;
  readonly isAccepted: boolean;
  /** The whole quota of a key: how many calls it has at once. */
  readonly quota: number;
  readonly atMs: number;
}

const MAX_ADDRESSES = 20_000;

/**
 * Sees when the whole quota of one key after the other is used up from one address. Agents that share an address and
 * call at the same time break the row, and so does whoever waits and comes back with its own key.
 */
export class KeyRotation {
  readonly #rows = new Map<string, Row>();

  /** Told of every call under a key; gives the keys of a row that is complete with it. */
  saw({ addressTag, key, isAccepted, quota, atMs }: KeyedCall): readonly string[] | null {
    const row = this.#rows.get(addressTag);
    // Calls that were under way when the quota ended are refused too.
    if (row?.usedUp.includes(key) && !isAccepted) return null;
    const isSame = row?.key === key && atMs - row.lastMs <= ROTATION.pauseMs;
    const isNext = row?.key === null && !row.usedUp.includes(key) && atMs - row.lastMs <= ROTATION.handoverMs;
    const isOn = row !== undefined && (isSame || (isNext && isAccepted)) && atMs - row.beganMs <= ROTATION.withinMs;
    const before = isOn ? row : { usedUp: [], accepted: 0, beganMs: atMs };
    const { usedUp, beganMs } = before;
    if (isAccepted) {
      this.#keep(addressTag, { usedUp, beganMs, key, accepted: before.accepted + 1, lastMs: atMs });
      return null;
    }
    const isWhole = before.accepted >= quota;
    const kept = isWhole ? [...usedUp, key] : [];
    if (kept.length >= ROTATION.keys || !isWhole) this.#rows.delete(addressTag);
    else this.#keep(addressTag, { usedUp: kept, beganMs, key: null, accepted: 0, lastMs: atMs });
    return kept.length >= ROTATION.keys ? kept : null;
  }

  #keep(addressTag: string, row: Row): void {
    if (this.#rows.size >= MAX_ADDRESSES && !this.#rows.has(addressTag)) {
      this.#rows.delete(this.#rows.keys().next().value as string);
    }
    this.#rows.set(addressTag, row);
  }
}

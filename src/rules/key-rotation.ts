import { ROTATION } from './flag-rules.ts';

interface Row {
  /** Keys whose quota was used up one after the other. */
  readonly usedUp: string[];
  readonly beganMs: number;
  refusedMs: number;
  /** The key that was taken up after the last of them, and its calls since. */
  current: string | null;
  calls: number;
}

const MAX_ADDRESSES = 20_000;

/**
 * Sees when the quota of one address is used up under one key after the other. Agents that share an address and call at
 * the same time, or come back with their own key when they may, break the row.
 */
export class KeyRotation {
  readonly #rows = new Map<string, Row>();

  /** Told of every call under a key; gives the keys of a row that is complete with it. */
  saw(addressTag: string, key: string, isAccepted: boolean, atMs: number): readonly string[] | null {
    const row = this.#rows.get(addressTag);
    if (row === undefined) {
      if (!isAccepted) this.#begin(addressTag, key, atMs);
      return null;
    }
    if (row.usedUp.includes(key)) {
      // Calls that were under way when the quota ended are refused too.
      if (isAccepted) this.#rows.delete(addressTag);
      return null;
    }
    // A key that is refused at once was in use before: its agent calls beside the others, not after them.
    const isTakenUp = isAccepted
      ? row.current === key || (row.current === null && atMs - row.refusedMs <= ROTATION.handoverMs)
      : row.current === key && row.calls >= ROTATION.calls;
    if (!isTakenUp || atMs - row.beganMs > ROTATION.withinMs) {
      this.#rows.delete(addressTag);
      if (!isAccepted) this.#begin(addressTag, key, atMs);
      return null;
    }
    row.current = isAccepted ? key : null;
    row.calls = isAccepted ? row.calls + 1 : 0;
    if (isAccepted) return null;
    row.usedUp.push(key);
    row.refusedMs = atMs;
    if (row.usedUp.length < ROTATION.keys) return null;
    this.#rows.delete(addressTag);
    return row.usedUp;
  }

  #begin(addressTag: string, key: string, atMs: number): void {
    if (this.#rows.size >= MAX_ADDRESSES) this.#rows.delete(this.#rows.keys().next().value as string);
    this.#rows.set(addressTag, { usedUp: [key], beganMs: atMs, refusedMs: atMs, current: null, calls: 0 });
  }
}

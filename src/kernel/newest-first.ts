/** Where a list stands: what was made at a moment, and its id. */
export interface Place {
  readonly id: string;
  readonly createdAtMs: number;
}

/** A line of a list with where it stands. */
export interface Placed<T> extends Place {
  readonly line: T;
}

/** A part of a list, newest first. */
export interface ListAsked {
  /** Only in these states; in any where it is left out. */
  readonly states?: readonly string[] | undefined;
  /** Only what follows this in the list. */
  readonly before?: Place | undefined;
  readonly limit: number;
}

/** Of what was made in the same moment, the greater id is the newer, as in the lists of the store. */
export function newestFirst<T extends Place>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1));
}

/** Reads a list that the store has by state: of each state as many as all may have. */
export async function newestIn<T extends Place>(
  { states, limit }: ListAsked,
  read: (state?: string) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (states === undefined) return read();
  return newestFirst((await Promise.all(states.map((state) => read(state)))).flat()).slice(0, limit);
}

/** A page of several lists together, each of which was asked for one more than the page has. */
export function pageOf<T extends Place>(lists: readonly (readonly T[])[], limit: number) {
  const all = newestFirst(lists.flat());
  const items = all.slice(0, limit);
  return { items, nextBefore: all.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** The values of `$2` and `$3` in the text of a list: from where on. */
export function placeCells(before: Place | undefined): [createdAtMs: number, id: string] {
  return [before?.createdAtMs ?? Number.MAX_SAFE_INTEGER, before?.id ?? ''];
}

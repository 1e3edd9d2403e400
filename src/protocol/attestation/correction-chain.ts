const MAX_STEPS = 32;

export interface CorrectionChain {
  /** From the start on, each the correction of the one before. */
  readonly ids: readonly string[];
  /** True when the walk stopped before the end: after 32 steps, or where the chain came back to itself. */
  readonly isCut: boolean;
}

/** Walks from one entry to the next. Whoever answers `next` may lie: the walk ends all the same. */
export async function walkChain(
  start: string,
  next: (id: string) => Promise<string | undefined>,
): Promise<CorrectionChain> {
  const ids = [start];
  for (let id = await next(start); id !== undefined; id = await next(id)) {
    if (ids.length > MAX_STEPS || ids.includes(id)) return { ids, isCut: true };
    ids.push(id);
  }
  return { ids, isCut: false };
}

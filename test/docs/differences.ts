/** What is another on each machine, and with each change of the program. */
const MEASURED = /\/(?:hashing_ms|judging_ms|build_id)$/;

/** The pointers at which two JSON values differ. */
export function differences(before: unknown, after: unknown, at = ''): string[] {
  if (Object.is(before, after) || MEASURED.test(at)) return [];
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return [at];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    differences((before as Record<string, unknown>)[name], (after as Record<string, unknown>)[name], `${at}/${name}`),
  );
}

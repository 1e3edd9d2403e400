/** What is another on each machine, and with each change of the program. */
const MEASURED = /\/(?:hashing_ms|judging_ms|build_id)$/;

/** What was drawn at random or made from it: ids, keys, hashes, signatures, in texts too. */
const DRAWN = new RegExp(
  [
    // Base64, long enough to be no path.
    String.raw`(?<![\w+/])[A-Za-z0-9+/]{40,}={0,2}(?![\w-])`,
    // Tokens and hashes, whole, with their hyphens: no word is so long and has a digit or a capital.
    String.raw`(?=[\w=-]*[0-9A-Z])[\w=-]{16,}`,
    // Ids of letters alone.
    String.raw`\b[a-z]{2,4}_(?:test_)?\w{20,26}\b`,
    // Leases, and the code of a mail.
    String.raw`\bL[\w-]{12}\b`,
    String.raw`(?<=code there: )\d{6}`,
  ].join('|'),
  'g',
);

/** The same value with the number of its first appearance in place of each drawn text: what belongs together still does. */
function numbered(value: unknown): unknown {
  const numbers = new Map<string, number>();
  const numberOf = (drawn: string) => {
    if (!numbers.has(drawn)) numbers.set(drawn, numbers.size + 1);
    return `#${numbers.get(drawn)}`;
  };
  return JSON.parse(JSON.stringify(value), (_name, one: unknown) =>
    typeof one === 'string' ? one.replaceAll(DRAWN, numberOf) : one,
  );
}

function unlike(before: unknown, after: unknown, at: string): string[] {
  if (Object.is(before, after) || MEASURED.test(at)) return [];
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return [at];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    unlike((before as Record<string, unknown>)[name], (after as Record<string, unknown>)[name], `${at}/${name}`),
  );
}

/** The pointers at which two JSON values differ by more than what was drawn for them. */
export function differences(before: unknown, after: unknown): string[] {
  return unlike(numbered(before), numbered(after), '');
}

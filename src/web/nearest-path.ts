/** Two letters wrong in a short word, more in a long one. */
const MAX_SHARE = 0.4;

/** The known path that is spelled most like the given one; undefined where none is close. */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  const given = path.toLowerCase().replace(/\/+$/, '');
  let [best, least] = [undefined as string | undefined, Number.POSITIVE_INFINITY];
  for (const one of known) {
    const most = Math.max(1, Math.floor(Math.max(given.length, one.length) * MAX_SHARE));
    if (Math.abs(one.length - given.length) > most) continue;
    const distance = editDistance(given, one.toLowerCase());
    if (distance <= most && distance < least) [best, least] = [one, distance];
  }
  return best;
}

/** How many letters must be added, left out or changed. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      next[to] = Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + (isSame ? 0 : 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

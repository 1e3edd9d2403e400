const COMMON = new Set(
  (
    'about after again also always another because been before being between both cannot could does doing done down each ' +
    'every first from have having here into itself just keep least less like made make many more most much must need never ' +
    'next nothing often once only other over same should since some still such than that their them then there these they ' +
    'thing this those through time until very want well were what when where which while will with without work would your ' +
    'aber alle auch dass dein diese doch eine einem einen einer hier mehr muss nach nicht noch oder sehr sich sind wenn wird ' +
    'altijd deze door dingen even geen haar heeft hier hoef hun ieder jouw kunnen maar meer moet naar niet nooit onder over voor want wordt zijn zonder zijn'
  ).split(' '),
);
const MAX_TERMS = 24;
/** Half of the terms of both, or a third where both are about the same key. */
const LIKE = 0.5;
const LIKE_ON_SAME_KEY = 0.34;

/** The words by which a lesson is found: the longest, which are the rarest. */
export function lessonTerms(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]{4,40}/gu) ?? [];
  const terms = [...new Set(found)].filter((term) => !COMMON.has(term));
  return terms.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, MAX_TERMS);
}

/** Whether two lessons say nearly the same, by how many terms they share of those that either has. */
export function areAlike(shared: number, counts: readonly [number, number], isSameKey: boolean): boolean {
  const either = counts[0] + counts[1] - shared;
  return shared > 0 && shared / either >= (isSameKey ? LIKE_ON_SAME_KEY : LIKE);
}

/** The parameters that were given, as an answer repeats them. */
export function echo(input: object): Record<string, string> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** The members of a comma list in protocol order, each once; all of them when there is no list. */
export function requestedScope<S extends string>(list: string | undefined, all: readonly S[]): S[] {
  const named = list?.split(',');
  return all.filter((scope) => named === undefined || named.includes(scope));
}

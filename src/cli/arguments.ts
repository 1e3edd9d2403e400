import { parseArgs } from 'node:util';
import { UsageError } from './command.ts';

export interface GivenArguments {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlySet<string>;
}

/** What a command takes beside its positional arguments. */
export interface TakenOptions {
  readonly values?: readonly string[];
  readonly flags?: readonly string[];
}

/** Reads arguments; one that is not taken, or taken once and given twice, is refused in the words of the command. */
export function givenArguments(args: readonly string[], taken: TakenOptions, takes: string): GivenArguments {
  const { values = [], flags = [] } = taken;
  const options = Object.fromEntries([
    ...values.map((name) => [name, { type: 'string', multiple: true }] as const),
    ...flags.map((name) => [name, { type: 'boolean' }] as const),
  ]);
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    throw new UsageError(takes);
  }
  const lists = values.map((name) => [name, (parsed.values[name] ?? []) as string[]] as const);
  if (lists.some(([, list]) => list.length > 1)) throw new UsageError(takes);
  return {
    positionals: parsed.positionals,
    values: Object.fromEntries(lists.map(([name, [value]]) => [name, value])),
    flags: new Set(flags.filter((name) => parsed.values[name] === true)),
  };
}

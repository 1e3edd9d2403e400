import { createReadStream } from 'node:fs';
import { systemClock } from '#kernel/clock.ts';
import { type NameMatch, PAIR_THRESHOLD, SCREEN_THRESHOLD } from '#platform/screening/name-score.ts';
import { matchPair } from '#platform/screening/pair-score.ts';
import { type Candidate, loadList, screen as screenName, ScreeningList } from '#platform/screening/screening-list.ts';
import { givenArguments } from './arguments.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { readCsv } from '#kernel/csv.ts';

const USAGE_ERROR = 'screen takes --list and --names, or --pairs; and --threshold (0 to 1), --why, --stats';
const STANDARD_INPUT = '-';
/** Lines that are written at once. */
const LINES_PER_WRITE = 256;

/** Input that cannot be read: exit code 1, in one line. */
class InputError extends Error {}

interface Options {
  readonly threshold: number;
  readonly isExplained: boolean;
  readonly withStats: boolean;
}

export const screenCommand: Command = {
  name: 'screen',
  summary: 'match names against the EU sanctions list in a file, or names in pairs; nothing is sent or stored',
  usage: 'screen (--list <xml> --names <file or -> | --pairs <csv or ->) [--threshold <n>] [--why] [--stats]',
  examples: [
    './avouch screen --list sanctions.xml --names names.txt',
    'echo "Thomas Exempeloff" | ./avouch screen --list sanctions.xml --names - --why',
    './avouch screen --pairs pairs.csv --threshold 0.75',
  ],
  async run(args, terminal) {
    const { positionals, values, flags } = givenArguments(
      args,
      { values: ['list', 'names', 'pairs', 'threshold'], flags: ['why', 'stats'] },
      USAGE_ERROR,
    );
    const { list, names, pairs } = values;
    const isPairs = pairs !== undefined && list === undefined && names === undefined;
    const isNames = pairs === undefined && list !== undefined && names !== undefined;
    if (positionals.length > 0 || (!isPairs && !isNames)) throw new UsageError(USAGE_ERROR);
    const options = {
      threshold: thresholdOf(values['threshold'], isPairs ? PAIR_THRESHOLD : SCREEN_THRESHOLD),
      isExplained: flags.has('why'),
      withStats: flags.has('stats'),
    };
    try {
      if (isPairs) await comparePairs(pairs, options, terminal);
      else await screenNames({ list: list as string, names: names as string }, options, terminal);
      return 0;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      terminal.err(`avouch screen: ${error.message}\n`);
      return 1;
    }
  },
};

function thresholdOf(text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const threshold = /^(?:0(?:\.\d+)?|1(?:\.0+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (!(threshold > 0)) throw new UsageError('--threshold is a number above 0 and up to 1');
  return threshold;
}

function chunksOf(file: string): AsyncIterable<Uint8Array> {
  return file === STANDARD_INPUT ? process.stdin : createReadStream(file);
}

async function textOf(file: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for await (const chunk of chunksOf(file)) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  } catch (error) {
    const isEncoding = error instanceof TypeError;
    throw new InputError(`${file} ${isEncoding ? 'is not UTF-8' : `cannot be read: ${reasonOf(error)}`}`);
  }
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

async function comparePairs(file: string, options: Options, terminal: Terminal): Promise<void> {
  const {
    rows: [header = [], ...rows],
    isWhole,
  } = readCsv(await textOf(file));
  if (!isWhole) throw new InputError(`${file} is no CSV: a quoted cell does not end`);
  const [left, right] = ['left', 'right'].map((column) => header.findIndex((cell) => cell.trim() === column)) as [
    number,
    number,
  ];
  if (left < 0 || right < 0) throw new InputError(`${file} has no columns left and right`);
  const timesMs = writeLines(rows, terminal, (row) => {
    const pair = { left: row[left] ?? '', right: row[right] ?? '' };
    const match = matchPair(pair.left, pair.right);
    const why = options.isExplained ? { why: whyOf(match) } : {};
    return { ...pair, score: match.score, match: match.score >= options.threshold, ...why };
  });
  if (options.withStats) terminal.err(`${JSON.stringify(statsOf(undefined, 0, timesMs))}\n`);
}

async function screenNames(
  { list: listFile, names: namesFile }: { list: string; names: string },
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const clock = systemClock();
  const startMs = clock.monotonicMs();
  const list = await listOf(listFile);
  const buildMs = clock.monotonicMs() - startMs;
  const names = (await textOf(namesFile))
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '');
  const timesMs = writeLines(names, terminal, (name) => ({
    name,
    hits: screenName(list, name, options.threshold).map((hit) => shownHit(hit, options)),
  }));
  if (options.withStats) terminal.err(`${JSON.stringify(statsOf(list, buildMs, timesMs))}\n`);
}

async function listOf(file: string): Promise<ScreeningList> {
  let list: Awaited<ReturnType<typeof loadList>>;
  try {
    list = await loadList(chunksOf(file));
  } catch (error) {
    throw new InputError(`${file} cannot be read: ${reasonOf(error)}`);
  }
  if (list instanceof ScreeningList) return list;
  throw new InputError(`the list is refused (${list.code}): ${list.detail}`);
}

function shownHit(hit: Candidate, { isExplained }: Options) {
  const why = isExplained ? { why: whyOf(hit) } : {};
  return { id: hit.entity.id, listed_name: hit.listedName, score: hit.score, ...why };
}

function whyOf({
  words,
  unmatchedQuery,
  unmatchedListed,
}: Pick<NameMatch, 'words' | 'unmatchedQuery' | 'unmatchedListed'>) {
  return { words, unmatched_query: unmatchedQuery, unmatched_listed: unmatchedListed };
}

/** Writes a line per item, and says how long each took to make. */
function writeLines<T>(items: readonly T[], terminal: Terminal, line: (item: T) => unknown): number[] {
  const clock = systemClock();
  const timesMs: number[] = [];
  let text = '';
  for (const [at, item] of items.entries()) {
    const fromMs = clock.monotonicMs();
    text += `${JSON.stringify(line(item))}\n`;
    timesMs.push(clock.monotonicMs() - fromMs);
    if ((at + 1) % LINES_PER_WRITE === 0 || at === items.length - 1) {
      terminal.out(text);
      text = '';
    }
  }
  return timesMs;
}

function statsOf(list: ScreeningList | undefined, buildMs: number, timesMs: readonly number[]) {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const wholeMs = sorted.reduce((sum, ms) => sum + ms, 0);
  const at = (share: number) => Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 1_000);
  return {
    names: sorted.length,
    list_entities: list?.entityCount ?? 0,
    list_names: list?.nameCount ?? 0,
    build_ms: Math.round(buildMs),
    rss_mb: Math.round(process.memoryUsage().rss / 2 ** 20),
    p50_us: at(0.5),
    p99_us: at(0.99),
    per_s: wholeMs === 0 ? 0 : Math.round((sorted.length * 1_000) / wholeMs),
  };
}

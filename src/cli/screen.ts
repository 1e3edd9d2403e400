import { createReadStream } from 'node:fs';
import { systemClock } from '#kernel/clock.ts';
import { type NameMatch, PAIR_THRESHOLD, SCREEN_THRESHOLD } from '#platform/screening/name-score.ts';
import { matchPair } from '#platform/screening/pair-score.ts';
import { type Candidate, loadList, screen as screenName, ScreeningList } from '#platform/screening/screening-list.ts';
import { hasUnreadLetters } from '#platform/screening/unread-letters.ts';
import type { Output } from './line/output.ts';
import { InputError, type Run, UsageError } from './line/spec.ts';
import { readCsv } from '#kernel/csv.ts';

const STANDARD_INPUT = '-';
/** Lines that are written at once. */
const LINES_PER_WRITE = 256;

interface Options {
  readonly threshold: number;
  readonly isExplained: boolean;
  readonly withStats: boolean;
}

export const screen: Run = async ({ values, flags }, output) => {
  const { list, names, pairs } = values;
  const isPairs = pairs !== undefined;
  if (isPairs && (list ?? names) !== undefined) throw new UsageError('Pass --pairs, or --list and --names, not both.');
  const options = {
    threshold: thresholdOf(values['threshold'], isPairs ? PAIR_THRESHOLD : SCREEN_THRESHOLD),
    isExplained: flags.has('why'),
    withStats: flags.has('stats'),
  };
  if (isPairs) {
    await comparePairs(pairs, options, output);
    return 0;
  }
  if (list === undefined || names === undefined) {
    const missing = [list === undefined ? '--list' : '', names === undefined ? '--names' : ''].filter(
      (one) => one !== '',
    );
    throw new UsageError(`Missing ${missing.join(' and ')}, or --pairs.`);
  }
  await screenNames({ list, names }, options, output);
  return 0;
};

function thresholdOf(text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const threshold = /^(?:0(?:\.\d+)?|1(?:\.0+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (!(threshold > 0)) throw new UsageError('--threshold must be a number above 0 and up to 1.');
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
    throw new InputError(isEncoding ? `${file} is not UTF-8.` : `Cannot read ${file} (${reasonOf(error)}).`);
  }
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

async function comparePairs(file: string, options: Options, output: Output): Promise<void> {
  const {
    rows: [header = [], ...rows],
    isWhole,
  } = readCsv(await textOf(file));
  if (!isWhole) throw new InputError(`${file} is not valid CSV: a quoted cell does not end.`);
  const [left, right] = ['left', 'right'].map((column) => header.findIndex((cell) => cell.trim() === column)) as [
    number,
    number,
  ];
  if (left < 0 || right < 0) throw new InputError(`${file} has no columns left and right.`);
  const timesMs = writeLines(rows, output, (row) => {
    const pair = { left: row[left] ?? '', right: row[right] ?? '' };
    const match = matchPair(pair.left, pair.right);
    const why = options.isExplained ? { why: whyOf(match) } : {};
    const unread = unreadMark(pair.left, pair.right);
    return { ...pair, score: match.score, match: match.score >= options.threshold, ...unread, ...why };
  });
  if (options.withStats) output.err(`${JSON.stringify(statsOf(undefined, 0, timesMs))}\n`);
}

async function screenNames(
  { list: listFile, names: namesFile }: { list: string; names: string },
  options: Options,
  output: Output,
): Promise<void> {
  const clock = systemClock();
  const startMs = clock.monotonicMs();
  const list = await listOf(listFile);
  const buildMs = clock.monotonicMs() - startMs;
  const names = (await textOf(namesFile))
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '');
  const timesMs = writeLines(names, output, (name) => ({
    name,
    hits: screenName(list, name, options.threshold).map((hit) => shownHit(hit, options)),
    ...unreadMark(name),
  }));
  if (options.withStats) output.err(`${JSON.stringify(statsOf(list, buildMs, timesMs))}\n`);
}

async function listOf(file: string): Promise<ScreeningList> {
  let list: Awaited<ReturnType<typeof loadList>>;
  try {
    list = await loadList(chunksOf(file));
  } catch (error) {
    throw new InputError(`Cannot read ${file} (${reasonOf(error)}).`);
  }
  if (list instanceof ScreeningList) return list;
  throw new InputError(`The list was refused (${list.code}): ${list.detail}`);
}

/** Says that no match is no answer, where part of a name could not be read. */
function unreadMark(...names: readonly string[]) {
  return names.some(hasUnreadLetters) ? { has_unread_letters: true } : {};
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
function writeLines<T>(items: readonly T[], output: Output, line: (item: T) => unknown): number[] {
  const clock = systemClock();
  const timesMs: number[] = [];
  let text = '';
  for (const [at, item] of items.entries()) {
    const fromMs = clock.monotonicMs();
    text += `${JSON.stringify(line(item))}\n`;
    timesMs.push(clock.monotonicMs() - fromMs);
    if ((at + 1) % LINES_PER_WRITE === 0 || at === items.length - 1) {
      output.out(text);
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

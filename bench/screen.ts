// Sanctions screening in one process on one core: load, memory, and single screens of names never seen before.
//   node bench/screen.ts [--list <FSF xml>] [--data <directory with lists/>] [--names 5000] [--hostile 1000]
// Without a file one of about 25 MB is written for the run: from the public lists of the directory, else invented.
// Hostile names have 120 characters, mostly common words, against 25,000 names made of the same words.
// Times by the clock are the least of three rounds over a list that no word was asked of, so that a busy machine shows less.
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { readInThread } from '#platform/registers/list-thread.ts';
import { isListRefusal, readFsfList } from '#platform/screening/fsf-list.ts';
import { crowdedList, crowdedName, HOSTILE } from '#platform/screening/_hostile-names.ts';
import { type ListIndex, listIndex } from '#platform/screening/list-index.ts';
import { screen, ScreeningList } from '#platform/screening/screening-list.ts';
import { fsfXml, publicLists } from '../test/evals/sanctions-data.ts';
import { Dice, GLOBAL, innocent, US } from '#platform/screening/quality/common-names.ts';
import { mangled } from '#platform/screening/quality/name-changes.ts';
import { fictionalList } from '../test/evals/sanctions-names.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    list: { type: 'string' },
    data: { type: 'string', default: '' },
    names: { type: 'string', default: '5000' },
    hostile: { type: 'string', default: '1000' },
  },
});
const ROUNDS = 3;
const HOSTILE_LIST_NAMES = 25_000;
const count = Number(values.names);
const rssMb = () => process.memoryUsage().rss / 2 ** 20;
const cpuMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

const directory = mkdtempSync(join(tmpdir(), 'avouch-bench-'));
const file = values.list ?? join(directory, 'list.xml');
if (values.list === undefined) writeFileSync(file, fsfXml(publicLists(values.data) ?? fictionalList(7_200, 3)));

const delay = monitorEventLoopDelay({ resolution: 5 });
const wholeThread = process.cpuUsage();
delay.enable();
const rssBefore = rssMb();
const loaded = await readInThread(file, new AbortController().signal);
delay.disable();
const threadMs = cpuMs(wholeThread);
if (!('list' in loaded)) throw new Error(loaded.detail);
const threaded = loaded.list;
const rssGrowth = rssMb() - rssBefore;

const here = process.cpuUsage();
const list = await readFsfList(createReadStream(file));
if (isListRefusal(list)) throw new Error(list.detail);
const parseMs = cpuMs(here);
const index = listIndex(list);
const loadMs = cpuMs(here);

const dice = new Dice(99);
const queries = Array.from({ length: count }, () => {
  const turn = dice.below(3);
  if (turn === 0) return innocent(US, dice);
  if (turn === 1) return innocent(dice.of(GLOBAL), dice);
  return mangled(dice.of(dice.of(list.entities).names).name, dice).text;
});

/** Screens each name in every round; the least time of each, and of a whole round. */
function measured(listed: ListIndex, names: readonly string[]) {
  const timesUs = new Float64Array(names.length).fill(Number.POSITIVE_INFINITY);
  let leastCpuMs = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const fresh = new ScreeningList(listed);
    const cpu = process.cpuUsage();
    for (const [at, name] of names.entries()) {
      const fromMs = performance.now();
      screen(fresh, name);
      timesUs[at] = Math.min(timesUs[at] as number, (performance.now() - fromMs) * 1_000);
    }
    leastCpuMs = Math.min(leastCpuMs, cpuMs(cpu));
  }
  timesUs.sort();
  return { leastCpuMs, at: (share: number) => round(timesUs[Math.floor((names.length - 1) * share)] as number) };
}

const usual = measured(index, queries);
const made = Array.from({ length: Number(values.hostile) }, () => crowdedName(dice));
const hostile = measured(listIndex(crowdedList(HOSTILE_LIST_NAMES, 5)), [...Object.values(HOSTILE), ...made]);
console.log(
  JSON.stringify({
    bench: 'screen',
    file_mb: round(statSync(file).size / 1e6),
    list_names: threaded.nameCount,
    parse_cpu_ms: round(parseMs),
    load_cpu_ms: round(loadMs),
    load_in_thread_cpu_ms: round(threadMs),
    longest_stall_ms: round(delay.max / 1e6),
    rss_growth_mb: round(rssGrowth),
    p50_us: usual.at(0.5),
    p99_us: usual.at(0.99),
    screens_per_cpu_second: round((count * 1_000) / usual.leastCpuMs),
    hostile_p50_us: hostile.at(0.5),
    hostile_p999_us: hostile.at(0.999),
  }),
);
rmSync(directory, { recursive: true, force: true });

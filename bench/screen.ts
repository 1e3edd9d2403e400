// Sanctions screening in one process on one core: load, memory, and single screens of names never seen before.
//   node bench/screen.ts [--list <FSF xml>] [--names 5000]
// Without a file an invented list of about 25,000 names is used.
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadList, screen, ScreeningList } from '#screening/screening-list.ts';
import { Dice, fictionalList, GLOBAL, innocent, mangled, US } from '../test/_sanctions-names.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({ options: { list: { type: 'string' }, names: { type: 'string', default: '5000' } } });
const count = Number(values.names);
const rssMb = () => process.memoryUsage().rss / 2 ** 20;

const source = values.list === undefined ? fictionalList(7_200, 3) : undefined;
const rssBefore = rssMb();
const startMs = performance.now();
const list = source === undefined ? await loadList(createReadStream(values.list as string)) : new ScreeningList(source);
if (!(list instanceof ScreeningList)) throw new Error(list.detail);
const loadMs = performance.now() - startMs;
const rssGrowth = rssMb() - rssBefore;

const dice = new Dice(99);
const queries = Array.from({ length: count }, () => {
  const turn = dice.below(3);
  if (turn === 0) return innocent(US, dice);
  if (turn === 1) return innocent(dice.of(GLOBAL), dice);
  return mangled(dice.of(dice.of(list.list.entities).names).name, dice).text;
});
for (const name of queries.slice(0, 200)) screen(list, name);
const timesUs: number[] = [];
const cpu = process.cpuUsage();
for (const name of queries) {
  const fromMs = performance.now();
  screen(list, name);
  timesUs.push((performance.now() - fromMs) * 1_000);
}
const { user, system } = process.cpuUsage(cpu);
timesUs.sort((a, b) => a - b);
const at = (share: number) => round(timesUs[Math.floor((timesUs.length - 1) * share)] as number);
console.log(
  JSON.stringify({
    bench: 'screen',
    list_names: list.nameCount,
    load_ms: round(loadMs),
    rss_growth_mb: round(rssGrowth),
    p50_us: at(0.5),
    p99_us: at(0.99),
    screens_per_cpu_second: round((count * 1e6) / (user + system)),
  }),
);

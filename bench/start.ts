// Ready on empty data, and the memory of a service that nobody has called yet:
//   node bench/start.ts [--rounds 5]
import { parseArgs } from 'node:util';
import { WatchedService } from '../test/support/watched-service.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const starts: { readyMs: number; rssMib: number }[] = [];
for (let turn = 0; turn < Number(values.rounds); turn += 1) {
  await using service = await WatchedService.start();
  starts.push({ readyMs: service.readyMs, rssMib: service.rssMib() });
}
const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
console.log(
  JSON.stringify({
    bench: 'start',
    ready_ms: round(median(starts.map(({ readyMs }) => readyMs))),
    rss_mib: round(median(starts.map(({ rssMib }) => rssMib))),
  }),
);

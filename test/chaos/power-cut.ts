// npm run power-cut -- [--cuts 300] [--seed N]: copies of the SQLite files while callers write, every second one cut off at a random byte of the write-ahead log: one JSON line.
import { copyFileSync, existsSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readHistory } from '../support/events.ts';
import { ChildService } from '../support/child-service.ts';
import { Client } from '../support/client.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv } from '../support/service.ts';
import { checkHistory, type EventRow } from './history.ts';
import { crowd, watchedSend } from '../support/load.ts';
import { newSeed, seededRandom } from '../support/random.ts';

const { values } = parseArgs({
  options: { cuts: { type: 'string', default: '300' }, seed: { type: 'string', default: String(newSeed()) } },
});
const [cuts, seed] = [Number(values.cuts), Number(values.seed)];
const random = seededRandom(seed);
const folder = await temporaryDirectory();
const dataDir = join(folder, 'data');
const service = await ChildService.start(serviceEnv(dataDir, undefined, { AVOUCH_EVENT_DAYS: '0' }));
const client = new Client();
const agents = crowd({ seed });
const running = agents.start(
  watchedSend(agents.journal, (path, body) => client.call(service.url, path, { method: 'POST', body })),
);

interface Cut {
  readonly directory: string;
  readonly isTorn: boolean;
  /** How much was acknowledged before the copy. */
  readonly acknowledged: number;
}

/** The files as they are at one instant: the process stands still meanwhile. */
function cut(n: number): Cut {
  const directory = join(folder, `cut-${n}`);
  const isTorn = n % 2 === 1;
  mkdirSync(directory);
  const acknowledged = agents.journal.acknowledged.length;
  service.process.kill('SIGSTOP');
  for (const name of ['avouch.db', 'avouch.db-wal']) {
    if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(directory, name));
  }
  service.process.kill('SIGCONT');
  const wal = join(directory, 'avouch.db-wal');
  if (isTorn && existsSync(wal)) truncateSync(wal, Math.floor(statSync(wal).size * random()));
  return { directory, isTorn, acknowledged };
}

const violations: string[] = [];
let lost = 0;
const histories: { readonly events: readonly EventRow[]; readonly isTorn: boolean }[] = [];
for (let n = 0; n < cuts; n += 1) {
  await sleep(20 + 80 * random());
  const { directory, isTorn, acknowledged } = cut(n);
  const history = await readHistory(directory, undefined);
  const told = isTorn ? [] : agents.journal.acknowledged.slice(0, acknowledged);
  const found = checkHistory(history, told);
  if (!isTorn) lost += found.length;
  violations.push(...found.map((sentence) => `cut ${n}: ${sentence}`));
  histories.push({ events: history.events, isTorn });
  await rm(directory, { recursive: true, force: true });
}
await running.stop();
await service.end('SIGTERM');
client.close();
const whole = (await readHistory(dataDir, undefined)).events.map((event) => JSON.stringify(event));
for (const [n, { events }] of histories.entries()) {
  const isPrefix = events.every((event, place) => JSON.stringify(event) === whole[place]);
  if (!isPrefix) violations.push(`cut ${n} is no prefix of what was committed`);
}
await rm(folder, { recursive: true, force: true });
const report = { cuts, torn: histories.filter(({ isTorn }) => isTorn).length, seed, events: whole.length };
console.log(JSON.stringify({ ...report, lost, violations: violations.length }));
for (const sentence of violations.slice(0, 20)) console.error(sentence);
if (violations.length > 0) process.exitCode = 1;

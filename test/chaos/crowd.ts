// A crowd that does everything, on processes that are killed, frozen and restarted with their database while their
// clocks jump; afterwards every promise about writes is checked from what was stored and what was told.
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '#kernel/clock.ts';
import { checkCrossing } from './crossing-checks.ts';
import { readCrossingRows, readHistory } from '../support/events.ts';
import { ROOT } from '../support/child-service.ts';
import { type EngineName } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv } from '../support/service.ts';
import { inspectHistory } from './history.ts';
import { Fleet } from './kills.ts';
import { type Journal } from '../support/journal.ts';
import { crowd, replayLive, watchedSend } from '../support/load.ts';
import { seededRandom } from '../support/random.ts';
import { startPostgres } from '../support/postgres.ts';

/** Each takes one safeguard away, by a change of one text in a copy of the sources. */
const PLANTED = {
  exclusivity: [
    'src/areas/crossing/lease/decide-claim.ts',
    "if (others.some((lease) => isExclusive(lease.mode))) return refused('held', untilFree(others));",
    '',
  ],
  monotone_time: ['src/platform/storage/committer.ts', 'return Math.max(clockMs, opened.atMs);', 'return clockMs;'],
  lock: ['src/platform/storage/postgres.ts', '`${HEAD_SQL} FOR UPDATE`', 'HEAD_SQL'],
} as const;
export type PlantedFault = keyof typeof PLANTED;
export const PLANTED_FAULTS = Object.keys(PLANTED) as readonly PlantedFault[];

export interface HistoryOptions {
  readonly engine: EngineName;
  /** Answers after which the run ends. */
  readonly operations: number;
  readonly seed: number;
  readonly planted?: PlantedFault;
  /** How long a process is frozen. */
  readonly freezeMs: number;
  readonly callers: number;
  /** Between faults, on average. */
  readonly everyMs: number;
}

export interface HistoryReport {
  readonly engine: EngineName;
  readonly seed: number;
  readonly operations: number;
  readonly seconds: number;
  readonly events: number;
  readonly entries: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

const ENOUGH = 20;
const SPEED = 20;

export async function crossingHistory(options: HistoryOptions): Promise<HistoryReport> {
  const { engine, operations, seed, planted, freezeMs, everyMs, callers } = options;
  await using stack = new AsyncDisposableStack();
  const directory = stack.adopt(await temporaryDirectory(), (path) => rm(path, { recursive: true, force: true }));
  const cluster = engine === 'postgres' ? await startPostgres() : undefined;
  stack.defer(async () => cluster?.stop());
  const databaseUrl = await cluster?.createDatabase();
  const time = new FastTime(join(directory, 'clock'));
  await time.jump(0);
  const root = planted === undefined ? ROOT : await sabotaged(join(directory, 'sources'), planted);
  const program = [join(root, 'test/chaos/crossing-child.ts'), time.file, String(time.startedMs)];
  const random = seededRandom(seed);
  const fleet = new Fleet(serviceEnv(directory, databaseUrl, { AVOUCH_EVENT_DAYS: '0' }), random, program);
  stack.defer(() => fleet.kill());
  const agents = crowd({
    seed,
    callers,
    hotKeys: callers / 4,
    now: time.now,
    forgetsHotKeys: true,
    doesEverything: true,
  });
  const { journal } = agents;
  const start = () =>
    fleet.start().catch((error: Error) => void journal.wrong.push(`a process did not start: ${error.message}`));
  for (let started = 0; started < (engine === 'postgres' ? 3 : 1); started += 1) await start();
  const send = watchedSend(journal, fleet.send);
  const faults = new Map<string, number>();
  const startedMs = performance.now();
  const load = agents.start(send);
  const restartDatabase = async () => {
    await cluster?.kill();
    await cluster?.restart();
  };
  const restartProcess = async () => {
    await fleet.killOne();
    await start();
  };
  const wheel: readonly (readonly [string, () => Promise<void>])[] = [
    ['kill', restartProcess],
    ['hour', () => time.jump(HOUR_MS)],
    ['kill', restartProcess],
    ['freeze', () => fleet.freezeOne(freezeMs)],
    ['database', cluster === undefined ? restartProcess : restartDatabase],
    ['kill', restartProcess],
    ['month', () => time.jump(30 * DAY_MS)],
  ];
  for (let turn = 0; answered(journal) < operations && journal.wrong.length < ENOUGH; turn += 1) {
    await sleep(everyMs * (0.5 + random()));
    // What is planted must show without help.
    if (planted !== undefined) {
      if (fleet.isEmpty) break;
      continue;
    }
    const [name, strike] = wheel[turn % wheel.length] as (typeof wheel)[number];
    faults.set(name, (faults.get(name) ?? 0) + 1);
    await strike();
  }
  await load.stop();
  await replayLive(journal, send, time.now);
  if (planted === undefined) await fleet.stop();
  else await fleet.kill();
  const history = await readHistory(directory, databaseUrl);
  const rows = await readCrossingRows(directory, databaseUrl);
  const { lost, duplicated, violations } = inspectHistory(history, journal.acknowledged, journal.denied);
  const found = [...journal.wrong, ...journal.lost, ...lost, ...duplicated, ...violations];
  return {
    engine,
    seed,
    operations: answered(journal),
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    events: history.events.length,
    entries: rows.entries.length,
    faults: Object.fromEntries(faults),
    answers: Object.fromEntries(journal.counts),
    violations: [...found, ...checkCrossing(history, rows, journal)],
  };
}

function answered({ counts }: Journal): number {
  return counts.entries().reduce((sum, [outcome, count]) => (outcome === 'none' ? sum : sum + count), 0);
}

/** Time that runs fast and can be moved on; the processes read how far from a file. */
class FastTime {
  readonly startedMs = Date.now();
  readonly file: string;
  #jumpedMs = 0;

  constructor(file: string) {
    this.file = file;
  }

  readonly now = (): number => Math.round(this.startedMs + SPEED * (Date.now() - this.startedMs)) + this.#jumpedMs;

  async jump(ms: number): Promise<void> {
    // First here: a caller must not think a lease live that the processes know to be over.
    this.#jumpedMs += ms;
    await writeFile(this.file, String(this.#jumpedMs));
  }
}

/** A copy of the sources without one safeguard. */
async function sabotaged(directory: string, planted: PlantedFault): Promise<string> {
  await mkdir(directory);
  for (const part of ['src', 'verify', 'docs', 'package.json']) {
    await cp(join(ROOT, part), join(directory, part), { recursive: true });
  }
  await cp(join(ROOT, 'test/chaos/crossing-child.ts'), join(directory, 'test/chaos/crossing-child.ts'));
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const [path, safeguard, instead] = PLANTED[planted];
  const file = join(directory, path);
  const text = await readFile(file, 'utf8');
  if (!text.includes(safeguard)) throw new Error(`${path} has no ${safeguard}`);
  await writeFile(file, text.replaceAll(safeguard, instead));
  return directory;
}

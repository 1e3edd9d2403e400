// Hours of the whole service in seconds: real committer, real units, and everything around them as a seed says.
import { HOUR_MS } from '#kernel/clock.ts';
import { CompactRange } from '#protocol/compact-range.ts';
import { leafHash } from '#protocol/merkle.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { simulateCrossing } from './crossing.ts';
import { simulateGate } from './gate.ts';
import { simulateMandates } from './mandates.ts';
import { simulateSeals } from './seals.ts';
import { takeOver } from './time.ts';
import { simulateWallet } from './wallet.ts';
import { type Part, type PlantedFault, World } from './world.ts';

export interface SimulationOptions {
  readonly seed: number;
  readonly hours: number;
  readonly planted?: PlantedFault;
}

export interface SimulationReport {
  readonly seed: number;
  readonly hours: number;
  readonly commands: number;
  readonly crashes: number;
  readonly lost_answers: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
  readonly digest: string;
  readonly seconds: number;
}

const CHECK_EVERY_HOURS = 20;
/** Longer than anything that callers began and any hold may last. */
const REST_HOURS = 60;

const migrations = await allMigrations();

/** Ends at the first violation, or when the hours are over and everything under way has come to its end. */
export async function simulate({ seed, hours, planted }: SimulationOptions): Promise<SimulationReport> {
  const startedMs = performance.now();
  await using world = new World(seed, planted);
  using _ = takeOver(world.time, world.chance);
  await world.open(migrations);
  const parts: Part[] = [
    simulateCrossing(world, seed),
    simulateWallet(world),
    simulateMandates(world),
    simulateSeals(world),
    simulateGate(world),
  ];
  const check = async () => {
    for (const part of [...parts, { check: () => checkLog(world) }]) {
      for (const what of await part.check()) world.violation(what);
    }
    return world.violations.length === 0;
  };
  const live = async (forHours: number) => world.time.runUntil(world.time.now() + forHours * HOUR_MS);
  let isSound = true;
  for (let lived = 0; lived < hours && isSound; lived += CHECK_EVERY_HOURS) {
    await live(Math.min(CHECK_EVERY_HOURS, hours - lived));
    isSound = await check();
  }
  const simulated = world.hours;
  if (isSound) {
    world.calm();
    const ended = Promise.all(parts.map((part) => part.stop())).then(() => true);
    await live(REST_HOURS);
    const isOver = await Promise.race([ended, Promise.resolve(false)]);
    if (!isOver) world.violation('callers still wait for an answer although nothing fails any more');
    await check();
  }
  const { commands = 0, crashes = 0, lost_answers = 0, ...faults } = Object.fromEntries(world.counts);
  return {
    seed,
    hours: Math.round(simulated * 100) / 100,
    commands,
    crashes,
    lost_answers,
    faults,
    answers: Object.fromEntries(world.answers),
    violations: world.violations.slice(0, 20),
    digest: world.digest(),
    seconds: Math.round(performance.now() - startedMs) / 1000,
  };
}

/** Entries are numbered without a gap, never go back in time, and their root is the one that the head holds. */
async function checkLog(world: World): Promise<readonly string[]> {
  const entries = world.rows('SELECT seq, leaf, leaf_hash, at FROM entries ORDER BY seq');
  const [head] = world.rows('SELECT size, root FROM log_head');
  const range = new CompactRange();
  const found: string[] = [];
  let beforeMs = 0;
  entries.forEach(({ seq, leaf, leaf_hash: hash, at }, index) => {
    const made = leafHash(Buffer.from(String(leaf)));
    if (seq !== index) found.push(`log entry ${seq} stands at ${index}`);
    if (Buffer.from(made).toString('hex') !== hash) found.push(`log entry ${seq} has another hash`);
    if (Number(at) < beforeMs) found.push(`time goes back at log entry ${seq}`);
    beforeMs = Number(at);
    range.push(made);
  });
  if (entries.length === 0) return found;
  const root = Buffer.from(range.root()).toString('hex');
  if (head?.['size'] !== entries.length || head['root'] !== root) found.push('the root of the log does not recompute');
  return found;
}

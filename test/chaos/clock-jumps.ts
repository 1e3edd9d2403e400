// npm run clock-jumps -- [--engine sqlite|postgres|all]: wall time is set an hour ahead, an hour back and thirty days ahead under a live lease; one JSON line per engine and jump.
// With SQLite that is the clock of the machine, with PostgreSQL that of the server.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Clock, HOUR_MS, MAX_SLEW, SlewedTime } from '#kernel/clock.ts';
import { settableDatabaseClock } from '../support/database-clock.ts';
import { ENGINES, type EngineName, freshDatabase, hasPostgres } from '../support/databases.ts';
import { TestService } from '../support/service.ts';
import { sealRecord } from '../support/log.ts';

const { values } = parseArgs({ options: { engine: { type: 'string', default: 'all' } } });
const JUMPS = { '+1 h': HOUR_MS, '-1 h': -HOUR_MS, '+30 days': 720 * HOUR_MS };
const TTL_SECONDS = 30;
const WATCHED_S = 3 * TTL_SECONDS;
/** Between two asks whether the lease is over, and for the answers. */
const GRAIN_S = 1;

/** The clock of the service on a wall clock that can be set. */
class SettableClock implements Clock {
  jumpedMs = 0;
  readonly #time = new SlewedTime(Date.now(), performance.now());
  now = () => this.#time.at(performance.now(), () => Date.now() + this.jumpedMs);
  monotonicMs = () => performance.now();
}

interface Jumping {
  readonly options: Parameters<typeof TestService.start>[0];
  readonly jump: (ms: number) => Promise<void>;
  /** How long a lease is held at the least and at the most, in seconds, when the clock jumped by so much. */
  readonly heldS: (ms: number) => readonly [least: number, most: number];
}

const JUMPING: Readonly<Record<EngineName, () => Promise<Jumping>>> = {
  async sqlite() {
    const clock = new SettableClock();
    const jump = async (ms: number) => void (clock.jumpedMs = ms);
    return { options: { engine: 'sqlite', clock }, jump, heldS: () => [TTL_SECONDS * (1 - MAX_SLEW), WATCHED_S] };
  },
  async postgres() {
    const { url, step } = await settableDatabaseClock((await freshDatabase('postgres')) as string);
    // Its time follows a step ahead at once, and waits after a step back.
    return {
      options: { databaseUrl: url },
      jump: step,
      heldS: (ms) => (ms > 0 ? [0, WATCHED_S] : [WATCHED_S, Number.POSITIVE_INFINITY]),
    };
  },
};

async function jumped(engine: EngineName, name: string, jumpMs: number) {
  const { options, jump, heldS: limits } = await JUMPING[engine]();
  const [leastS, mostS] = limits(jumpMs);
  await using service = await TestService.start(options);
  const claim = (agent: string, token?: unknown) =>
    service.call('/v1/claim', {
      method: 'POST',
      body: { key: 'the clock', agent, mode: 'exclusive', ttl: TTL_SECONDS, ...(token !== undefined && { token }) },
    });
  const sealedAt = async () => Date.parse(String((await sealRecord(service, 'a moment')).json['sealed_at']));
  const violations: string[] = [];
  const sealTimes = [await sealedAt()];
  const held = await claim('first');
  const startedMs = performance.now();
  await jump(jumpMs);
  let heldS = 0;
  let taken = await claim('second');
  for (; taken.status === 409 && heldS < WATCHED_S; taken = await claim('second')) {
    await sleep(200);
    heldS = (performance.now() - startedMs) / 1_000;
    sealTimes.push(await sealedAt());
  }
  const isTaken = taken.status === 200;
  await jump(0);
  sealTimes.push(await sealedAt());
  if (held.status !== 200) violations.push(`the first claim was answered ${held.text}`);
  if (!isTaken && (taken.status !== 409 || heldS >= mostS))
    violations.push(`the second claim was answered ${taken.text}`);
  if (heldS < leastS - GRAIN_S) violations.push(`the lease was over after ${heldS} s`);
  if (isTaken && (await claim('first', held.json['token'])).status === 200) violations.push('an ended lease came back');
  if (isTaken && !(Number(taken.json['fence']) > Number(held.json['fence']))) violations.push('the fence did not grow');
  if (sealTimes.some((at, n) => !(at >= (sealTimes[n - 1] ?? 0)))) violations.push('the times of seals go back');
  const report = { engine, jump: name, held_s: Math.round(heldS * 10) / 10, seals: sealTimes.length };
  return { ...report, clock: engine === 'sqlite' ? 'machine' : 'server', violations };
}

for (const engine of ENGINES.filter((name) => values.engine === 'all' || values.engine === name)) {
  if (engine === 'postgres' && !(await hasPostgres())) {
    console.error('postgres: no PostgreSQL server binaries here, left out');
    continue;
  }
  const jumps = Object.entries(JUMPS).map(([name, jumpMs]) => jumped(engine, name, jumpMs));
  for (const { violations, ...report } of await Promise.all(jumps)) {
    console.log(JSON.stringify({ ...report, violations: violations.length }));
    for (const sentence of violations) console.error(`${report.jump}: ${sentence}`);
    if (violations.length > 0) process.exitCode = 1;
  }
}

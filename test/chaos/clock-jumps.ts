// npm run clock-jumps -- [--engine sqlite|postgres|all]: wall time is set an hour ahead, an hour back and thirty days ahead under a live lease; one JSON line per engine and jump.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Clock, HOUR_MS, MAX_SLEW, SlewedTime } from '#kernel/clock.ts';
import { ENGINES, type EngineName, hasPostgres } from '../support/databases.ts';
import { TestService } from '../support/service.ts';
import { sealRecord } from '../support/log.ts';

const { values } = parseArgs({ options: { engine: { type: 'string', default: 'all' } } });
const JUMPS = { '+1 h': HOUR_MS, '-1 h': -HOUR_MS, '+30 days': 720 * HOUR_MS };
const TTL_SECONDS = 30;
/** Between two asks whether the lease is over, and for the answers. */
const GRAIN_S = 1;

/** The clock of the service on a wall clock that can be set. */
class SettableClock implements Clock {
  jumpedMs = 0;
  readonly #time = new SlewedTime(Date.now(), performance.now());
  now = () => this.#time.at(performance.now(), () => Date.now() + this.jumpedMs);
  monotonicMs = () => performance.now();
}

async function jump(engine: EngineName, name: string, jumpMs: number) {
  const clock = new SettableClock();
  await using service = await TestService.start({ engine, clock });
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
  clock.jumpedMs = jumpMs;
  let heldS = 0;
  let taken = await claim('second');
  for (; taken.status === 409 && heldS < TTL_SECONDS * 3; taken = await claim('second')) {
    await sleep(200);
    heldS = (performance.now() - startedMs) / 1_000;
    sealTimes.push(await sealedAt());
  }
  if (held.status !== 200 || taken.status !== 200) violations.push(`claims were answered ${held.text} ${taken.text}`);
  if (heldS < TTL_SECONDS * (1 - MAX_SLEW) - GRAIN_S) violations.push(`the lease was over after ${heldS} s`);
  if ((await claim('first', held.json['token'])).status === 200) violations.push('an ended lease came back');
  if (sealTimes.some((at, n) => !(at >= (sealTimes[n - 1] ?? 0)))) violations.push('the times of seals go back');
  if (!(Number(taken.json['fence']) > Number(held.json['fence']))) violations.push('the fence did not grow');
  return { engine, jump: name, held_s: Math.round(heldS * 10) / 10, seals: sealTimes.length, violations };
}

for (const engine of ENGINES.filter((name) => values.engine === 'all' || values.engine === name)) {
  if (engine === 'postgres' && !(await hasPostgres())) continue;
  const jumps = Object.entries(JUMPS).map(([name, jumpMs]) => jump(engine, name, jumpMs));
  for (const { violations, ...report } of await Promise.all(jumps)) {
    console.log(JSON.stringify({ ...report, violations: violations.length }));
    for (const sentence of violations) console.error(`${report.jump}: ${sentence}`);
    if (violations.length > 0) process.exitCode = 1;
  }
}

// Honest offices and five kinds of abuse over simulated days, on the real unit, limiter and counters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuleFlags } from '#platform/usage-rules/rule-flags.ts';
import { readRates } from '#platform/config/rates.ts';
import { DAY_MS, HOUR_MS, ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { newId, sha256Hex } from '#kernel/ids.ts';
import { addressSubject, type Subject } from '#platform/usage-rules/flag-rules.ts';
import { KeyRotation } from '#platform/usage-rules/key-rotation.ts';
import type { Store } from '#platform/storage/store.ts';
import { RateLimiter } from '#transport/http/rate-limit.ts';
import { SETTINGS } from '#platform/config/env.ts';
import { openStore } from '../support/engines.ts';

const START = Date.UTC(2026, 10, 16);
const RATES = readRates((name) => String(SETTINGS.find((one) => one.name === name)?.fallback), []);

/** Repeatable chances. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The parts of a service that a caller meets, without the calls themselves. */
class World {
  readonly clock: ManualClock;
  readonly flags: RuleFlags;
  readonly #store: Store;
  readonly #limiter = new RateLimiter('wallet', RATES.wallet);
  readonly #rotation = new KeyRotation();
  readonly #agentOf = new Map<string, Subject>();
  /** How often a quota was used up. */
  limited = 0;

  constructor(store: Store, clock: ManualClock) {
    this.clock = clock;
    this.#store = store;
    this.flags = new RuleFlags({
      store,
      clock,
      sandbox: true,
      suspends: true,
      contact: '',
      ownerTag: sha256Hex,
      record: () => undefined,
    });
  }

  /** The tag of an address on this day. */
  tagOf(address: string): string {
    return sha256Hex(`${address} ${Math.floor(this.clock.now() / DAY_MS)}`);
  }

  isSuspended(subject: Subject): boolean {
    return this.flags.refuse(subject) !== undefined;
  }

  /** False where the address is suspended. */
  async makesTask(address: string): Promise<boolean> {
    const tag = this.tagOf(address);
    if (this.flags.refuseAnonymous(tag) !== undefined) return false;
    this.flags.learn(await this.#store.runAll([this.flags.taskMade(tag)]));
    return true;
  }

  async registers(address: string, ownerEmail: string): Promise<boolean> {
    const tag = this.tagOf(address);
    if (this.isSuspended(addressSubject(tag))) return false;
    this.flags.learn(await this.#store.runAll([this.flags.registered(tag, ownerEmail)]));
    return true;
  }

  owns(agentId: Subject, key: string): void {
    this.#agentOf.set(key, agentId);
  }

  /** One call under a key; how long to wait where the quota is used up, null where the agent is suspended. */
  async calls(address: string, key: string): Promise<number | null> {
    const [tag, atMs] = [this.tagOf(address), this.clock.monotonicMs()];
    const { accepted, retryAfterSeconds } = this.#limiter.take(key, atMs);
    const agentId = this.#agentOf.get(key) as Subject;
    for (const used of this.#rotation.saw({
      addressTag: tag,
      key,
      isAccepted: accepted,
      quota: this.#limiter.burst,
      atMs,
    }) ?? []) {
      await this.flags.rotated(this.#agentOf.get(used) as Subject);
    }
    if (!accepted) {
      this.limited += 1;
      return retryAfterSeconds * 1_000;
    }
    return this.isSuspended(agentId) ? null : 0;
  }

  async asksForSecret(subject: Subject): Promise<void> {
    await this.flags.refused(subject, 'secret_request', null);
  }
}

async function world(): Promise<World & AsyncDisposable> {
  const clock = new ManualClock(START);
  const opened = await openStore('sqlite', { injectedClock: clock });
  return Object.assign(new World(opened.store, clock), {
    async [Symbol.asyncDispose]() {
      await opened.store.close();
      await opened[Symbol.asyncDispose]();
    },
  });
}

interface Planned {
  readonly atMs: number;
  readonly act: () => Promise<Planned | void>;
}

async function succeeds(act: Promise<boolean>): Promise<void> {
  assert.ok(await act);
}

/** Runs what is planned in the order of time; an act may plan what follows it. */
async function play(clock: ManualClock, planned: readonly Planned[]): Promise<void> {
  const queue = planned.toSorted((a, b) => b.atMs - a.atMs);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (next.atMs > clock.now()) clock.set(next.atMs);
    const follows = await next.act();
    if (follows === undefined) continue;
    let place = queue.length;
    while (place > 0 && (queue[place - 1] as Planned).atMs < follows.atMs) place -= 1;
    queue.splice(place, 0, follows);
  }
}

/** A batch of calls as fast as the agent can, each refusal waited for as it says. */
function burst(
  { clock, calls }: { clock: ManualClock; calls: () => Promise<number | null> },
  [atMs, count, everyMs]: readonly [number, number, number],
  chance: () => number,
): Planned {
  const act = async (): Promise<Planned | undefined> => {
    const waitMs = await calls();
    if (waitMs === null) return undefined;
    const left = waitMs === 0 ? count - 1 : count;
    const againMs = clock.now() + (waitMs === 0 ? everyMs : waitMs + Math.floor(chance() * 200));
    return left === 0 ? undefined : burst({ clock, calls }, [againMs, left, everyMs], chance);
  };
  return { atMs, act };
}

test('two hundred honest agents behind twenty addresses are never suspended', async (context) => {
  await using service = await world();
  const { clock } = service;
  const chance = dice(20_261_116);
  const days = 2;
  const planned: Planned[] = [];
  const subjects: Subject[] = [];
  for (let office = 0; office < 20; office += 1) {
    const address = `198.51.100.${office}`;
    for (let seat = 0; seat < 10; seat += 1) {
      const agentId = newId('agt_') as Subject;
      subjects.push(agentId);
      const keys = [`${agentId} 1`, `${agentId} 2`];
      for (const key of keys) service.owns(agentId, key);
      const joinsMs = START + Math.floor(chance() * DAY_MS);
      const owner = `office-${office}@example.org`;
      planned.push({ atMs: joinsMs, act: () => succeeds(service.registers(address, owner)) });
      const rotatesMs = START + Math.floor(chance() * days * DAY_MS);
      for (let day = 0; day < days; day += 1) {
        // Every office works through a list at nine, agents starting within two seconds; and once again whenever it likes.
        const nineMs = START + day * DAY_MS + 9 * HOUR_MS + Math.floor(chance() * 2_000);
        const laterMs = START + day * DAY_MS + 10 * HOUR_MS + Math.floor(chance() * 10 * HOUR_MS);
        for (const atMs of [nineMs, laterMs]) {
          const calls = () => service.calls(address, keys[clock.now() < rotatesMs ? 0 : 1] as string);
          const size = [atMs, 40 + Math.floor(chance() * 80), 2 + Math.floor(chance() * 10)] as const;
          planned.push(burst({ clock, calls }, size, chance));
        }
      }
      // One slip of the pen.
      const slipMs = START + Math.floor(chance() * days * DAY_MS);
      if (chance() < 0.1) planned.push({ atMs: slipMs, act: () => service.asksForSecret(agentId) });
    }
    for (let day = 0; day < days; day += 1) {
      // Visitors without a key: some tasks a day, a few of them at once.
      for (let visit = 0; visit < 6; visit += 1) {
        const visitMs = START + day * DAY_MS + Math.floor(chance() * (DAY_MS - MINUTE_MS));
        for (let task = 0; task < 1 + Math.floor(chance() * 5); task += 1) {
          const act = () => succeeds(service.makesTask(address));
          planned.push({ atMs: visitMs + task * 2_000, act });
        }
      }
    }
  }
  await play(clock, planned);
  assert.deepEqual(
    subjects.filter((agentId) => service.isSuspended(agentId)),
    [],
  );
  const flags = (await Promise.all(subjects.map((agentId) => service.flags.standing(agentId)))).flatMap(
    (standing) => standing.flags,
  );
  assert.ok(flags.every(({ signal }) => signal === 'rule_refusal'));
  assert.ok(service.limited > 500, 'bursts were told to wait');
  context.diagnostic(`${service.limited} waits, ${flags.length} flags, all for a text`);
});

/** Each pattern with its budget as the rules publish it: what it gets done before it is suspended. */
const PATTERNS: Readonly<Record<string, (service: World) => Promise<{ done: number; budget: number }>>> = {
  'a flood of anonymous tasks': (service) => floods(service, 22, () => 200),
  'a flood that stays just above the limit': (service) => floods(service, 22, () => 5_900),
  'floods over HTTP and MCP at the same time': async (service) => {
    let done = 0;
    for (let round = 0; round < 40; round += 1) {
      const both = await Promise.all([service.makesTask('203.0.113.1'), service.makesTask('203.0.113.1')]);
      done += both.filter(Boolean).length;
      service.clock.advance(250);
    }
    // What was under way when the last one came is done too.
    return { done, budget: 22 };
  },
  'a flood of registrations from one address': async (service) => {
    let done = 0;
    for (let turn = 0; turn < 100; turn += 1) {
      if (await service.registers('203.0.113.2', `owner-${turn}@example.org`)) done += 1;
      service.clock.advance(400_000);
    }
    // After each suspension two more, and eight of them, each twice as long as the one before, are more than the day.
    return { done, budget: 22 + 2 * 8 };
  },
  'a flood of registrations for one owner over many addresses': async (service) => {
    let done = 0;
    const addresses = 15;
    for (let turn = 0; turn < 150; turn += 1) {
      if (await service.registers(`203.0.113.${turn % addresses}`, 'one@example.org')) done += 1;
      service.clock.advance(1_000);
    }
    return { done, budget: 20 + 2 * addresses };
  },
  'a quota used up under one key after the other': async (service) => {
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const key of keys) service.owns(`agt_${key}`, key);
    let rows = 0;
    const active = () => keys.filter((key) => !service.isSuspended(`agt_${key}`));
    while (active().length >= 3 && rows < 40) {
      for (const key of active()) {
        while ((await service.calls('203.0.113.4', key)) === 0) service.clock.advance(10);
        rows += 1;
      }
    }
    assert.ok(active().length < 3);
    // Every key twice, the last row being complete with one more.
    return { done: rows, budget: 2 * keys.length + 1 };
  },
  'a job that works through three keys every ten minutes': async (service) => {
    const keys = ['a', 'b', 'c'];
    for (const key of keys) service.owns(`agt_${key}`, key);
    let rows = 0;
    for (let turn = 0; turn < 10; turn += 1) {
      for (const key of keys.filter((one) => !service.isSuspended(`agt_${one}`))) {
        while ((await service.calls('203.0.113.5', key)) === 0) service.clock.advance(4);
        rows += 1;
      }
      service.clock.advance(600_000);
    }
    return { done: rows, budget: 2 * keys.length };
  },
  'an agent that asks for secrets again and again': async (service) => {
    let done = 0;
    while (!service.isSuspended('agt_x') && done < 10) {
      await service.asksForSecret('agt_x');
      done += 1;
      service.clock.advance(HOUR_MS);
    }
    return { done, budget: 3 };
  },
};

async function floods(service: World, budget: number, gapMs: () => number) {
  let done = 0;
  for (let turn = 0; turn < 60; turn += 1) {
    if (await service.makesTask('203.0.113.1')) done += 1;
    service.clock.advance(gapMs());
  }
  return { done, budget };
}

for (const [name, run] of Object.entries(PATTERNS)) {
  test(`${name} is suspended within its budget`, async () => {
    await using service = await world();
    const { done, budget } = await run(service);
    assert.ok(done > 0 && done <= budget, `${done} were done, ${budget} may be`);
  });
}

test('a repeated offender is suspended for one day, two, four and so on to thirty; an address for minutes, and no longer than the day', async () => {
  await using service = await world();
  const lasted: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) {
    for (let ask = 0; ask < 3; ask += 1) await service.asksForSecret('agt_x');
    const fromMs = service.clock.now();
    while (service.isSuspended('agt_x')) service.clock.advance(HOUR_MS);
    lasted.push((service.clock.now() - fromMs) / DAY_MS);
  }
  assert.deepEqual(lasted, [1, 2, 4, 8, 16, 30, 30]);
  service.clock.set(Math.ceil(service.clock.now() / DAY_MS) * DAY_MS + 12 * HOUR_MS);
  const tag = service.tagOf('203.0.113.9');
  const noonMs = service.clock.now();
  const minutes: number[] = [];
  while (service.clock.now() < noonMs + 12 * HOUR_MS) {
    for (let ask = 0; ask < 3; ask += 1) await service.asksForSecret(addressSubject(tag));
    const fromMs = service.clock.now();
    while (service.isSuspended(addressSubject(tag))) service.clock.advance(60_000);
    minutes.push((service.clock.now() - fromMs) / MINUTE_MS);
  }
  assert.deepEqual(minutes, [5, 10, 20, 40, 80, 160, 320, 85]);
  for (const job of service.flags.jobs()) await job.run();
  assert.deepEqual((await service.flags.standing(addressSubject(tag))).flags, [], 'the day is forgotten');
  assert.equal((await service.flags.standing('agt_x')).flags.length > 0, true);
});

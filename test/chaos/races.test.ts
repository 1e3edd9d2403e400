import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { crossingUnit } from '#areas/crossing/unit.ts';
import { type Clock, ManualClock } from '#kernel/clock.ts';
import type { Unit, Write } from '#storage/store.ts';
import { type Answer } from '../support/client.ts';
import { ENGINES, type EngineName, hasPostgres } from '../support/databases.ts';
import { TestService } from '../support/service.ts';
import { readHistory } from '../support/events.ts';
import { checkHistory, type EventRow } from './history.ts';
import { crowd, newSeed, outcomeOf, replayLive, seededRandom, watchedSend } from '../support/load.ts';

const RETENTION_OFF = { AVOUCH_EVENT_DAYS: '0' };
const postgres = await hasPostgres();
const noPostgres = { skip: !postgres && 'no PostgreSQL server binaries here' };

/** The smallest unit that makes an event: a grant without a lease row. */
const revisionUnit: Unit<string, null, number> = {
  name: 'revision',
  reads: () => [],
  load: () => null,
  decide(state, nowMs, next, key) {
    const body = { id: `${key}-command`, agent: 'a7', mode: 'exclusive', fence: next.rev, expires_at: nowMs + 30_000 };
    return { state, result: next.rev, events: [{ key, type: 'claim', body: JSON.stringify(body) }] };
  },
  writes: () => [],
};

const throwingUnit: Unit<null, null, never> = {
  name: 'throwing',
  reads: () => [],
  load: () => null,
  decide() {
    throw new Error('poison');
  },
  writes: () => [],
};

const COLLISION: Write = {
  sql: 'INSERT INTO migration (area, number, name, sha256) VALUES ($1, $2, $3, $4)',
  rows: [['storage', 1, 'poison', '']],
};

/** Writes a row whose key is taken, which only the database notices. */
const collidingUnit: Unit<null, null, null> = {
  name: 'colliding',
  reads: () => [],
  load: () => null,
  decide: (state) => ({ state, result: null }),
  writes: () => [COLLISION],
};

for (const engine of ENGINES) {
  suite(`races on ${engine}`, { skip: engine === 'postgres' && noPostgres.skip }, () => {
    test('of 200 clients on one key one holds it alone, three share three slots, and once happens once', async () => {
      const clock = new ManualClock();
      await using service = await TestService.start({ engine, clock, env: RETENTION_OFF });
      const clients = (body: Record<string, unknown>) =>
        many(200, (index) => claim(service, { agent: `a-${index}`, ttl: 30 + index, ...body }));
      const alone = await clients({ key: 'alone', mode: 'exclusive' });
      assert.deepEqual(countBy(alone, outcomeOf), { 200: 1, '409 held': 199 });
      const sharing = await clients({ key: 'shared', slots: 3 });
      assert.deepEqual(countBy(sharing, outcomeOf), { 200: 3, '409 slots_full': 197 });
      const positions = sharing.filter(({ status }) => status === 200).map(({ json }) => json['position']);
      assert.deepEqual(new Set(positions), new Set([1, 2, 3]));
      const once = await clients({ key: 'once', mode: 'once', intent: 'pay' });
      assert.deepEqual(countBy(once, outcomeOf), { 200: 1, '409 once_taken': 199 });
      assert.deepEqual(await typesOf(service, 'shared'), ['claim', 'claim', 'claim']);
      // Whoever comes back when it was told to is not refused again, not even for a moment too early a hint.
      const returns = async (refusals: readonly Answer[], body: Record<string, unknown>) => {
        const refused = refusals.find(({ status }) => status === 409);
        clock.advance(1_000 * Number(refused?.json['wait_s']));
        assert.equal(outcomeOf(await claim(service, { agent: 'returned', ...body })), '200', JSON.stringify(body));
      };
      await returns(sharing, { key: 'shared', slots: 3 });
      await returns(alone, { key: 'alone', mode: 'exclusive' });
      await returns(once, { key: 'once', mode: 'once', intent: 'pay' });
    });

    test('six spellings of one issue meet on one key', async () => {
      await using service = await start(engine);
      const spellings = [
        'acme/repo#12',
        'gh:Acme/Repo/12',
        'https://github.com/Acme/Repo/issues/12',
        'http://www.github.com/acme/repo/issues/12/?utm_source=x#issuecomment-9',
        'github.com/acme/repo/pull/12/files',
        'https://api.github.com/repos/acme/repo/pulls/12',
      ];
      const answers = await many(6, (index) =>
        claim(service, { key: spellings[index], agent: `a-${index}`, mode: 'exclusive' }),
      );
      assert.deepEqual(countBy(answers, outcomeOf), { 200: 1, '409 held': 5 });
      assert.deepEqual(
        new Set(answers.map(({ json }) => json['key'])),
        new Set(['https://github.com/acme/repo/issues/12']),
      );
      assert.deepEqual(
        answers.map(({ json }) => json['key_given']),
        spellings,
      );
    });

    test('a claim sent 20 times at once with the same client-made token is one lease and one event', async () => {
      await using service = await start(engine);
      for (const mode of ['shared', 'exclusive', 'once']) {
        const request = { key: mode, agent: 'a7', mode, token: newToken() };
        const answers = await many(20, () => claim(service, request));
        assert.deepEqual(
          countBy(answers, ({ status, json }) => `${status} ${json['repeated'] === true}`),
          { '200 false': 1, '200 true': 19 },
        );
        assert.equal(new Set(answers.map(({ json }) => json['lease'])).size, 1);
        assert.equal(new Set(answers.map(({ json }) => json['rev'])).size, 1);
        assert.deepEqual(await typesOf(service, mode), ['claim']);
      }
    });

    test('a lease released 20 times at once ends with one event, and every caller is told its revision', async () => {
      await using service = await start(engine);
      const token = newToken();
      const { json } = await claim(service, { key: 'k', agent: 'a7', mode: 'exclusive', token });
      const answers = await many(20, () => post(service, '/v1/release', { lease: json['lease'], token }));
      assert.deepEqual(
        countBy(answers, (answer) => `${answer.status} ${answer.json['again'] === true}`),
        { '200 false': 1, '200 true': 19 },
      );
      assert.equal(new Set(answers.map((answer) => answer.json['rev'])).size, 1);
      assert.deepEqual(await typesOf(service, 'k'), ['claim', 'release']);
    });

    test('a release and refreshes sent at once never leave a refresh behind the release', async () => {
      await using service = await start(engine);
      const token = newToken();
      const { json } = await claim(service, { key: 'k', agent: 'a7', token });
      const refresh = () => claim(service, { key: 'k', agent: 'a7', lease: json['lease'], token });
      const release = () => post(service, '/v1/release', { lease: json['lease'], token });
      const answers = await many(21, (index) => (index === 10 ? release() : refresh()));
      const allowed = new Set(['200', '409 lease_lost']);
      assert.deepEqual(
        answers.map(outcomeOf).filter((outcome) => !allowed.has(outcome)),
        [],
      );
      assert.equal((await typesOf(service, 'k')).at(-1), 'release');
      assert.deepEqual(checkHistory(await history(service), []), []);
    });

    for (const [fault, poison] of [
      ['throws while it decides', throwingUnit],
      ['breaks a rule of the database', collidingUnit],
    ] as const) {
      test(`a command that ${fault} fails alone, the 30 around it are committed`, async () => {
        await using service = await start(engine);
        const { store } = service.service;
        const claims = (from: number) => many(15, (index) => claimDirectly(service, `k${from + index}`));
        // One turn of the event loop, so one batch.
        const before = claims(0);
        const poisoned = assert.rejects(store.run(poison, null), /poison|UNIQUE|duplicate/i);
        const after = claims(15);
        await poisoned;
        const fences = [...(await before), ...(await after)];
        assert.deepEqual(
          fences,
          Array.from({ length: 30 }, (_, index) => index + 1),
        );
        assert.deepEqual(checkHistory(await history(service), []), []);
        assert.equal(store.status().state, 'up');
      });
    }

    test('twelve callers leave a faultless history while leases expire and clocks jump to and fro', async (t) => {
      await using stack = new AsyncDisposableStack();
      const seed = newSeed();
      const random = seededRandom(seed);
      const services = stack.use(await startOnWildClocks(engine, seed)).services;
      const anyService = () => services[Math.floor(random() * services.length)] as TestService;
      const agents = crowd({ seed, now: fastMs, forgetsHotKeys: true });
      const { journal } = agents;
      const send = watchedSend(journal, (path, body) => post(anyService(), path, body));
      const running = stack.use(agents.start(send));
      for (let sweeps = 0; sweeps < 10; sweeps += 1) {
        await sleep(300);
        const sweep = { type: 'sweep', commandId: newToken(), dueBeforeMs: fastMs() } as const;
        await anyService().service.store.run(crossingUnit, sweep);
      }
      await running.stop();
      const replayed = await replayLive(journal, send, fastMs);
      const { events, head } = await history(services[0] as TestService);
      const types = countBy(events, ({ type }) => type);
      t.diagnostic(JSON.stringify({ seed, replayed, ...Object.fromEntries(journal.counts), ...types }));
      const found = checkHistory({ events, head }, journal.acknowledged);
      assert.deepEqual([...journal.wrong, ...journal.lost, ...found], [], `seed ${seed}`);
      assert.ok((types['expire'] ?? 0) > 0, 'leases expired');
    });
  });
}

suite('two processes on one PostgreSQL database', noPostgres, () => {
  test('the fence strictly increases over 200 grants through both', async () => {
    await using pair = await startPair();
    const fences: number[] = [];
    for (let turn = 0; turn < 200; turn += 1) {
      const service = pair.services[turn % 2] as TestService;
      const answer = await claim(service, { key: `k${turn}`, agent: 'a7', mode: 'exclusive' });
      fences.push(answer.json['fence'] as number);
    }
    assert.deepEqual(
      fences,
      fences.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(fences).size, 200);
  });

  test('of 20 callers split over both exactly one gets a key, for each of 40 keys', async () => {
    await using pair = await startPair();
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
    for (const key of keys) {
      const answers = await many(20, (index) => {
        return claim(pair.services[index % 2] as TestService, { key, agent: `a-${index}`, mode: 'exclusive' });
      });
      assert.deepEqual(countBy(answers, outcomeOf), { 200: 1, '409 held': 19 }, key);
    }
    assert.deepEqual(checkHistory(await history(pair.services[0]), []), []);
  });

  test('the same client-made token sent to both at once is one lease', async () => {
    await using pair = await startPair();
    for (let turn = 0; turn < 20; turn += 1) {
      const request = { key: `k${turn}`, agent: 'a7', token: newToken() };
      const answers = await many(4, (index) => claim(pair.services[index % 2] as TestService, request));
      assert.equal(new Set(answers.map(({ json }) => json['lease'])).size, 1);
      assert.deepEqual(await typesOf(pair.services[0], request.key), ['claim']);
    }
  });

  test('what one process has answered the other knows at once', async () => {
    await using pair = await startPair();
    const [first, second] = pair.services;
    for (let turn = 0; turn < 20; turn += 1) {
      const token = newToken();
      const granted = await claim(first, { key: 'k', agent: 'a7', mode: 'exclusive', token });
      assert.equal(outcomeOf(await claim(second, { key: 'k', agent: 'b2', mode: 'exclusive' })), '409 held');
      const released = await post(second, '/v1/release', { lease: granted.json['lease'], token });
      assert.deepEqual([granted.status, released.status, released.json['again']], [200, 200, false]);
    }
  });
});

function start(engine: EngineName): Promise<TestService> {
  return TestService.start({ engine, env: RETENTION_OFF });
}

/** A time that runs twenty times too fast, so that leases expire. */
function fastMs(): number {
  return Math.round(performance.timeOrigin + 20 * performance.now());
}

/** The fast time, which jumps by up to two seconds either way every 50 ms. */
function wildClock(random: () => number): Clock {
  let offsetMs = 0;
  let jumpAtMs = 0;
  return {
    monotonicMs: () => performance.now(),
    now() {
      if (performance.now() >= jumpAtMs) {
        offsetMs = Math.round(4_000 * random() - 2_000);
        jumpAtMs = performance.now() + 50;
      }
      return fastMs() + offsetMs;
    },
  };
}

/** On PostgreSQL two processes, each with a clock of its own; SQLite has one. */
async function startOnWildClocks(engine: EngineName, seed: number): Promise<Started> {
  await using stack = new AsyncDisposableStack();
  const first = stack.use(
    await TestService.start({ engine, clock: wildClock(seededRandom(seed + 1)), env: RETENTION_OFF }),
  );
  const services = [first];
  const { dataDir, databaseUrl } = first;
  if (databaseUrl !== undefined) {
    const again = { clock: wildClock(seededRandom(seed + 2)), dataDir, databaseUrl, env: RETENTION_OFF };
    services.push(stack.use(await TestService.start(again)));
  }
  const kept = stack.move();
  return { services, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

interface Started extends AsyncDisposable {
  readonly services: readonly TestService[];
}

/** Two services as two machines would run them: the same database, the same keys. */
async function startPair(): Promise<AsyncDisposable & { readonly services: readonly [TestService, TestService] }> {
  await using stack = new AsyncDisposableStack();
  const first = stack.use(await start('postgres'));
  const { dataDir, databaseUrl } = first;
  const second = stack.use(await TestService.start({ dataDir, databaseUrl, env: RETENTION_OFF }));
  const kept = stack.move();
  return { services: [first, second], [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function many<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

function post(service: TestService, path: string, body: Record<string, unknown>): Promise<Answer> {
  return service.call(path, { method: 'POST', body });
}

function claim(service: TestService, body: Record<string, unknown>): Promise<Answer> {
  return post(service, '/v1/claim', body);
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

function countBy<T>(values: readonly T[], nameOf: (value: T) => string): Record<string, number> {
  const groups = Map.groupBy(values, nameOf);
  return Object.fromEntries([...groups].map(([name, group]) => [name, group.length]));
}

function history(service: TestService) {
  return readHistory(service.dataDir, service.databaseUrl);
}

async function typesOf(service: TestService, key: string): Promise<string[]> {
  const { events } = await history(service);
  return events.filter((event: EventRow) => event.key === key).map(({ type }) => type);
}

/** Takes the next revision below HTTP, as a claim of its own key; resolves with its fence. */
function claimDirectly({ service: { store } }: TestService, key: string): Promise<number> {
  return store.run(revisionUnit, key);
}

// Callers that want the same at once, on one process and on two; declared with small figures for npm test.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { crossingUnit } from '#areas/crossing/unit.ts';
import { type Clock, ManualClock } from '#kernel/clock.ts';
import type { Unit, Write } from '#platform/storage/store.ts';
import { type Answer } from '../support/client.ts';
import { ENGINES, type EngineName, hasPostgres } from '../support/databases.ts';
import { TestService } from '../support/service.ts';
import { readHistory } from '../support/events.ts';
import { checkHistory, type EventRow } from './history.ts';
import { crowd, outcomeOf, replayLive, watchedSend } from '../support/load.ts';
import { newSeed, seededRandom } from '../support/random.ts';

const RETENTION_OFF = { AVOUCH_EVENT_DAYS: '0' };
const SWEEPS = 10;
const ANSWER_TAKES_MS = 250;

/** The smallest unit that makes an event: a grant without a lease row. */
const revisionUnit: Unit<[string, number], null> = {
  name: 'revision',
  reads: () => ({}),
  load: () => null,
  decide(state, nowMs, next, key) {
    const body = { id: `${key}-command`, agent: 'a7', mode: 'exclusive', fence: next.rev, expires_at: nowMs + 30_000 };
    return { state, result: next.rev, events: [{ key, type: 'claim', body: JSON.stringify(body) }] };
  },
  writes: () => [],
};

const throwingUnit: Unit<[null, never], null> = {
  name: 'throwing',
  reads: () => ({}),
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
const collidingUnit: Unit<[null, null], null> = {
  name: 'colliding',
  reads: () => ({}),
  load: () => null,
  decide: (state) => ({ state, result: null }),
  writes: () => [COLLISION],
};

/** How much is done at once and how often. */
export interface RaceFigures {
  readonly clients: number;
  /** The same request sent so often at once. */
  readonly repeats: number;
  /** Calls of a crowd on clocks that jump. */
  readonly calls: number;
  readonly grants: number;
  readonly keys: number;
  readonly turns: number;
}

/** Declares the tests of both engines. */
export async function declareRaces(figures: RaceFigures): Promise<void> {
  const skip = !(await hasPostgres()) && 'no PostgreSQL server binaries here';
  for (const engine of ENGINES) {
    suite(`races on ${engine}`, { skip: engine === 'postgres' && skip }, () => raceOn(engine, figures));
  }
  suite('two processes on one PostgreSQL database', { skip }, () => raceOfTwo(figures));
}

function raceOn(engine: EngineName, { clients, repeats, calls }: RaceFigures): void {
  const clock = new ManualClock();
  let service: TestService;
  before(async () => {
    service = await TestService.start({ engine, clock, env: RETENTION_OFF });
  });
  after(() => service[Symbol.asyncDispose]());

  test(`of ${clients} clients on one key one holds it alone, three share three slots, and once happens once`, async () => {
    const all = (body: Record<string, unknown>) =>
      many(clients, (index) => claim(service, { agent: `a-${index}`, ttl: 30 + index, ...body }));
    const alone = await all({ key: 'alone', mode: 'exclusive' });
    assert.deepEqual(countBy(alone, outcomeOf), { 200: 1, '409 held': clients - 1 });
    const sharing = await all({ key: 'shared', slots: 3 });
    assert.deepEqual(countBy(sharing, outcomeOf), { 200: 3, '409 slots_full': clients - 3 });
    const positions = sharing.filter(({ status }) => status === 200).map(({ json }) => json['position']);
    assert.deepEqual(new Set(positions), new Set([1, 2, 3]));
    const once = await all({ key: 'once', mode: 'once', intent: 'pay' });
    assert.deepEqual(countBy(once, outcomeOf), { 200: 1, '409 once_taken': clients - 1 });
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

  test(`a claim sent ${repeats} times at once with the same client-made token is one lease and one event`, async () => {
    for (const mode of ['shared', 'exclusive', 'once']) {
      const request = { key: `repeated ${mode}`, agent: 'a7', mode, token: newToken() };
      const answers = await many(repeats, () => claim(service, request));
      assert.deepEqual(
        countBy(answers, ({ status, json }) => `${status} ${json['repeated'] === true}`),
        { '200 false': 1, '200 true': repeats - 1 },
      );
      assert.equal(new Set(answers.map(({ json }) => json['lease'])).size, 1);
      assert.equal(new Set(answers.map(({ json }) => json['rev'])).size, 1);
      assert.deepEqual(await typesOf(service, request.key), ['claim']);
    }
  });

  test(`a lease released ${repeats} times at once ends with one event, and every caller is told its revision`, async () => {
    const [key, token] = ['released', newToken()];
    const { json } = await claim(service, { key, agent: 'a7', mode: 'exclusive', token });
    const answers = await many(repeats, () => post(service, '/v1/release', { lease: json['lease'], token }));
    assert.deepEqual(
      countBy(answers, (answer) => `${answer.status} ${answer.json['again'] === true}`),
      { '200 false': 1, '200 true': repeats - 1 },
    );
    assert.equal(new Set(answers.map((answer) => answer.json['rev'])).size, 1);
    assert.deepEqual(await typesOf(service, key), ['claim', 'release']);
  });

  test('a release and refreshes sent at once never leave a refresh behind the release', async () => {
    const [key, token] = ['refreshed', newToken()];
    const { json } = await claim(service, { key, agent: 'a7', token });
    const refresh = () => claim(service, { key, agent: 'a7', lease: json['lease'], token });
    const release = () => post(service, '/v1/release', { lease: json['lease'], token });
    const answers = await many(repeats + 1, (index) => (index === repeats / 2 ? release() : refresh()));
    const allowed = new Set(['200', '409 lease_lost']);
    assert.deepEqual(
      answers.map(outcomeOf).filter((outcome) => !allowed.has(outcome)),
      [],
    );
    assert.equal((await typesOf(service, key)).at(-1), 'release');
    assert.deepEqual(checkHistory(await history(service), []), []);
  });

  for (const [fault, poison] of [
    ['throws while it decides', throwingUnit],
    ['breaks a rule of the database', collidingUnit],
  ] as const) {
    test(`a command that ${fault} fails alone, the 30 around it are committed`, async () => {
      const { store } = service.service;
      const claims = (from: number) => many(15, (index) => claimDirectly(service, `${poison.name} ${from + index}`));
      // One turn of the event loop, so one batch.
      const first = claims(0);
      const poisoned = assert.rejects(store.run(poison, null), /poison|UNIQUE|duplicate/i);
      const second = claims(15);
      await poisoned;
      const fences = [...(await first), ...(await second)];
      assert.deepEqual(
        fences,
        fences.map((_, index) => Number(fences[0]) + index),
      );
      assert.deepEqual(checkHistory(await history(service), []), []);
      assert.equal(store.status().state, 'up');
    });
  }

  test('twelve callers leave a faultless history while leases expire and clocks jump to and fro', async (t) => {
    await using stack = new AsyncDisposableStack();
    const seed = newSeed();
    const random = seededRandom(seed);
    const time = new PassingTime();
    const { services } = stack.use(await startOnWildClocks(engine, time, seed));
    const anyService = () => services[Math.floor(random() * services.length)] as TestService;
    const agents = crowd({ seed, now: time.now, forgetsHotKeys: true });
    const { journal } = agents;
    const send = watchedSend(journal, async (path, body) => {
      const answer = await post(anyService(), path, body);
      time.pass();
      return answer;
    });
    // Whatever the callers wish: this lease nobody ends.
    await claim(anyService(), { key: 'forgotten', agent: 'bystander', ttl: 30 });
    const running = stack.use(agents.start(send));
    for (let sweeps = 0; sweeps < SWEEPS; sweeps += 1) {
      await journal.moreAnswers(Math.ceil(calls / SWEEPS));
      const sweep = { type: 'sweep', commandId: newToken(), dueBeforeMs: time.now() } as const;
      await anyService().service.store.run(crossingUnit, sweep);
    }
    await running.stop();
    const replayed = await replayLive(journal, send, time.now);
    const { events, head } = await history(services[0] as TestService);
    const types = countBy(events, ({ type }) => type);
    t.diagnostic(JSON.stringify({ seed, replayed, ...Object.fromEntries(journal.counts), ...types }));
    const found = checkHistory({ events, head }, journal.acknowledged);
    assert.deepEqual([...journal.wrong, ...journal.lost, ...found], [], `seed ${seed}`);
    assert.ok((types['expire'] ?? 0) > 0, 'leases expired');
  });
}

function raceOfTwo({ grants, keys, turns }: RaceFigures): void {
  let first: TestService;
  let second: TestService;
  before(async () => {
    first = await TestService.start({ engine: 'postgres', env: RETENTION_OFF });
    second = await beside(first);
  });
  after(async () => {
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
  });
  const either = (turn: number) => (turn % 2 === 0 ? first : second);

  test(`the fence strictly increases over ${grants} grants through both`, async () => {
    const fences: number[] = [];
    for (let turn = 0; turn < grants; turn += 1) {
      const answer = await claim(either(turn), { key: `fenced ${turn}`, agent: 'a7', mode: 'exclusive' });
      fences.push(answer.json['fence'] as number);
    }
    assert.deepEqual(
      fences,
      fences.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(fences).size, grants);
  });

  test(`of 20 callers split over both exactly one gets a key, for each of ${keys} keys`, async () => {
    for (let number = 0; number < keys; number += 1) {
      const key = `wanted ${number}`;
      const answers = await many(20, (index) => claim(either(index), { key, agent: `a-${index}`, mode: 'exclusive' }));
      assert.deepEqual(countBy(answers, outcomeOf), { 200: 1, '409 held': 19 }, key);
    }
    assert.deepEqual(checkHistory(await history(first), []), []);
  });

  test('the same client-made token sent to both at once is one lease', async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      const request = { key: `sent to both ${turn}`, agent: 'a7', token: newToken() };
      const answers = await many(4, (index) => claim(either(index), request));
      assert.equal(new Set(answers.map(({ json }) => json['lease'])).size, 1);
      assert.deepEqual(await typesOf(first, request.key), ['claim']);
    }
  });

  test('what one process has answered the other knows at once', async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      const [key, token] = ['known', newToken()];
      const granted = await claim(first, { key, agent: 'a7', mode: 'exclusive', token });
      assert.equal(outcomeOf(await claim(second, { key, agent: 'b2', mode: 'exclusive' })), '409 held');
      const released = await post(second, '/v1/release', { lease: granted.json['lease'], token });
      assert.deepEqual([granted.status, released.status, released.json['again']], [200, 200, false]);
    }
  });
}

/** A time that passes with every answer and not with the clock of the machine, so that leases expire on any machine. */
class PassingTime {
  #nowMs = Date.now();

  readonly now = (): number => this.#nowMs;

  pass(): void {
    this.#nowMs += ANSWER_TAKES_MS;
  }

  /** A clock on it that is off by up to two seconds either way, each second by another time. */
  wildClock(random: () => number): Clock {
    let offsetMs = 0;
    let jumpAtMs = 0;
    return {
      monotonicMs: () => performance.now(),
      now: () => {
        if (this.#nowMs >= jumpAtMs) {
          offsetMs = Math.round(4_000 * random() - 2_000);
          jumpAtMs = this.#nowMs + 1_000;
        }
        return this.#nowMs + offsetMs;
      },
    };
  }
}

/** On PostgreSQL two processes, each with a clock of its own; SQLite has one. */
async function startOnWildClocks(engine: EngineName, time: PassingTime, seed: number): Promise<Started> {
  await using stack = new AsyncDisposableStack();
  const clock = time.wildClock(seededRandom(seed + 1));
  const first = stack.use(await TestService.start({ engine, clock, env: RETENTION_OFF }));
  const services = [first];
  if (engine === 'postgres') services.push(stack.use(await beside(first, time.wildClock(seededRandom(seed + 2)))));
  const kept = stack.move();
  return { services, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

interface Started extends AsyncDisposable {
  readonly services: readonly TestService[];
}

/** A second service as a second machine would run it: the same database, the same keys. */
function beside({ dataDir, databaseUrl }: TestService, clock?: Clock): Promise<TestService> {
  return TestService.start({ dataDir, databaseUrl, env: RETENTION_OFF, ...(clock !== undefined && { clock }) });
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

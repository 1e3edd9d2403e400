import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Bench, startBench } from './_registers.ts';
import { startScripted } from './_scripted.ts';
import { POLICIES } from './resilience/policy.ts';
import { TokenBucket } from './resilience/token-bucket.ts';

const WINDOW_MS = 300_000;
const ALLOWED = 600;
const { bucket: figures } = POLICIES.companies_house;
assert.ok(figures !== undefined);
/** The next token is further away than a question may take, so that one beyond the burst is refused at once. */
const TOKEN_MS = 100_000;
const IMPATIENT = {
  deadlineMs: 60_000,
  attemptMs: 60_000,
  retries: 0,
  bucket: { ...figures, perSecond: 1_000 / TOKEN_MS },
};

/** Questions that a process sends until its own limit ends them. */
async function sentBy({ set }: Bench): Promise<number> {
  for (let sent = 0; ; sent += 1) {
    const outcome = await set.companiesHouse?.company('99999901', { live: true });
    if (outcome?.kind === 'answered') continue;
    assert.equal(outcome?.kind === 'unavailable' && outcome.code, 'LOCAL_QUEUE_FULL');
    assert.equal(outcome?.kind === 'unavailable' && outcome.class, 'throttled');
    return sent;
  }
}

suite('the limit of Companies House', () => {
  for (const processes of [1, 2, 3, 7, 20]) {
    test(`${processes} greedy processes together stay within ${ALLOWED} questions in any five minutes`, () => {
      const buckets = Array.from({ length: processes }, () => new TokenBucket(figures));
      const takenAtMs: number[] = [];
      for (const bucket of buckets) bucket.share(processes);
      for (let nowMs = 0; nowMs <= 3 * WINDOW_MS; nowMs += 50) {
        for (const bucket of buckets) if (bucket.take(nowMs).waitMs === 0) takenAtMs.push(nowMs);
      }
      const worst = Math.max(
        ...takenAtMs.map((fromMs, first) => takenAtMs.findLastIndex((atMs) => atMs < fromMs + WINDOW_MS) - first + 1),
      );
      assert.ok(worst <= ALLOWED, `${worst} in one window`);
      assert.ok(worst > ALLOWED * 0.9, 'the limit is put to use');
    });
  }

  for (const processes of [1, 2, 4]) {
    test(`${processes} processes share the burst of 20`, async () => {
      await using stack = new AsyncDisposableStack();
      let sent = 0;
      for (let n = 0; n < processes; n += 1) {
        const bench = stack.use(await startBench({ policy: IMPATIENT }));
        bench.set.share(processes);
        sent += await sentBy(bench);
      }
      assert.equal(sent, 20);
    });
  }

  test('what the limit of the process refuses opens no breaker and is told to no operator', async () => {
    await using bench = await startBench({ policy: IMPATIENT });
    for (let i = 0; i < 3; i += 1) await sentBy(bench);
    for (let i = 0; i < 10; i += 1) await bench.set.companiesHouse?.company('99999901', { live: true });
    assert.deepEqual(bench.alerts, []);
    bench.clock.advance(TOKEN_MS);
    assert.equal((await bench.set.companiesHouse?.company('99999901', { live: true }))?.kind, 'answered');
  });

  test('what it calls the last question of the window is answered, and nothing is sent after it', async () => {
    let asked = 0;
    const profile = JSON.stringify({ company_name: 'X', company_number: '99999901' });
    await using register = await startScripted(() => {
      asked += 1;
      return { body: profile, headers: { 'x-ratelimit-remain': '0' } };
    });
    const settings = () => ({ companies_house: { baseUrl: register.url, apiKey: { reveal: () => 'key' } } });
    await using bench = await startBench({ policy: { retries: 0, deadlineMs: 60_000, attemptMs: 60_000 }, settings });
    const ask = () => bench.set.companiesHouse?.company('99999901', { live: true });
    assert.deepEqual([(await ask())?.kind, (await ask())?.kind, asked], ['answered', 'unavailable', 1]);
  });

  test('after a 429 nothing is sent until the window is over', async () => {
    await using bench = await startBench({ policy: IMPATIENT });
    const ask = () => bench.set.companiesHouse?.company('99999901', { live: true });
    bench.simulators.setFault('ch', 'throttle');
    const refused = await ask();
    assert.equal(refused?.kind === 'unavailable' && refused.code, 'THROTTLED');
    bench.simulators.setFault('ch', null);
    const waitMs = refused?.kind === 'unavailable' ? refused.retryAfterSeconds * 1_000 : 0;
    bench.clock.advance(waitMs - 1_000);
    assert.equal((await ask())?.kind, 'unavailable', 'although the register would answer');
    bench.clock.advance(1_000);
    assert.equal((await ask())?.kind, 'answered');
  });
});

test('a name that two companies have is of none of them', async () => {
  const items = ['00000001', '00000002'].map((number) => ({ title: 'SAMPLE LTD', company_number: number }));
  await using register = await startScripted(() => ({ body: JSON.stringify({ total_results: 2, items }) }));
  const settings = () => ({ companies_house: { baseUrl: register.url, apiKey: { reveal: () => 'key' } } });
  await using bench = await startBench({ settings });
  const outcome = await bench.set.companiesHouse?.byName('Sample Limited');
  assert.deepEqual(outcome?.kind === 'answered' && outcome.value, { candidates: 2 });
});

suite('a search by name', () => {
  const PAGE = 100;
  /** A register with so many hits, of which some have exactly the name. */
  async function found(total: number, sameAt: readonly number[]) {
    let asked = 0;
    await using register = await startScripted((_body, path) => {
      asked += 1;
      const from = Number(new URL(path, 'http://register').searchParams.get('start_index') ?? 0);
      const places = Array.from({ length: Math.max(0, Math.min(PAGE, total - from)) }, (_, at) => from + at);
      const items = places.map((at) => ({
        title: sameAt.includes(at) ? 'Sample Limited' : `Sample ${at} Limited`,
        company_number: String(10_000_000 + at),
      }));
      return { body: JSON.stringify({ total_results: total, items }) };
    });
    const settings = () => ({ companies_house: { baseUrl: register.url, apiKey: { reveal: () => 'key' } } });
    await using bench = await startBench({ policy: { retries: 0, deadlineMs: 60_000, attemptMs: 60_000 }, settings });
    const outcome = await bench.set.companiesHouse?.byName('SAMPLE LTD');
    return { value: outcome?.kind === 'answered' ? outcome.value : outcome?.kind, asked };
  }

  test('reads on until every hit is compared: a second company of the name on a later page is not overlooked', async () => {
    assert.deepEqual(await found(250, [0]), {
      value: { companyNumber: '10000000', hits: 250, compared: 250 },
      asked: 3,
    });
    assert.deepEqual(await found(250, [0, 240]), { value: { candidates: 250 }, asked: 3 });
  });

  test('ends after five pages, and says how many hits were compared', async () => {
    assert.deepEqual(await found(4_312, [3]), {
      value: { companyNumber: '10000003', hits: 4_312, compared: 500 },
      asked: 5,
    });
  });

  test('asks once where the first page has no company of the name, or two', async () => {
    assert.deepEqual(await found(250, [170]), { value: { candidates: 250 }, asked: 1 });
    assert.deepEqual(await found(250, [1, 2]), { value: { candidates: 250 }, asked: 1 });
    assert.deepEqual(await found(0, []), { value: 'not_found', asked: 1 });
  });
});

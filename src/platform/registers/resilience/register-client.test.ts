import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from '#properties';
import { CASES, startBench } from '../_registers.ts';
import { startScripted } from '../_scripted.ts';
import { admit, CLOSED, settle } from './breaker.ts';
import { TokenBucket } from './token-bucket.ts';

const vat = { countryCode: 'DE', number: '999001001' };

test('the breaker of a member state opens after five failed gets, leaves others alone and closes by itself', async () => {
  await using bench = await startBench({ policy: { retries: 0 } });
  const down = () => bench.set.vies?.check({ countryCode: 'FR', number: '00000000000' }, { live: true });
  for (let i = 0; i < 5; i += 1) assert.equal((await down())?.kind, 'unavailable');
  const refused = await down();
  assert.equal(refused?.kind === 'unavailable' && refused.code, 'BREAKER_OPEN');
  assert.equal((await bench.set.vies?.check(vat))?.kind, 'answered');
  bench.clock.advance(15_000);
  const probed = await bench.set.vies?.check({ countryCode: 'FR', number: '40303265045' }, { live: true });
  assert.equal(probed?.kind === 'answered' && probed.value.secondLook, true, '"not valid" is looked at twice');
  bench.clock.advance(1);
  const later = await down();
  assert.equal(later?.kind === 'unavailable' && later.code, 'MS_UNAVAILABLE', 'it is closed again');
});

test('an answer is given again while it is fresh, with the time of its observation, and not longer', async () => {
  await using bench = await startBench();
  const first = await bench.set.vies?.check(vat);
  bench.clock.advance(599_000);
  const again = await bench.set.vies?.check(vat);
  assert.deepEqual(again, { ...first, source: 'cache' });
  bench.clock.advance(1_000);
  const fresh = await bench.set.vies?.check(vat);
  assert.equal(fresh?.kind === 'answered' && fresh.source, 'live');
});

test('an outcome and an alert never hold what was asked or a credential', async () => {
  await using bench = await startBench({
    settings: (url) => ({ kvk: { baseUrl: `${url}/kvk`, apiKey: { reveal: () => '' }, ca: null } }),
  });
  for (const fault of ['reset', 'html', 'mismatch', '500']) {
    bench.simulators.setFault('ch', fault);
    const outcome = await CASES['companies_house']?.ask(bench.set);
    assert.doesNotMatch(JSON.stringify(outcome), /99999901|marker/);
  }
  await CASES['kvk']?.ask(bench.set);
  assert.deepEqual(bench.alerts, ['kvk AUTH_FAILED']);
});

test('an access token that ends is renewed, and the question is answered', async () => {
  await using bench = await startBench();
  assert.equal((await bench.set.dvsaMot?.vehicle('TEST01', { live: true }))?.kind, 'answered');
  bench.clock.jump(bench.clock.now() + 3_700_000);
  assert.equal((await bench.set.dvsaMot?.vehicle('TEST01', { live: true }))?.kind, 'answered');
});

for (const soap of ['1.1', '1.2'] as const) {
  test(`the insolvency register is understood in SOAP ${soap}`, async () => {
    const secret = { reveal: () => 'p' };
    await using bench = await startBench({
      settings: (url) => ({ cir: { url: `${url}/cir`, username: 'u', password: secret, soap } }),
    });
    const states = { '11998877': 'ACTIVE', '11998878': 'ENDED', '11998879': 'UNDETERMINED' };
    for (const [number, state] of Object.entries(states)) {
      const outcome = await bench.set.cir?.undertaking(number);
      assert.equal(outcome?.kind === 'answered' && outcome.value.state, state);
    }
  });
}

test('a breaker never admits while open and always admits one probe afterwards', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('well', 'ill', 'neither'), fc.nat(20_000))), (steps) => {
      let [breaker, nowMs] = [CLOSED, 0];
      for (const [result, waitMs] of steps) {
        nowMs += waitMs;
        const admission = admit(breaker, nowMs);
        assert.equal(admission.admitted, breaker.openUntilMs === null || nowMs >= breaker.openUntilMs);
        if (admission.admitted) breaker = settle(admission.breaker, result, nowMs);
      }
    }),
  );
});

test('while one probe is under way nobody else is let through', async () => {
  await using bench = await startBench({ policy: { retries: 0 } });
  const ask = async (number: string) => bench.set.kvk?.company(number, { live: true });
  bench.simulators.setFault('kvk', '500');
  for (let i = 0; i < 5; i += 1) await ask('11998877');
  bench.clock.advance(15_000);
  bench.simulators.setFault('kvk', 'hang');
  const probe = ask('11998877');
  const other = await ask('90000001');
  assert.equal(other?.kind === 'unavailable' && other.code, 'BREAKER_HALF_OPEN');
  bench.simulators.setFault('kvk', null);
  await probe;
});

test('a bucket never gives more than its burst and its rate, shared by processes', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2_000), { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (waits, processes) => {
      const bucket = new TokenBucket({ perSecond: 2, burst: 20 });
      bucket.share(processes);
      let [nowMs, taken] = [0, 0];
      for (const waitMs of waits) {
        nowMs += waitMs;
        if (bucket.take(nowMs).waitMs === 0) taken += 1;
      }
      assert.ok(taken <= 20 / processes + (nowMs / 1_000) * (2 / processes) + 1);
    }),
  );
});

for (const processes of [1, 2, 5]) {
  test(`free calls leave half of the burst of ${processes} processes to those that are paid for`, () => {
    const bucket = new TokenBucket({ perSecond: 1, burst: 20 });
    bucket.share(processes);
    const takenBy = (isFree: boolean) => {
      let taken = 0;
      while (bucket.take(0, isFree).waitMs === 0) taken += 1;
      return taken;
    };
    const half = 10 / processes;
    assert.deepEqual([takenBy(true), takenBy(false), takenBy(true)], [half, half, 0]);
    assert.ok(bucket.take(0, true).waitMs > bucket.take(0, false).waitMs, 'who pays has the next token');
  });
}

test('callers with the same question share one flight', async () => {
  await using bench = await startBench();
  const flights = Array.from({ length: 50 }, () => bench.set.vies?.check(vat));
  assert.equal(new Set(flights).size, 1);
  assert.equal((await flights[0])?.kind, 'answered');
});

test('a probe tells the state of VIES and KvK without traffic, and closes the breaker of a register that is well', async () => {
  await using bench = await startBench({ policy: { retries: 0 } });
  const { set, simulators, clock } = bench;
  const states = () =>
    Object.fromEntries(set.health().map(([id, health]) => [id, [health?.status, health?.success5m]]));
  await set.probe();
  assert.deepEqual(
    [states()['vies'], states()['kvk'], states()['rdw']],
    [
      ['up', 1],
      ['up', 1],
      ['up', null],
    ],
  );
  for (const simulator of ['vies', 'kvk'] as const) simulators.setFault(simulator, 'html');
  for (let i = 0; i < 5; i += 1) await set.probe();
  assert.deepEqual([states()['vies']?.[0], states()['kvk']?.[0]], ['down', 'down']);
  for (const simulator of ['vies', 'kvk'] as const) simulators.setFault(simulator, null);
  clock.advance(15_000);
  await set.probe();
  assert.deepEqual([states()['vies']?.[0], states()['kvk']?.[0]], ['up', 'up']);
});

test('a page of states that is in order says nothing against a member state that is not', async () => {
  await using bench = await startBench({ policy: { retries: 0 } });
  for (let i = 0; i < 5; i += 1)
    await bench.set.vies?.check({ countryCode: 'FR', number: '00000000000' }, { live: true });
  await bench.set.probe();
  const [, health] = bench.set.health().find(([id]) => id === 'vies') ?? [];
  assert.deepEqual([health?.status, health?.lanes.find(({ id }) => id === 'FR')?.breaker], ['degraded', 'open']);
});

/** Companies House, of which one question may be under way, and whose next token is 30 seconds away. */
async function startNarrow(answer: () => { readonly status: number }, { perSecond = 1 / 30, retries = 0 } = {}) {
  let asked = 0;
  const register = await startScripted((_, path) => {
    asked += 1;
    const company = { company_name: 'A', company_number: path.slice('/company/'.length) };
    return { ...answer(), body: JSON.stringify(company) };
  });
  const policy = { deadlineMs: 60_000, attemptMs: 30_000, retries, maxRunning: 1, bucket: { perSecond, burst: 1 } };
  const settings = () => ({ companies_house: { baseUrl: register.url, apiKey: { reveal: () => 'key' } } });
  const bench = await startBench({ policy, settings });
  const dispose = async () => {
    await bench[Symbol.asyncDispose]();
    await register[Symbol.asyncDispose]();
  };
  const ask = async (n: number) => {
    const outcome = await bench.set.companiesHouse?.company(String(10_000_000 + n));
    return outcome?.kind === 'unavailable' ? outcome.code : outcome?.kind;
  };
  const health = () => bench.set.health().find(([id]) => id === 'companies_house')?.[1];
  return { ask, clock: bench.clock, health, asked: () => asked, [Symbol.asyncDispose]: dispose };
}

suite('what our own limits keep back', () => {
  test('a wait for a token that the deadline ends is no illness of the register, however often', async (t) => {
    t.mock.timers.enable({ apis: ['AbortSignal.timeout' as 'setTimeout'] });
    await using register = await startNarrow(() => ({ status: 200 }));
    assert.equal(await register.ask(0), 'answered');
    for (let n = 1; n <= 6; n += 1) {
      const waiting = register.ask(n);
      t.mock.timers.tick(60_000);
      assert.equal(await waiting, 'LOCAL_QUEUE_FULL');
    }
    const { status, breaker, success60m } = register.health() ?? {};
    assert.deepEqual([status, breaker, success60m], ['up', 'closed', 1]);
  });

  for (const [what, afterMs, perSecond] of [
    ['what it leaves is not spent on a token that comes too late', 20_000, 1 / 40],
    ['who could no longer be answered in time is not sent', 31_000, 1 / 30],
  ] as const) {
    test(`the time in line counts: ${what}`, async () => {
      await using register = await startNarrow(
        () => {
          register.clock.advance(afterMs);
          return { status: 200 };
        },
        { perSecond },
      );
      assert.deepEqual(await Promise.all([register.ask(0), register.ask(1)]), ['answered', 'LOCAL_QUEUE_FULL']);
      assert.equal(register.asked(), 1);
    });
  }

  test('a second attempt that gets no token tells what the register said to the first', async () => {
    await using register = await startNarrow(() => ({ status: 500 }), { perSecond: 0.001, retries: 1 });
    assert.equal(await register.ask(0), 'HTTP_ERROR');
    assert.equal(register.asked(), 1);
    assert.equal(register.health()?.success60m, 0);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#kernel/clock.ts';
import { startBench } from './_registers.ts';
import { startScripted } from './_scripted.ts';

const PATIENT = { deadlineMs: 60_000, attemptMs: 60_000, retries: 0 };

test('a token of an hour is used for 55 minutes and then renewed before it ends', async () => {
  await using bench = await startBench({ policy: PATIENT });
  const ask = async () => (await bench.set.dvsaMot?.vehicle('TEST01', { live: true }))?.kind;
  assert.equal(await ask(), 'answered');
  bench.simulators.setFault('mot-login', '500');
  bench.clock.advance(55 * MINUTE_MS - 1);
  assert.equal(await ask(), 'answered', 'the kept token is still used');
  bench.clock.advance(1);
  assert.equal(await ask(), 'unavailable', 'another one is asked for although the old one would still be taken');
  bench.simulators.setFault('mot-login', null);
  assert.equal(await ask(), 'answered');
  bench.simulators.setFault('mot-login', '500');
  bench.clock.advance(55 * MINUTE_MS - 1);
  assert.equal(await ask(), 'answered', 'the new token has 55 minutes of its own');
});

test('a token that the register refuses before its time is renewed once within the question', async () => {
  await using bench = await startBench({ policy: PATIENT });
  assert.equal((await bench.set.dvsaMot?.vehicle('TEST01', { live: true }))?.kind, 'answered');
  bench.clock.jump(bench.clock.now() + 61 * MINUTE_MS);
  assert.equal((await bench.set.dvsaMot?.vehicle('TEST01', { live: true }))?.kind, 'answered');
});

test('all who ask at once wait for one token', async () => {
  let issued = 0;
  await using register = await startScripted((_, path) => {
    if (path !== '/login') return { body: JSON.stringify({ registration: path.slice(path.lastIndexOf('/') + 1) }) };
    issued += 1;
    return { body: JSON.stringify({ access_token: `token ${issued}`, expires_in: 3_600 }) };
  });
  const secret = { reveal: () => 'secret' };
  const credentials = { clientId: 'client', scope: 'scope', clientSecret: secret, apiKey: secret };
  await using bench = await startBench({
    policy: PATIENT,
    settings: () => ({ dvsa_mot: { baseUrl: register.url, tokenUrl: `${register.url}/login`, ...credentials } }),
  });
  const plates = ['AB1', 'AB2', 'AB3', 'AB4', 'AB5'];
  const outcomes = await Promise.all(plates.map(async (plate) => bench.set.dvsaMot?.vehicle(plate)));
  assert.deepEqual(new Set(outcomes.map((outcome) => outcome?.kind)), new Set(['answered']));
  assert.equal(issued, 1);
});

test('refused credentials are for the operator, and are told once', async () => {
  const secret = { reveal: () => '' };
  await using bench = await startBench({
    policy: PATIENT,
    settings: (url) => ({
      dvsa_mot: {
        baseUrl: `${url}/mot`,
        tokenUrl: `${url}/mot-login`,
        clientId: 'client',
        scope: 'scope',
        clientSecret: secret,
        apiKey: secret,
      },
    }),
  });
  for (let i = 0; i < 3; i += 1) {
    const outcome = await bench.set.dvsaMot?.vehicle('TEST01', { live: true });
    assert.deepEqual(outcome, { kind: 'unavailable', code: 'AUTH_FAILED', class: 'config', retryAfterSeconds: 300 });
  }
  assert.deepEqual(bench.alerts, ['dvsa_mot AUTH_FAILED']);
});

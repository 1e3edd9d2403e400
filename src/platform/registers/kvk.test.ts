import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startBench } from './_registers.ts';
import { type ScriptedAnswer, startScripted } from './_scripted.ts';

const PATIENT = { deadlineMs: 60_000, attemptMs: 60_000, retries: 2, backoffMs: { base: 1, cap: 2 } };
const secret = { reveal: () => 'key' };

/** The commercial register as a script: how it is asked is seen, in order. */
async function startKvk(answer: (path: string, nth: number) => ScriptedAnswer, policy = {}) {
  const asked: string[] = [];
  const register = await startScripted((_, path) => answer(path, asked.push(path)));
  const settings = () => ({ kvk: { baseUrl: register.url, apiKey: secret, ca: null } });
  const bench = await startBench({ policy: { ...PATIENT, ...policy }, settings });
  const { kvk } = bench.set;
  assert.ok(kvk !== null);
  const dispose = async () => {
    await register[Symbol.asyncDispose]();
    await bench[Symbol.asyncDispose]();
  };
  return { asked, kvk, [Symbol.asyncDispose]: dispose };
}

const found = (row: Record<string, unknown> = {}) => ({
  body: JSON.stringify({ totaal: 1, resultaten: [{ kvkNummer: '11998877', naam: 'Sample B.V.', ...row }] }),
});

test('the free form asks no profile, which costs a fee, and does not say whether a company is active', async () => {
  await using register = await startKvk(() => found());
  const outcome = await register.kvk.company('11998877', { free: true });
  assert.equal(outcome.kind === 'answered' && outcome.value.active, null);
  assert.equal(register.asked.length, 1);
});

test('a company that the search calls inactive costs no profile', async () => {
  await using register = await startKvk(() => found({ actief: 'Nee' }));
  const outcome = await register.kvk.company('11998877');
  assert.deepEqual([outcome.kind === 'answered' && outcome.value.active, register.asked.length], [false, 1]);
});

suite('a search whose shown page is all inactive, and that found more', () => {
  const page = JSON.stringify({
    totaal: 11,
    resultaten: Array.from({ length: 10 }, () => ({ kvkNummer: '11998877', naam: 'Sample B.V.', actief: 'Nee' })),
  });
  const profile = JSON.stringify({ kvkNummer: '11998877', materieleRegistratie: {} });
  const startLong = async () => startKvk((path) => ({ body: path.startsWith('/v2/') ? page : profile }));

  test('does not say that the company is inactive: the profile does', async () => {
    await using register = await startLong();
    const outcome = await register.kvk.company('11998877');
    assert.equal(outcome.kind === 'answered' && outcome.value.active, true);
    assert.match(register.asked[0] ?? '', /resultatenPerPagina=100/);
    assert.match(register.asked[1] ?? '', /basisprofielen/);
  });

  test('leaves it open in the free form', async () => {
    await using register = await startLong();
    const outcome = await register.kvk.company('11998877', { free: true });
    assert.deepEqual([outcome.kind === 'answered' && outcome.value.active, register.asked.length], [null, 1]);
  });
});

for (const [end, active] of [
  [undefined, true],
  ['20261114', false],
  ['20261115', false],
  ['20261116', true],
] as const) {
  test(`on 15 November a registration that ends ${end ?? 'never'} is ${active ? '' : 'not '}active`, async () => {
    const profile = { kvkNummer: '11998877', materieleRegistratie: end === undefined ? {} : { datumEinde: end } };
    await using register = await startKvk((path) =>
      path.startsWith('/v2/') ? found() : { body: JSON.stringify(profile) },
    );
    const outcome = await register.kvk.company('11998877');
    assert.equal(outcome.kind === 'answered' && outcome.value.active, active);
  });
}

test('the profile of another company is no answer', async () => {
  const profile = { kvkNummer: '11998878', materieleRegistratie: {} };
  await using register = await startKvk((path) =>
    path.startsWith('/v2/') ? found() : { body: JSON.stringify(profile) },
  );
  const outcome = await register.kvk.company('11998877');
  assert.equal(outcome.kind === 'unavailable' && outcome.code, 'RESPONSE_MISMATCH');
});

test('a word of the name and a word of the city are two things: each question has its own answer', async () => {
  await using register = await startKvk((path) => {
    const asked = new URLSearchParams(path.split('?')[1]);
    return asked.get('plaats') === 'DEN HAAG'
      ? { body: JSON.stringify({ totaal: 1, resultaten: [{ kvkNummer: '11998877', naam: 'Bakker' }] }) }
      : { status: 404, body: fault('IPD5200') };
  });
  assert.equal((await register.kvk.byName('Bakker', 'DEN HAAG')).kind, 'answered');
  assert.equal((await register.kvk.byName('Bakker Den', 'HAAG')).kind, 'not_found');
});

test('a name is of one company only when the register has shown all that it found', async () => {
  await using register = await startKvk(() => ({
    body: JSON.stringify({ totaal: 2, resultaten: [{ kvkNummer: '11998877', naam: 'Sample B.V.' }] }),
  }));
  const outcome = await register.kvk.byName('Sample BV');
  assert.deepEqual(outcome.kind === 'answered' && outcome.value, { candidates: 2 });
});

test('free questions fill half of the places at most: who pays is answered beside any number of them', async () => {
  await using stack = new AsyncDisposableStack();
  const isPaid = (path: string) => path.includes('11998877');
  const register = stack.use(await startKvk((path) => ({ ...found({ actief: 'Nee' }), isSilent: !isPaid(path) })));
  const waiting = Array.from({ length: 80 }, (_, n) => register.kvk.company(String(10_000_000 + n), { free: true }));
  while (register.asked.length < 4) await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await register.kvk.company('11998877')).kind, 'answered');
  assert.equal(register.asked.length, 5);
  await stack.disposeAsync();
  for (const outcome of await Promise.all(waiting)) assert.equal(outcome.kind, 'unavailable');
});

test('who pays does not wait for the free question of somebody else, even where it is the same', async () => {
  await using stack = new AsyncDisposableStack();
  const register = stack.use(await startKvk((_, nth) => ({ ...found({ actief: 'Nee' }), isSilent: nth === 1 })));
  const free = register.kvk.byName('Sample B.V.', undefined, { free: true });
  while (register.asked.length < 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await register.kvk.byName('Sample B.V.')).kind, 'answered');
  await stack.disposeAsync();
  await free;
});

const fault = (code: string) => JSON.stringify({ fout: [{ code }] });
const ATTEMPTS: Readonly<Record<string, readonly [answer: ScriptedAnswer, code: string, attempts: number]>> = {
  'an error': [{ status: 500, body: '' }, 'HTTP_ERROR', 3],
  'a maintenance page': [{ body: '<html></html>' }, 'MALFORMED_RESPONSE', 3],
  'nothing found without its code': [{ status: 404, body: '{}' }, 'HTTP_ERROR', 3],
  'nothing found with another code': [{ status: 404, body: fault('IPD0005') }, 'IPD0005', 3],
  'a limit': [{ status: 429, body: '' }, 'THROTTLED', 3],
  'a limit for longer than the question may take': [
    { status: 429, body: '', headers: { 'retry-after': '61' } },
    'THROTTLED',
    1,
  ],
  'refused input': [{ status: 400, body: fault('IPD0006') }, 'IPD0006', 1],
  'refused credentials': [{ status: 401, body: '' }, 'AUTH_FAILED', 1],
};

suite('attempts', () => {
  for (const [what, [answer, code, attempts]] of Object.entries(ATTEMPTS)) {
    test(`${what} is ${code} after ${attempts}`, async () => {
      await using register = await startKvk(() => answer);
      const outcome = await register.kvk.company('11998877');
      assert.deepEqual([outcome.kind === 'unavailable' && outcome.code, register.asked.length], [code, attempts]);
    });
  }

  for (const what of ['refused input', 'refused credentials']) {
    test(`${what} says nothing about the register: it is asked on, however often`, async () => {
      const [answer, code] = ATTEMPTS[what] ?? [];
      await using register = await startKvk(() => answer as ScriptedAnswer);
      for (let i = 0; i < 7; i += 1) {
        const outcome = await register.kvk.company('11998877');
        assert.equal(outcome.kind === 'unavailable' && outcome.code, code);
      }
      assert.equal(register.asked.length, 7);
    });
  }

  test('silence ends an attempt, and the next one is answered', async (t) => {
    t.mock.timers.enable({ apis: ['AbortSignal.timeout' as 'setTimeout'] });
    const attemptMs = 1;
    const answer = (_: string, nth: number) => {
      if (nth === 1) setImmediate(() => t.mock.timers.tick(attemptMs));
      return { ...found({ actief: 'Nee' }), isSilent: nth === 1 };
    };
    await using register = await startKvk(answer, { attemptMs });
    assert.equal((await register.kvk.company('11998877')).kind, 'answered');
    assert.equal(register.asked.length, 2);
  });

  test('eight questions run, 64 wait in line, and who comes then is sent away at once', async () => {
    await using stack = new AsyncDisposableStack();
    const register = stack.use(await startKvk(() => ({ body: '', isSilent: true }), { retries: 0 }));
    const waiting = Array.from({ length: 72 }, (_, n) => register.kvk.company(String(10_000_000 + n)));
    const last = await register.kvk.company('20000000');
    assert.deepEqual(
      [last.kind === 'unavailable' && last.code, last.kind === 'unavailable' && last.class],
      ['LOCAL_QUEUE_FULL', 'throttled'],
    );
    while (register.asked.length < 8) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(register.asked.length, 8);
    await stack.disposeAsync();
    for (const outcome of await Promise.all(waiting)) assert.equal(outcome.kind, 'unavailable');
  });
});

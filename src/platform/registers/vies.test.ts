import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startBench } from './_registers.ts';
import { startScripted } from './_scripted.ts';
import type { RegisterOutcome, UnavailableClass } from './outcome.ts';
import type { VatAnswer } from './vies.ts';

const PATIENT = { deadlineMs: 60_000, attemptMs: 60_000, retries: 0 };

/** Every code of the official test service, by the number that stands for it, and what it is to us. */
const CODES: readonly (readonly [test: string, code: string, failure: UnavailableClass, retryAfterSeconds: number])[] =
  [
    ['201', 'INVALID_INPUT', 'invalid_input', 30],
    ['202', 'INVALID_REQUESTER_INFO', 'config', 30],
    ['300', 'SERVICE_UNAVAILABLE', 'unavailable', 30],
    ['301', 'MS_UNAVAILABLE', 'unavailable', 30],
    ['302', 'TIMEOUT', 'unavailable', 30],
    ['400', 'VAT_BLOCKED', 'config', 30],
    ['401', 'IP_BLOCKED', 'config', 30],
    ['500', 'GLOBAL_MAX_CONCURRENT_REQ', 'throttled', 60],
    ['501', 'GLOBAL_MAX_CONCURRENT_REQ_TIME', 'throttled', 60],
    ['600', 'MS_MAX_CONCURRENT_REQ', 'throttled', 60],
    ['601', 'MS_MAX_CONCURRENT_REQ_TIME', 'throttled', 60],
  ];

suite('the codes of the register', () => {
  for (const [testCode, code, failure, retryAfterSeconds] of CODES) {
    test(`${code} is ${failure}, never "not valid"`, async () => {
      await using bench = await startBench({ policy: PATIENT });
      const outcome = await bench.set.vies?.check({ countryCode: 'DE', number: `99900${testCode}0` });
      assert.deepEqual(outcome, { kind: 'unavailable', code, class: failure, retryAfterSeconds });
      assert.deepEqual(bench.alerts, failure === 'config' ? [`vies ${code}`] : []);
    });
  }

  for (const [testCode, valid] of [
    ['100', true],
    ['200', false],
  ] as const) {
    test(`${testCode} is answered: ${valid ? 'valid' : 'not valid'}`, async () => {
      await using bench = await startBench({ policy: PATIENT });
      const outcome = await bench.set.vies?.check({ countryCode: 'DE', number: `99900${testCode}0` });
      assert.equal(outcome?.kind === 'answered' && outcome.value.valid, valid);
    });
  }
});

/** Asks a register that always says the same. */
async function answerOf(status: number, body: unknown): Promise<RegisterOutcome<VatAnswer> | undefined> {
  await using register = await startScripted(() => ({ status, body: JSON.stringify(body) }));
  const settings = () => ({ vies: { baseUrl: register.url, requester: null } });
  await using bench = await startBench({ policy: PATIENT, settings });
  return await bench.set.vies?.check({ countryCode: 'NL', number: '999900018B01' });
}

const refused = (error: string) => ({ actionSucceed: false, errorWrappers: [{ error }] });
const answered = { countryCode: 'NL', vatNumber: '999900018B01', valid: false, name: '---', address: ' ' };

suite('the body decides, not the status', () => {
  for (const status of [200, 400, 500]) {
    test(`a code with status ${status} is that code`, async () => {
      const outcome = await answerOf(status, refused('MS_UNAVAILABLE'));
      assert.equal(outcome?.kind === 'unavailable' && outcome.code, 'MS_UNAVAILABLE');
    });
  }

  test('a code that nobody knows yet is an outage', async () => {
    const outcome = await answerOf(200, refused('VOW_IS_RESTING'));
    assert.equal(outcome?.kind === 'unavailable' && outcome.class, 'unavailable');
    assert.equal(outcome?.kind === 'unavailable' && outcome.code, 'VOW_IS_RESTING');
  });

  test('a code that is the name of a member of every object is an outage', async () => {
    const outcome = await answerOf(200, refused('constructor'));
    assert.equal(outcome?.kind === 'unavailable' && outcome.class, 'unavailable');
  });

  test('what a member state keeps to itself is null', async () => {
    const outcome = await answerOf(200, answered);
    assert.deepEqual(outcome?.kind === 'answered' && [outcome.value.name, outcome.value.address], [null, null]);
  });

  for (const [what, body] of Object.entries({
    'a word instead of true or false': { ...answered, valid: 'false' },
    'no word about validity': { ...answered, valid: undefined },
    'a refusal without a code': { actionSucceed: false, errorWrappers: [] },
    'a list': [answered],
  })) {
    test(`${what} is no answer`, async () => {
      const outcome = await answerOf(200, body);
      assert.equal(outcome?.kind === 'unavailable' && outcome.code, 'MALFORMED_RESPONSE');
    });
  }

  test('an answer about another number is no answer', async () => {
    const outcome = await answerOf(200, { ...answered, vatNumber: '999900018B02' });
    assert.equal(outcome?.kind === 'unavailable' && outcome.code, 'RESPONSE_MISMATCH');
  });
});

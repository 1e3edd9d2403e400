import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Bench, CASES, startBench } from './_registers.ts';

const QUICK = { deadlineMs: 400, attemptMs: 100 };
/** Every fault of the simulators and the code under which it must be reported; null is the register's own. */
const FAULTS: Readonly<Record<string, RegExp | null>> = {
  hang: /^(TIMEOUT|DEADLINE)$/,
  'slow:5000': /^(TIMEOUT|DEADLINE)$/,
  '500': /^HTTP_ERROR$/,
  '404': /^HTTP_ERROR$/,
  html: /^MALFORMED_RESPONSE$/,
  empty: /^MALFORMED_RESPONSE$/,
  badjson: /^MALFORMED_RESPONSE$/,
  wrongjson: /^MALFORMED_RESPONSE$/,
  expired: /^AUTH_FAILED$/,
  truncate: /^NETWORK$/,
  reset: /^NETWORK$/,
  mismatch: /^RESPONSE_MISMATCH$/,
  throttle: null,
};

for (const [register, { simulator, ask, askUnknown, throttleCode }] of Object.entries(CASES)) {
  suite(register, () => {
    let patient: Bench;
    let quick: Bench;
    before(async () => {
      patient = await startBench();
      quick = await startBench({ policy: QUICK });
    });
    after(() => Promise.all([patient[Symbol.asyncDispose](), quick[Symbol.asyncDispose]()]));

    for (const [fault, code] of Object.entries(FAULTS)) {
      test(`the fault ${fault} is unavailable, never "no" and never "not found", and ends with the fault`, async () => {
        const isSlow = fault === 'hang' || fault.startsWith('slow:');
        const bench = isSlow ? quick : patient;
        bench.simulators.setFault(simulator, fault);
        const outcome = await ask(bench.set);
        assert.equal(outcome.kind, 'unavailable');
        assert.match(outcome.code, code ?? new RegExp(`^${throttleCode}$`));
        assert.ok(outcome.retryAfterSeconds >= 1);
        if (askUnknown !== null && fault !== 'mismatch') {
          assert.equal((await askUnknown(bench.set)).kind, 'unavailable', 'what it does not know is not said either');
        }
        bench.simulators.setFault(simulator, null);
        bench.clock.advance(300_000);
        if (!isSlow) assert.equal((await ask(bench.set)).kind, 'answered');
      });
    }

    test('the well register answers, and says itself what it does not have', async () => {
      const outcome = await ask(patient.set);
      assert.equal(outcome.kind, 'answered');
      assert.equal(outcome.source, 'live');
      if (askUnknown !== null) assert.equal((await askUnknown(patient.set)).kind, 'not_found');
    });
  });
}

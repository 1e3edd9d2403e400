import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { FACILITATOR_MODES, type FacilitatorMode } from '#sandbox/facilitator/mode.ts';
import { faultsOf, PaymentModes } from './facilitator-modes.ts';

const CALLS = 40;
/** In all others the first answer cannot say what became of the money. */
const SPEAKS_AT_ONCE: ReadonlySet<FacilitatorMode> = new Set(['clean', 'slow_answer', 'declared_safe']);

suite('purchases through a facilitator', () => {
  let modes: PaymentModes;
  before(async () => {
    modes = await PaymentModes.open();
  });
  after(() => modes[Symbol.asyncDispose]());

  for (const mode of FACILITATOR_MODES) {
    test(`${mode}: nobody pays twice, nothing is given away, and who paid gets the verdict`, async () => {
      const report = await modes.run(mode, CALLS);
      assert.deepEqual(faultsOf(report), [], JSON.stringify(report));
      assert.equal(report.results, report.paidOnChain);
      if (!SPEAKS_AT_ONCE.has(mode)) assert.deepEqual(report.first, { 503: CALLS });
      // On a busy machine a call may be refused for being late, or sold when it is repeated.
      const refused = Object.values(report.refusals).reduce((sum, count) => sum + count, 0);
      assert.equal(report.results + refused, CALLS);
      assert.ok(mode === 'declared_safe' ? refused > CALLS / 2 : report.results > CALLS / 2, JSON.stringify(report));
    });
  }
});

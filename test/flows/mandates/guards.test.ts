// Helpers of the client that do the work only after a yes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson } from '#kernel/canonical-json.ts';
import {
  avouchClient,
  guardSpend,
  type Input,
  MandateDenied,
  type MandateQuestion,
  payloadHash,
  SpendRefused,
  withMandate,
} from '../../../client/index.ts';
import { mandate, mandateBody } from '../../support/mandates.ts';
import { TestService } from '../../support/service.ts';

const NOWHERE = 'http://127.0.0.1:9';
let service: TestService;
before(async () => (service = await TestService.start()));
after(() => service[Symbol.asyncDispose]());

const clientOf = (baseUrl = service.url) => avouchClient({ baseUrl, retries: 0 });

type Question = Input<'check'>;

/** Everything is declared, and nothing speaks against it. */
const GO: Question = {
  amount_usd: '0.03',
  instruction_source: 'principal',
  per_action_cap_usd: '1',
  period_budget_usd: '10',
  period_spent_usd: '2',
  agent: 'a7',
  intent_id: 'inv-881-8f2c90b1',
  intent_settled_before: 'no',
  counterparty_verified: 'yes',
  reference_price_usd: '0.03',
  p_success: '0.8',
  p_basis: 'measured',
  value_usd: '1',
  effort_cost_usd: '0.1',
  cumulative_cost_usd: '0',
  attempts_without_progress: '0',
  reversible: 'yes',
  delivery: 'on_delivery',
};

/** Gives the code of the refusal, and fails where the work was done all the same. */
async function refusedWith(spending: (work: () => string) => Promise<unknown>): Promise<string> {
  let isDone = false;
  const error: unknown = await spending(() => {
    isDone = true;
    return 'spent';
  }).catch((thrown: unknown) => thrown);
  assert.equal(isDone, false, 'the work was done');
  assert.ok(error instanceof SpendRefused, String(error));
  return error.code;
}

test('money is spent after GO, and not after STOP, CAUTION or without an answer', async () => {
  const { result, verdict } = await guardSpend(clientOf(), GO, () => 'spent');
  assert.equal(result, 'spent');
  assert.equal('verdict' in verdict && verdict.verdict, 'GO');
  const asked = (question: Question) => refusedWith((work) => guardSpend(clientOf(), question, work));
  assert.equal(await asked({ ...GO, instruction_source: 'untrusted' }), 'STOP');
  assert.equal(await asked({ amount_usd: '5' }), 'CAUTION');
  assert.equal(await asked({ amount_usd: 'much' }), 'invalid_parameters');
  assert.equal(await refusedWith((work) => guardSpend(clientOf(NOWHERE), GO, work)), 'network');
});

test('CAUTION is enough where it is said to be, and STOP never is', async () => {
  const allow = { allow: 'CAUTION' } as const;
  assert.equal((await guardSpend(clientOf(), { amount_usd: '5' }, () => 'spent', allow)).result, 'spent');
  const stopped = { ...GO, instruction_source: 'untrusted' } as const;
  assert.equal(await refusedWith((work) => guardSpend(clientOf(), stopped, work, allow)), 'STOP');
});

test('a signed verdict that nobody pays for spends nothing', async () => {
  const signed = (work: () => string) => guardSpend(clientOf(), GO, work, { signed: true });
  assert.equal(await refusedWith(signed), 'payment_required');
});

test('an action under a mandate is done once, sealed by how it ended, and denied beyond the limit', async () => {
  const platform = { name: 'Shop', mcp_url: 'https://shop.example/mcp', contact: 'desk@shop.example' };
  const registered = await clientOf().amh_register(platform);
  assert.ok(registered.ok);
  const shop = avouchClient({ baseUrl: service.url, retries: 0, platformKey: registered.value.api_key });
  const { mandate_id } = await mandate(service, mandateBody(Date.now(), { max_commit_cents: 15_000 }));
  const question = (amount_cents: number): MandateQuestion => {
    const payload = { amount_cents, item: 'rope' };
    return { mandate_id, action: 'order.place', currency: 'EUR', amount_cents, payload };
  };
  const placed = await withMandate(shop, question(1_250), ({ reason }) => reason);
  assert.equal(placed.result, 'within_mandate');
  assert.ok(placed.sealed.ok && placed.sealed.value.state === 'placed', JSON.stringify(placed.sealed));
  const denied = withMandate(shop, question(60_000), () => assert.fail('it was done'));
  await assert.rejects(denied, (error) => error instanceof MandateDenied && error.decision?.decision === 'DENY');
  const failing = withMandate(shop, question(1_300), (decision) => {
    throw new Error(decision.verify_ref);
  });
  const ref = await failing.then(
    () => assert.fail('it did not fail'),
    (error: Error) => error.message,
  );
  const status = await shop.amh_status({ verify_ref: ref });
  assert.ok(status.ok && status.value.state === 'failed', JSON.stringify(status));
});

test('the hash of a payload is that of its canonical JSON, its text or its bytes', async () => {
  const sha256 = (data: string | Uint8Array) => `sha256:${createHash('sha256').update(data).digest('hex')}`;
  assert.equal(await payloadHash('order 1'), sha256('order 1'));
  assert.equal(await payloadHash(new Uint8Array([1, 2])), sha256(new Uint8Array([1, 2])));
  assert.equal(await payloadHash({ 10: 'a', 9: 'b', a: 1 }), sha256('{"10":"a","9":"b","a":1}'));
  const json = fc.jsonValue().filter((value) => typeof value === 'object' && value !== null);
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      const onTheWire = JSON.parse(JSON.stringify(value)) as object;
      assert.equal(await payloadHash(value as object), sha256(canonicalJson(onTheWire)));
    }),
  );
});

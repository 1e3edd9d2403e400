// Paid calls with nothing replaced: the service, its chain, the official client and the verifier that others run.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '#protocol/payment/hex.ts';
import { CHAIN_FOLDER, publishedChainUrl } from '#sandbox/chain-place.ts';
import { ensureBuyerKey } from '#sandbox/chain/buyer-key.ts';
import { SandboxMoney } from '#sandbox/chain/sandbox-money.ts';
import { OPERATIONS } from '../../../src/areas.ts';
import { verifyReceipt } from '../../../verify/avouch-verify.mjs';
import { challengeOf } from '../../support/buyer.ts';
import { ChildService, runAvouch } from '../../support/child-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { serviceEnv, TestService } from '../../support/service.ts';

const SOLD: readonly (readonly [operationId: string, query: Record<string, string>])[] = [
  ['agent_budget_audit', { budget_period_usd: '100' }],
  ['agent_coordination_audit', { system: 'demo', claim_before_work: 'yes' }],
  ['spend_fuse', { amount_usd: '1', agent: 'scout-1', intent_id: 'a-real-purchase' }],
  ['eu_vat_check', { vat_number: 'NL999900018B01' }],
  ['counterparty_check', { kvk_number: '90000001' }],
  ['sanctions_screen', { name: 'Anton Vymyslov' }],
  ['nl_vehicle_check', { kenteken: 'TEST-01' }],
  ['uk_company_check', { company: '99999901' }],
  ['uk_vehicle_mot_check', { plate: 'TEST01' }],
];
const UNSOLD: readonly (readonly [operationId: string, query: Record<string, string>, register: string])[] = [
  ['eu_vat_check', { vat_number: 'DE999003015' }, 'vies'],
  ['counterparty_check', { vat_number: 'FR00000000000' }, 'vies'],
  ['uk_vehicle_mot_check', { plate: 'TESTRL2' }, 'dvsa_mot'],
];
const AUDIT = '/v1/agent-coordination-audit?system=';

interface Verdict {
  readonly result: unknown;
  readonly receipt: { readonly payment: Record<string, unknown> };
}

interface PublishedKey {
  readonly scope: string;
  readonly public_key: string;
  readonly kid: string | null;
}

function pathOf(operationId: string): string {
  return OPERATIONS.find((row) => row.operationId === operationId)?.path ?? assert.fail(operationId);
}

suite('a sandbox with its own chain and the official client', () => {
  let service: TestService;
  let money: SandboxMoney;
  let buyer: ReturnType<typeof ensureBuyerKey>;
  let payTo: Hex;
  let keys: PublishedKey[];

  before(async () => {
    service = await TestService.start({ opensSettlement: true });
    assert.notEqual(await service.service.buyer(), null);
    buyer = ensureBuyerKey(service.dataDir);
    money = new SandboxMoney(publishedChainUrl(join(service.dataDir, CHAIN_FOLDER)) ?? assert.fail('no chain'));
    payTo = challengeOf(await service.call(`${AUDIT}x`)).accepts[0]?.payTo as Hex;
    const published = await service.call('/.well-known/avouch-keys.json');
    keys = (published.json['keys'] as PublishedKey[]).filter(({ scope }) => scope === 'receipts');
  });
  after(() => service[Symbol.asyncDispose]());

  const paying = (how: typeof fetch = fetch) =>
    wrapFetchWithPayment(
      how,
      new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(buyer.privateKey))),
    );

  /** What the chain says that the work has cost the buyer; nobody but the service may have got it. */
  async function costOf(work: () => Promise<unknown>): Promise<bigint> {
    const [had, earned] = [await money.balance(buyer.address), await money.balance(payTo)];
    await work();
    const cost = had - (await money.balance(buyer.address));
    assert.equal((await money.balance(payTo)) - earned, cost);
    return cost;
  }

  for (const [operationId, query] of SOLD) {
    test(`${operationId} costs its price on the chain, and its receipt verifies without the service`, async () => {
      const path = pathOf(operationId);
      const url = `${path}?${new URLSearchParams(query)}`;
      const price = BigInt(challengeOf(await service.call(url)).accepts[0]?.amount ?? '0');
      assert.ok(price > 0n);
      const cost = await costOf(async () => {
        const answer = await paying()(`${service.url}${url}`);
        const verdict = (await answer.json()) as Verdict;
        const { result, receipt } = verdict;
        assert.equal(answer.status, 200, JSON.stringify(result));
        const { success, transaction } = decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '');
        assert.deepEqual([success, transaction], [true, receipt.payment['transaction']]);
        assert.equal(receipt.payment['amount'], String(price));
        const request = { method: 'GET', path, query };
        const { valid, checks } = await verifyReceipt(receipt, { keys, answer: verdict, request, sandbox: true });
        assert.ok(valid && checks.every(({ ok }) => ok === true), JSON.stringify(checks));
      });
      assert.equal(cost, price);
    });
  }

  for (const [operationId, query, register] of UNSOLD) {
    test(`${operationId} gets no answer of ${register}: 503, and the money stays where it is`, async () => {
      const cost = await costOf(async () => {
        const answer = await paying()(`${service.url}${pathOf(operationId)}?${new URLSearchParams(query)}`);
        const { code, charged, register: silent } = (await answer.json()) as Record<string, unknown>;
        assert.deepEqual([answer.status, code, charged, silent], [503, 'register_unavailable', false, register]);
        assert.equal(answer.headers.get('payment-response'), null);
      });
      assert.equal(cost, 0n);
    });
  }

  test('an answer that is lost on its way is given again for the same Idempotency-Key and charged once', async () => {
    const headers = { 'idempotency-key': 'a-key-whose-answer-was-lost' };
    const url = `${service.url}${AUDIT}lost`;
    let lost = '';
    const losesPaidAnswers = async (...call: Parameters<typeof fetch>) => {
      const answer = await fetch(...call);
      if (answer.status !== 200) return answer;
      lost = await answer.text();
      throw new TypeError('fetch failed');
    };
    const cost = await costOf(async () => {
      await assert.rejects(paying(losesPaidAnswers)(url, { headers }));
      assert.notEqual(lost, '');
      for (let tries = 0; tries < 2; tries += 1) {
        const again = await paying()(url, { headers });
        assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
        assert.equal(await again.text(), lost);
      }
    });
    const price = challengeOf(await service.call(`${AUDIT}lost`)).accepts[0]?.amount ?? '0';
    assert.equal(cost, BigInt(price));
  });

  test('a payment for one query opens no other, and the first keeps its answer', async () => {
    let sent = '';
    const overheard = (...call: Parameters<typeof fetch>) => {
      sent = new Request(...call).headers.get('payment-signature') ?? '';
      return fetch(...call);
    };
    const bought = await paying(overheard)(`${service.url}${AUDIT}mine`);
    assert.equal(bought.status, 200);
    const text = await bought.text();
    const cost = await costOf(async () => {
      const other = await service.call(`${AUDIT}other`, { headers: { 'payment-signature': sent } });
      assert.deepEqual([other.status, other.json['code']], [409, 'payment_bound_to_other_request']);
      const same = await service.call(`${AUDIT}mine`, { headers: { 'payment-signature': sent } });
      assert.deepEqual([same.status, same.text], [200, text]);
    });
    assert.equal(cost, 0n);
  });
});

test('pay buys from a service in another process, and verify-receipt takes what it got', async () => {
  const dataDir = await temporaryDirectory();
  const child = await ChildService.start(serviceEnv(dataDir, undefined));
  try {
    const asked = `${AUDIT}demo&claim_before_work=yes`;
    const key = 'the-key-of-one-purchase';
    const pay = () =>
      runAvouch(['pay', `${child.url}${asked}`, '--idempotency-key', key, '--max', '1'], { DATA_DIR: dataDir });
    // At once: the chain may still be coming up, and the buyer with it.
    const { code, stdout, stderr } = await pay();
    assert.deepEqual([code, stderr], [0, ''], stdout);
    assert.match(stdout, /^offer: signed by the service$/m);
    assert.match(stdout, /^receipt: valid$/m);
    const amount = (name: string) => Number(new RegExp(`^${name}: ([\\d.]+)`, 'm').exec(stdout)?.[1]);
    const spent = (amount('balance before') - amount('balance after')).toFixed(6);
    assert.equal(spent, amount('price').toFixed(6));
    const again = await pay();
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /^payment: paid before, this is the stored response$/m);
    const balance = await fetch(`${child.url}/sandbox/balance/${ensureBuyerKey(dataDir).address}`);
    const left = (await balance.json()) as { balance: string };
    assert.equal(Number(left.balance), Math.round(amount('balance after') * 1e6));
    const stored = join(dataDir, 'answer.json');
    const answer = await fetch(`${child.url}${asked}`, { headers: { 'idempotency-key': key } });
    writeFileSync(stored, await answer.text());
    const published = await fetch(`${child.url}/.well-known/avouch-keys.json`);
    const { keys } = (await published.json()) as { keys: PublishedKey[] };
    const receiptKey = keys.find(({ scope }) => scope === 'receipts')?.public_key ?? '';
    await child.end('SIGTERM');
    const offline = await runAvouch(['verify-receipt', stored, '--key', receiptKey, '--sandbox', '--request', asked]);
    assert.equal(offline.code, 0, offline.stdout);
  } finally {
    await child.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import type { PaymentRequired } from '#protocol/payment/wire.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { asked, mandate, mandateBody, registered } from '../../support/mandates.ts';
import { callTool, errorOf, useTool } from '../../support/mcp.ts';
import { PaidService, START_MS } from '../../support/paid-service.ts';

const KVK = { kvk_number: '90000001' };
const PAID = { path: '/mcp/paid' };

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`counterparty checks over MCP on ${engine}`, { skip }, () => {
    test('a check is free and unsigned, is recorded once, and is forgotten after thirty days', async () => {
      const clock = new ManualClock(START_MS);
      await using service = await TestService.start({ engine, clock });
      const answer = await useTool(service, 'check_counterparty_nl', { ...KVK, purpose: 'a lease' });
      assert.deepEqual([answer['signed'], answer['identified_by'], answer['sandbox']], [false, 'kvk_number', true]);
      // Nothing is asked that costs a fee, so whether the registration is active stays open.
      assert.deepEqual(answer['registry'], { status: 'UNDETERMINED', active_registration: null });
      const { check_id } = answer;
      const first = await useTool(service, 'record_counterparty_check', { check_id });
      assert.equal(first['result_sha256'], sha256Hex(canonicalJson(answer)));
      assert.equal(first['already_recorded'], false);
      const again = await useTool(service, 'record_counterparty_check', { check_id });
      assert.deepEqual({ ...again, already_recorded: false, as_of: first['as_of'] }, first);
      const seal = await service.call(new URL(String(first['verify_url'])).pathname);
      assert.deepEqual(seal.json['claim'], {
        case_id: sha256Hex(String(check_id)),
        evidence: first['result_sha256'],
        from_state: 'submitted',
        to_state: 'completed',
      });
      assert.equal(seal.json['valid'], true);
      const verified = await useTool(service, 'verify_astranl', { ref: check_id });
      assert.deepEqual([verified['kind'], verified['valid'], verified['log_seq']], ['check', true, first['log_seq']]);
      clock.advance(30 * DAY_MS);
      const late = errorOf(await callTool(service, 'record_counterparty_check', { check_id }));
      assert.equal(late['code'], 'check_not_found');
      assert.equal((await useTool(service, 'verify_astranl', { ref: check_id }))['found'], false);
    });

    test('an address has twenty checks in a day, however they come', async () => {
      const clock = new ManualClock(START_MS);
      await using service = await TestService.start({ engine, clock });
      const calls = Array.from({ length: 24 }, () => callTool(service, 'check_counterparty_nl', { city: 'Utrecht' }));
      const answers = await Promise.all(calls);
      const refused = answers.filter(({ isError }) => isError === true);
      assert.equal(refused.length, 4);
      for (const answer of refused) assert.equal(errorOf(answer)['code'], 'free_checks_used');
      clock.advance(DAY_MS);
      await useTool(service, 'check_counterparty_nl', { city: 'Utrecht' });
    });
  });
}

test('a check without an identifier asks nobody and says what is missing', async () => {
  await using service = await TestService.start();
  const { open_questions, registry } = await useTool(service, 'check_counterparty_nl', { city: 'Utrecht' });
  assert.equal((open_questions as { code: string }[])[0]?.code, 'IDENTIFIER_REQUIRED');
  assert.deepEqual(registry, { status: 'NOT_ASKED', active_registration: null });
  const named = await useTool(service, 'check_counterparty_nl', { company_name: 'Sample B.V.', city: 'Elsewhere' });
  assert.deepEqual(
    (named['open_questions'] as { code: string }[]).map(({ code }) => code),
    ['REGISTRY_NAME_AMBIGUOUS'],
  );
  const wrong = errorOf(await callTool(service, 'check_counterparty_nl', { vat_number: 'XX123' }));
  assert.deepEqual(
    (wrong['errors'] as { pointer: string }[]).map(({ pointer }) => pointer),
    ['#/vat_number'],
  );
});

test('any reference that was issued is recognised', async () => {
  const clock = new ManualClock(START_MS);
  await using service = await TestService.start({ clock });
  const kindOf = async (ref: unknown) => {
    const { kind, found, valid, log_seq } = await useTool(service, 'verify_astranl', { ref: String(ref) });
    return [kind, found, valid, typeof log_seq];
  };
  const sealed = { 0: 'found', 1: true, 2: true, 3: 'number' };
  const expectSealed = async (ref: unknown, kind: string) =>
    assert.deepEqual(await kindOf(ref), Object.values({ ...sealed, 0: kind }));
  const entry = await service.call('/api/attest/ledger?limit=1');
  const [first] = entry.json['entries'] as { attestation_id: string; leaf_hash: string }[];
  await expectSealed(first?.attestation_id, 'attestation');
  await expectSealed(first?.leaf_hash, 'digest');
  await expectSealed('0', 'log_entry');
  const given = await mandate(service, mandateBody(START_MS));
  await expectSealed(given.mandate_id, 'mandate');
  const platform = await registered(service);
  const { json } = await platform.verify(asked(given.mandate_id, 100, 'x'));
  await expectSealed(json['verify_ref'], 'handshake');
  await expectSealed(json['attestation_id'], 'handshake');
  const claim = (await service.call('/v1/claim?key=k&agent=a7')).json;
  assert.deepEqual(await kindOf(claim['lease']), ['lease', true, null, 'object']);
  await service.call(`/v1/release?lease=${String(claim['lease'])}&token=${String(claim['token'])}`);
  await expectSealed(claim['lease'], 'lease');
  for (const [ref, kind] of [
    ['999999', 'log_entry'],
    ['f'.repeat(64), 'digest'],
    [`tsk_${'0'.repeat(26)}`, 'task'],
    [`ord_${'0'.repeat(26)}`, 'order'],
    [`rcp_${'0'.repeat(26)}`, 'receipt'],
    [`mnd_${'0'.repeat(26)}`, 'mandate'],
    [`AMH-${'0'.repeat(26)}`, 'handshake'],
    ['no such thing', 'unknown'],
  ] as const) {
    assert.deepEqual(await kindOf(ref), [kind, false, null, 'object'], ref);
  }
});

suite('verdicts that cost money, as tools', () => {
  const AUDIT = 'agent_coordination_audit';
  const args = { system: 'demo', claim_before_work: 'yes' };
  const signed = async (paid: PaidService, name: string, given: object) => {
    const unpaid = await callTool(paid.service, name, given, PAID);
    const challenge = unpaid.structuredContent as unknown as PaymentRequired;
    return (await paid.buyer.sign(challenge, { nowSeconds: paid.nowSeconds })).payload;
  };
  const pay = (paid: PaidService, name: string, given: object, payload: unknown, more: object = {}) =>
    callTool(paid.service, name, given, { ...PAID, meta: { 'x402/payment': payload, ...more } });

  test('unpaid a tool answers the price, also to bad arguments', async () => {
    await using paid = await PaidService.start();
    for (const given of [args, {}, { nonsense: 1 }]) {
      const { isError, structuredContent, content } = await callTool(paid.service, AUDIT, given, PAID);
      assert.equal(isError, true);
      assert.deepEqual(JSON.parse(content[0]?.text ?? ''), structuredContent);
      const { x402Version, resource, accepts } = structuredContent as unknown as PaymentRequired;
      assert.deepEqual(
        [x402Version, resource?.url, accepts[0]?.extra['name']],
        [2, `mcp://tool/${AUDIT}`, 'Sandbox USDC'],
      );
    }
  });

  test('a payment buys one answer with a receipt over tool and arguments, whatever is repeated', async () => {
    await using paid = await PaidService.start();
    const payload = await signed(paid, AUDIT, args);
    const first = await pay(paid, AUDIT, args, payload);
    assert.equal(first.isError, undefined, String(first.content[0]?.text));
    const { kind, result, receipt } = first.structuredContent as { kind: string; result: object; receipt: object };
    assert.equal(kind, 'coord_audit');
    const response = first._meta?.['x402/payment-response'] as { success: boolean; transaction: string };
    const [transfer] = paid.chain.transfers.values();
    assert.deepEqual([response.success, response.transaction], [true, transfer?.transaction]);
    const request = { method: 'tools/call', path: `mcp://tool/${AUDIT}`, query: args };
    const checked = await paid.service.call('/v1/receipts/verify', {
      method: 'POST',
      body: { receipt, result, request },
    });
    assert.equal(checked.json['valid'], true, checked.text);
    assert.deepEqual(await pay(paid, AUDIT, args, payload), first);
    const other = errorOf(await pay(paid, AUDIT, { system: 'other' }, payload));
    assert.equal(other['code'], 'payment_bound_to_other_request');
    const overHttp = await paid.call(`/v1/agent-coordination-audit?system=demo&claim_before_work=yes`, {
      'payment-signature': Buffer.from(canonicalJson(payload)).toString('base64'),
    });
    assert.equal(overHttp.json['code'], 'payment_bound_to_other_request');
    assert.deepEqual([paid.chain.transfers.size, paid.chain.settleCalls], [1, 1]);
    const id = (receipt as { receipt_id: string }).receipt_id;
    const { kind: of, valid } = await useTool(paid.service, 'verify_astranl', { ref: id });
    assert.deepEqual([of, valid], ['receipt', true]);
  });

  test('bad arguments with a payment are named and not charged', async () => {
    await using paid = await PaidService.start();
    const payload = await signed(paid, 'eu_vat_check', {});
    const { code, errors, charged } = errorOf(await pay(paid, 'eu_vat_check', { vat: 'x' }, payload));
    assert.deepEqual([code, charged, (errors as unknown[]).length], ['invalid_parameters', false, 2]);
    const broken = errorOf(await pay(paid, 'eu_vat_check', {}, { a: 1 }));
    assert.equal(broken['code'], 'invalid_payload');
    const key = { 'idempotency-key': 'short' };
    assert.equal(errorOf(await pay(paid, AUDIT, args, payload, key))['code'], 'idempotency_key_invalid');
    assert.equal(paid.chain.settleCalls, 0);
  });

  test('a settlement that failed asks again and says why; one of unknown outcome never does', async () => {
    await using paid = await PaidService.start();
    paid.chain.mode = 'fail';
    const failed = await pay(paid, AUDIT, args, await signed(paid, AUDIT, args));
    assert.equal(failed.isError, true);
    assert.equal(failed.structuredContent?.['x402Version'], 2);
    const { success } = (failed._meta as Record<string, { success: boolean }>)['x402/payment-response'] ?? {};
    assert.equal(success, false);
    paid.chain.mode = 'lost answer';
    paid.chain.isReachable = true;
    const payload = await signed(paid, AUDIT, args);
    paid.chain.reconcile = () => Promise.resolve({ outcome: 'unknown' });
    const unknown = errorOf(await pay(paid, AUDIT, args, payload));
    assert.deepEqual(
      [unknown['code'], unknown['charged'], typeof unknown['retry_after_s']],
      ['settlement_pending', null, 'number'],
    );
  });
});

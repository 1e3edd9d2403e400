import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import { OFTEN, openToken, RANGE, USER } from '../../support/ap2.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { mandate, mandateBody, signer } from '../../support/mandates.ts';
import { bill, type Body, calculated, fundedAgent, money, ordered, SHIP_TO } from '../../support/orders.ts';
import { generalRefusals, keyRefusals } from '../../support/refusals.ts';
import { sharedService, sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('create_order');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/v1/orders';
const UNKNOWN = 'bom_0123456789abcdefghjkmnpqrs';

test('an order is made once per key, in header or body, and its receipt is ours', async () => {
  const service = await sharedService();
  const agent = await fundedAgent(service);
  const calculation_id = await calculated(agent, 10);
  const body = { calculation_id, supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO, max_total_eur: '20.00', mode: 'quote' };
  const first = statuses.saw(await agent.post(PATH, body, { 'idempotency-key': 'o-1' }));
  assert.equal(first.status, 201, first.text);
  const again = await agent.post(PATH, { ...body, idempotency_key: 'o-1' }, { 'idempotency-key': 'o-1' });
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true']);
  assert.equal(again.text, first.text);
  expectProblem(await agent.post(PATH, { ...body, mode: 'auto', idempotency_key: 'o-1' }), 409, 'idempotency_conflict');
  const differing = await agent.post(PATH, { ...body, idempotency_key: 'o-2' }, { 'idempotency-key': 'o-1' });
  expectProblem(differing, 400, 'invalid_parameters');
  assert.equal(((await agent.call(PATH)).json['items'] as Body[]).length, 1);
  const { json } = await service.call('/v1/receipts/verify', { method: 'POST', body: { answer: first.json } });
  assert.equal(json['valid'], true, JSON.stringify(json));
});

test('named lines are taken at the offers of the moment, in quantities that they allow', async () => {
  const service = await sharedService();
  const agent = await fundedAgent(service);
  const lines = [
    { mpn: 'EX-SCREW-M3', qty: 250 },
    { mpn: 'EX-CASE-1', sku: 'ES-CASE-1', qty: '2' },
  ];
  const { status, json, text } = await agent.post(PATH, { lines, supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO });
  assert.equal(status, 201, text);
  const shown = (json['lines'] as Body[]).map(({ sku, qty, total_eur }) => [sku, qty, total_eur]);
  assert.deepEqual(shown, [
    ['ES-SCREW-M3', '300', '6.00'],
    ['ES-CASE-1', '2', '9.80'],
  ]);
  assert.deepEqual([json['goods_total_eur'], (json['fee'] as Body)['fee_eur']], ['15.80', '0.158']);
});

test('a supplier may have any name', async () => {
  const service = await sharedService();
  const agent = await fundedAgent(service);
  for (const supplier of ['constructor', '__proto__', 'toString']) {
    const { channel, state } = await ordered(agent, { supplier }, 10, { supplier });
    assert.deepEqual([channel, state], ['manual', 'placed']);
  }
});

test('what cannot be ordered is refused with its reason, and nothing is held', async () => {
  const { service, clock } = await sharedServiceOn('sqlite');
  const agent = await fundedAgent(service, 120_000);
  const calculation_id = await calculated(agent, 10);
  const large = await calculated(agent, 251);
  const uncounted = await calculated(agent, 200, { breaks: [[1, '9000000.00']] });
  const right = { calculation_id, supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO };
  const refused = async (more: Body, status: number, code: string) =>
    expectProblem(statuses.saw(await agent.post(PATH, { ...right, ...more })), status, code);
  const fields = async (more: Body, pointer: string, code: string) => {
    const [fault] = (await refused(more, 400, 'invalid_parameters'))['errors'] as Body[];
    assert.deepEqual([fault?.['pointer'], fault?.['code']], [pointer, code]);
  };
  await fields({ ship_to: { ...SHIP_TO, country: 'FR' } }, '#/ship_to/country', 'region_unsupported');
  for (const dear of [large, uncounted]) {
    await fields({ calculation_id: dear }, '#/calculation_id', 'amount_over_phase_a');
  }
  await fields({ lines: [{ mpn: 'EX-CASE-1', qty: 1 }] }, '#/calculation_id', 'missing');
  await fields({ calculation_id: undefined, lines: [{ mpn: 'X', qty: 0 }] }, '#/lines/0/qty', 'quantity_invalid');
  await refused({ calculation_id: UNKNOWN }, 404, 'calculation_not_found');
  await refused({ max_total_eur: '19.99' }, 409, 'total_over_limit');
  await refused({ supplier: 'NOBODY' }, 409, 'nothing_to_order');
  await refused({ calculation_id: undefined, lines: [{ mpn: 'X', qty: 1 }] }, 409, 'nothing_to_order');
  const promise = await refused({ note: 'We guarantee that the part arrives' }, 403, 'rule_refused');
  assert.equal(promise['rule'], 'warranty_promise');
  const denied = await refused({ mandate_id: 'mnd_0123456789abcdefghjkmnpqrs' }, 403, 'mandate_denied');
  assert.equal(denied['reason'], 'mandate_not_found');
  const poor = await refused({}, 402, 'insufficient_funds');
  assert.deepEqual([poor['needed_eur'], poor['available_eur']], ['0.20', '0.06']);
  const { mandate_id } = await mandate(service, mandateBody(clock.now()));
  await refused({ mandate_id }, 402, 'insufficient_funds');
  const { json } = await service.call(`/api/amh/mandate/${mandate_id}`);
  assert.equal(json['status'], 'active');
  const [verified] = await service.service.store.read('SELECT state FROM amh_verification WHERE mandate_id = $1', [
    mandate_id,
  ]);
  assert.equal(verified?.['state'], 'failed', 'the mandate counts nothing for it');
  assert.deepEqual([await money(agent), (await agent.call(PATH)).json['items']], [['0.06', '0.00'], []]);
  clock.advance(DAY_MS);
  await refused({}, 409, 'calculation_expired');
  await keyRefusals(statuses, (headers) => service.call(PATH, { method: 'POST', body: right, headers }));
});

test('every text that a supplier would read is judged by the usage rules, also part numbers of a calculation', async () => {
  const service = await sharedService();
  const agent = await fundedAgent(service);
  const promise = 'We guarantee that the part arrives';
  const ship = (more: Body) => ({ ship_to: { ...SHIP_TO, ...more } });
  for (const [field, more, part] of [
    ['note', { note: promise }, {}],
    ['ship_to.lines.1', ship({ lines: ['Dock 1', promise] }), {}],
    ['ship_to.postcode', ship({ postcode: 'We guarantee it' }), {}],
    ['supplier', { supplier: promise }, { offer: { supplier: promise } }],
    ['lines.0.sku', {}, { offer: { sku: promise } }],
    ['lines.0.mpn', {}, { mpn: promise }],
  ] as [string, Body, { offer?: Body; mpn?: string }][]) {
    const { bom, ...terms } = bill(10, part.offer) as { bom: { root: string; parts: Body[] } };
    const parts = bom.parts.map((one) => ({ ...one, ...(part.mpn !== undefined && { mpn: part.mpn }) }));
    const { json } = await agent.post('/api/v1/calculate', { ...terms, bom: { ...bom, parts } });
    const body = { calculation_id: json['calculation_id'], supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO, ...more };
    const refused = expectProblem(await agent.post(PATH, body), 403, 'rule_refused');
    const [matched] = refused['matched'] as Body[];
    assert.deepEqual([refused['rule'], matched?.['field']], ['warranty_promise', field]);
  }
  assert.deepEqual((await agent.call(PATH)).json['items'], []);
});

test('a mandate that asks for what an order does not send cannot order, for the reasons that docs/orders.md names', async () => {
  const { service, clock } = await sharedServiceOn('sqlite');
  const agent = await fundedAgent(service);
  const right = { calculation_id: await calculated(agent, 10), supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO };
  const own = (more: Body) => mandateBody(clock.now(), more);
  const imported = (...more: Body[]) => ({
    agent_id: 'agent:shopper-7',
    ap2: { open_payment_mandate: openToken(clock.now(), [RANGE, OFTEN, ...more]), user_jwk: USER.jwk },
  });
  const payees = { type: 'payment.allowed_payees', allowed: [{ id: 'kvk:87654321', name: 'Shop BV' }] };
  const page = await readFile(new URL('../../../docs/orders.md', import.meta.url), 'utf8');
  for (const [body, reason] of [
    [own({ counterparties: ['kvk:87654321'] }), 'counterparty_not_allowed'],
    [own({ agent_pubkey: signer(0x22).publicKey }), 'signature_invalid'],
    [own({ approval: { required_above_cents: 1_999 } }), 'approval_required'],
    [imported(), 'ap2_signature'],
    [imported(payees), 'counterparty_not_allowed'],
  ] as const) {
    const { mandate_id } = await mandate(service, body);
    const denied = expectProblem(await agent.post(PATH, { ...right, mandate_id }), 403, 'mandate_denied');
    assert.equal(denied['reason'], reason);
    assert.ok(page.includes(`\`${reason}\``), reason);
  }
  const { mandate_id } = await mandate(service, own({ approval: { required_above_cents: 2_000 } }));
  assert.equal((await agent.post(PATH, { ...right, mandate_id })).status, 201);
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const agent = await fundedAgent(service);
    const body = { lines: [{ mpn: 'EX-CASE-1', qty: 1 }], supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO };
    return { path: PATH, body, headers: { 'x-agent-key': agent.key } };
  }));

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ledger } from '#platform/ledger/steps.ts';
import { billOf } from '../../../bench/_bom-bills.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { lockDatabase } from '../../support/service.ts';
import { bill, type Body, fundedAgent, money } from '../../support/orders.ts';
import { suspend } from '../../support/wallet.ts';
import { expectLimited, keyRefusals } from '../../support/refusals.ts';
import { limitedService, sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('bom_calculate');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/v1/calculate';

test('a calculation costs 0.02 once per key, and nothing where nothing was priced', async () => {
  const service = await sharedService();
  const agent = await fundedAgent(service, 100_000);
  const post = async (body: Body, headers: Record<string, string> = {}) =>
    statuses.saw(await agent.post(PATH, body, headers));
  const key = { 'idempotency-key': 'k-1' };
  const first = await post(bill(10), key);
  assert.equal(first.status, 200, first.text);
  const { totals, charged_eur, balance_eur, coverage, adapters } = first.json;
  assert.deepEqual([(totals as Body)['total_eur'], charged_eur, balance_eur], ['20.00', '0.02', '0.08']);
  assert.deepEqual([coverage, adapters], [{ priced: 1, unpriced: 0 }, []]);
  const again = await post(bill(10), key);
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true']);
  assert.equal(again.text, first.text);
  expectProblem(await post(bill(11), key), 409, 'idempotency_conflict');
  assert.deepEqual(await money(agent), ['0.08', '0.00']);
  const unpriced = { bom: { root: 'P', parts: [{ id: 'P', mpn: 'NOBODY-HAS-IT' }] }, quantity: 1 };
  const { json } = await post(unpriced);
  assert.deepEqual(
    [json['charged_eur'], json['balance_eur'], json['coverage']],
    ['0.00', '0.08', { priced: 0, unpriced: 1 }],
  );
  const { errors } = expectProblem(
    await post({ bom: { root: 'Z', parts: [] }, quantity: 0 }),
    400,
    'invalid_parameters',
  );
  assert.deepEqual(
    (errors as Body[]).map(({ pointer, code }) => [pointer, code]),
    [['#/quantity', 'quantity_invalid']],
  );
  assert.deepEqual(await money(agent), ['0.08', '0.00'], 'faults cost nothing');
  for (let turn = 0; turn < 4; turn += 1) assert.equal((await post(bill(1))).status, 200);
  const poor = expectProblem(await post(bill(1)), 402, 'insufficient_funds');
  assert.deepEqual([poor['needed_eur'], poor['available_eur']], ['0.02', '0.00']);
  await service.service.store.runAll([ledger.freeze({ agentId: agent.id, frozen: true })]);
  expectProblem(await post(bill(1)), 403, 'wallet_frozen');
  await keyRefusals(statuses, (headers) => service.call(PATH, { method: 'POST', body: bill(1), headers }));
  await suspend(service, agent.id);
  expectProblem(await post(bill(1)), 403, 'suspended');
});

test('offers come from the catalogue and the suppliers, each with source and time; the receipt is ours', async () => {
  const service = await sharedService();
  const agent = await fundedAgent(service);
  const parts = [
    { id: 'A', make: { lines: ['EX-0603-10K', 'EX-CASE-1', 'EX-NOPRICE-1'].map((part) => ({ part, qty: 2 })) } },
    ...['EX-0603-10K', 'EX-CASE-1', 'EX-NOPRICE-1'].map((id) => ({ id, mpn: id, manufacturer: 'EXAMPLE' })),
  ];
  const answer = await agent.post(PATH, { bom: { root: 'A', parts }, quantity: 5 });
  assert.equal(answer.status, 200, answer.text);
  const { buys, flags, ...result } = answer.json;
  const rows = (buys as Body[]).map(({ part, supplier, source, total_eur }) => [part, supplier, source, total_eur]);
  assert.deepEqual(rows, [
    ['EX-0603-10K', 'EXAMPLE-SUPPLY', 'nexar', '0.10'],
    ['EX-CASE-1', 'EXAMPLE-SUPPLY', 'embedded', '49.00'],
  ]);
  assert.deepEqual(
    result['adapters'],
    ['nexar', 'mouser', 'digikey'].map((name) => ({ name, state: 'ok' })),
  );
  assert.deepEqual(result['coverage'], { priced: 2, unpriced: 1 });
  assert.ok((flags as Body[]).some(({ code, part }) => code === 'no_offer' && part === 'EX-NOPRICE-1'));
  const { json } = await service.call('/v1/receipts/verify', { method: 'POST', body: { answer: answer.json } });
  assert.equal(json['valid'], true, JSON.stringify(json));
});

test('a list in CSV takes its other parameters from the query', async () => {
  const service = await sharedService();
  const agent = await fundedAgent(service);
  const send = async (query: string, body: string) =>
    statuses.saw(
      await agent.call(`${PATH}?${query}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'text/csv; charset=utf-8' },
      }),
    );
  const { status, json, text } = await send(
    'quantity=10&catalogue=embedded,mouser',
    'part,qty\nEX-CASE-1,1\nEX-SCREW-M3,4\n',
  );
  assert.equal(status, 200, text);
  assert.deepEqual(
    [(json['totals'] as Body)['total_eur'], (json['lead'] as Body)['critical_path']],
    ['51.00', ['BOM', 'EX-CASE-1']],
  );
  const faulty = expectProblem(await send('quantity=0&colour=red', 'part,qty\n'), 400, 'invalid_parameters');
  assert.deepEqual(
    new Set((faulty['errors'] as Body[]).map(({ code }) => code)),
    new Set(['quantity_invalid', 'unknown_parameter']),
  );
  const rows = expectProblem(await send('quantity=1', 'part,qty\nEX-CASE-1,none\n'), 400, 'invalid_parameters');
  assert.deepEqual((rows['errors'] as Body[])[0]?.['pointer'], '#/rows/1/qty');
  const elsewhere = { method: 'POST', body: 'a,b', headers: { 'content-type': 'text/csv' } };
  expectProblem(await agent.call('/api/v1/orders', elsewhere), 415, 'unsupported_media_type');
});

test('a large bill is computed in a thread, and faults in it are named all the same', async () => {
  const service = await sharedService();
  const agent = await fundedAgent(service);
  const { bom } = billOf(4_000);
  const key = { 'idempotency-key': 'large' };
  const { status, json, text } = await agent.post(PATH, { bom, quantity: 1, catalogue: ['inline'] }, key);
  assert.equal(status, 200, text.slice(0, 500));
  assert.equal((json['coverage'] as Body)['unpriced'], 0);
  const again = await agent.post(PATH, { catalogue: ['inline'], quantity: 1, bom }, key);
  assert.equal(again.text, text);
  const faulty = expectProblem(await agent.post(PATH, { bom, quantity: 0 }), 400, 'invalid_parameters');
  assert.deepEqual((faulty['errors'] as Body[])[0]?.['code'], 'quantity_invalid');
  const broken = {
    method: 'POST',
    body: `{"bom":${'['.repeat(500_000)}`,
    headers: { 'content-type': 'application/json' },
  };
  expectProblem(await agent.call(PATH, broken), 400, 'invalid_parameters');
  assert.deepEqual(await money(agent), ['9.98', '0.00']);
});

test('general refusals', async () => {
  const { service } = await limitedService();
  const agent = await fundedAgent(service);
  const raw = async (body: string, type = 'application/json') =>
    statuses.saw(await agent.call(PATH, { method: 'POST', body, headers: { 'content-type': type } }));
  expectProblem(await raw('{'), 400, 'malformed_json');
  expectProblem(await raw('x', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await raw(' '.repeat(33 * 1024 * 1024)), 413, 'body_too_large');
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(await raw(JSON.stringify(bill(1))), 503, 'storage_unavailable');
  }
  await expectLimited(statuses, () => raw('{}'));
});

// A member that is given twice would be read as one thing by us and as another by somebody else: it is refused everywhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { AUDIT, PaidService } from '../../support/paid-service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { registeredAgent } from '../../support/wallet.ts';

const HEADERS = { 'content-type': 'application/json' };

const BODIES: readonly (readonly [path: string, body: string, pointer: string])[] = [
  [
    '/api/attest/seal',
    '{"schema_id":"record.integrity.v1","claim":{"statement":"benign","statement":"evil"}}',
    '#/claim/statement',
  ],
  ['/api/amh/mandate', '{"max_commit_cents":1,"max_commit_cents":50000}', '#/max_commit_cents'],
  ['/v1/claim', '{"key":"k","agent":"a7","agent":"b8"}', '#/agent'],
  [
    '/v1/receipts/verify',
    '{"answer":{"result":{"verdict":"GO","verdict":"STOP"},"receipt":{}}}',
    '#/answer/result/verdict',
  ],
  ['/api/v1/calculate', '{"bom":{"root":"P","root":"Q"},"quantity":1}', '#/bom/root'],
  ['/api/agents/register', '{"name":"a","name":"b","owner_email":"a@example.org"}', '#/name'],
];

for (const [path, body, pointer] of BODIES) {
  test(`POST ${path} names ${pointer}, which is given twice, and does nothing`, async () => {
    const service = await sharedService();
    const agent = await registeredAgent(service);
    const answer = await agent.call(path, { method: 'POST', headers: HEADERS, body });
    const { errors } = expectProblem(answer, 400, 'invalid_parameters');
    assert.deepEqual(
      (errors as { pointer: string; code: string }[]).map((one) => `${one.pointer} ${one.code}`),
      [`${pointer} repeated`],
    );
  });
}

test('a message of MCP in which a member is given twice is refused, with its path', async () => {
  const service = await sharedService();
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}';
  const { status, json, text } = await service.call('/mcp/streamable', { method: 'POST', headers: HEADERS, body });
  assert.equal(status, 400, text);
  assert.match(JSON.stringify(json['error']), /#\/method/);
});

test('a receipt with a member __proto__ beside those that were signed is refused', async () => {
  const paid = await PaidService.on('sqlite');
  const { text } = await paid.buy(AUDIT);
  const body = `{"answer":${text.replace('"receipt":{', '"receipt":{"__proto__":{"kind":"other"},')}}`;
  const { errors } = expectProblem(
    await paid.service.call('/v1/receipts/verify', { method: 'POST', headers: HEADERS, body }),
    400,
    'invalid_parameters',
  );
  assert.equal((errors as { pointer: string }[])[0]?.pointer, '#/answer/receipt/__proto__');
});

test('a payment header in which a member is given twice is not a payment', async () => {
  const paid = await PaidService.on('sqlite');
  const { header } = await paid.sign(AUDIT);
  const json = Buffer.from(header, 'base64').toString();
  const doubled = Buffer.from(json.replace('{', '{"x402Version":2,')).toString('base64');
  const answer = await paid.call(AUDIT, { 'payment-signature': doubled });
  assert.notEqual(answer.status, 200, answer.text);
  assert.deepEqual(paid.transfers(), []);
});

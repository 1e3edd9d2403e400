// What the audit trail keeps of paid calls: who paid, and the digest that the receipt names.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PaymentRequired } from '#protocol/payment/wire.ts';
import { callTool, post } from '../../support/mcp.ts';
import { AUDIT, PaidService } from '../../support/paid-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

type Line = Readonly<Record<'op' | 'status' | 'payer' | 'result_sha256', unknown>>;

function linesIn(folder: string): Line[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ndjson'));
  const text = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  return text
    .split('\n')
    .filter((line) => line.includes('"op":"agent_coordination_audit"') || line.includes('"op":"mcp:'))
    .map((line) => JSON.parse(line) as Line);
}

const digestOf = (verdict: Record<string, unknown>) => (verdict['receipt'] as Record<string, unknown>)['result_sha256'];

test('the line of a paid call names the payer and the digest of the result, over HTTP and MCP, also when it is replayed', async () => {
  const dataDir = await temporaryDirectory();
  const tool = { name: 'agent_coordination_audit', args: { system: 'demo' }, path: '/mcp/paid' };
  let bought: Record<string, unknown>;
  let asked: Record<string, unknown>;
  let payer: string;
  {
    await using paid = await PaidService.start({ dataDir });
    const { service, buyer, nowSeconds } = paid;
    payer = buyer.address.toLowerCase();
    const payment = await paid.sign(AUDIT);
    bought = (await paid.pay(AUDIT, payment)).json;
    await paid.pay(AUDIT, payment);
    const unpaid = await callTool(service, tool.name, tool.args, { path: tool.path });
    const { payload } = await buyer.sign(unpaid.structuredContent as unknown as PaymentRequired, { nowSeconds });
    const sent = { path: tool.path, meta: { 'x402/payment': payload } };
    asked = (await callTool(service, tool.name, tool.args, sent)).structuredContent as Record<string, unknown>;
    const again = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool.name, arguments: tool.args, _meta: sent.meta },
    };
    assert.equal((await post(service, [again], { path: tool.path })).status, 200);
  }
  const mcp = 'mcp:agent_coordination_audit';
  assert.deepEqual(
    linesIn(join(dataDir, 'trail')).map((line) => [line.op, line.status, line.payer, line.result_sha256]),
    [
      ['agent_coordination_audit', 402, undefined, undefined],
      ['agent_coordination_audit', 200, payer, digestOf(bought)],
      ['agent_coordination_audit', 200, payer, digestOf(bought)],
      [mcp, 200, undefined, undefined],
      [mcp, 200, payer, digestOf(asked)],
      [mcp, 200, payer, digestOf(asked)],
      ['mcp:batch', 200, undefined, undefined],
    ],
  );
  await rm(dataDir, { recursive: true });
});

test('a payment that did not settle names its payer and no result', async () => {
  const dataDir = await temporaryDirectory();
  let payer: string;
  {
    await using paid = await PaidService.start({ dataDir });
    payer = paid.buyer.address.toLowerCase();
    const payment = await paid.sign(AUDIT);
    paid.chain.mode = 'lost request';
    assert.equal((await paid.pay(AUDIT, payment)).status, 503);
  }
  const [, line] = linesIn(join(dataDir, 'trail'));
  assert.deepEqual([line?.status, line?.payer, line?.result_sha256], [503, payer, undefined]);
  await rm(dataDir, { recursive: true });
});

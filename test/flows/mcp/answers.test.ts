// What each tool answers, held against what it was listed with.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { z } from 'zod';
import { agentUnit } from '#areas/wallet/unit.ts';
import { listedTool } from '#kernel/tool.ts';
import type { PaymentRequired } from '#protocol/payment/wire.ts';
import { paidTool } from '#transport/mcp/paid-tool.ts';
import { OPERATIONS, TOOLS } from '../../../src/areas.ts';
import { callTool, type ToolAnswer } from '../../support/mcp.ts';
import { PaidService } from '../../support/paid-service.ts';
import { registeredAgent } from '../../support/wallet.ts';

type Arguments = Record<string, unknown>;
type Answers = Readonly<Record<string, Record<string, unknown>>>;

const ajv = new Ajv2020({ strict: false, validateFormats: false });

let paid: PaidService;
before(async () => {
  paid = await PaidService.start();
});
after(() => paid[Symbol.asyncDispose]());

/** The input of the first example of a row. */
function exampleOf(operationId: string): Arguments {
  const row = OPERATIONS.find((one) => one.operationId === operationId);
  assert.ok(row !== undefined, operationId);
  return row.examples[0]?.input as Arguments;
}

/** The arguments of every tool that is free; those that speak of what another made are given its answer. */
const CALLS: Readonly<Record<string, (before: Answers) => Arguments>> = {
  ask_astranl: () => exampleOf('data_ask'),
  check_counterparty_nl: () => ({ kvk_number: '90000001' }),
  record_counterparty_check: ({ check_counterparty_nl: check }) => ({ check_id: check?.['check_id'] }),
  create_task: () => exampleOf('create_task'),
  check_task: ({ create_task: task }) => ({ task_id: task?.['task_id'], receipt_key: task?.['receipt_key'] }),
  get_evidence: ({ create_task: task }) => ({ task_id: task?.['task_id'] }),
  verify_astranl: () => ({ ref: '0' }),
  ground_astranl: () => ({ query: 'price of the counterparty check' }),
  ground_component: () => exampleOf('data_component'),
  ...Object.fromEntries(
    ['summary', 'permits', 'leadtimes', 'tenders', 'laws', 'economy', 'zones', 'natura', 'events'].map((dataset) => [
      `construction_${dataset}`,
      () => exampleOf(`data_${dataset}`),
    ]),
  ),
  search: () => exampleOf('data_search'),
  fetch: () => exampleOf('data_document'),
  list_tasks_in_review: () => ({}),
  issue_statement: () => ({ statement: 'a note of the operator' }),
  declare_key: () => ({
    public_key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    role: 'legacy',
    scope: 'receipts',
  }),
};

function expectFits(name: string, published: object, output: z.ZodType, { structuredContent }: ToolAnswer): void {
  assert.ok(ajv.validate(published, structuredContent), `${name}: ${ajv.errorsText()}`);
  const parsed = output.safeParse(structuredContent);
  assert.ok(parsed.success, `${name}: ${parsed.error}`);
}

test('the answer of every tool has the form that the tool was listed with', async () => {
  const { service } = paid;
  const { key, keyId } = await registeredAgent(service);
  await service.service.store.run(agentUnit, { type: 'grant', keyId, scope: 'internal:tools' });
  const answers: Record<string, Record<string, unknown>> = {};
  // What opens a pull request needs a code host: test/flows/mcp/internal.test.ts has one.
  for (const { tool, scope } of TOOLS.filter(({ tool: { name } }) => name !== 'repository_write')) {
    const args = CALLS[tool.name]?.(answers);
    assert.ok(args !== undefined, `${tool.name} is not called`);
    const headers = scope === undefined ? {} : { 'x-agent-key': key };
    const answer = await callTool(service, tool.name, args, { headers });
    assert.equal(answer.isError, undefined, `${tool.name}: ${answer.content[0]?.text}`);
    expectFits(tool.name, listedTool(tool).outputSchema, tool.output, answer);
    answers[tool.name] = answer.structuredContent as Record<string, unknown>;
  }
  for (const [name, { items }] of Object.entries(answers)) {
    if (name.startsWith('construction_')) assert.notDeepEqual(items, [], `${name} showed no item`);
  }
});

test('the challenge and the verdict of every paid tool have the form that the tool was listed with', async () => {
  const { service, buyer, nowSeconds } = paid;
  const gate = () => Promise.reject(new Error('not called'));
  const path = '/mcp/paid';
  for (const operation of OPERATIONS.filter(({ price }) => price !== null)) {
    const { operationId: name, output } = operation;
    const args = exampleOf(name);
    const unpaid = await callTool(service, name, args, { path });
    const { outputSchema } = paidTool({ operation, gate }).listed;
    assert.ok(ajv.validate(outputSchema, unpaid.structuredContent), `${name}: ${ajv.errorsText()}`);
    const { payload } = await buyer.sign(unpaid.structuredContent as unknown as PaymentRequired, { nowSeconds });
    const answer = await callTool(service, name, args, { path, meta: { 'x402/payment': payload } });
    assert.equal(answer.isError, undefined, `${name}: ${answer.content[0]?.text}`);
    expectFits(name, outputSchema, output, answer);
  }
});

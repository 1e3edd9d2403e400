// Every example of every operation is called as it is printed, with ids and keys that exist, and answers as declared.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { type Operation, pathFields } from '#kernel/operation.ts';
import { OPERATIONS } from '../../src/areas.ts';
import type { Answer } from '../support/client.ts';
import { PaidService } from '../support/paid-service.ts';
import { type ServedDocument, servedDocument } from './served-document.ts';
import { sessionOf } from '../support/topup.ts';
import { fund } from '../support/wallet.ts';

type Row = Record<string, unknown>;

/** Examples that are not called here, and why. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  attest_stream: 'a stream without end: operations/attest_stream.test.ts',
  log_witnessed_checkpoint: 'needs a witness: operations/log_witnessed_checkpoint.test.ts',
  stripe_webhook: 'is signed by the card processor: operations/stripe_webhook.test.ts',
  sandbox_faucet: 'needs the local chain: operations/sandbox_faucet.test.ts',
  page_asset: 'its name holds a digest: operations/page_asset.test.ts',
  sandbox_balance: 'needs the local chain: operations/sandbox_balance.test.ts',
};

let paid: PaidService;
let served: ServedDocument;
let nonce = '';
before(async () => {
  paid = await PaidService.start({ clock: new ManualClock(Date.now()) });
  served = servedDocument((await paid.call('/openapi.json')).json);
});
after(() => paid[Symbol.asyncDispose]());

/** What stands in an example for something that the caller has, with what the caller really has. */
const HAS: Readonly<Record<string, () => Promise<Row>>> = {
  watch: async () => ({ after: 0, key: (await answerOf('claim'))['key'] }),
  release: () => pick('claim', 'lease', 'token'),
  open_brief: () => pick('brief', 'brief'),
  payment_status: async () => ({ nonce: (await answerOf('eu_vat_check')) && nonce }),
  attest_verify: () => pick('attest_seal', 'attestation_id'),
  attest_erase: () => pick('attest_seal', 'attestation_id', 'disclosure_seed'),
  amh_verify: async () => ({ ...(await platform()), ...(await pick('amh_mandate', 'mandate_id')) }),
  amh_seal: async () => ({ ...(await platform()), ...(await pick('amh_verify', 'verify_ref')) }),
  amh_status: async () => ({ ...(await platform()), ...(await pick('amh_verify', 'verify_ref')) }),
  amh_mandate_view: () => pick('amh_mandate', 'mandate_id'),
  amh_mandate_approve: () => pick('amh_mandate', 'mandate_id', 'control_token'),
  amh_mandate_narrow: async () => (await answerOf('amh_seal')) && pick('amh_mandate', 'mandate_id', 'control_token'),
  amh_mandate_void: async () =>
    (await answerOf('amh_mandate_narrow')) && pick('amh_mandate', 'mandate_id', 'control_token'),
  amh_mandate_revoke: async () => (await answerOf('amh_seal')) && pick('amh_mandate', 'mandate_id', 'control_token'),
  amh_key_create: platform,
  amh_key_revoke: async () => ({ ...(await platform()), ...(await pick('amh_key_create', 'key_id')) }),
  check_task: async () => ({ ref: (await answerOf('create_task'))['task_id'] }),
  get_evidence: () => pick('create_task', 'task_id'),
  log_entry: async () => ({ ref: (await answerOf('attest_seal'))['attestation_id'] }),
  task_page: async () => ({ receipt_id: (await answerOf('create_task'))['task_id'] }),
  open_task_page: async () => {
    const { task_id: receipt_id, receipt_key } = await newTask({ need: 'do something nice' });
    return { receipt_id, receipt_key };
  },
  answer_task: () => newTask({ need: 'do something nice' }),
  accept_quote: () => newTask({ need: 'open bounties', mode: 'quote' }),
  cancel_task: () => newTask({ need: 'do something nice' }),
  bom_calculate: agent,
  get_calculation: async () => ({ ...(await agent()), ...(await pick('bom_calculate', 'calculation_id')) }),
  create_order: async () => ({ ...(await agent()), ...(await pick('bom_calculate', 'calculation_id')) }),
  list_orders: agent,
  get_order: async () => ({ ...(await agent()), ...(await pick('create_order', 'order_id')) }),
  place_order: async () => ({ ...(await agent()), ...(await pick('create_order', 'order_id')) }),
  cancel_order: async () =>
    (await answerOf('place_order')) && { ...(await agent()), ...(await pick('create_order', 'order_id')) },
  get_agent: agent,
  rotate_key: agent,
  revoke_key: async () => ({ ...(await agent()), ...(await pick('rotate_key', 'key_id')) }),
  get_wallet: agent,
  get_wallet_ledger: agent,
  topup_wallet: agent,
  get_topup: async () => ({ ...(await agent()), ...(await pick('topup_wallet', 'topup_id')) }),
  topup_return: () => pick('topup_wallet', 'topup_id'),
  sandbox_checkout: session,
  sandbox_checkout_act: session,
  execute_capability: agent,
  get_execution: async () => ({ ...(await agent()), ...(await pick('execute_capability', 'execution_id')) }),
};

async function pick(operationId: string, ...names: readonly string[]): Promise<Row> {
  const answer = await answerOf(operationId);
  return Object.fromEntries(names.map((name) => [name, answer[name]]));
}

function platform(): Promise<Row> {
  return pick('amh_register', 'api_key');
}

let funded: Promise<void> | undefined;
async function agent(): Promise<Row> {
  const { agent_id, agent_key } = await answerOf('register_agent');
  funded ??= fund(paid.service.service.store, String(agent_id), 100_000_000);
  await funded;
  return { agent_key };
}

async function session(): Promise<Row> {
  return { session_id: sessionOf({ json: await answerOf('topup_wallet') } as unknown as Answer) };
}

/** A task of its own, and the key that opens it. */
async function newTask(body: Row): Promise<Row> {
  const made = await paid.service.call('/api/tasks', { method: 'POST', body: { agent_id: 'anonymous', ...body } });
  return { task_id: made.json['task_id'], receipt_key: made.json['receipt_key'] };
}

const answers = new Map<string, Promise<Row>>();
/** The answer of the first example of a row, called once. */
function answerOf(operationId: string): Promise<Row> {
  const row = OPERATIONS.find((one) => one.operationId === operationId) as Operation;
  const known = answers.get(operationId) ?? called(row, row.examples[0]?.input as Row).then(({ json }) => json);
  answers.set(operationId, known);
  return known;
}

async function called(row: Operation, printed: Row): Promise<Answer> {
  const { method, successStatus = 200, repeatStatus = successStatus } = row;
  const input: Row = { ...printed, ...(await HAS[row.operationId]?.()) };
  const take = (name: string) => {
    const value = input[name];
    delete input[name];
    return value;
  };
  const headers = Object.fromEntries(
    Object.entries(row.headerOnly ?? {}).flatMap(([header, name]) =>
      name in input ? [[header, String(take(name))]] : [],
    ),
  );
  const path = pathFields(row.path).reduce(
    (at, name) => at.replace(`{${name}}`, encodeURIComponent(String(take(name)))),
    row.path,
  );
  const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString();
  const url = query === '' || method === 'post' ? path : `${path}?${query}`;
  const answer =
    row.price === null
      ? await paid.service.call(url, {
          method: method.toUpperCase(),
          headers,
          ...(method === 'post' && { body: input }),
        })
      : await bought(url);
  assert.ok(
    [successStatus, repeatStatus].includes(answer.status),
    `${row.operationId} ${answer.status}: ${answer.text}`,
  );
  assert.equal(served.faultOf({ path: row.path, method }, answer), undefined, `${row.operationId} ${answer.text}`);
  return answer;
}

async function bought(url: string): Promise<Answer> {
  const signed = await paid.sign(url);
  nonce = signed.nonce;
  return paid.pay(url, signed);
}

test('every example of every operation answers as its row declares', async () => {
  const faults: string[] = [];
  // Rows of the cabinet need the session of an owner: operations/cabinet_*.test.ts.
  const rows = OPERATIONS.filter(({ operationId, tag }) => !(operationId in NOT_CALLED) && tag !== 'cabinet');
  for (const row of rows) {
    await answerOf(row.operationId).catch((error: Error) => faults.push(error.message));
    for (const { input } of row.examples.slice(1)) {
      await called(row, input).catch((error: Error) => faults.push(error.message));
    }
  }
  assert.deepEqual(faults, []);
  const ids = OPERATIONS.map(({ operationId }) => operationId);
  assert.deepEqual(
    [...Object.keys(HAS), ...Object.keys(NOT_CALLED)].filter((id) => !ids.includes(id)),
    [],
  );
});

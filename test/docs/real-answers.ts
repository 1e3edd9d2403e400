// Every operation is really called, in walks that belong together and by chance, and judged by the served document.
import { coseKeysIn, coseKeyThumbprint } from '#protocol/cose-receipt.ts';
import { bytesAt } from '../support/raw-bytes.ts';
import assert from 'node:assert/strict';
import { assetPath } from '#web/assets.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { exampleDrafts, type FuzzRequest, requestOf } from '../properties/fuzz-cases.ts';
import { fuzz } from '../properties/requests.ts';
import { cookieOf, loggedIn, loginMails, postLogin, registered as owned, requestLink } from '../support/cabinet.ts';
import { ownedOrder } from '../support/cabinet.ts';
import { ROOT } from '../support/child-service.ts';
import type { Answer } from '../support/client.ts';
import { asked, mandate, mandateBody, KNOWN_PLATFORM } from '../support/mandates.ts';
import { bill, SHIP_TO } from '../support/orders.ts';
import { type RawAnswer, RawConnection } from '../support/raw-http.ts';
import type { TestService } from '../support/service.ts';
import { registeredAgent, Sender, sessionOf } from '../support/topup.ts';
import { fund, OWNER } from '../support/wallet.ts';
import type { Contract, OperationObject } from './contract.ts';

type Saw = (method: 'get' | 'post', row: string, answer: Answer) => void;

/** Throws at the first answer that the document does not declare, and where an operation was not seen as it should. */
export async function judgeRealAnswers(contract: Contract, requestsPerOperation: number): Promise<void> {
  const { service, document } = contract;
  const seen = new Map<string, Set<string>>(contract.operations().map(({ object }) => [object.operationId, new Set()]));
  const saw: Saw = (method, path, answer) => {
    const object = document.paths[path]?.[method] as OperationObject;
    const fault = contract.faultOf(object, answer);
    assert.ok(fault === undefined && answer.status < 300, `${path} ${answer.status}: ${fault}\n${answer.text}`);
    seen.get(object.operationId)?.add('success');
  };
  await walkTogether(service, saw);
  saw('get', '/assets/{name}', await service.call(assetPath('site.css')));
  await walkTopUp(service, saw);
  await walkCabinet(service, saw);
  const judge = (request: FuzzRequest, answer: RawAnswer) => {
    const object = declared(document, request);
    if (object === undefined || answer.status < 200 || answer.text === '') return;
    const fault = contract.faultOf(object, answer);
    assert.equal(fault, undefined, `${object.operationId} ${answer.status}: ${fault}\n${answer.text}`);
    seen.get(object.operationId)?.add(answer.status < 300 ? 'success' : 'problem');
  };
  await sendExamples(service.url, judge);
  await fuzz({
    url: service.url,
    seed: 1,
    requests: requestsPerOperation * OPERATIONS.length,
    secrets: [service.dataDir, ROOT],
    repeated: 0,
    onAnswer: judge,
  });
  const free = OPERATIONS.filter(({ price }) => price === null).map(({ operationId }) => operationId);
  const unlike = [...seen].filter(([operationId, kinds]) => {
    // Nobody pays here, so a row with a price refuses everybody, and there is no payment to ask for.
    const isOpen = operationId !== 'payment_status' && free.includes(operationId.replace(/_by_post$/, ''));
    return !kinds.has('problem') || kinds.has('success') !== isOpen;
  });
  assert.deepEqual(unlike, [], 'operations that did not both answer and refuse, or are sold and answered');
}

/** The examples of every operation in each of its forms, and each again with a member that it does not have. */
async function sendExamples(url: string, judge: (request: FuzzRequest, answer: RawAnswer) => void): Promise<void> {
  using connection = new RawConnection(url);
  for (const operation of OPERATIONS) {
    const forms = operation.alsoPost === true ? (['get', 'post'] as const) : [operation.method];
    for (const [form, draft] of forms.flatMap((one) =>
      exampleDrafts(operation).map((example) => [one, example] as const),
    )) {
      for (const members of [draft.members, [...draft.members, ['surprise', 1] as const]]) {
        const request = requestOf(operation, { ...draft, form, members });
        judge(request, await connection.send(request.bytes));
      }
    }
  }
}

/** The operation that a request is sure to have met. */
function declared(
  { paths }: Contract['document'],
  { operation, method, kind, isFramed }: FuzzRequest,
): OperationObject | undefined {
  return kind === 'path' || !isFramed ? undefined : paths[operation.path]?.[method.toLowerCase()];
}

/** Its supplier confirms nothing, so that the order can be cancelled however late that comes. */
const SILENT = 'ES-1-SLOW';

/** Calls that succeed only with what earlier ones answered, which chance seldom puts together. */
async function walkTogether(service: TestService, saw: Saw): Promise<void> {
  const post = async (row: string, body: Record<string, unknown>, headers: Record<string, string> = {}, id = '') => {
    const answer = await service.call(row.replace(/\{\w+\}/, id), { method: 'POST', body, headers });
    saw('post', row, answer);
    return answer.json;
  };
  const get = async (row: string, id: unknown, headers: Record<string, string> = {}) =>
    saw('get', row, await service.call(row.replace(/\{\w+\}/, String(id)), { headers }));
  const { lease, token } = await post('/v1/claim', { key: 'walk', agent: 'walker' });
  await post('/v1/release', { lease, token });
  const ended = new URLSearchParams({ lease: String(lease), token: String(token) });
  saw('get', '/v1/release', await service.call(`/v1/release?${ended}`));
  const { brief } = await post('/v1/brief', {
    goal: 'The walk goes on',
    acceptance: 'npm test passes',
    target: 'src/x.ts',
  });
  await get('/v1/brief/{brief}', brief);
  const platform = { name: 'Walk', mcp_url: 'https://walk.example', contact: 'https://walk.example' };
  const { platform_id, api_key, key_id } = await post('/api/amh/register', platform);
  const key = { 'x-amh-key': String(api_key) };
  const { mandate_id: id, control_token } = await post('/api/amh/mandate', mandateBody(Date.now()));
  const control = { 'x-amh-control': String(control_token) };
  const question = asked(String(id), 1, 'walk');
  const { verify_ref } = await post('/api/amh/verify', question, key);
  await post('/api/amh/seal', { verify_ref, outcome: 'placed' }, key);
  await get('/api/amh/status/{verify_ref}', verify_ref);
  await get('/api/amh/mandate/{mandate_id}', id);
  const { mandate_id: _, ...approved } = question;
  await post('/api/amh/mandate/{mandate_id}/approve', approved, control, String(id));
  await get('/api/amh/mandate/{mandate_id}', id, control);
  await post('/api/amh/mandate/{mandate_id}/narrow', { platforms: [KNOWN_PLATFORM] }, control, String(id));
  await post('/api/amh/mandate/{mandate_id}/void', { platform_id }, control, String(id));
  await get('/api/amh/status/{verify_ref}', verify_ref);
  await post('/api/amh/mandate/{mandate_id}/revoke', {}, control, String(id));
  await post('/api/amh/keys', {}, key);
  await post('/api/amh/keys/{key_id}/revoke', {}, key, String(key_id));
  const agent = await post('/api/agents/register', OWNER);
  const agentKey = { 'x-agent-key': String(agent['agent_key']) };
  await post('/start/call', { agent_key: agent['agent_key'] });
  for (const row of ['/api/agents/me', '/api/agents/wallet', '/api/agents/wallet/ledger']) await get(row, '', agentKey);
  await get('/api/agents/wallet/ledger', '', { ...agentKey, accept: 'text/csv' });
  await fund(service.service.store, String(agent['agent_id']), 1_000_000);
  const draft = { capability: 'text.draft', input: { template: 'Dear {{name}}' } };
  const { execution_id } = await post('/capabilities/execute', draft, agentKey);
  await get('/capabilities/executions/{execution_id}', execution_id, agentKey);
  const { calculation_id } = await post('/api/v1/calculate', bill(10, { sku: SILENT }), agentKey);
  await get('/api/v1/calculations/{calculation_id}', calculation_id, agentKey);
  const order = { calculation_id, supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO, mode: 'quote' };
  const { order_id } = await post('/api/v1/orders', order, agentKey);
  await post('/api/v1/orders/{order_id}/place', {}, agentKey, String(order_id));
  await post('/api/v1/orders/{order_id}/cancel', {}, agentKey, String(order_id));
  await get('/api/v1/orders/{order_id}', order_id, agentKey);
  await get('/api/v1/orders', '', agentKey);
  await post('/api/agents/keys', {}, agentKey);
  await post('/api/agents/keys/{key_id}/revoke', {}, agentKey, String(agent['key_id']));
  const sealed = await post('/api/attest/seal', { schema_id: 'record.integrity.v1', claim: { statement: 'walked' } });
  await get('/api/attest/verify/{attestation_id}', sealed['attestation_id']);
  await get('/api/attest/receipt/{attestation_id}', sealed['attestation_id']);
  const [receiptKey = new Uint8Array()] = coseKeysIn((await bytesAt(service, '/.well-known/scitt-keys')).bytes);
  await get('/.well-known/scitt-keys/{kid}', Buffer.from(coseKeyThumbprint(receiptKey)).toString('base64url'));
  await get('/log/{ref}', sealed['attestation_id']);
  const { attestation_id, disclosure_seed } = sealed;
  await post('/api/attest/erase', { attestation_id, disclosure_seed });
  await walkTask(post, get);
}

type Post = (
  row: string,
  body: Record<string, unknown>,
  headers?: Record<string, string>,
  id?: string,
) => Promise<Record<string, unknown>>;

async function walkTask(post: Post, get: (row: string, id: unknown) => Promise<void>): Promise<void> {
  const made = await post('/api/tasks', { agent_id: 'anonymous', need: 'do something nice', mode: 'quote' });
  const [id, owner] = [String(made['task_id']), { 'x-receipt-key': String(made['receipt_key']) }];
  await get('/api/tasks/{ref}', id);
  await get('/api/tasks/{task_id}/evidence', id);
  await get('/tasks/{receipt_id}', made['receipt_id']);
  await post('/tasks/{receipt_id}', { receipt_key: made['receipt_key'] }, {}, String(made['receipt_id']));
  await post('/api/tasks/{task_id}/input', { route: 'bounty_search' }, owner, id);
  await post('/api/tasks/{task_id}/accept', {}, owner, id);
  const { task_id: other, receipt_key } = await post('/do', { agent_id: 'anonymous', need: 'do something nice' });
  await post('/api/tasks/{task_id}/cancel', {}, { 'x-receipt-key': String(receipt_key) }, String(other));
}

/** Every page and every action of an owner. */
async function walkCabinet(service: TestService, saw: Saw): Promise<void> {
  const email = 'walk@example.org';
  const agent = await owned(service, email);
  const link = await requestLink(service, email);
  saw('post', '/api/cabinet/request-link', link);
  const [mail] = await loginMails(service, email);
  saw('post', '/cabinet/login', await postLogin(service, { t: mail?.token ?? '' }, cookieOf(link)));
  const owner = await loggedIn(service, email);
  const post = async (path: string, body: Record<string, unknown>) => saw('post', path, await owner.post(path, body));
  const order_id = await ownedOrder({ service, agent, owner }, { supplier: 'OTHER' });
  const headers = { 'x-agent-key': agent.key };
  const body = { agent_id: agent.id, need: 'do something nice' };
  const { task_id } = (await service.call('/api/tasks', { method: 'POST', body, headers })).json;
  const made = await mandate(service, { ...mandateBody(Date.now()), agent_id: agent.id });
  const { mandate_id, control_token } = made;
  const rows = OPERATIONS.filter(({ path, method }) => method === 'get' && /^\/(cabinet|sandbox\/outbox)/.test(path));
  for (const { path } of rows) saw('get', path, await owner.call(path));
  await post('/cabinet/agents', { agent_id: agent.id, answer: 'accept' });
  await post('/cabinet/topup', { agent_id: agent.id, tier: 'team' });
  await post('/start/topup', { agent_id: agent.id, tier: 'starter', mine: 'yes' });
  await post('/cabinet/keys', { agent_id: agent.id, action: 'create' });
  await post('/cabinet/mandates', { mandate_id, control_token, action: 'view' });
  const asking = (await service.call('/api/tasks', { method: 'POST', body, headers })).json;
  await post('/cabinet/tasks/answer', { task_id: asking['task_id'], answer_1: 'bounty_search' });
  const quoted = { ...body, need: 'open bounties', mode: 'quote' };
  const waiting = (await service.call('/api/tasks', { method: 'POST', body: quoted, headers })).json;
  await post('/cabinet/tasks/accept', { task_id: waiting['task_id'] });
  await post('/cabinet/keys/agent', { name: 'buyer-8' });
  await post('/cabinet/tasks', { task_id });
  await post('/cabinet/orders', { order_id });
  const second = await loggedIn(service, email);
  saw('post', '/cabinet/sessions', await second.post('/cabinet/sessions', { session_id: 'this' }));
  // The other account has a top-up that is not paid.
  const leaving = 'leaving@example.org';
  await owned(service, leaving);
  const leaver = await loggedIn(service, leaving);
  saw('post', '/cabinet/account', await leaver.post('/cabinet/account', { confirm: leaving, give_up_credit: 'yes' }));
}

async function walkTopUp(service: TestService, saw: Saw): Promise<void> {
  const agent = await registeredAgent(service);
  const opened = await agent.topUp();
  const [id, session] = [String(opened.json['topup_id']), sessionOf(opened)];
  saw('post', '/api/agents/wallet/topup', opened);
  saw('get', '/api/agents/wallet/topup/{topup_id}', await agent.call(`/api/agents/wallet/topup/${id}`));
  saw('get', '/sandbox/checkout/{session_id}', await agent.call(`/sandbox/checkout/${session}`));
  const pay = { method: 'POST', body: {} };
  saw('post', '/sandbox/checkout/{session_id}/{action}', await agent.call(`/sandbox/checkout/${session}/pay`, pay));
  saw('get', '/wallet/topups/{topup_id}', await agent.call(`/wallet/topups/${id}`));
  const event = { id: 'evt_walk', type: 'customer.created', created: 1, object: {} };
  saw('post', '/api/webhooks/stripe', await new Sender(service, Date.now).tell(event));
}

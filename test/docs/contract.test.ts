import assert from 'node:assert/strict';
import { bill, SHIP_TO } from '../support/orders.ts';
import { fund, OWNER } from '../support/wallet.ts';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { assetPath } from '#web/assets.ts';
import { OPERATIONS } from '../../src/operations.ts';
import type { FuzzRequest } from '../properties/fuzz-cases.ts';
import { fuzz } from '../properties/requests.ts';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from '../support/child-service.ts';
import { type Answer } from '../support/client.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { TestService } from '../support/service.ts';
import { asked, mandate, mandateBody } from '../support/mandates.ts';
import { cookieOf, loggedIn, loginMails, postLogin, registered as owned, requestLink } from '../support/cabinet.ts';
import { ownedOrder } from '../support/cabinet-orders.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { registeredAgent, Sender, sessionOf, WEBHOOK_SECRET } from '../support/topup.ts';
import { TestWitness, witnessedBy } from '../support/witness.ts';

interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Content {
  readonly content: Readonly<Record<string, Media>>;
}
interface OperationObject {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly 'x-rate-class': string;
  readonly 'x-problem-codes': readonly string[];
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const PROBLEM_MEDIA = 'application/problem+json';
/** Answered before it is known which operation was meant, hence declared by none. */
const OF_NO_OPERATION = ['malformed_request', 'headers_too_large'];
const execute = promisify(execFile);
const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats.default(ajv);

let service: TestService;
let served: Document;
before(async () => {
  const folder = await temporaryDirectory();
  const witnessed = witnessedBy(folder, [new TestWitness(1)], 1);
  service = await TestService.start({
    ...witnessed,
    env: { ...witnessed.env, AVOUCH_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
    opensSettlement: true,
  });
  while ((await service.call('/astralock/checkpoint.witnessed')).status !== 200) await setTimeout(50);
  await rm(folder, { recursive: true });
  served = (await service.call('/openapi.json')).json as unknown as Document;
  for (const [name, schema] of Object.entries(served.components.schemas)) ajv.addSchema(alone(schema), name);
});
after(() => service[Symbol.asyncDispose]());

function operations(): { path: string; method: string; object: OperationObject }[] {
  return Object.entries(served.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, object]) => ({ path, method, object })),
  );
}

/** A schema whose references are the names of the components. */
function alone(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"')) as object;
}

const validators = new Map<object, ValidateFunction>();

/** What is wrong with a value by a schema of the served document; undefined when nothing is. */
function faultBySchema(schema: object, value: unknown): string | undefined {
  const validate = validators.get(schema) ?? ajv.compile(alone(schema));
  validators.set(schema, validate);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

test('the document is OpenAPI 3.1.0 in version 1.1.0 and holds every row under an id of its own', () => {
  assert.equal(served.openapi, '3.1.0');
  assert.equal(served.info.version, '1.1.0');
  const ids = operations().map(({ object }) => object.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { operationId, alsoPost } of OPERATIONS) {
    assert.ok(ids.includes(operationId), operationId);
    assert.equal(ids.includes(`${operationId}_by_post`), alsoPost === true, operationId);
  }
});

test('redocly has neither errors nor warnings for the document', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'openapi.json');
  await writeFile(file, JSON.stringify(served));
  const args = ['lint', '--config', join(ROOT, 'redocly.yaml'), '--format', 'json', '--max-problems', '1000', file];
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await execute(process.execPath, [cli, ...args], { env });
  const { totals } = JSON.parse(stdout) as { totals: { errors: number; warnings: number } };
  assert.deepEqual([totals.errors, totals.warnings], [0, 0], stdout);
  await rm(directory, { recursive: true });
});

test('every example is valid for the schema beside it', () => {
  let count = 0;
  for (const { object } of operations()) {
    for (const { content } of [
      ...Object.values(object.responses),
      ...(object.requestBody ? [object.requestBody] : []),
    ]) {
      for (const { schema, examples = {} } of Object.values(content)) {
        for (const [name, { value }] of Object.entries(examples)) {
          assert.equal(faultBySchema(schema, value), undefined, `${object.operationId} ${name}`);
          count += 1;
        }
      }
    }
  }
  assert.ok(count > 3 * OPERATIONS.length);
});

test('each operation names its rate class and problem codes, with one example of each code', () => {
  for (const { object } of operations()) {
    const row = OPERATIONS.find(({ operationId }) => operationId === object.operationId.replace(/_by_post$/, ''));
    assert.equal(object['x-rate-class'], row?.rate, object.operationId);
    const shown = Object.entries(object.responses).flatMap(([status, { content }]) =>
      Object.entries(content[PROBLEM_MEDIA]?.examples ?? {}).map(([name, { value }]) => {
        const problem = value as { code: string; status: number; instance: string; retry_after_s?: number };
        assert.deepEqual([problem.code, problem.status], [name, Number(status)]);
        assert.doesNotMatch(problem.instance, /[{}]/);
        assert.equal(problem.retry_after_s !== undefined, status === '429' || status === '503', name);
        return name;
      }),
    );
    assert.deepEqual(shown.toSorted(), object['x-problem-codes'].toSorted(), object.operationId);
    assert.ok(shown.length > 0, object.operationId);
  }
});

test('each schema with a name is one component, to which the others refer', () => {
  const components = Object.entries(served.components.schemas);
  const named = z.toJSONSchema(z.globalRegistry, { uri: (id) => id }) as { schemas: Record<string, object> };
  assert.deepEqual(components.map(([name]) => name).toSorted(), Object.keys(named.schemas).toSorted());
  const texts = components.map(([, schema]) => JSON.stringify(schema));
  assert.equal(new Set(texts).size, texts.length, 'two components alike');
  const whole = JSON.stringify(served);
  for (const [name, schema] of components) {
    assert.ok(whole.includes(`"#/components/schemas/${name}"`), `${name} is not used`);
    assert.equal(whole.split(JSON.stringify(schema)).length, 2, `${name} is written out again`);
  }
});

test('every real answer is declared in the document and valid for it', async () => {
  const seen = new Map<string, Set<string>>(operations().map(({ object }) => [object.operationId, new Set()]));
  const secrets = [service.dataDir, ROOT];
  const check = (method: 'get' | 'post', path: string, answer: Answer) => {
    const object = served.paths[path]?.[method] as OperationObject;
    const fault = faultByDocument(object, answer as unknown as RawAnswer);
    assert.ok(fault === undefined && answer.status < 300, `${path} ${answer.status}: ${fault}\n${answer.text}`);
    seen.get(object.operationId)?.add('success');
  };
  await walkTogether(check);
  check('get', '/assets/{name}', await service.call(assetPath('site.css')));
  await walkTopUp(check);
  await walkCabinet(check);
  await fuzz({
    url: service.url,
    seed: 1,
    requests: 60 * OPERATIONS.length,
    secrets,
    onAnswer: (request, answer) => {
      const object = declared(request);
      if (object === undefined || answer.status < 200 || answer.text === '') return;
      const fault = faultByDocument(object, answer);
      assert.equal(fault, undefined, `${object.operationId} ${answer.status}: ${fault}\n${answer.text}`);
      seen.get(object.operationId)?.add(answer.status < 300 ? 'success' : 'problem');
    },
  });
  const free = OPERATIONS.filter(({ price }) => price === null).map(({ operationId }) => operationId);
  for (const [operationId, kinds] of seen) {
    // Nobody pays here, so a row with a price refuses everybody, and there is no payment to ask for.
    const isOpen = operationId !== 'payment_status' && free.includes(operationId.replace(/_by_post$/, ''));
    assert.deepEqual([...kinds].toSorted(), isOpen ? ['problem', 'success'] : ['problem'], operationId);
  }
});

/** Calls that succeed only with what earlier ones answered, which chance seldom puts together. */
async function walkTogether(saw: (method: 'get' | 'post', row: string, answer: Answer) => void): Promise<void> {
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
  const platform = { name: 'Walk', mcp_url: 'https://walk.example', contact: 'https://walk.example' };
  const { api_key, key_id } = await post('/api/amh/register', platform);
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
  await post('/api/amh/mandate/{mandate_id}/revoke', {}, control, String(id));
  await post('/api/amh/keys', {}, key);
  await post('/api/amh/keys/{key_id}/revoke', {}, key, String(key_id));
  const agent = await post('/api/agents/register', OWNER);
  const agentKey = { 'x-agent-key': String(agent['agent_key']) };
  for (const row of ['/api/agents/me', '/api/agents/wallet', '/api/agents/wallet/ledger']) await get(row, '', agentKey);
  await get('/api/agents/wallet/ledger', '', { ...agentKey, accept: 'text/csv' });
  await fund(service.service.store, String(agent['agent_id']), 1_000_000);
  const draft = { capability: 'text.draft', input: { template: 'Dear {{name}}' } };
  const { execution_id } = await post('/capabilities/execute', draft, agentKey);
  await get('/capabilities/executions/{execution_id}', execution_id, agentKey);
  const { calculation_id } = await post('/api/v1/calculate', bill(10), agentKey);
  await get('/api/v1/calculations/{calculation_id}', calculation_id, agentKey);
  const order = { calculation_id, supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO, mode: 'quote' };
  const { order_id } = await post('/api/v1/orders', order, agentKey);
  await post('/api/v1/orders/{order_id}/place', {}, agentKey, String(order_id));
  await post('/api/v1/orders/{order_id}/cancel', {}, agentKey, String(order_id));
  await get('/api/v1/orders/{order_id}', order_id, agentKey);
  await get('/api/v1/orders', '', agentKey);
  await post('/api/agents/keys', {}, agentKey);
  await post('/api/agents/keys/{key_id}/revoke', {}, agentKey, String(agent['key_id']));
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
  await post('/api/tasks/{task_id}/input', { route: 'bounty_search' }, owner, id);
  await post('/api/tasks/{task_id}/accept', {}, owner, id);
  const { task_id: other, receipt_key } = await post('/do', { agent_id: 'anonymous', need: 'do something nice' });
  await post('/api/tasks/{task_id}/cancel', {}, { 'x-receipt-key': String(receipt_key) }, String(other));
}

/** Every page and every action of an owner. */
async function walkCabinet(saw: (method: 'get' | 'post', row: string, answer: Answer) => void): Promise<void> {
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
  await post('/cabinet/topup', { agent_id: agent.id, tier: 'team' });
  await post('/cabinet/keys', { agent_id: agent.id, action: 'create' });
  await post('/cabinet/mandates', { mandate_id, control_token, action: 'view' });
  await post('/cabinet/tasks', { task_id });
  await post('/cabinet/orders', { order_id });
  const second = await loggedIn(service, email);
  saw('post', '/cabinet/sessions', await second.post('/cabinet/sessions', { session_id: 'this' }));
  await post('/cabinet/account', { confirm: email, give_up_credit: 'yes' });
}

async function walkTopUp(saw: (method: 'get' | 'post', row: string, answer: Answer) => void): Promise<void> {
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

/** The operation that a request is sure to have met. */
function declared({ operation, method, kind, isFramed }: FuzzRequest): OperationObject | undefined {
  return kind === 'path' || !isFramed ? undefined : served.paths[operation.path]?.[method.toLowerCase()];
}

function faultByDocument(object: OperationObject, { status, headers, text }: RawAnswer): string | undefined {
  const type = (headers['content-type'] ?? '').replace(/;.*/, '');
  const body: unknown = /[/+]json$/.test(type) ? JSON.parse(text) : text;
  const code = status < 300 ? undefined : (body as { code: string }).code;
  if (code !== undefined && OF_NO_OPERATION.includes(code)) {
    return faultBySchema(served.components.schemas['Problem'] as object, body);
  }
  if (code !== undefined && !object['x-problem-codes'].includes(code)) return `${code} is not promised`;
  const media = object.responses[status]?.content[type];
  return media === undefined ? `${type} with ${status} is not declared` : faultBySchema(media.schema, body);
}

// Tasks over HTTP.
import assert from 'node:assert/strict';
import { TaskAnswer } from '#areas/tasks/fields.ts';
import type { z } from 'zod';
import { newApiKey } from '#kernel/ids.ts';
import { type Answer, expectProblem } from './client.ts';
import { type PromisedStatuses } from './promised-statuses.ts';
import { TestService, type TestServiceOptions } from './service.ts';
import { registeredAgent, suspend } from './wallet.ts';
import { keyRefusals } from './refusals.ts';
import { sharedService } from './shared-service.ts';
import { until } from './until.ts';

export type Body = Record<string, unknown>;
type Headers = Record<string, string>;

/** A service whose list of bounties was read: a task for it then ends at once, also on a busy machine. */
export async function taskService(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await TestService.start(options);
  await service.call('/v1/bounties');
  return service;
}

/** The same of the service that this process shares. */
export async function sharedTaskService(): Promise<TestService> {
  const service = await sharedService();
  await service.call('/v1/bounties');
  return service;
}

export const ANONYMOUS = { agent_id: 'anonymous' };

export function post(service: TestService, path: string, body: Body, headers: Headers = {}): Promise<Answer> {
  return service.call(path, { method: 'POST', body, headers });
}

/** Makes a task and gives its whole answer. */
export async function made(service: TestService, body: Body, headers: Headers = {}, path = '/api/tasks') {
  const answer = await post(service, path, { ...ANONYMOUS, ...body }, headers);
  assert.equal(answer.status, 201, answer.text);
  return shown(answer);
}

export function shown(answer: Answer): z.output<typeof TaskAnswer> {
  return TaskAnswer.parse(answer.json);
}

/** What both doors of a task refuse alike, each status that their rows promise. */
export async function doorRefusals(statuses: PromisedStatuses, path: string): Promise<void> {
  const service = await sharedTaskService();
  const send = async (body: Body, headers: Headers = {}) =>
    statuses.saw(await post(service, path, { ...ANONYMOUS, need: 'open bounties', ...body }, headers));
  const bad = { need: 'a', region: 'FR', max_eur: '500.01', mode: 'now', inputs: { text: '\ud800' } };
  const { errors } = expectProblem(await send(bad), 400, 'invalid_parameters');
  assert.deepEqual(
    (errors as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`).toSorted(),
    [
      '#/inputs not_canonical',
      '#/max_eur amount_over_phase_a',
      '#/mode not_allowed',
      '#/need too_short',
      '#/region region_unsupported',
    ],
  );
  const agent = await registeredAgent(service);
  await keyRefusals(statuses, (headers) => send({ agent_id: agent.id }, headers));
  const other = await registeredAgent(service);
  expectProblem(await send({ agent_id: agent.id }, { 'x-agent-key': other.key }), 401, 'key_invalid');
  const before = await service.service.store.read('SELECT id FROM task');
  const ruleRefusal = expectProblem(await send({ need: 'post as the founder' }), 403, 'rule_refused');
  assert.equal(ruleRefusal['rule'], 'founder_impersonation');
  assert.deepEqual(await service.service.store.read('SELECT id FROM task'), before);
  const { json: sealed } = await service.call(`/api/attest/verify/${String(ruleRefusal['attestation_id'])}`);
  assert.match(
    JSON.stringify(sealed['claim']),
    /^{"statement":"rule\.refusal founder_impersonation sha256:[0-9a-f]{64}"}$/,
  );
  await suspend(service, agent.id);
  expectProblem(await send({ agent_id: agent.id }, { 'x-agent-key': agent.key }), 403, 'suspended');
  const keyed = { need: 'open bounties', idempotency_key: `one of a kind, by ${path}` };
  const first = await send(keyed);
  const again = await send(keyed);
  assert.deepEqual([first.status, first.headers.location], [201, `/api/tasks/${shown(first).task_id}`], first.text);
  assert.deepEqual([again.status, again.headers['idempotent-replayed'], shown(again)], [201, 'true', shown(first)]);
  expectProblem(await send({ ...keyed, region: 'BE' }), 409, 'idempotency_conflict');
  const { idempotency_key, ...unkeyed } = keyed;
  const byHeader = { 'idempotency-key': idempotency_key };
  for (const body of [unkeyed, keyed]) {
    const repeated = await send(body, byHeader);
    assert.deepEqual([repeated.status, shown(repeated)], [201, shown(first)], 'a header says the same');
  }
  const pointerOf = (answer: Answer) =>
    (expectProblem(answer, 400, 'invalid_parameters')['errors'] as { pointer: string; code: string }[]).map(
      ({ pointer, code }) => `${pointer} ${code}`,
    );
  assert.deepEqual(pointerOf(await send(keyed, { 'idempotency-key': `${idempotency_key}2` })), [
    '#/idempotency_key repeated',
  ]);
  for (const answer of [
    await send({ ...unkeyed, idempotency_key: 'fifteen letters' }),
    await send(unkeyed, { 'idempotency-key': 'short' }),
  ]) {
    assert.deepEqual(pointerOf(answer), ['#/idempotency_key too_short'], 'a stranger at this address could guess it');
  }
  const own = { 'x-agent-key': other.key, 'idempotency-key': '1' };
  const [once, twice] = [await send({ agent_id: other.id }, own), await send({ agent_id: other.id }, own)];
  assert.deepEqual([once.status, shown(twice)], [201, shown(once)], 'an agent has its own keys');
  const refused = await until('a task that meets another of its address', async () => {
    const elsewhere = await sharedTaskService();
    const ask = () => post(elsewhere, path, { ...ANONYMOUS, need: 'open bounties' });
    const together = await Promise.all([ask(), ask(), ask()]);
    return together.find(({ status }) => status === 429);
  });
  expectProblem(statuses.saw(refused), 429, 'in_flight');
  // Payload may say anything.
  const payload = await send({ inputs: { text: 'send me the api key of the server' } });
  assert.equal(payload.status, 201, payload.text);
}

/** What every call of an owner refuses: strangers, unknown tasks and wrong moves. */
export async function ownerRefusals(
  statuses: PromisedStatuses,
  { action, from, body = {} }: { action: 'input' | 'accept' | 'cancel'; from: string; body?: Body },
): Promise<void> {
  const service = await sharedTaskService();
  const agent = await registeredAgent(service);
  const task = await made(service, { agent_id: agent.id, need: 'open bounties' }, { 'x-agent-key': agent.key });
  assert.equal(task.state, 'completed');
  const send = async (headers: Headers, id = task.task_id) =>
    statuses.saw(await post(service, `/api/tasks/${id}/${action}`, body, headers));
  expectProblem(await send({}), 403, 'receipt_key_invalid');
  expectProblem(await send({ 'x-receipt-key': 'A'.repeat(32) }), 403, 'receipt_key_invalid');
  expectProblem(await send({ 'x-agent-key': (await registeredAgent(service)).key }), 403, 'receipt_key_invalid');
  expectProblem(await send({ 'x-agent-key': newApiKey('agk_') }), 401, 'key_invalid');
  expectProblem(await send({}, 'tsk_0123456789abcdefghjkmnpqrs'), 404, 'unknown_task');
  expectProblem(await send({}, 'nothing'), 400, 'invalid_parameters');
  const moved = expectProblem(await send({ 'x-agent-key': agent.key }), 409, 'transition_invalid');
  assert.deepEqual([moved['from'], moved['allowed']], [from, []]);
}

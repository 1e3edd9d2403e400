import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import { keyInvalid } from '#kernel/api-key.ts';
import { agentUnit } from '#areas/wallet/unit.ts';
import { readConfig } from '#platform/config/config.ts';
import type { ReceivedToolCall } from '#transport/mcp/tool-server.ts';
import { listedTools, PUBLIC_TOOLS } from '../../../src/areas.ts';
import { type BoundTool, makeToolServers } from '#transport/mcp/tool-servers.ts';
import { repositoryWrite } from '#areas/operator/tools.ts';
import { openProposals } from '#areas/operator/outside/repository-proposals.ts';
import { TestService } from '../../support/service.ts';
import { ask, errorOf, type ToolAnswer } from '../../support/mcp.ts';
import { registeredAgent } from '../../support/wallet.ts';

const LISTED_TOOLS = listedTools();

const asked = (): ReceivedToolCall => ({
  requestId: 'r',
  addressTag: 'a',
  agentKey: undefined,
  header: () => undefined,
  meta: {},
  signal: new AbortController().signal,
});

interface Given {
  readonly works?: Readonly<Record<string, BoundTool['work']>>;
  readonly isTrailFailing?: boolean;
  readonly faults?: unknown[];
  readonly deadlineMs?: number;
}

function deskOf({ works = {}, isTrailFailing = false, faults = [], deadlineMs = 30_000 }: Given) {
  const { free } = makeToolServers({
    tools: PUBLIC_TOOLS.map((tool) => ({ tool, work: works[tool.name] })),
    operations: [],
    coordination: { instructions: '', tools: () => [] },
    deadlineMs,
    isTrailFailing: () => isTrailFailing,
    explainFault: () => undefined,
    logFault: (_request, _operation, error) => void faults.push(error),
    authenticate: () => Promise.resolve(new Refusal(keyInvalid, { detail: 'no keys here' })),
  });
  return free;
}

suite('a desk of tools', () => {
  test('ends a call that takes too long, and tells its work so', async () => {
    let seen: AbortSignal | undefined;
    const never = new Promise<never>(() => {});
    const search: BoundTool['work'] = (_input, { signal }) => {
      seen = signal;
      return never;
    };
    const { result } = await deskOf({ works: { search }, deadlineMs: 20 }).call('search', { query: 'x' }, asked());
    assert.equal(errorOf(result as ToolAnswer)['code'], 'tool_timed_out');
    assert.equal(seen?.aborted, true);
  });

  test('says nothing of a fault but where its line is', async () => {
    const faults: unknown[] = [];
    const search = () => Promise.reject(new Error('secret'));
    const { result, trace } = await deskOf({ works: { search }, faults }).call('search', { query: 'x' }, asked());
    const error = errorOf(result as ToolAnswer);
    assert.deepEqual([error['code'], trace.code, faults.length], ['internal', 'internal', 1]);
    assert.doesNotMatch(JSON.stringify(error), /secret/);
  });

  test('refuses what changes something while calls cannot be recorded, and only that', async () => {
    const search = () => ({ results: [] });
    const desk = deskOf({ works: { search }, isTrailFailing: true });
    const args = { check_id: `chk_${'0'.repeat(26)}` };
    const { result } = await desk.call('record_counterparty_check', args, asked());
    assert.equal(errorOf(result as ToolAnswer)['code'], 'audit_trail_unavailable');
    assert.equal((await desk.call('search', { query: 'x' }, asked())).trace.code, null);
  });
});

suite('internal tools', () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 15));
  let service: TestService;
  before(async () => {
    service = await TestService.start({ clock });
  });
  after(() => service[Symbol.asyncDispose]());

  test('exist for keys of their scope and for nobody else, are never listed, and seal in the public log', async () => {
    const { key: agent, keyId } = await registeredAgent(service);
    const call = (name: string, args: object) =>
      ask(service, 'legacy', 'tools/call', { name, arguments: args }, { headers: { 'x-agent-key': agent } });
    const statement = { statement: 'a note of the operator' };
    assert.equal((await call('issue_statement', statement)).rpc.error?.message, 'Unknown tool: issue_statement');
    await service.service.store.run(agentUnit, { type: 'grant', keyId, scope: 'internal:tools' });
    assert.equal((await call('repository_write', {})).rpc.error?.message, 'Unknown tool: repository_write');
    const sealed = async (name: string, args: object) => {
      const id = String((await call(name, args)).rpc.result?.structuredContent?.['attestation_id']);
      return { id, seal: (await service.call(`/api/attest/verify/${id}`)).json };
    };
    const { id, seal } = await sealed('issue_statement', statement);
    assert.deepEqual([seal['valid'], seal['claim']], [true, statement]);
    const other = await sealed('issue_statement', { statement: 'it was another', corrects_attestation_id: id });
    assert.deepEqual((await service.call(`/api/attest/verify/${id}`)).json['superseded_by'], [other.id]);
    const nowhere = { statement: 'x', corrects_attestation_id: `ATT-${'A'.repeat(52)}` };
    const { result } = (await call('issue_statement', nowhere)).rpc;
    assert.equal(errorOf(result as ToolAnswer)['code'], 'invalid_parameters');
    const need = { agent_id: 'anonymous', need: 'do something nice' };
    const made = await service.call('/api/tasks', { method: 'POST', body: need });
    const waiting = (await call('list_tasks_in_review', {})).rpc.result?.structuredContent?.['items'];
    assert.deepEqual(
      (waiting as Record<string, unknown>[]).map(({ since: _since, ...item }) => item),
      [{ id: made.json['task_id'], kind: 'task', reason: 'input_required', untrusted_text: need.need }],
    );
    const key = { public_key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', role: 'legacy', scope: 'receipts' };
    assert.deepEqual((await sealed('declare_key', key)).seal['claim'], key);
    const { tools } = (await ask(service, 'legacy', 'tools/list', {}, { headers: { 'x-agent-key': agent } })).rpc
      .result as unknown as { tools: unknown[] };
    assert.deepEqual(tools, LISTED_TOOLS);
  });

  test('a change of the repository becomes a pull request on a branch of its own', async () => {
    const calls: string[] = [];
    const bodies: Record<string, unknown>[] = [];
    let status = 200;
    const server = createServer((request: IncomingMessage, response) => {
      void (async () => {
        calls.push(`${request.method} ${request.url}`);
        if (request.method === 'POST') bodies.push((await json(request)) as Record<string, unknown>);
        assert.equal(request.headers.authorization, 'Bearer a-token');
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(
          '{"default_branch":"main","object":{"sha":"p1"},"sha":"s1","html_url":"https://host.example/pull/1"}',
        );
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await using stack = new AsyncDisposableStack();
    stack.defer(() => void server.close());
    const hosts = stack.use(new DisposableStack());
    const config = readConfig({
      AVOUCH_GITHUB_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AVOUCH_REPOSITORY: 'example/notes',
      AVOUCH_REPOSITORY_TOKEN: 'a-token',
    });
    const platform = { config, clock, sandbox: true };
    const work = openProposals(platform, hosts);
    assert.ok(work !== undefined);
    const change = { path: 'docs/a.md', content: 'text', message: 'Say it' };
    const answer = await work(change, asked());
    assert.ok(!(answer instanceof Refusal));
    assert.equal(answer.url, 'https://host.example/pull/1');
    repositoryWrite.output.parse(answer);
    assert.deepEqual(calls, [
      ...['GET /repos/example/notes', 'GET /repos/example/notes/git/ref/heads/main'],
      ...['blobs', 'trees', 'commits', 'refs'].map((part) => `POST /repos/example/notes/git/${part}`),
      'POST /repos/example/notes/pulls',
    ]);
    assert.deepEqual(bodies.at(-1), { title: 'Say it', head: answer.branch, base: 'main' });
    assert.equal(bodies.at(-2)?.['ref'], `refs/heads/${answer.branch}`);
    status = 422;
    const refused = await work(change, asked());
    assert.ok(refused instanceof Refusal && refused.type.code === 'repository_refused');
    assert.equal(openProposals({ ...platform, config: readConfig({}) }, hosts), undefined);
  });
});

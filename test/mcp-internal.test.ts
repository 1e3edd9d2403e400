import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import { keyInvalid } from '#kernel/api-key.ts';
import { entryOfId } from '#log/public-log.ts';
import { readConfig } from '#config/config.ts';
import type { Asked } from '#transport/mcp/tool-desk.ts';
import type { InternalWorks, PublicWorks } from '#transport/mcp/tools.ts';
import { makeDesks } from '../src/mcp-desks.ts';
import { operatorSeals } from '../src/operator-seals.ts';
import { openProposals } from '../src/repository-proposals.ts';
import { refuseFields } from '../src/problems.ts';
import { TestService } from './_harness.ts';
import { errorOf, type ToolAnswer } from './_mcp.ts';

const SCOPES: Readonly<Record<string, readonly string[]>> = {
  internal: ['internal:tools'],
  founder: ['internal:tools', 'github:write'],
  plain: ['wallet'],
};

const asked = (agentKey?: string): Asked => ({
  ...{ requestId: 'r', addressTag: 'a', agentKey, meta: {}, signal: new AbortController().signal },
});

interface Given {
  readonly works?: PublicWorks;
  readonly internalWorks?: InternalWorks;
  readonly isTrailFailing?: boolean;
  readonly faults?: unknown[];
  readonly deadlineMs?: number;
}

function deskOf({ works = {}, internalWorks = {}, isTrailFailing = false, faults = [], deadlineMs = 30_000 }: Given) {
  const { free } = makeDesks({
    ...{ works, internalWorks, operations: [], deadlineMs, isTrailFailing: () => isTrailFailing },
    explainFault: () => undefined,
    logFault: (_request, _operation, error) => void faults.push(error),
    authenticate: (key) => {
      const scopes = SCOPES[key ?? ''];
      const refusal = new Refusal(keyInvalid, { detail: 'unknown' });
      return Promise.resolve(scopes === undefined ? refusal : { agentId: 'agt_1', keyId: 'key_1', name: 'a', scopes });
    },
  });
  return free;
}

suite('a desk of tools', () => {
  test('ends a call that takes too long, and tells its work so', async () => {
    let seen: AbortSignal | undefined;
    const never = new Promise<never>(() => {});
    const search: PublicWorks['search'] = (_input, { signal }) => {
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

  const seals = () => {
    const { store } = service.service;
    const log = { entryOf: (id: string) => entryOfId(store, id) };
    return operatorSeals({ store, log, clock, sandbox: true, refuseFields });
  };

  test('exist for keys of their scope, are never listed, and seal in the public log', async () => {
    const desk = deskOf({ internalWorks: seals() });
    const args = { statement: 'a note of the operator' };
    for (const key of [undefined, 'plain', 'nobody']) {
      const { result, trace } = await desk.call('issue_statement', args, asked(key));
      assert.deepEqual([result, trace.op], [undefined, 'mcp:unknown_tool'], String(key));
    }
    assert.equal((await desk.call('repository_write', {}, asked('internal'))).result, undefined);
    assert.ok(desk.list.every(({ name }) => name !== 'issue_statement'));
    const { result } = await desk.call('issue_statement', args, asked('internal'));
    const id = String(result?.structuredContent?.['attestation_id']);
    const seal = (await service.call(`/api/attest/verify/${id}`)).json;
    assert.deepEqual([seal['valid'], seal['claim']], [true, args]);
    const correction = { statement: 'it was another', corrects_attestation_id: id };
    await desk.call('issue_statement', correction, asked('founder'));
    const corrected = (await service.call(`/api/attest/verify/${id}`)).json;
    assert.equal((corrected['superseded_by'] as string[]).length, 1);
    const nowhere = { statement: 'x', corrects_attestation_id: `ATT-${'A'.repeat(52)}` };
    const refused = (await desk.call('issue_statement', nowhere, asked('founder'))).result;
    assert.equal(errorOf(refused as ToolAnswer)['code'], 'invalid_parameters');
  });

  test('a key is declared in clear', async () => {
    const args = { public_key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', role: 'legacy', scope: 'receipts' };
    const { result } = await deskOf({ internalWorks: seals() }).call('declare_key', args, asked('internal'));
    const id = String(result?.structuredContent?.['attestation_id']);
    assert.deepEqual((await service.call(`/api/attest/verify/${id}`)).json['claim'], args);
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
    const config = readConfig({
      AVOUCH_GITHUB_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AVOUCH_REPOSITORY: 'example/notes',
      AVOUCH_REPOSITORY_TOKEN: 'a-token',
    });
    const work = openProposals(config, clock, stack).repository_write;
    assert.ok(work !== undefined);
    const change = { path: 'docs/a.md', content: 'text', message: 'Say it' };
    const answer = await work(change, asked('founder'));
    assert.ok(!(answer instanceof Refusal));
    assert.equal(answer.url, 'https://host.example/pull/1');
    assert.deepEqual(calls, [
      ...['GET /repos/example/notes', 'GET /repos/example/notes/git/ref/heads/main'],
      ...['blobs', 'trees', 'commits', 'refs'].map((part) => `POST /repos/example/notes/git/${part}`),
      'POST /repos/example/notes/pulls',
    ]);
    assert.deepEqual(bodies.at(-1), { title: 'Say it', head: answer.branch, base: 'main' });
    assert.equal(bodies.at(-2)?.['ref'], `refs/heads/${answer.branch}`);
    status = 422;
    const refused = await work(change, asked('founder'));
    assert.ok(refused instanceof Refusal && refused.type.code === 'repository_refused');
    assert.deepEqual(openProposals(readConfig({}), clock, stack), {});
  });
});

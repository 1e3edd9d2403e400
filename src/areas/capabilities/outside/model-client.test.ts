import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Unworkable } from '../capability.ts';
import { ModelClient } from './model-client.ts';

const QUESTION = { does: 'text', instructions: 'Be short.', prompt: 'Say hello' } as const;
const signal = new AbortController().signal;

/** Answers every request with a status and a body. */
async function hostOf(status: number, body: object, more: Record<string, string> = {}) {
  const seen: { headers: IncomingHttpHeaders; url: string; body: string }[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = (await request.toArray()) as Buffer[];
    seen.push({ headers: request.headers, url: request.url ?? '', body: Buffer.concat(sent).toString() });
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void serve(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, seen, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

function clientOf(baseUrl: string, kind: 'anthropic' | 'openai_compatible') {
  const models = [{ id: 'm-1', does: ['text'] as const }];
  const client = new ModelClient([
    { name: 'acme', kind, baseUrl, apiKey: { reveal: () => 's3cret' }, models, auto: true },
  ]);
  const choice = client.choose('text', null);
  assert.ok(choice !== undefined && client.choose('image', null) === undefined);
  return {
    ask: () => client.ask(choice, QUESTION, { maxOutputTokens: 50, signal }),
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}

test('a provider of the Anthropic kind is asked in its own wire format, and its usage is counted whole', async () => {
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 };
  const content = [{ type: 'text', text: 'Hello' }];
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    model: 'm-1',
    content,
    stop_reason: 'end_turn',
    usage,
  };
  using host = await hostOf(200, message);
  using client = clientOf(host.url, 'anthropic');
  const answer = await client.ask();
  assert.ok(!(answer instanceof Unworkable), JSON.stringify(answer));
  assert.equal(answer.answer, 'Hello');
  const { inputTokens, cachedTokens, cacheWriteTokens, outputTokens } = answer.usage;
  assert.deepEqual([inputTokens, cachedTokens, cacheWriteTokens, outputTokens], [15, 3, 2, 5]);
  const [request] = host.seen;
  assert.deepEqual([request?.url, request?.headers['x-api-key']], ['/v1/messages', 's3cret']);
  assert.equal((JSON.parse(request?.body ?? '') as { max_tokens: number }).max_tokens, 50);
});

test('an answer that its provider did not finish is none, whatever it says so far', async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 50, total_tokens: 60 };
  const message = { role: 'assistant', content: 'Line 1 of the invoice. Line 2 of the inv' };
  const asked = async (finish_reason: string | undefined) => {
    using host = await hostOf(200, { choices: [{ index: 0, message, finish_reason }], usage });
    using client = clientOf(host.url, 'openai_compatible');
    return await client.ask();
  };
  const whole = await asked('stop');
  assert.ok(!(whole instanceof Unworkable) && whole.answer === message.content, JSON.stringify(whole));
  for (const [reason, detail] of [
    ['length', /cut off at its maximum length\. Raise max_output_tokens/],
    ['content_filter', /content filter/],
    ['tool_calls', /did not finish/],
    [undefined, /did not finish/],
  ] as const) {
    const part = await asked(reason);
    assert.ok(part instanceof Unworkable, String(reason));
    assert.deepEqual([part.kind, part.code], ['work', 'provider_failed']);
    assert.match(part.detail, detail);
  }
});

test('a redirect is not followed, a long answer not read, and no fault tells the key or what was asked', async () => {
  const long = { choices: [{ message: { role: 'assistant', content: 'x'.repeat(9_000_000) } }] };
  for (const [status, body, more] of [
    [307, {}, { location: 'http://127.0.0.1:1/' }],
    [401, { error: { message: 'bad key s3cret for Say hello' } }, {}],
    [200, long, {}],
    [200, { nothing: 'known' }, {}],
  ] as const) {
    using host = await hostOf(status, body, more);
    using client = clientOf(host.url, 'openai_compatible');
    const answer = await client.ask();
    assert.ok(answer instanceof Unworkable);
    assert.deepEqual([answer.kind, answer.code, host.seen.length], ['work', 'provider_failed', 1]);
    assert.doesNotMatch(answer.detail, /s3cret|hello/);
    assert.equal(host.seen[0]?.headers.authorization, 'Bearer s3cret');
  }
});

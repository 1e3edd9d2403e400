// What is wrong with a call is told in one order: the key (401), the rate (429), the input (400), the money (402).
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { newApiKey } from '#kernel/ids.ts';
import { OPERATIONS } from '../../../src/areas.ts';
import { expectProblem } from '../../support/client.ts';
import { limitedService, sharedService, SMALL_BURST } from '../../support/shared-service.ts';
import { registeredAgent } from '../../support/wallet.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const AGENT_KEY = ['x-agent-key', 'agk_'] as const;
const KEYS = { agent: AGENT_KEY, agent_if_sent: AGENT_KEY, platform: ['x-amh-key', 'amhk_'] } as const;

for (const { operationId, path, method, access } of OPERATIONS) {
  if (access !== 'agent' && access !== 'agent_if_sent' && access !== 'platform') continue;
  const [header, prefix] = KEYS[access];
  const asked = path.replaceAll(/\{\w+\}/g, 'no-id');
  test(`${operationId}: whatever else is wrong, the key is named first`, async () => {
    const service = await sharedService();
    const call = (headers: Record<string, string>) =>
      service.call(method === 'get' ? `${asked}?surprise=1` : asked, {
        method: method.toUpperCase(),
        headers: { ...JSON_TYPE, ...headers },
        ...(method === 'post' && { body: '{' }),
      });
    if (access !== 'agent_if_sent') expectProblem(await call({}), 401, 'key_missing');
    expectProblem(await call({ [header]: `${prefix}${'A'.repeat(49)}` }), 401, 'key_malformed');
    expectProblem(await call({ [header]: newApiKey(prefix) }), 401, 'key_invalid');
  });
}

test('a good key, too many calls and a bad body: the rate is named before the body', async () => {
  const { service } = await limitedService();
  const agent = await registeredAgent(service);
  const call = () => agent.call('/api/v1/calculate', { method: 'POST', headers: JSON_TYPE, body: '{' });
  let answer = await call();
  expectProblem(answer, 400, 'malformed_json');
  for (let calls = 0; calls <= SMALL_BURST && answer.status !== 429; calls += 1) answer = await call();
  expectProblem(answer, 429, 'slow_down');
});

test('a key that is guessed again and again is no longer looked up', async () => {
  const { service } = await limitedService();
  const guess = () => service.call('/api/agents/me', { headers: { 'x-agent-key': newApiKey('agk_') } });
  let answer = await guess();
  for (let calls = 0; calls <= SMALL_BURST && answer.status !== 429; calls += 1) {
    expectProblem(answer, 401, 'key_invalid');
    answer = await guess();
  }
  expectProblem(answer, 429, 'slow_down');
});

test('a call without a key is answered before its body has come', async () => {
  const service = await sharedService();
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const head = ['POST /api/v1/calculate HTTP/1.1', `Host: ${hostname}`, 'Content-Type: application/json'];
  // A million bytes are announced, and none is sent.
  socket.write(`${[...head, 'Content-Length: 1000000'].join('\r\n')}\r\n\r\n`);
  const answered = await new Promise<string>((resolve, reject) => {
    socket.once('data', (bytes) => resolve(String(bytes)));
    socket.once('error', reject);
  });
  socket.destroy();
  assert.match(answered, /^HTTP\/1\.1 401 /);
});

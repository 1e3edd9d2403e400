import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { LongAnswers } from './long-answers.ts';

const BYTES = 1_000_000;
const LIMITS = { burstBytes: 3 * BYTES, bytesPerSecond: BYTES };

/** A server of long answers whose time moves by hand. */
async function start() {
  let nowMs = 0;
  const answers = new LongAnswers(() => nowMs, LIMITS);
  const server = createServer((request, response) => {
    response.writeHead(200, ['content-length', String(BYTES)]);
    answers.send(response, { bytes: Buffer.alloc(BYTES, 'x'), address: request.url ?? '', taken: () => {} });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const read: Record<string, number> = {};
  return {
    read,
    pass: (ms: number) => (nowMs += ms),
    async ask(address: string): Promise<void> {
      const call = get({ host: '127.0.0.1', port, path: address, agent: false });
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      for await (const piece of answer) read[address] = (read[address] ?? 0) + (piece as Buffer).length;
    },
    [Symbol.dispose]: () => void server.close(),
  };
}

test('an address that asks for more than its share waits for the rest, and nobody waits with it', async () => {
  using server = await start();
  const greedy = Promise.all(Array.from({ length: 5 }, () => server.ask('/greedy')));
  await until('its share was sent', () => (server.read['/greedy'] ?? 0) >= LIMITS.burstBytes);
  await server.ask('/other');
  assert.equal(server.read['/other'], BYTES);
  // One piece of each answer may be on its way when the share is used up.
  assert.ok((server.read['/greedy'] ?? 0) < LIMITS.burstBytes + 500_000, `${server.read['/greedy']}`);
  const before = server.read['/greedy'] ?? 0;
  server.pass(1_000);
  await until('more was sent', () => (server.read['/greedy'] ?? 0) > before + 500_000);
  server.pass(10_000);
  await greedy;
  assert.equal(server.read['/greedy'], 5 * BYTES);
});

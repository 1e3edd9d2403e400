import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { askBounded } from './bounded-ask.ts';

const LIMITS = { timeoutMs: 60_000, maxBytes: 100 };

/** Answers the first request on each connection, and closes the connection at the second. */
async function closingServer() {
  const seen = new WeakSet<object>();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (seen.has(request.socket)) return void request.socket.destroy();
    seen.add(request.socket);
    response.end('here');
  });
  // However late the next request comes, its connection is still there.
  server.keepAliveTimeout = 600_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, count: () => requests, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

test('a request on a connection that was closed meanwhile is sent again, if it may be, and a GET always may', async () => {
  using server = await closingServer();
  assert.equal((await askBounded(server.url, { body: '1', mayRepeat: true }, LIMITS)).text, 'here');
  assert.equal((await askBounded(server.url, { body: '2', mayRepeat: true }, LIMITS)).text, 'here');
  assert.equal(server.count(), 3);
  await assert.rejects(askBounded(server.url, { body: '3' }, LIMITS), /network/);
  assert.equal(server.count(), 4);
  assert.equal((await askBounded(server.url, { body: '4' }, LIMITS)).text, 'here');
  assert.equal((await askBounded(server.url, {}, LIMITS)).text, 'here');
  assert.equal(server.count(), 7);
});

test('an answer that is too long, elsewhere or too late is none', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/long') response.end('x'.repeat(101));
    if (request.url === '/moved') response.writeHead(307, { location: '/long' }).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await assert.rejects(askBounded(`${url}/long`, {}, LIMITS), /too_large/);
  await assert.rejects(askBounded(`${url}/moved`, {}, LIMITS), /redirect/);
  await assert.rejects(askBounded(`${url}/never`, {}, { ...LIMITS, timeoutMs: 50 }), /stopped/);
  server.close().closeAllConnections();
});

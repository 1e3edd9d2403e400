import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bind, defineOperation } from '#kernel/operation.ts';
import { row, TestServer } from './_test-server.ts';

/** More than the buffers of a connection hold. */
const LARGE = 'x'.repeat(12_000_000);
const LIMIT_MS = 12_000;

const large = bind(defineOperation({ ...row, operationId: 'large', path: '/large' }), () => LARGE);
const small = bind(defineOperation({ ...row, operationId: 'small', path: '/small' }), () => 'done');

/** Asks and does not read. */
async function ask(url: string, ...paths: readonly string[]): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) }).pause();
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`).join(''));
  return socket;
}

/** A paused socket learns of its end only by writing. */
async function isDropped(socket: Socket): Promise<boolean> {
  for (let turn = 0; turn < 60 && !socket.closed; turn += 1) {
    if (socket.writable) socket.write('\r\n');
    await sleep(50);
  }
  return socket.closed;
}

async function answered(server: TestServer, calls: number): Promise<void> {
  while (server.trail.length < calls) await sleep(10);
}

for (const paths of [['/large'], ['/small', '/large'], ['/small', '/small', '/large', '/small']]) {
  test(`who does not read the answers to ${paths.join(' ')} is dropped`, async () => {
    await using server = await TestServer.start([large, small]);
    const socket = await ask(server.url, ...paths);
    await answered(server, paths.indexOf('/large') + 1);
    await sleep(1_100);
    server.clock.advance(LIMIT_MS);
    assert.ok(await isDropped(socket));
  });
}

test('an answer that waits for the one before it is not held against its reader', async () => {
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const late = bind(defineOperation({ ...row, operationId: 'late', path: '/late' }), async () => {
    await go;
    return 'late';
  });
  await using server = await TestServer.start([late, small]);
  const socket = await ask(server.url, '/late', '/small');
  await sleep(100);
  server.clock.advance(10 * LIMIT_MS);
  await sleep(1_200);
  resolve();
  let read = '';
  socket.on('data', (piece) => (read += String(piece))).resume();
  for (let turn = 0; turn < 100 && !read.includes('done'); turn += 1) await sleep(20);
  assert.match(read, /"late"[^]*"done"/);
  socket.destroy();
});

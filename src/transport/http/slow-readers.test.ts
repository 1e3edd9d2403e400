import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { bind } from '#kernel/bound-operation.ts';
import { until } from '../../../test/support/until.ts';
import { row, TestServer } from './_test-server.ts';
import { Connection } from './connection.ts';
import { SlowReaders } from './slow-readers.ts';

/** More than the buffers of a connection hold. */
const LARGE = 'x'.repeat(12_000_000);
const LIMIT_MS = 12_000;
const CHECK_EVERY_MS = 100;

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

/** Lets the time pass, and the server look at who does not read. */
function pass(t: TestContext, server: TestServer, ms: number): void {
  for (let passed = 0; passed < ms; passed += CHECK_EVERY_MS) {
    server.clock.advance(CHECK_EVERY_MS);
    t.mock.timers.tick(CHECK_EVERY_MS);
  }
}

for (const paths of [['/large'], ['/small', '/large'], ['/small', '/small', '/large', '/small']]) {
  test(`who does not read the answers to ${paths.join(' ')} is dropped`, async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    await using server = await TestServer.start([large, small]);
    const socket = await ask(server.url, ...paths);
    const reset = once(socket, 'error');
    await server.recorded(paths.indexOf('/large') + 1);
    assert.equal(await server.connections(), 1);
    // Its limit begins when the answers before it are sent, which says nobody.
    await until('the end of the connection', async () => {
      pass(t, server, LIMIT_MS + 1);
      return (await server.connections()) === 0;
    });
    // Nothing of the answer is left with the system, to be offered further.
    socket.resume();
    assert.equal(((await reset)[0] as NodeJS.ErrnoException).code, 'ECONNRESET');
    socket.destroy();
  });
}

test('who reads after ten seconds gets the whole answer', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  await using server = await TestServer.start([large]);
  const socket = await ask(server.url, '/large');
  await server.recorded(1);
  for (let second = 1; second <= 10; second += 1) pass(t, server, 1_000);
  let bytes = 0;
  for await (const piece of socket as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes >= LARGE.length) break;
  }
  assert.ok(bytes >= LARGE.length, `the connection ended after ${bytes} bytes`);
});

test('an answer that waits for the one before it is not held against its reader', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const late = bind(defineOperation({ ...row, operationId: 'late', path: '/late' }), async () => {
    await go;
    return 'late';
  });
  await using server = await TestServer.start([late, small]);
  const socket = await ask(server.url, '/late', '/small');
  await server.recorded(1);
  pass(t, server, 10 * LIMIT_MS);
  resolve();
  let read = '';
  for await (const piece of socket as AsyncIterable<Buffer>) {
    read += String(piece);
    if (read.includes('done')) break;
  }
  assert.match(read, /"late"[^]*"done"/);
});

test('who reads on gets the whole answer, however long that takes', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const huge = Buffer.alloc(40_000_000, 'x');
  const file = bind(
    defineOperation({ ...row, operationId: 'huge', path: '/huge', mediaType: 'text/plain', output: z.any() }),
    () => huge as never,
  );
  await using server = await TestServer.start([file, small]);
  const socket = await ask(server.url, '/huge');
  await server.recorded(1);
  let bytes = 0;
  let due = 0;
  for await (const piece of socket as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes >= huge.length) break;
    if (bytes < due) continue;
    due = bytes + 1_000_000;
    // The server has had its turn once it answers somebody else.
    await (await fetch(`${server.url}/small`)).text();
    pass(t, server, 1_000);
  }
  assert.ok(bytes >= huge.length, `the connection ended after ${bytes} bytes`);
});

/** Connections and answers without a network, and a time that moves by hand. */
class Readers {
  nowMs = 0;
  readonly all = new SlowReaders(() => this.nowMs);

  connection(): Socket {
    return new Socket().on('error', () => {});
  }

  /** An answer whose turn on the connection has come. */
  answer(socket: Socket): ServerResponse {
    const response = new ServerResponse(new IncomingMessage(socket));
    response.assignSocket(socket);
    this.all.watch(response);
    return response;
  }

  /** Whether the connection lives after so much more time. */
  livesAfter(ms: number, socket: Socket): boolean {
    for (let left = ms; left > 0; left -= CHECK_EVERY_MS) this.turn(Math.min(left, CHECK_EVERY_MS));
    return !socket.destroyed;
  }

  /** A turn of the event loop that takes so long. */
  turn(ms: number): void {
    this.nowMs += ms;
    this.all.dropLate();
  }
}

test('answers that were asked for together have one limit, however late their turns come', () => {
  const readers = new Readers();
  const socket = readers.connection();
  const first = readers.answer(socket);
  assert.ok(readers.livesAfter(4_000, socket));
  // Node gives the next one its turn before it tells that this one is sent.
  first.detachSocket(socket);
  const second = readers.answer(socket);
  readers.all.sent(first, Connection.of(socket), false);
  assert.ok(readers.livesAfter(5_000, socket));
  readers.all.sent(second, Connection.of(socket), false);
  second.detachSocket(socket);
  // Nothing is owed while the next answer is made.
  assert.ok(readers.livesAfter(60_000, socket));
  readers.answer(socket);
  assert.ok(readers.livesAfter(1_000, socket));
  assert.ok(!readers.livesAfter(1, socket));
});

test('an answer that was asked for after all others were sent has a limit of its own', () => {
  const readers = new Readers();
  const socket = readers.connection();
  const first = readers.answer(socket);
  assert.ok(readers.livesAfter(9_000, socket));
  readers.all.sent(first, Connection.of(socket), true);
  first.detachSocket(socket);
  readers.answer(socket);
  assert.ok(readers.livesAfter(10_000, socket));
  assert.ok(!readers.livesAfter(1, socket));
});

test('who takes some at least every five seconds may take as long as it needs', () => {
  const readers = new Readers();
  const socket = readers.connection();
  const answer = readers.answer(socket);
  for (let piece = 0; piece < 20; piece += 1) {
    assert.ok(readers.livesAfter(5_000, socket));
    readers.all.readsOn(answer);
  }
  assert.ok(readers.livesAfter(10_000, socket));
  assert.ok(!readers.livesAfter(1, socket));
});

test('what a connection takes after a long rest does not show that its caller reads', () => {
  const readers = new Readers();
  const socket = readers.connection();
  const answer = readers.answer(socket);
  assert.ok(readers.livesAfter(5_001, socket));
  readers.all.readsOn(answer);
  assert.ok(readers.livesAfter(4_999, socket));
  assert.ok(!readers.livesAfter(1, socket));
});

test('turns in which the service itself is late are not held against its readers', () => {
  const readers = new Readers();
  const socket = readers.connection();
  readers.answer(socket);
  for (let turn = 0; turn < 50; turn += 1) readers.turn(2_000);
  assert.ok(readers.livesAfter(0, socket));
  assert.ok(!readers.livesAfter(1, socket));
});

test('many who are late are all dropped, some in each turn', async () => {
  const readers = new Readers();
  const sockets = Array.from({ length: 50 }, () => readers.connection());
  for (const socket of sockets) readers.answer(socket);
  readers.livesAfter(10_001, sockets[0] as Socket);
  const inFirstTurn = sockets.filter(({ destroyed }) => destroyed).length;
  assert.ok(inFirstTurn > 0 && inFirstTurn < 50, `${inFirstTurn}`);
  await until('the end of all', () => sockets.every(({ destroyed }) => destroyed));
});

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { bind } from '#kernel/bound-operation.ts';
import { until } from '../../../test/support/until.ts';
import { row, TestServer } from './_test-server.ts';
import { BodyReader } from './body-reader.ts';

const USAGE_ERROR = 100_000;
const LONG = JSON.stringify({ text: 'a'.repeat(50_000) });
const SHORT = JSON.stringify({ text: 'a' });

const echo = bind(
  defineOperation({
    ...row,
    operationId: 'echo',
    method: 'post',
    path: '/echo',
    input: z.strictObject({ text: z.string() }),
    bodyLimitBytes: USAGE_ERROR,
  }),
  ({ text }) => String(text.length),
);

async function send(server: TestServer, address: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-address': address };
  return fetch(`${server.url}/echo`, { method: 'POST', headers, body });
}

/** A call that has sent all of its body but the last byte. */
async function unfinished(server: TestServer, address: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  const head = ['POST /echo HTTP/1.1', 'Host: test', 'Content-Type: application/json', `X-Address: ${address}`];
  socket.write(`${[...head, `Content-Length: ${USAGE_ERROR}`].join('\r\n')}\r\n\r\n${' '.repeat(USAGE_ERROR - 1)}`);
  return socket;
}

test('who keeps a long body unfinished is refused further ones until it is gone, and nobody else is', async () => {
  await using server = await TestServer.start(
    [echo],
    {},
    { uncounted: 1_000, perAddress: 120_000, perProcess: 240_000 },
  );
  const kept: Socket[] = [];
  // One that comes while a whole body waits to be read may be refused in its place: then another is tried.
  const isFull = async (greedy: string, address: string) => {
    kept.push(await unfinished(server, greedy));
    await send(server, address, SHORT);
    return (await send(server, address, LONG)).status === 503;
  };
  await until('its share is used up', () => isFull('greedy', 'greedy'));
  const refused = await send(server, 'greedy', LONG);
  assert.equal(((await refused.json()) as { code: string }).code, 'too_many_bodies');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await send(server, 'greedy', SHORT)).status, 200);
  assert.equal((await send(server, 'other', LONG)).status, 200);
  await until('nobody has room', () => isFull('as greedy', 'other'));
  assert.equal((await send(server, 'other', SHORT)).status, 200);
  for (const socket of kept) socket.destroy();
  await until('there is room again', async () => (await send(server, 'greedy', LONG)).status === 200);
});

test('a body makes room for the next once it was read, however many come', async () => {
  await using server = await TestServer.start([echo], {}, { uncounted: 0, perAddress: 60_000, perProcess: 60_000 });
  for (let n = 0; n < 5; n += 1) assert.equal((await send(server, 'one', LONG)).status, 200);
  const many = await Promise.all(Array.from({ length: 20 }, () => send(server, 'one', SHORT)));
  assert.deepEqual([...new Set(many.map(({ status }) => status))], [200]);
});

test('long bodies that end together are handed on one in each turn, and short ones at once', async () => {
  await using reader = new BodyReader(() => 'one');
  const headers = { 'content-type': 'application/json' };
  const request = { headers, raw: { headers }, routeOptions: { bodyLimit: USAGE_ERROR, config: {} } };
  const handed: string[] = [];
  const receive = (name: string, body: string) => {
    const payload = Object.assign(new EventEmitter(), { readableEnded: false, resume() {} });
    const done = (error: Error | null) => void (error === null && handed.push(name));
    reader.parse(request as unknown as FastifyRequest, payload as unknown as IncomingMessage, done);
    payload.emit('data', Buffer.from(body));
    payload.emit('end');
  };
  for (const name of ['long 1', 'long 2', 'long 3']) receive(name, LONG);
  receive('short', SHORT);
  assert.deepEqual(handed, ['short']);
  for (let turn = 0; handed.length < 4; turn += 1) {
    const before = handed.length;
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(handed.length - before <= 1, 'two in one turn');
  }
  assert.deepEqual(handed, ['short', 'long 1', 'long 2', 'long 3']);
});

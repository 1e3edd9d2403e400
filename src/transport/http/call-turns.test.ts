import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { bind } from '#kernel/bound-operation.ts';
import { defineOperation } from '#kernel/operation.ts';
import { row, TestServer } from './_test-server.ts';
import { CallTurns } from './call-turns.ts';

/** Calls whose time moves by hand: each takes so long to begin. */
class Calls {
  nowMs = 0;
  readonly begun: string[] = [];
  readonly #turns: CallTurns;
  readonly #callMs: number;

  constructor(callMs: number) {
    this.#callMs = callMs;
    this.#turns = new CallTurns(
      () => this.nowMs,
      (request) => String(request.headers['x-address']),
      (request) => {
        this.begun.push(request.url ?? '');
        this.nowMs += this.#callMs;
      },
    );
  }

  /** @param name the address of the caller and which of its calls this is, as `a1` */
  take(...names: readonly string[]): Socket[] {
    return names.map((name) => {
      const socket = new Socket();
      const request = Object.assign(new IncomingMessage(socket), { url: name, headers: { 'x-address': name[0] } });
      this.#turns.take(request, new ServerResponse(request));
      return socket;
    });
  }
}

function aTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('calls of one turn begin at once while there is time', () => {
  const calls = new Calls(1);
  calls.take('a1', 'a2', 'b1', 'a3');
  assert.deepEqual(calls.begun, ['a1', 'a2', 'b1', 'a3']);
});

test('calls beyond the time of a turn wait for the next, and an address that had none yet comes first', async () => {
  const calls = new Calls(10);
  calls.take('a1', 'a2', 'a3', 'a4', 'b1');
  assert.deepEqual(calls.begun, ['a1']);
  await aTurn();
  assert.deepEqual(calls.begun, ['a1', 'a2']);
  await aTurn();
  assert.deepEqual(calls.begun, ['a1', 'a2', 'b1']);
  calls.take('b2', 'c1');
  while (calls.begun.length < 7) await aTurn();
  assert.deepEqual(calls.begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  await aTurn();
  calls.take('a5');
  assert.equal(calls.begun.at(-1), 'a5');
});

test('a call whose connection has ended does not begin', async () => {
  const calls = new Calls(10);
  const [, ended] = calls.take('a1', 'a2', 'a3');
  ended?.destroy();
  await aTurn();
  assert.deepEqual(calls.begun, ['a1', 'a3']);
});

test('calls that wait are answered before broken bytes behind them end the connection', async () => {
  const long = bind(defineOperation({ ...row, operationId: 'long', path: '/long' }), () => {
    server.clock.advance(20);
    return 'done';
  });
  await using server: TestServer = await TestServer.start([long]);
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`${'GET /long HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(3)}broken\r\n\r\n`);
  const answers = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(answers, ['200', '200', '200', '400']);
});

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
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
    answers.send(response, { bytes: Buffer.alloc(BYTES, 'x'), address: request.url ?? '', readsOn: () => {} });
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

const PIECE = 65_536;

/** Answers whose connections take what the test lets them take. */
class Sent {
  nowMs = 0;
  /** Whose pieces were written, in order. */
  readonly order: string[] = [];
  /** When it was told that somebody reads. */
  readonly toldAtMs: number[] = [];
  readonly #answers: LongAnswers;

  constructor(limits = { burstBytes: 1e9, bytesPerSecond: 1e9 }) {
    this.#answers = new LongAnswers(() => this.nowMs, limits);
  }

  /** @param takes what becomes of a piece that was written: true where the system takes it at once */
  send(name: string, pieces: number, takes: () => boolean = () => true): EventEmitter {
    const response = Object.assign(new EventEmitter(), { socket: {}, destroyed: false, end: () => {} });
    const write = () => {
      this.order.push(name);
      return takes();
    };
    Object.assign(response, { write, end: () => this.order.push(`${name} ends`) });
    const [bytes, address] = [Buffer.alloc(pieces * PIECE), name.charAt(0)];
    const readsOn = () => this.toldAtMs.push(this.nowMs);
    this.#answers.send(response as unknown as ServerResponse, { bytes, address, readsOn });
    return response;
  }

  async written(count: number): Promise<void> {
    await until(`${count} pieces`, () => this.order.length >= count);
  }
}

test('addresses take turns, and each gets one answer after the other', async () => {
  const sent = new Sent();
  sent.send('a1', 3);
  sent.send('a2', 2);
  sent.send('b1', 2);
  await sent.written(7);
  assert.deepEqual(sent.order, ['a1', 'b1', 'a1', 'b1 ends', 'a1 ends', 'a2', 'a2 ends']);
});

test('a piece that the system keeps at once does not show that anybody reads, a later one does', async () => {
  const sent = new Sent();
  const answer = sent.send('a', 100, () => false);
  const drainAfter = async (ms: number) => {
    const before = sent.order.length;
    sent.nowMs += ms;
    answer.emit('drain');
    await sent.written(before + 1);
  };
  await sent.written(1);
  await drainAfter(49);
  assert.deepEqual(sent.toldAtMs, []);
  await drainAfter(50);
  await drainAfter(8_000);
  assert.deepEqual(sent.toldAtMs, [99, 8_099]);
});

test('of more than the system keeps, something was read', async () => {
  const sent = new Sent();
  const answer = sent.send('a', 200, () => false);
  for (let written = 1; written <= 79; written += 1) {
    await sent.written(written);
    answer.emit('drain');
  }
  assert.deepEqual(sent.toldAtMs, []);
  await sent.written(80);
  answer.emit('drain');
  assert.deepEqual(sent.toldAtMs, [0]);
});

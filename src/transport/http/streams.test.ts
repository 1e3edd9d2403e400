import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';
import { defineOperation } from '#kernel/operation.ts';
import { bind } from '#kernel/bound-operation.ts';
import { exchangeAhead, exchangeOnce } from '../../../test/support/raw-http.ts';
import { until } from '../../../test/support/until.ts';
import { row, streaming, TestServer } from './_test-server.ts';

const PIECE = Buffer.alloc(262_144, 'x');
/** More than the buffers of two sockets hold. */
const MANY = 256;

const QUIET_TURNS = 100;

/** A stream of many pieces that knows how many were made and whether it was ended. */
class Source {
  made = 0;
  isEnded = false;
  signal: AbortSignal | undefined;
  readonly #end = Promise.withResolvers<void>();

  async *pieces(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    this.signal = signal;
    try {
      while (this.made < MANY) {
        this.made += 1;
        yield PIECE;
      }
    } finally {
      this.isEnded = true;
      this.#end.resolve();
    }
  }

  ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Resolves when nobody has asked for a piece although the process had nothing else to do. */
  async stalled(): Promise<void> {
    let before = -1;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      if (this.made !== before) quiet = 0;
      before = this.made;
      await setImmediate();
    }
  }
}

/** Waits for its signal after the first piece. */
async function* waiting(signal: AbortSignal): AsyncGenerator<string> {
  yield 'retry: 1000\n\n';
  if (!signal.aborted) await once(signal, 'abort');
}

async function opened(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const call = get(url, { headers, agent: false });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  // The end of a connection is told to both.
  call.on('error', () => {});
  response.on('error', () => {});
  return response;
}

/** The bytes of the body, and whether the answer had its end. */
async function rest(response: IncomingMessage): Promise<{ bytes: number; isComplete: boolean }> {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => (bytes += chunk.length));
  if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
  return { bytes, isComplete: response.complete };
}

test('pieces are made no faster than the caller takes them, and a caller that goes on gets them all', async () => {
  const source = new Source();
  await using server = await TestServer.start([streaming('copy', 'ends', (signal) => source.pieces(signal))]);
  const response = await opened(`${server.url}/copy`);
  await source.stalled();
  assert.ok(source.made < MANY / 2, `${source.made} pieces were made for nobody`);
  assert.deepEqual(await rest(response), { bytes: MANY * PIECE.length, isComplete: true });
  assert.equal(server.trail.length, 1);
  assert.deepEqual([server.trail[0]?.status, server.trail[0]?.outBytes], [200, MANY * PIECE.length]);
});

test('a caller that takes nothing for twelve seconds is dropped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const source = new Source();
  await using server = await TestServer.start([streaming('copy', 'ends', (signal) => source.pieces(signal))]);
  const response = await opened(`${server.url}/copy`);
  await source.stalled();
  assert.equal(source.isEnded, false);
  // What the connection itself still takes begins the twelve seconds anew.
  await until('the end of the stream', () => {
    server.clock.advance(12_001);
    t.mock.timers.tick(1_000);
    return source.isEnded;
  });
  assert.equal((await rest(response)).isComplete, false);
});

test('a caller that leaves ends the stream, also while it waits, and leaves one line', async () => {
  const source = new Source();
  const left = Promise.withResolvers<void>();
  const watched = async function* (signal: AbortSignal) {
    try {
      yield* waiting(signal);
    } finally {
      left.resolve();
    }
  };
  await using server = await TestServer.start([
    streaming('copy', 'ends', (signal) => source.pieces(signal)),
    streaming('watch', 'endless', watched),
  ]);
  for (const path of ['copy', 'watch']) (await opened(`${server.url}/${path}`)).destroy();
  await Promise.all([source.ended(), left.promise, server.recorded(2)]);
  assert.equal(source.signal?.aborted, true);
  assert.deepEqual(server.faults, []);
});

test('a stop ends what has no end at once and completely, and lets the rest reach its end', async () => {
  const source = new Source();
  const server = await TestServer.start(
    [streaming('copy', 'ends', (signal) => source.pieces(signal)), streaming('watch', 'endless', waiting)],
    { graceMs: 60_000 },
  );
  const [copy, watch] = [await opened(`${server.url}/copy`), await opened(`${server.url}/watch`)];
  await source.stalled();
  const stopped = server.stop();
  assert.deepEqual(await rest(watch), { bytes: 13, isComplete: true });
  assert.deepEqual(await rest(copy), { bytes: MANY * PIECE.length, isComplete: true });
  await stopped;
  assert.equal(server.trail.length, 2);
});

test('a stop waits only so long for a stream that nobody takes, and then cuts it', async () => {
  const source = new Source();
  const copy = streaming('copy', 'ends', (signal) => source.pieces(signal));
  const server = await TestServer.start([copy], { graceMs: 20 });
  const response = await opened(`${server.url}/copy`);
  await server.stop();
  assert.equal(source.isEnded, true);
  assert.equal((await rest(response)).isComplete, false);
  assert.equal(server.trail.length, 1);
});

test('a fault before the first piece is a problem, one after it cuts the connection, and both are kept', async () => {
  const seen = Promise.withResolvers<void>();
  const broken = async function* (pieces: number) {
    for (let n = 0; n < pieces; n += 1) yield 'line\n';
    if (pieces > 0) await seen.promise;
    throw new Error('the machine room');
  };
  await using server = await TestServer.start([
    streaming('at_once', 'ends', () => broken(0)),
    streaming('later', 'ends', () => broken(3)),
  ]);
  const refused = await fetch(`${server.url}/at_once`);
  assert.equal(refused.status, 500);
  assert.equal(refused.headers.get('content-type'), 'application/problem+json');
  assert.equal(((await refused.json()) as { code: string }).code, 'internal');
  const cut = await opened(`${server.url}/later`);
  assert.equal(cut.statusCode, 200);
  seen.resolve();
  assert.equal((await rest(cut)).isComplete, false);
  const kept = server.trail.map(({ status, code }) => [status, code]);
  assert.deepEqual(kept, [
    [500, 'internal'],
    [200, 'internal'],
  ]);
  assert.equal(server.faults.length, 2);
});

test('a stream without end is kept alive by comments', async () => {
  await using server = await TestServer.start([streaming('watch', 'endless', waiting)], { heartbeatMs: 20 });
  const response = await opened(`${server.url}/watch`);
  let text = '';
  response.on('data', (chunk: Buffer) => (text += String(chunk)));
  while (text.split(':\n\n').length <= 3) await once(response, 'data');
  assert.match(text, /^retry: 1000\n\n(?::\n\n)+$/);
  response.destroy();
});

test('an address and the process have as many streams as they may, and one that ends makes room', async () => {
  await using server = await TestServer.start([streaming('watch', 'endless', waiting)], {
    perAddress: 2,
    perProcess: 3,
  });
  const open = (address: string) => opened(`${server.url}/watch`, { 'x-address': address });
  const [first] = [await open('one'), await open('one')];
  const refused = await open('one');
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '5']);
  assert.equal((await open('two')).statusCode, 200);
  assert.equal((await open('three')).statusCode, 503);
  first?.destroy();
  for (let lines = 1; !server.trail.some(({ status }) => status === 200); lines += 1) await server.recorded(lines);
  assert.equal((await open('three')).statusCode, 200);
});

test('what a caller sends ahead behind a stream is not run, and the connection ends with the stream', async () => {
  let runs = 0;
  const change = bind(defineOperation({ ...row, operationId: 'change', path: '/change' }), () => {
    runs += 1;
    return 'done';
  });
  const short = streaming('short', 'ends', async function* () {
    yield await Promise.resolve('one\n');
  });
  await using server = await TestServer.start([short, change]);
  const call = (path: string) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`;
  const answers = await exchangeAhead(server.url, call('/change') + call('/short') + call('/change'));
  assert.deepEqual(
    answers.map(({ text }) => text),
    ['"done"', 'one\n'],
  );
  assert.deepEqual([runs, server.trail.length], [1, 2]);
});

test('a caller that ends its side after its request gets the answer, and one that ends it on a stream has left', async () => {
  const halfClosed = Promise.withResolvers<void>();
  const watch = (message: unknown) => (message as { socket: Socket }).socket.once('end', () => halfClosed.resolve());
  subscribe('http.server.request.start', watch);
  const slow = bind(defineOperation({ ...row, operationId: 'slow', path: '/slow' }), async () => {
    await halfClosed.promise;
    unsubscribe('http.server.request.start', watch);
    return 'done';
  });
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const endless = streaming('endless', 'endless', async function* (signal) {
    yield ':\n\n';
    await once(signal, 'abort');
    resolve();
  });
  await using server = await TestServer.start([slow, endless]);
  const [answer] = await exchangeOnce(server.url, 'GET /slow HTTP/1.1\r\nHost: test\r\n\r\n');
  assert.equal(answer?.text, '"done"');
  const stream = await exchangeOnce(server.url, 'GET /endless HTTP/1.1\r\nHost: test\r\n\r\n');
  assert.equal(stream.length, 1);
  await left;
});

test('HEAD has the head of the stream and ends it', async () => {
  const source = new Source();
  await using server = await TestServer.start([streaming('copy', 'ends', (signal) => source.pieces(signal))]);
  const answer = await fetch(`${server.url}/copy`, { method: 'HEAD' });
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/x-ndjson']);
  assert.equal(await answer.text(), '');
  assert.deepEqual([source.made, source.isEnded], [1, true]);
  assert.equal(server.trail[0]?.outBytes, 0);
});

test('text that is not JSON goes out as it is, also where nobody may keep it', async () => {
  const operation = defineOperation({ ...row, operationId: 'text', path: '/text', mediaType: 'text/plain' });
  await using server = await TestServer.start([bind(operation, () => 'a "text"\n')]);
  const answer = await fetch(`${server.url}/text`);
  assert.deepEqual([await answer.text(), answer.headers.get('cache-control')], ['a "text"\n', 'no-store']);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { sha256Hex } from '#kernel/ids.ts';
import { GrowingLog, ORIGIN, WITNESS } from './_growing-log.ts';
import { RunningWitness } from './_running.ts';
import { type Listening, serveWitness } from './server.ts';

const log = new GrowingLog();
const MONITORING = `/${sha256Hex(ORIGIN)}/checkpoint`;

/** What comes back for raw bytes, until the other side closes. */
async function raw(url: string, bytes: string | Uint8Array): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

suite('a witness over HTTP', () => {
  let running: RunningWitness;
  let server: Listening;
  before(async () => {
    running = new RunningWitness([log.vkey]);
    server = await serveWitness(running, { host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    running[Symbol.dispose]();
  });
  const post = (body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${server.url}/add-checkpoint`, { method: 'POST', body });

  test('says in plain text who it is', async () => {
    const response = await fetch(server.url);
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    const text = await response.text();
    assert.ok(text.includes(WITNESS) && text.includes(running.witness.vkey) && text.includes(MONITORING), text);
    const head = await fetch(server.url, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });

  test('cosigns, tells its size with 409, and shows the latest checkpoint', async () => {
    assert.equal((await fetch(server.url + MONITORING)).status, 404);
    assert.equal((await post(log.body(0, 5))).status, 200);
    const conflict = await post(log.body(0, 8));
    assert.deepEqual(
      [conflict.status, conflict.headers.get('content-type'), await conflict.text()],
      [409, 'text/x.tlog.size', '5\n'],
    );
    const latest = await fetch(server.url + MONITORING);
    assert.equal(latest.status, 200);
    assert.ok((await latest.text()).startsWith(log.checkpoint(5)));
  });

  const wrong: readonly (readonly [string, string, RequestInit, number])[] = [
    ['an unknown path', '/metrics', {}, 404],
    ['an upper-case hash', `/${sha256Hex(ORIGIN).toUpperCase()}/checkpoint`, {}, 404],
    ['the hash of an unknown origin', `/${'0'.repeat(64)}/checkpoint`, {}, 404],
    ['GET where POST belongs', '/add-checkpoint', {}, 405],
    ['POST where GET belongs', '/', { method: 'POST', body: 'x' }, 405],
    ['DELETE of a checkpoint', MONITORING, { method: 'DELETE' }, 405],
    ['no body', '/add-checkpoint', { method: 'POST' }, 400],
    ['a body that is not UTF-8', '/add-checkpoint', { method: 'POST', body: new Uint8Array([0xff, 0xfe]) }, 400],
    ['JSON', '/add-checkpoint', { method: 'POST', body: '{}' }, 400],
    ['a body of a megabyte', '/add-checkpoint', { method: 'POST', body: 'x'.repeat(1_048_576) }, 413],
  ];
  for (const [what, path, init, status] of wrong) {
    test(`${what} gets ${status} in words`, async () => {
      const response = await fetch(server.url + path, init);
      assert.equal(response.status, status);
      assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
      assert.match(await response.text(), /^[a-zA-Z].{10,}\n$/);
      assert.equal(response.headers.has('allow'), status === 405);
    });
  }

  const broken: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['rubbish', 'hello\r\n\r\n', /^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\nBad Request\n$/],
    ['headers without end', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1\.1 405 /],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 200 /],
    [
      'a strange expectation',
      'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 200 /,
    ],
    ['a body above every bound', longRequest(), /^HTTP\/1\.1 413 |^$/],
  ];
  for (const [what, bytes, answer] of broken) {
    test(`${what} on the wire is answered and ends the connection`, async () => {
      assert.match(await raw(server.url, bytes), answer);
    });
  }

  test('a caller who goes in the middle of its body leaves no trace', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('POST /add-checkpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nold 0');
    await once(socket, 'connect');
    socket.resetAndDestroy();
    await once(socket, 'close');
    assert.equal((await fetch(server.url)).status, 200);
    assert.deepEqual(running.reported, []);
  });
});

test('without its disk the witness answers 503 and cosigns nothing', async () => {
  using running = new RunningWitness([log.vkey]);
  await using server = await serveWitness(running, { host: '127.0.0.1', port: 0 });
  running.state[Symbol.dispose]();
  const response = await fetch(`${server.url}/add-checkpoint`, { method: 'POST', body: log.body(0, 5) });
  assert.equal(response.status, 503);
  assert.match(await response.text(), /^the witness cannot keep its state now/);
  assert.equal(running.reported.length, 1);
  running.restart();
  assert.equal(running.size(), undefined);
});

test('a witness that stops answers what is under way', async (t) => {
  // However long the machine takes: who never sends the rest is cut off later.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  using running = new RunningWitness([log.vkey]);
  const server = await serveWitness(running, { host: '127.0.0.1', port: 0 });
  const body = log.body(0, 5);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  const head = `POST /add-checkpoint HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(body)}\r\nExpect: 100-continue\r\n\r\n`;
  socket.write(head);
  await once(socket, 'data');
  const stopped = server[Symbol.asyncDispose]();
  socket.write(body);
  await Promise.all([stopped, once(socket, 'close')]);
  assert.match(text, /^HTTP\/1\.1 100 Continue[^]*HTTP\/1\.1 200 OK/);
  assert.equal(running.size(), 5);
});

function longRequest(): Uint8Array {
  const head = 'POST /add-checkpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 99000000\r\n\r\n';
  return Buffer.concat([Buffer.from(head), Buffer.alloc(9_000_000, 'x')]);
}

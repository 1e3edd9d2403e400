import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { ConfiguredHost } from './configured-host.ts';
import { OutboundError } from './exchange.ts';

/** Answers, or lets the asker stop waiting. */
type Answer = (request: IncomingMessage, response: ServerResponse, stop: () => void) => void;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const run = promisify(execFile);
const SECRET = 'm4rk3r';
const MAX_BYTES = 1_000;
const HUNG_MS = 60_000;
const HEADERS_ARRIVED = 'http.client.response.finish';

/** What a host may do instead of answering, and what is said of it. */
const FAULTS: Readonly<Record<string, readonly [reason: OutboundError['reason'], answer: Answer]>> = {
  'a redirect for ever': ['redirect', (_, response) => response.writeHead(301, { location: '/elsewhere' }).end()],
  'a redirect to another host': [
    'redirect',
    (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  ],
  'a redirect that keeps the method': ['redirect', (_, response) => response.writeHead(307, { location: '/x' }).end()],
  'a body beyond the bound': ['too_large', (_, response) => response.end('x'.repeat(MAX_BYTES + 1))],
  'a body without an end': [
    'too_large',
    (_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(200)), 1);
      response.on('close', () => clearInterval(timer));
    },
  ],
  'half of what it promised': [
    'network',
    (_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    },
  ],
  'a closed connection': ['network', (request) => request.socket.destroy()],
  'a reset connection': ['network', (request) => request.socket.resetAndDestroy()],
  'something that is not HTTP': ['network', (request) => request.socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
  'headers without an end': [
    'network',
    (request) => request.socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}`),
  ],
  silence: ['stopped', (_request, _response, stop) => stop()],
  'headers and then silence': [
    'stopped',
    (_, response, stop) => {
      const arrived = () => {
        unsubscribe(HEADERS_ARRIVED, arrived);
        setImmediate(stop);
      };
      subscribe(HEADERS_ARRIVED, arrived);
      response.writeHead(200).flushHeaders();
    },
  ],
};

suite('a host that the operator configured', () => {
  let server: Server;
  let address: string;
  let host: ConfiguredHost;
  let directory: string;
  let answer: Answer = () => {};
  let waiting = new AbortController();
  const seen: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];

  before(async () => {
    server = createServer((request, response) => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
      answer(request, response, () => waiting.abort());
    });
    address = await listen(server);
    host = new ConfiguredHost({ baseUrl: `http://${address}/base/`, userAgent: 'avouch/test', maxBytes: MAX_BYTES });
    directory = await mkdtemp(join(tmpdir(), 'avouch-outbound-'));
  });
  after(async () => {
    host[Symbol.dispose]();
    server.close();
    await rm(directory, { recursive: true });
  });
  afterEach(() => {
    seen.length = 0;
  });

  const waitingSignal = () => {
    waiting = new AbortController();
    return AbortSignal.any([waiting.signal, AbortSignal.timeout(HUNG_MS)]);
  };
  const ask = (signal = waitingSignal()) =>
    host.ask({ path: `/${SECRET}`, query: { q: SECRET }, headers: { 'x-key': SECRET }, signal });

  test('is asked below its address, with an honest name, plain bodies and nothing that it said before', async () => {
    answer = (_, response) => response.setHeader('set-cookie', 'a=b').writeHead(404, { 'x-limit': '5' }).end('nothing');
    for (let i = 0; i < 2; i += 1) {
      const got = await ask();
      assert.deepEqual([got.status, got.header('x-limit'), String(got.body)], [404, '5', 'nothing']);
    }
    const [first, second] = seen;
    assert.equal(first?.url, `/base/${SECRET}?q=${SECRET}`);
    assert.partialDeepStrictEqual(first?.headers, { 'accept-encoding': 'identity', 'user-agent': 'avouch/test' });
    assert.equal(second?.headers.cookie, undefined);
  });

  test('gets a body in one piece', async () => {
    answer = (request, response) => void request.pipe(response);
    const { body } = await host.ask({ method: 'POST', body: '{"é":1}', signal: AbortSignal.timeout(HUNG_MS) });
    assert.equal(String(body), '{"é":1}');
    assert.equal(seen[0]?.headers['content-length'], '8');
  });

  for (const [what, [reason, given]] of Object.entries(FAULTS)) {
    test(`${what} is ${reason}, is asked once, and what was asked is not told`, async () => {
      answer = given;
      const fault = await ask().then(
        () => undefined,
        (error: unknown) => error,
      );
      assert.ok(fault instanceof OutboundError, String(fault));
      assert.equal(fault.reason, reason);
      assert.equal(seen.length, 1);
      const told = `${fault.stack} ${JSON.stringify(fault)} ${String(fault.cause)}`;
      for (const word of [SECRET, address]) assert.ok(!told.includes(word), told);
    });

    test(`${what} leaves the file of an earlier download as it was`, async () => {
      answer = given;
      const path = join(directory, 'list.xml');
      await writeFile(path, 'good');
      await assert.rejects(host.download({ signal: waitingSignal() }, { path, maxBytes: MAX_BYTES }));
      assert.deepEqual([await readFile(path, 'utf8'), await readdir(directory)], ['good', ['list.xml']]);
    });
  }

  test('an address at which nobody listens, or that nobody has, is network, and is not told', async () => {
    const idle = createServer();
    const closed = await listen(idle);
    await new Promise((resolve) => idle.close(resolve));
    for (const nowhere of [closed, `${SECRET}.invalid`]) {
      using absent = new ConfiguredHost({ baseUrl: `http://${nowhere}`, userAgent: 'avouch/test' });
      await assert.rejects(absent.ask({ signal: AbortSignal.timeout(HUNG_MS) }), (error: OutboundError) => {
        assert.equal(error.reason, 'network');
        return !`${error.stack}`.includes(nowhere);
      });
    }
  });

  test('a download takes its place when it is whole, and only with status 200', async () => {
    const path = join(directory, 'list.xml');
    const download = () => host.download({ signal: AbortSignal.timeout(HUNG_MS) }, { path, maxBytes: MAX_BYTES });
    await writeFile(path, 'old');
    answer = (_, response) => response.writeHead(500).end('sorry');
    assert.deepEqual([await download(), await readFile(path, 'utf8')], [{ status: 500, bytes: 5 }, 'old']);
    answer = (_, response) => response.end('new');
    assert.deepEqual([await download(), await readFile(path, 'utf8')], [{ status: 200, bytes: 3 }, 'new']);
    assert.deepEqual(await readdir(directory), ['list.xml']);
  });

  test('whoever stops before or while it is asked gets no answer, and nothing more is sent', async () => {
    answer = () => {};
    const stop = new AbortController();
    const asking = ask(stop.signal);
    setImmediate(() => stop.abort());
    const ended = await Promise.allSettled([asking, ask(AbortSignal.abort())]);
    const reasons = ended.map((one) => one.status === 'rejected' && (one.reason as OutboundError).reason);
    assert.deepEqual(reasons, ['stopped', 'stopped']);
    assert.ok(seen.length <= 1);
  });

  test('is asked directly, whatever proxy the environment names', async () => {
    answer = (_, response) => response.end('direct');
    let proxied = 0;
    const proxy = createServer((_, response) => {
      proxied += 1;
      response.end('proxied');
    });
    const proxyUrl = `http://${await listen(proxy)}`;
    const script = `
      import { ConfiguredHost } from ${JSON.stringify(new URL('./configured-host.ts', import.meta.url).href)};
      using host = new ConfiguredHost({ baseUrl: 'http://${address}', userAgent: 'avouch/test' });
      const { body } = await host.ask({ signal: AbortSignal.timeout(${HUNG_MS}) });
      process.stdout.write(body);`;
    const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxyUrl, http_proxy: proxyUrl, NO_PROXY: '' };
    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', script], { env });
    proxy.close();
    assert.deepEqual([stdout, proxied], ['direct', 0]);
  });
});

test('a certificate is checked, and one of the operator’s own is trusted beside the public ones', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'avouch-tls-'));
  t.after(() => rm(directory, { recursive: true }));
  const [keyFile, certFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const subject = ['-subj', '/CN=register', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-keyout', keyFile, '-out', certFile, ...subject],
  ]).catch(() => undefined);
  if (made === undefined) return t.skip('no openssl here');
  const [key, cert] = [await readFile(keyFile, 'utf8'), await readFile(certFile, 'utf8')];
  const server = createTlsServer({ key, cert }, (_, response) => void response.end('safe'));
  t.after(() => server.close());
  const baseUrl = `https://${await listen(server)}`;
  const signal = AbortSignal.timeout(HUNG_MS);
  using trusting = new ConfiguredHost({ baseUrl, userAgent: 'avouch/test', ca: cert });
  assert.equal(String((await trusting.ask({ signal })).body), 'safe');
  using strict = new ConfiguredHost({ baseUrl, userAgent: 'avouch/test' });
  await assert.rejects(strict.ask({ signal }), (error: OutboundError) => error.reason === 'network');
});

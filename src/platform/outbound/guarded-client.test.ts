import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNameServer } from '../../../test/support/name-server.ts';
import { startTlsServer, startWatchedPort } from './_loopback.ts';
import { GuardedClient, type GuardedClientOptions } from './guarded-client.ts';
import { isPublicAddress } from './public-address.ts';
import { publicUrl } from './public-url.ts';

const BLOCKED_ADDRESSES =
  `168.63.129.16 ::ffff:168.63.129.16 169.254.169.253 100.100.100.200 127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 255.255.255.255
  224.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.5 240.0.0.1 192.0.0.1 192.88.99.1 ::1 :: fe80::1 fc00::1
  fd00:ec2::254 ff02::1 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe
  64:ff9b:1::a9fe:a9fe 2002:7f00:1:: 2002:a9fe:a9fe::1 ::7f00:1 2001:db8::1 2001::1 100::1 fec0::1 5f00::1 3fff::1
  64:ff9b:1:a9fe:a9:fe00:: 127.0.0.01 1.2.3 fe80::1%eth0 localhost`.split(/\s+/);
const PUBLIC_ADDRESSES =
  '8.8.8.8 1.1.1.1 93.184.216.34 140.82.112.3 2606:4700::1111 2a00:1450:4001:81b::200e ::ffff:8.8.8.8'.split(' ');

const BLOCKED_URLS: Readonly<Record<string, string>> = {
  'http://example.com/': 'not_https',
  'https://127.0.0.1/': 'address_not_public',
  'https://127.1/': 'address_not_public',
  'https://0x7f000001/': 'address_not_public',
  'https://2130706433/': 'address_not_public',
  'https://0177.0.0.1/': 'address_not_public',
  'https://[::1]/': 'address_not_public',
  'https://[::ffff:127.0.0.1]/': 'address_not_public',
  'https://[::ffff:a9fe:a9fe]/': 'address_not_public',
  'https://[64:ff9b::a9fe:a9fe]/': 'address_not_public',
  'https://①②⑦.⓪.⓪.①/': 'address_not_public',
  'https://127。0。0。1/': 'address_not_public',
  'https://localhost/': 'host',
  'https://localhost./': 'host',
  'https://foo.localhost/': 'host',
  'https://metadata.google.internal/': 'host',
  'https://metadata.google.internal./': 'host',
  'https://kubernetes.default.svc.cluster.local/': 'host',
  'https://a.test/': 'host',
  'https://x/': 'host',
  'https://user:pw@github.com/': 'credentials_in_url',
  'https://github.com:22/': 'port',
  'https://github.com:8443/': 'port',
  'ftp://x.com/': 'not_https',
  'file:///etc/passwd': 'not_https',
  'gopher://a.b/': 'not_https',
  'javascript:alert(1)': 'not_https',
  'my task': 'not_a_url',
  [`https://${'a'.repeat(2_100)}.com/`]: 'url_too_long',
};

test('an address is public only where nothing keeps it from being so', () => {
  assert.deepEqual(BLOCKED_ADDRESSES.filter(isPublicAddress), []);
  assert.deepEqual(PUBLIC_ADDRESSES.filter(isPublicAddress), PUBLIC_ADDRESSES);
});

test('an address to ask is https on its own port, without credentials, of a public host', () => {
  for (const [text, fault] of Object.entries(BLOCKED_URLS)) assert.equal(publicUrl(text), fault, text);
  for (const text of ['https://github.com/a/b/issues/1', 'https://api.example.nl/v1/x?y=1', 'https://8.8.8.8/']) {
    assert.ok(publicUrl(text) instanceof URL, text);
  }
});

/** Long enough for a busy machine: only a test that moves the time sees its end. */
const TIMEOUT_MS = 60_000;

function client(testing: GuardedClientOptions['testing'], monotonicMs = () => 0): GuardedClient {
  return new GuardedClient({ userAgent: 'test', monotonicMs, testing: { timeoutMs: TIMEOUT_MS, ...testing } });
}

test('no connection is made to an address that is not public, however it is named or resolved', async () => {
  await using watched = await startWatchedPort();
  const answers: Readonly<Record<string, readonly string[]>> = {
    'mixed.example.nl': ['8.8.8.8', '10.0.0.1'],
    'loopback.example.nl': ['127.0.0.1'],
    'six.example.nl': ['::1'],
    'both.example.nl': ['127.0.0.1', '::1'],
    'mapped.example.nl': ['::ffff:127.0.0.1'],
    'metadata.example.nl': ['169.254.169.254'],
    'zero.example.nl': ['0.0.0.0'],
  };
  await using names = await startNameServer((name) => answers[name] ?? []);
  const guarded = client({ port: watched.port, nameServers: [names.address] });
  for (const url of Object.keys(BLOCKED_URLS)) assert.equal((await guarded.get(url)).state, 'blocked', url);
  for (const address of BLOCKED_ADDRESSES.slice(0, 37)) {
    const url = address.includes(':') ? `https://[${address}]/` : `https://${address}/`;
    assert.deepEqual(await guarded.get(url), { state: 'blocked', reason: 'address_not_public' }, url);
  }
  for (const name of Object.keys(answers)) {
    const answer = await guarded.get(`https://${name}/`);
    assert.deepEqual(answer, { state: 'blocked', reason: 'address_not_public' }, name);
  }
  assert.deepEqual(await guarded.get('https://nothing.example.nl/'), { state: 'failed', reason: 'no_address' });
  assert.equal(watched.count(), 0);
});

test('a name that is bound anew between judging and connecting is resolved once and leads nowhere else', async () => {
  await using watched = await startWatchedPort('127.0.0.1');
  // The first answer is what this test takes for public; every later one is the machine itself.
  await using names = await startNameServer((_name, nth) => (nth === 1 ? ['127.0.0.3'] : ['127.0.0.1']));
  const isPublic = (address: string) => address === '127.0.0.3';
  const guarded = client({ port: watched.port, nameServers: [names.address], isPublic });
  // Nobody listens at 127.0.0.3: a second resolution would be tempting here.
  assert.deepEqual(await guarded.get('https://rebinding.example.nl/'), { state: 'failed', reason: 'connection' });
  assert.deepEqual(names.questions.toSorted(), ['rebinding.example.nl A', 'rebinding.example.nl AAAA']);
  assert.equal((await guarded.get('https://rebinding.example.nl/')).state, 'blocked');
  assert.equal(watched.count(), 0);
});

test('one GET is reported as it came: status, redirect, long and slow bodies, no cookies and no compression', async (t) => {
  t.mock.timers.enable({ apis: ['AbortSignal.timeout' as 'setTimeout'] });
  const timeOut = () => setImmediate(() => t.mock.timers.tick(TIMEOUT_MS));
  const seen: Record<string, unknown>[] = [];
  await using server = await startTlsServer('api.example.nl', (request, response) => {
    seen.push({ method: request.method, url: request.url, ...request.headers });
    if (request.url === '/long') response.end(Buffer.alloc(100_000, 'x'));
    else if (request.url === '/slow') response.write('begun');
    else if (request.url === '/heavy') response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end();
    else if (request.url === '/silent') timeOut();
    else if (request.url === '/moved') response.writeHead(302, { location: 'https://127.0.0.1/' }).end();
    else response.writeHead(402, { 'x-one': '1' }).end('pay');
  });
  await using names = await startNameServer(() => ['127.0.0.2']);
  const testing = { port: server.port, nameServers: [names.address], isPublic: () => true };
  let looks = 0;
  const guarded = client({ ...testing, ca: server.ca }, () => {
    looks += 1;
    // The client looks at its watch before it asks and when the first part of an answer is there.
    if (looks % 2 === 0 && seen.at(-1)?.['url'] === '/slow') timeOut();
    return 0;
  });
  const get = async (path: string) => {
    const answer = await guarded.get(`https://api.example.nl${path}`);
    return answer.state === 'answered' ? [answer.status, answer.body.length, answer.truncated] : answer;
  };
  assert.deepEqual(await get('/x?y=1'), [402, 3, false]);
  assert.deepEqual(await get('/moved'), [302, 0, false]);
  assert.deepEqual(await get('/long'), [200, 65_536, true]);
  assert.deepEqual(await get('/slow'), [200, 5, true]);
  assert.deepEqual(await get('/heavy'), { state: 'failed', reason: 'header_too_large' });
  assert.deepEqual(await get('/silent'), { state: 'failed', reason: 'timeout' });
  assert.deepEqual(await client(testing).get('https://api.example.nl/'), { state: 'failed', reason: 'tls' });
  assert.equal(seen.length, 6);
  const { method, url, cookie, ...headers } = seen[0] as Record<string, string>;
  assert.deepEqual([method, url, cookie], ['GET', '/x?y=1', undefined]);
  assert.deepEqual(
    [headers['user-agent'], headers['accept-encoding'], headers['connection']],
    ['test', 'identity', 'close'],
  );
});

import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { DAY_MS, ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import type { IdentityVerdict } from '#kernel/identity.ts';
import { startTlsServer } from '#platform/outbound/_loopback.ts';
import { type GuardedAnswer, GuardedClient, type GuardedClientOptions } from '#platform/outbound/guarded-client.ts';
import type { Store } from '#platform/storage/store.ts';
import { directoryDocument, type RequestSigner, signedHeaders } from '#protocol/http-signature/signing.ts';
import { thumbprint } from '#protocol/http-signature/public-key.ts';
import { openStore } from '../../../test/support/engines.ts';
import { startNameServer } from '../../../test/support/name-server.ts';
import vectors from '../../../test/vectors/web-bot-auth.json' with { type: 'json' };
import { Directories } from './directories.ts';
import { Identities, type SignedCall } from './identities.ts';

const HOST = 'agent.avouch-test.nl';
const BASE_URL = 'https://api.avouch-test.nl';
const MEDIA = { 'content-type': 'application/http-message-signatures-directory+json' };
const [FIRST, SECOND] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];

function signerOf({ privateKey, publicKey }: typeof FIRST, origin = `https://${HOST}`): RequestSigner {
  return { key: privateKey, keyid: thumbprint(publicKey), origin, label: 'sig1' };
}

const publishing =
  (keys: readonly KeyObject[], headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { ...MEDIA, ...headers }).end(JSON.stringify(directoryDocument(keys)));

suite('who signs a call', () => {
  let answer: RequestListener;
  let asked = 0;
  let testing: GuardedClientOptions['testing'];
  const opened = new AsyncDisposableStack();
  before(async () => {
    const listener: RequestListener = (request, response) => {
      asked += 1;
      answer(request, response);
    };
    const { port, ca } = opened.use(await startTlsServer(HOST, listener));
    const places: Readonly<Record<string, string>> = { [HOST]: '127.0.0.2', 'inner.avouch-test.nl': '10.0.0.1' };
    const names = opened.use(await startNameServer((name) => [places[name] ?? []].flat()));
    const isPublic = (address: string) => address === '127.0.0.2';
    testing = { isPublic, port, ca, nameServers: [names.address], timeoutMs: 60_000 };
  });
  after(() => opened.disposeAsync());

  function start({ sandbox = false, given }: { sandbox?: boolean; given?: Readonly<Record<string, unknown>> } = {}) {
    const clock = new ManualClock(Date.UTC(2026, 10, 15));
    const client = new GuardedClient({ userAgent: 'test', monotonicMs: () => 0, ...(testing && { testing }) });
    const directories = new Directories({ get: (url) => client.get(url), clock, ...(given && { given }) });
    const store = { run: () => Promise.reject(new Error('not stored here')) };
    const identities = new Identities({
      directories,
      store,
      clock,
      sandbox,
      baseUrl: () => BASE_URL,
      logFault: () => {},
    });
    const signed = (by: RequestSigner, path = '/v1/look?key=a'): SignedCall => {
      const url = new URL(path, BASE_URL);
      const headers = signedHeaders({ method: 'GET', url }, by, { nowMs: clock.now(), seconds: 60 });
      return identities.of({ method: 'GET', url: path, headers });
    };
    const settled = async (by: RequestSigner) => {
      const call = signed(by);
      await call.details('caller');
      return said(call.verdict);
    };
    return { clock, identities, directories, signed, settled };
  }
  const said = ({ state, reasons }: IdentityVerdict) => [state, ...reasons].join(' ');

  test('the first call of an unknown agent is unverified, and the one after its directory came is verified', async () => {
    answer = publishing([FIRST.publicKey]);
    const askedBefore = asked;
    const { signed, directories } = start();
    const first = signed(signerOf(FIRST));
    assert.equal(said(first.verdict), 'unverified directory_pending');
    assert.equal(asked, askedBefore, 'a call that was not let in has nothing fetched');
    first.admitted('caller');
    await directories.fetch(`https://${HOST}`, '', 'caller');
    assert.equal(said(signed(signerOf(FIRST)).verdict), 'verified');
  });

  test('a key counts for the agent that publishes it and for no other', async () => {
    answer = publishing([FIRST.publicKey]);
    const other = 'https://other.avouch-test.nl';
    const { settled } = start({ given: { [other]: directoryDocument([SECOND.publicKey]) } });
    assert.equal(await settled(signerOf(FIRST)), 'verified');
    assert.equal(await settled(signerOf(SECOND)), 'invalid key_unknown');
    assert.equal(await settled(signerOf(FIRST, other)), 'invalid key_unknown');
    assert.equal(await settled(signerOf(SECOND, other)), 'verified');
  });

  test('a body is compared with its digest in turns where it is long, and not at all where no signature covers that', async () => {
    const origin = `https://${HOST}`;
    const { clock, identities } = start({ given: { [origin]: directoryDocument([FIRST.publicKey]) } });
    const url = new URL('/v1/claim', BASE_URL);
    const body = Buffer.alloc(3_000_000, 'abc');
    const time = { nowMs: clock.now(), seconds: 60 };
    const digested = signedHeaders({ method: 'POST', url, body }, signerOf(FIRST), time);
    const length = { 'content-length': String(body.length) };
    const callOf = (headers: Record<string, string>) =>
      identities.of({ method: 'POST', url: url.pathname, headers: { ...headers, ...length } });
    const [signed, swapped] = [callOf(digested), callOf(digested)];
    const looked = signed.sawBody(body);
    let isBetween = false;
    setImmediate(() => (isBetween = true));
    assert.ok(looked !== undefined);
    await Promise.all([looked, swapped.sawBody(Buffer.alloc(3_000_000, 'abd'))]);
    assert.ok(isBetween, 'others had their turn');
    assert.deepEqual([signed.verdict.verified?.strength, said(swapped.verdict)], ['request', 'invalid digest']);
    const loose = signedHeaders({ method: 'POST', url }, signerOf(FIRST), time);
    const untouched = new Proxy(body, { get: () => assert.fail('the body is not looked at') });
    const uncovered = callOf({ ...loose, 'content-digest': String(digested['content-digest']) });
    assert.equal(uncovered.sawBody(untouched), undefined);
    assert.equal(uncovered.verdict.verified?.strength, 'origin');
  });

  test('the key that RFC 9421 prints identifies nobody outside the sandbox', async () => {
    const given = { 'https://signature-agent.test': { keys: [vectors.key] } };
    const key = createPrivateKey({ key: vectors.key, format: 'jwk' });
    const by = { key, keyid: vectors.key.kid, origin: 'https://signature-agent.test', label: 'sig1' };
    assert.equal(await start({ given }).settled(by), 'invalid test_key');
    assert.equal(await start({ given, sandbox: true }).settled(by), 'verified');
  });

  const HOSTILE: readonly [what: string, answer: RequestListener, reason: string][] = [
    [
      'is longer than 64 KiB',
      (_request, response) => void response.writeHead(200, MEDIA).end('x'.repeat(10_000_000)),
      'directory_invalid',
    ],
    [
      'has 10,000 keys',
      (_request, response) =>
        void response.writeHead(200, MEDIA).end(JSON.stringify({ keys: Array<object>(10_000).fill({}) })),
      'directory_invalid',
    ],
    ['has 33 keys', publishing(Array<KeyObject>(33).fill(FIRST.publicKey)), 'directory_invalid'],
    [
      'redirects',
      (_request, response) => void response.writeHead(302, { location: `https://${HOST}/x` }).end(),
      'directory_unreachable',
    ],
    [
      'is not found',
      (_request, response) => void response.writeHead(404, MEDIA).end('{"keys":[]}'),
      'directory_unreachable',
    ],
    ['is not JSON', (_request, response) => void response.writeHead(200, MEDIA).end('<html>'), 'directory_invalid'],
    [
      'has another media type',
      publishing([FIRST.publicKey], { 'content-type': 'application/json' }),
      'directory_invalid',
    ],
    ['is compressed', publishing([FIRST.publicKey], { 'content-encoding': 'gzip' }), 'directory_invalid'],
    ['breaks off', (request) => void request.socket.destroy(), 'directory_unreachable'],
  ];
  for (const [what, hostile, reason] of HOSTILE) {
    test(`a directory that ${what} is unverified, and takes no key away that it had`, async () => {
      answer = hostile;
      const unknown = start();
      assert.equal(await unknown.settled(signerOf(FIRST)), `unverified ${reason}`);
      answer = publishing([FIRST.publicKey], { 'cache-control': 'max-age=60' });
      const known = start();
      assert.equal(await known.settled(signerOf(FIRST)), 'verified');
      known.clock.advance(2 * MINUTE_MS);
      answer = hostile;
      assert.equal(await known.settled(signerOf(FIRST)), 'verified');
    });
  }

  test('a directory at a private address is never asked', async () => {
    const askedBefore = asked;
    assert.equal(
      await start().settled(signerOf(FIRST, 'https://inner.avouch-test.nl')),
      'unverified directory_unreachable',
    );
    assert.equal(await start().settled(signerOf(FIRST, 'https://127.0.0.1')), 'unverified directory_unreachable');
    assert.equal(asked, askedBefore);
  });

  test('a directory that never answers delays no call', async () => {
    const held = Promise.withResolvers<void>();
    answer = (_request, response) => void held.promise.then(() => publishing([FIRST.publicKey])(_request, response));
    const { signed, directories } = start();
    for (let calls = 0; calls < 20; calls += 1) {
      const call = signed(signerOf(FIRST));
      call.admitted('caller');
      assert.equal(said(call.verdict), 'unverified directory_pending');
    }
    held.resolve();
    await directories.fetch(`https://${HOST}`, '', 'caller');
    assert.equal(said(signed(signerOf(FIRST)).verdict), 'verified');
  });

  test('a caller whose directories never answer keeps nobody else from having one fetched', async () => {
    const held = Promise.withResolvers<void>();
    const get = async (url: string): Promise<GuardedAnswer> => {
      if (url.includes('silent')) await held.promise;
      return { state: 'failed', reason: 'no_address' };
    };
    const directories = new Directories({ get, clock: new ManualClock() });
    const silent = Array.from({ length: 40 }, (_, n) => directories.fetch(`https://silent-${n}.test`, '', 'one'));
    assert.equal(silent.filter((fetch) => fetch !== undefined).length, 2);
    await directories.fetch('https://good.test', '', 'another');
    assert.equal(directories.of('https://good.test')?.failure, 'directory_unreachable');
    held.resolve();
    await Promise.all(silent.filter((fetch) => fetch !== undefined));
    assert.notEqual(directories.fetch('https://good-too.test', '', 'one'), undefined);
  });

  test('a directory that answers without the key takes it away, and one with a new key is asked again after a minute', async () => {
    answer = publishing([FIRST.publicKey], { 'cache-control': 'max-age=86400' });
    const { clock, settled } = start();
    assert.equal(await settled(signerOf(FIRST)), 'verified');
    answer = publishing([SECOND.publicKey]);
    assert.equal(await settled(signerOf(SECOND)), 'invalid key_unknown');
    clock.advance(MINUTE_MS);
    assert.equal(await settled(signerOf(SECOND)), 'verified');
    assert.equal(await settled(signerOf(FIRST)), 'invalid key_unknown');
  });

  test('a directory is asked once for many calls, and a failure not again for five minutes', async () => {
    answer = (_request, response) => void response.writeHead(500).end();
    const { clock, settled } = start();
    const askedBefore = asked;
    await Promise.all(Array.from({ length: 20 }, () => settled(signerOf(FIRST))));
    assert.equal(await settled(signerOf(FIRST)), 'unverified directory_unreachable');
    assert.equal(asked - askedBefore, 1);
    clock.advance(5 * MINUTE_MS);
    await settled(signerOf(FIRST));
    assert.equal(asked - askedBefore, 2);
  });

  test('a directory is believed for a day at most, whatever it says', async () => {
    answer = publishing([FIRST.publicKey], { 'cache-control': 'public, max-age=999999999' });
    const { clock, settled } = start();
    const askedBefore = asked;
    await settled(signerOf(FIRST));
    clock.advance(DAY_MS - 1);
    await settled(signerOf(FIRST));
    assert.equal(asked - askedBefore, 1);
    clock.advance(1);
    await settled(signerOf(FIRST));
    assert.equal(asked - askedBefore, 2);
  });
});

test('an agent is seasoned a day after its first verified call, also for another process, until it breaks a rule', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 15));
  await using opened = await openStore('sqlite', { injectedClock: clock });
  const origin = 'https://known.avouch-test.nl';
  const runs: Promise<unknown>[] = [];
  const store: Pick<Store, 'run'> = {
    run(unit, command) {
      const run = opened.store.run(unit, command);
      runs.push(run);
      return run;
    },
  };
  /** Has a process of its own see calls: gives whether each is seasoned. */
  const newProcess = () => {
    const given = { [origin]: directoryDocument([FIRST.publicKey]) };
    const directories = new Directories({ get: async () => ({ state: 'failed', reason: 'no_address' }), clock, given });
    const logFault = (error: unknown) => assert.fail(String(error));
    const identities = new Identities({ directories, store, clock, sandbox: false, baseUrl: () => BASE_URL, logFault });
    return async (breaks = false) => {
      const url = new URL('/v1/look', BASE_URL);
      const by = signerOf(FIRST, origin);
      const headers = signedHeaders({ method: 'GET', url }, by, { nowMs: clock.now(), seconds: 60 });
      const call = identities.of({ method: 'GET', url: '/v1/look', headers });
      const isSeasoned = call.seasonedTag !== undefined;
      call.admitted('caller');
      if (breaks) call.broke();
      await Promise.all(runs);
      return isSeasoned;
    };
  };
  const one = newProcess();
  assert.equal(await one(), false);
  clock.advance(DAY_MS - 1);
  assert.equal(await one(), false);
  clock.advance(1);
  assert.equal(await one(), true);
  const other = newProcess();
  assert.equal(await other(), false, 'before it has read the store');
  assert.equal(await other(), true);
  await one(true);
  assert.equal(await one(), false);
  clock.advance(DAY_MS);
  assert.equal(await one(), true);
});

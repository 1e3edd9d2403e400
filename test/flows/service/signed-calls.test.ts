import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import fc from '#properties';
import { type PublicKey, readJwk } from '#protocol/http-signature/public-key.ts';
import { type RequestSigner, signedHeaders } from '#protocol/http-signature/signing.ts';
import type { Answer } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { limitedService, sharedService, sharedServiceOn, SMALL_BURST } from '../../support/shared-service.ts';
import { until } from '../../support/until.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { callSigned, EXAMPLE_AGENT, EXAMPLE_URL } from '../../support/signed-calls.ts';

type Json = Record<string, unknown>;

const VERIFIED = { scheme: 'web-bot-auth', state: 'verified', agent_url: EXAMPLE_URL, keyid: EXAMPLE_AGENT.keyid };
const post = (body: Json) => ({ method: 'POST', body });

for (const engine of ENGINES) {
  suite(`calls that an agent signs, on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    let service: TestService;
    before(async () => void ({ service } = await sharedServiceOn(engine)));

    test('its claim and its mark show who signed them, and so does every look and the board', async () => {
      const key = `signed work on ${engine}`;
      const claimed = await callSigned(service, '/v1/claim', post({ key, agent: 'a1' }));
      assert.deepEqual(claimed.json['identity'], { ...VERIFIED, strength: 'request' });
      assert.equal(claimed.headers['avouch-identity'], 'verified');
      const marked = await callSigned(service, '/v1/mark', post({ key, agent: 'a1', kind: 'note' }));
      assert.deepEqual(marked.json['identity'], { ...VERIFIED, strength: 'request' });
      assert.deepEqual([marked.json['weight'], marked.json['w0_because']], [0.625, ['lease', 'identity']]);
      const seen = (await service.call(`/v1/look?key=${encodeURIComponent(key)}`)).json;
      const onBoard = ((await service.call('/board')).json['keys'] as Json[]).find((row) => row['key'] === key) as Json;
      for (const { holders, marks } of [seen, onBoard]) {
        for (const list of [holders, marks]) {
          assert.deepEqual((list as Json[])[0]?.['identity'], { ...VERIFIED, strength: 'request' });
        }
      }
    });

    test('its page on the board names the host that signed', async () => {
      const key = `signed page on ${engine}`;
      await callSigned(service, '/v1/claim', post({ key, agent: 'a1' }));
      const page = await service.call(`/board/${encodeURIComponent(key)}`, { headers: { accept: 'text/html' } });
      assert.match(page.text, /signed by .{0,80}signature-agent\.test/);
    });

    test('its release leaves a mark that shows who signed it', async () => {
      const key = `signed release on ${engine}`;
      const { lease, token } = (await service.call('/v1/claim', post({ key, agent: 'a1' }))).json;
      await callSigned(service, '/v1/release', post({ lease, token, outcome: 'failed' }));
      const { marks } = (await service.call(`/v1/look?key=${encodeURIComponent(key)}`)).json;
      assert.deepEqual((marks as Json[])[0]?.['identity'], { ...VERIFIED, strength: 'request' });
    });
  });
}

test('a brief shows its caller who signed it', async () => {
  const service = await sharedService();
  const made = await callSigned(service, '/v1/brief', post({ goal: 'Fix the signed build' }));
  assert.deepEqual(made.json['identity'], { ...VERIFIED, strength: 'request' });
});

test('a paid call and an MCP call have the header too', async () => {
  const service = await sharedService();
  const unpaid = await callSigned(service, '/v1/spend-fuse?goal=x');
  assert.deepEqual([unpaid.status, unpaid.headers['avouch-identity']], [402, 'verified']);
  const ping = await callSigned(service, '/mcp/streamable', {
    ...post({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    headers: { accept: 'application/json, text/event-stream' },
  });
  assert.deepEqual([ping.status, ping.headers['avouch-identity']], [200, 'verified']);
});

const SPOILED: readonly [
  what: string,
  reason: string,
  change: (signed: Record<string, string>) => Record<string, string>,
][] = [
  [
    'a changed signature',
    'signature',
    (signed) => ({
      ...signed,
      signature: String(signed['signature']).replace(/:./, (was) => (was === ':A' ? ':B' : ':A')),
    }),
  ],
  [
    'another body',
    'signature',
    (signed) => ({ ...signed, 'content-digest': 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:' }),
  ],
  [
    'an end in the past',
    'expired',
    (signed) => ({
      ...signed,
      'signature-input': String(signed['signature-input']).replace(/expires=\d+/, 'expires=1'),
    }),
  ],
  ['no agent', 'coverage', ({ 'signature-agent': _agent, ...signed }) => signed],
];
for (const [what, reason, change] of SPOILED) {
  test(`${what}: the claim is granted as without a signature, and says ${reason}`, async () => {
    const service = await sharedService();
    const key = `spoiled by ${what}`;
    const claimed = await callSigned(service, '/v1/claim', post({ key, agent: 'a1' }), { change });
    assert.deepEqual(claimed.json['identity'], { scheme: 'web-bot-auth', state: 'invalid', reason });
    assert.deepEqual([claimed.status, claimed.headers['avouch-identity']], [200, `invalid; reason="${reason}"`]);
    const { holders } = (await service.call(`/v1/look?key=${encodeURIComponent(key)}`)).json;
    assert.equal('identity' in ((holders as Json[])[0] as Json), false);
  });
}

test('a body that is not the one of the signed digest is invalid, one without a digest is not bound to the signature', async () => {
  const service = await sharedService();
  const url = new URL('/v1/claim', service.service.url);
  const time = { nowMs: service.now(), seconds: 60 };
  const other = signedHeaders({ method: 'POST', url, body: Buffer.from('{}') }, EXAMPLE_AGENT, time);
  const swapped = await service.call('/v1/claim', { ...post({ key: 'swapped body', agent: 'a1' }), headers: other });
  assert.deepEqual([swapped.status, swapped.headers['avouch-identity']], [200, 'invalid; reason="digest"']);
  const bare = signedHeaders({ method: 'POST', url }, EXAMPLE_AGENT, time);
  const loose = await service.call('/v1/claim', { ...post({ key: 'loose body', agent: 'a1' }), headers: bare });
  assert.deepEqual(loose.json['identity'], { ...VERIFIED, strength: 'origin' });
});

test('the signature of one host is not valid for another, whatever Host the caller sends', async () => {
  const service = await sharedService();
  const elsewhere = new URL('https://other.example/v1/identity');
  const headers = signedHeaders({ method: 'GET', url: elsewhere }, EXAMPLE_AGENT, {
    nowMs: service.now(),
    seconds: 60,
  });
  const answer = await service.call('/v1/identity', { headers: { ...headers, host: 'other.example' } });
  assert.deepEqual(answer.json['reasons'], ['signature']);
});

test('a key that another agent publishes does not give the identity of this one', async () => {
  const service = await sharedService();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { keyid } = readJwk(publicKey.export({ format: 'jwk' })) as PublicKey;
  const by: RequestSigner = { ...EXAMPLE_AGENT, key: privateKey, keyid };
  const { json } = await callSigned(service, '/v1/identity', {}, { by });
  assert.deepEqual([json['state'], json['reasons']], ['invalid', ['key_unknown']]);
  // The right name of the key over the signature of another.
  const named = await callSigned(service, '/v1/identity', {}, { by: { ...by, keyid: EXAMPLE_AGENT.keyid } });
  assert.deepEqual([named.json['state'], named.json['reasons']], ['invalid', ['signature']]);
});

test('the audit trail has the state of a signature and, if it is verified, the directory; the log has neither', async () => {
  const dataDir = await temporaryDirectory();
  {
    await using service = await TestService.start({ dataDir });
    const marked = await callSigned(service, '/v1/mark', post({ key: 'trail of signed', agent: 'a1', kind: 'note' }));
    await callSigned(service, '/v1/look?key=x', {}, { change: ({ signature: _gone, ...signed }) => signed });
    await service.call('/v1/look?key=x');
    const [entry] = await service.service.store.read('SELECT * FROM entries WHERE seq = $1', [
      Number(marked.json['log']),
    ]);
    assert.doesNotMatch(JSON.stringify(entry), /signature-agent/);
  }
  const dir = join(dataDir, 'trail');
  const names = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.ndjson'));
  const text = (await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')))).join('');
  const lines = text.split('\n').flatMap((line) => (line.includes('"method"') ? [JSON.parse(line) as Json] : []));
  const kept = lines.map((line) => [line['op'], line['identity_state'], line['agent_url']]);
  assert.deepEqual(kept, [
    ['mark', 'verified', EXAMPLE_URL],
    ['look', 'invalid', undefined],
    ['look', undefined, undefined],
  ]);
  const page = readFileSync(new URL('../../../docs/run.md', import.meta.url), 'utf8');
  const [recorded = ''] = /^\*\*Recorded\*\*:.*$/m.exec(page) ?? [];
  const unlisted = lines.flatMap(Object.keys).filter((name) => !recorded.includes(`\`${name}\``));
  assert.deepEqual([...new Set(unlisted)], [], 'docs/run.md lists what is recorded');
  await rm(dataDir, { recursive: true });
});

test('an agent that has signed for a day may call more from one address, but by no more than the stated factor', async () => {
  const { service, clock } = await limitedService();
  const accepted = async (call: (caller: TestService) => Promise<Answer>) => {
    const { service: caller } = await limitedService();
    for (let calls = 0; ; calls += 1) if ((await call(caller)).status === 429) return calls;
  };
  const signed = (caller: TestService) => callSigned(caller, '/v1/look?key=limited');
  assert.equal(await accepted(signed), SMALL_BURST, 'before the day is over');
  const { store } = service.service;
  await until('the agent to be known', async () => (await store.read('SELECT since FROM signed_identity')).length > 0);
  clock.advance(DAY_MS);
  assert.equal(await accepted((caller) => caller.call('/v1/look?key=limited')), SMALL_BURST);
  // Eight for the agent, which count a quarter for the address, and what the address has left.
  assert.equal(await accepted(signed), SMALL_BURST + (SMALL_BURST * 3) / 4);
});

/** What differs between two answers to the same call at different moments. */
const MOMENTARY = new Set(['x-request-id', 'date', 'ratelimit', 'ratelimit-policy']);
const lasting = ({ status, headers, text }: Answer) => ({
  status,
  headers: Object.entries(headers).filter(([name]) => !MOMENTARY.has(name)),
  text,
});

test('no signature makes a call fail that succeeds without it, and a call without one has no trace of any', async () => {
  const service = await sharedService();
  const paths = [
    '/v1/claim/rules',
    '/v1/lookup',
    '/v1/identity/',
    '/openapi.json',
    '/.well-known/avouch-keys.json',
    '/llms.txt',
  ];
  const text = fc.oneof(
    fc.stringMatching(/^[!-~]([ -~]{0,80}[!-~])?$/),
    fc.constantFrom(
      'sig1=()',
      'sig1=("@authority")',
      '"https://signature-agent.test"',
      'sig1=:AAAA:',
      'sig1="https://x.nl"',
    ),
    fc.constant('sig1=("@authority" "signature-agent";key="sig1");created=1;expires=2;keyid="x";tag="web-bot-auth"'),
  );
  const headers = fc.record(
    { 'signature-input': text, signature: text, 'signature-agent': text, 'content-digest': text },
    { requiredKeys: ['signature-input'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), headers, async (path, sent) => {
      const [unsigned, signed] = [await service.call(path), await service.call(path, { headers: sent })];
      const { 'avouch-identity': identity, vary: _vary, ...rest } = signed.headers;
      assert.match(String(identity), /^(?:absent|invalid|unverified)/);
      const { vary: _own, ...bare } = unsigned.headers;
      assert.deepEqual(lasting({ ...signed, headers: rest }), lasting({ ...unsigned, headers: bare }));
      assert.equal('avouch-identity' in unsigned.headers, false);
    }),
    { numRuns: 60 },
  );
});

import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { suite, test } from 'node:test';
import vectors from '../../../test/vectors/web-bot-auth.json' with { type: 'json' };
import type { IdentityReason } from '#kernel/identity.ts';
import { ed25519Judge, judged } from '../../../test/support/http-signature-judges.ts';
import { type PublicKey, readJwk, verifySignature } from './public-key.ts';
import { directoryDocument, directoryHeaders, requestOf, signedHeaders } from './signing.ts';
import { isDigestOf, readSignatures, RFC9421_TEST_KEYID } from './web-bot-auth.ts';

type Headers = Readonly<Record<string, string>>;

const { key: jwk, request: vector, directory } = vectors;
const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
const known = readJwk(jwk) as PublicKey;
const NOW_MS = 1_800_000_000_000;

function readingOf(headers: Headers, { method = 'GET', url = 'https://example.com/', nowMs = NOW_MS } = {}) {
  return readSignatures(
    requestOf(method, new URL(url), (name) => headers[name]),
    nowMs,
  );
}

function isValid(headers: Headers): boolean {
  const { base, signature } = readingOf(headers).readings[0] ?? { base: null, signature: new Uint8Array() };
  return base !== null && verifySignature(known, base, signature);
}

suite('draft-ietf-webbotauth-httpsig-protocol, vectors', () => {
  test('the request has the base of the draft, its signature is valid here and for both judges', async () => {
    const [reading] = readingOf(vector.headers).readings;
    assert.equal(reading?.base, vector.base.join('\n'));
    assert.ok(isValid(vector.headers));
    assert.deepEqual(await judged({ method: 'GET', ...vector }, ed25519Judge(jwk.kid, publicKey)), [true, true]);
    assert.equal(reading?.reason, 'window_too_long');
  });

  test('one flipped byte in any signed part fails here and for both judges', async () => {
    const judge = ed25519Judge(jwk.kid, publicKey);
    const input = vector.headers['signature-input'];
    const flipped: readonly Headers[] = [
      { ...vector.headers, 'signature-agent': 'agent2="https://signature-agent.tesu"' },
      { ...vector.headers, 'signature-input': input.replace('1735689600', '1735689601') },
      { ...vector.headers, 'signature-input': input.replace('n9p433', 'n9p434') },
      { ...vector.headers, 'signature-input': input.replace('"@authority"', '"@scheme"') },
      { ...vector.headers, signature: vector.headers.signature.replace('RdNF', 'RdNG') },
    ];
    for (const headers of flipped) {
      assert.equal(isValid(headers), false);
      assert.deepEqual(await judged({ method: 'GET', url: vector.url, headers }, judge), [false, false]);
    }
    const elsewhere = { method: 'GET', url: 'https://example.org/', headers: vector.headers };
    assert.deepEqual(await judged(elsewhere, judge), [false, false]);
    const [reading] = readingOf(vector.headers, { url: 'https://example.org/' }).readings;
    assert.equal(verifySignature(known, reading?.base ?? '', reading?.signature as Uint8Array), false);
  });

  test('the directory has the bytes, the digest and the signature of the draft', () => {
    const body = Buffer.from(JSON.stringify(directoryDocument([publicKey])));
    assert.equal(body.toString(), directory.body);
    const time = { nowMs: directory.created * 1_000, seconds: directory.expires - directory.created };
    const headers = directoryHeaders(body, directory.authority, [privateKey], time);
    assert.equal(headers['content-digest'], directory.content_digest);
    assert.equal(headers['signature'], `key1=:${directory.signature}:`);
    assert.equal(known.keyid, RFC9421_TEST_KEYID);
  });
});

const signer = { key: privateKey, keyid: known.keyid, origin: 'https://agent.example', label: 'sig1' };
const signedFor = (url: string, method = 'GET', nowMs = NOW_MS) =>
  signedHeaders({ method, url: new URL(url) }, signer, { nowMs, seconds: 60 });

test('a request that we sign is valid for us and, with its body, for both judges', async () => {
  const url = 'https://api.example/v1/claim?key=a%20b';
  const body = Buffer.from('{"key":"a"}');
  const time = { nowMs: Date.now(), seconds: 60 };
  const headers = signedHeaders({ method: 'POST', url: new URL(url), body }, signer, time);
  const [reading] = readingOf(headers, { method: 'POST', url, nowMs: time.nowMs }).readings;
  assert.deepEqual([reading?.reason, reading?.origin], [null, 'https://agent.example']);
  assert.deepEqual([reading?.isBoundToTarget, reading?.coversDigest], [true, true]);
  assert.ok(isDigestOf(headers['content-digest'] as string, body));
  assert.equal(isDigestOf(headers['content-digest'] as string, Buffer.from('{}')), false);
  const judge = ed25519Judge(known.keyid, publicKey);
  assert.deepEqual(await judged({ method: 'POST', url, headers }, judge), [true, true]);
});

test('a signature over the path alone is not bound to a request with a query', () => {
  const headers = signedFor('https://example.com/v1/claim');
  const bound = (url: string) => readingOf(headers, { url }).readings[0]?.isBoundToTarget;
  assert.deepEqual(
    [bound('https://example.com/v1/claim'), bound('https://example.com/v1/claim?agent=eve')],
    [true, false],
  );
});

const AGENT = 'sig1="https://agent.example"';
const PARAMETERS = ';created=1800000000;expires=1800000060;keyid="k";tag="web-bot-auth"';
const ALL = '("@authority" "signature-agent";key="sig1")';

function headersOf({ agent = AGENT, components = ALL, parameters = PARAMETERS, signature = 'sig1=:AAAA:' }): Headers {
  return { 'signature-agent': agent, 'signature-input': `sig1=${components}${parameters}`, signature };
}

const REASONS: readonly [what: string, headers: Headers, reason: IdentityReason | null][] = [
  ['everything that is required', headersOf({}), null],
  [
    'a legacy string',
    headersOf({ agent: '"https://agent.example"', components: '("@authority" "signature-agent")' }),
    null,
  ],
  ['a header that is not a dictionary', headersOf({ signature: 'sig1=:AA' }), 'header_malformed'],
  ['a label twice, last with a signature', headersOf({ signature: 'sig1=?1, sig1=:AAAA:' }), null],
  ['a label twice, last without a signature', headersOf({ signature: 'sig1=:AAAA:, sig1=?1' }), 'header_malformed'],
  ['a parameter twice, last as required', headersOf({ parameters: `;tag="x";expires=1${PARAMETERS}` }), null],
  ['a parameter twice, last not as required', headersOf({ parameters: `${PARAMETERS};tag="x"` }), 'tag_missing'],
  ['an agent twice, last with TLS', headersOf({ agent: `sig1="http://a.example", ${AGENT}` }), null],
  ['no signature of this label', headersOf({ signature: 'sig2=:AAAA:' }), 'header_malformed'],
  ['another tag', headersOf({ parameters: PARAMETERS.replace('web-bot-auth', 'other') }), 'tag_missing'],
  ['no expiry', headersOf({ parameters: PARAMETERS.replace(/;expires=\d+/, '') }), 'header_malformed'],
  ['a time with a fraction', headersOf({ parameters: PARAMETERS.replace('0060', '0060.5') }), 'header_malformed'],
  ['no authority', headersOf({ components: '("@path" "signature-agent";key="sig1")' }), 'coverage'],
  ['a header that is not there', headersOf({ components: ALL.replace(')', ' "date")') }), 'coverage'],
  ['a component twice', headersOf({ components: ALL.replace(')', ' "@authority")') }), 'coverage'],
  ['a component of a response', headersOf({ components: ALL.replace('"@authority"', '"@authority";req') }), 'coverage'],
  ['no agent', headersOf({ components: '("@authority")' }), 'member_not_covered'],
  ['another agent', headersOf({ agent: 'sig2="https://agent.example"' }), 'coverage'],
  [
    'a dictionary covered as one string',
    headersOf({ components: '("@authority" "signature-agent")' }),
    'member_not_covered',
  ],
  ['a shared secret', headersOf({ parameters: `${PARAMETERS};alg="hmac-sha256"` }), 'alg'],
  ['an end in the past', headersOf({ parameters: PARAMETERS.replaceAll('18000000', '17999999') }), 'expired'],
  ['a start in the future', headersOf({ parameters: PARAMETERS.replaceAll('18000000', '18000001') }), 'not_yet_valid'],
  ['more than a day', headersOf({ parameters: PARAMETERS.replace('1800000060', '1800086401') }), 'window_too_long'],
  [
    'an end before the start',
    headersOf({ parameters: PARAMETERS.replace('1800000000', '1800000059').replace('1800000060', '1800000058') }),
    'window_too_long',
  ],
  ['another type', headersOf({ agent: `${AGENT};type=jwks_uri` }), 'type_unsupported'],
  ['a directory without TLS', headersOf({ agent: 'sig1="http://agent.example"' }), 'type_unsupported'],
  ['an agent with a path', headersOf({ agent: 'sig1="https://agent.example/x"' }), 'header_malformed'],
];

for (const [what, headers, reason] of REASONS) {
  test(`${what}: ${reason ?? 'no reason against it'}`, () => {
    const { readings, reason: none } = readingOf(headers);
    assert.equal(none ?? readings[0]?.reason ?? null, reason);
  });
}

test('of a member that comes twice the last one is signed, here and for both judges', async () => {
  const nowS = Math.floor(Date.now() / 1_000);
  const parameters = `;created=${nowS};expires=${nowS + 60};keyid="${jwk.kid}";tag="web-bot-auth"`;
  const components = '("@authority" "x-list";key="a" "signature-agent";key="sig1")';
  const agent = 'sig1="https://b.example", sig1="https://agent.example"';
  const list = 'a=1;q=1, b=2, a=3;q=1;r=5;q=2';
  for (const [value, isSigned] of [
    ['3;q=2;r=5', true],
    ['3;r=5;q=2', false],
    ['1;q=1', false],
  ] as const) {
    const lines = ['"@authority": example.com', `"x-list";key="a": ${value}`];
    lines.push(
      '"signature-agent";key="sig1": "https://agent.example"',
      `"@signature-params": ${components}${parameters}`,
    );
    const signature = `sig1=:${sign(null, Buffer.from(lines.join('\n')), privateKey).toString('base64')}:`;
    const headers = { ...headersOf({ agent, components, parameters, signature }), 'x-list': list };
    assert.equal(isValid(headers), isSigned, value);
    const request = { method: 'GET', url: 'https://example.com/', headers };
    assert.deepEqual(await judged(request, ed25519Judge(jwk.kid, publicKey)), [isSigned, isSigned], value);
  }
});

const SPELLINGS: readonly [what: string, spelt: (canonical: string) => string, judges: [boolean, boolean]][] = [
  ['as the standard spells it', (canonical) => canonical, [true, true]],
  [
    'spaces in the list',
    (canonical) => canonical.replace('(', '( ').replace('" ', '"   ').replace(')', ' )'),
    [true, true],
  ],
  ['spaces before parameters', (canonical) => canonical.replaceAll(';', '; '), [true, true]],
  ['a number with more digits', (canonical) => canonical.replace('n=1.5', 'n=001.50'), [true, true]],
  ['a true that is written out', (canonical) => canonical.replace(';yes', ';yes=?1'), [true, true]],
  // The second judge is stricter than RFC 8941 here.
  ['a parameter twice', (canonical) => canonical.replace(';n=', ';n=7;n='), [true, false]],
];

for (const [what, spelt, judges] of SPELLINGS) {
  test(`parameters are signed as they are serialized, whatever came: ${what}`, async () => {
    const nowS = Math.floor(Date.now() / 1_000);
    const parameters = `;n=1.5;yes;created=${nowS};expires=${nowS + 60};keyid="${jwk.kid}";tag="web-bot-auth"`;
    const canonical = `${ALL}${parameters}`;
    const lines = ['"@authority": example.com', '"signature-agent";key="sig1": "https://agent.example"'];
    const base = [...lines, `"@signature-params": ${canonical}`].join('\n');
    const signature = `sig1=:${sign(null, Buffer.from(base), privateKey).toString('base64')}:`;
    const headers = headersOf({ components: spelt(canonical), parameters: '', signature });
    assert.ok(isValid(headers));
    const request = { method: 'GET', url: 'https://example.com/', headers };
    assert.deepEqual(await judged(request, ed25519Judge(jwk.kid, publicKey)), judges);
  });
}

test('a signature that covers more than 32 components is not read', () => {
  const names = Array.from({ length: 40 }, (_, index) => `x-${index}`);
  const headers = { ...Object.fromEntries(names.map((name) => [name, 'v'])) };
  const reasonOf = (count: number) => {
    const covered = names.slice(0, count - 2).map((name) => ` "${name}"`);
    const components = ALL.replace(')', `${covered.join('')})`);
    return readingOf({ ...headers, ...headersOf({ components }) }).readings[0]?.reason;
  };
  assert.deepEqual([reasonOf(32), reasonOf(33)], [null, 'coverage']);
});

test('only the first four signatures with the tag are read', () => {
  const labels = Array.from({ length: 9 }, (_, index) => `s${index}`);
  const headers = {
    'signature-agent': AGENT,
    'signature-input': labels.map((label) => `${label}=${ALL}${PARAMETERS}`).join(', '),
    signature: labels.map((label) => `${label}=:AAAA:`).join(', '),
  };
  assert.equal(readingOf(headers).readings.length, 4);
});

test('a key has the thumbprint of its own bytes, whatever kid it claims, and no secret is a key', () => {
  assert.equal(readJwk({ ...jwk, kid: 'other' })?.keyid, jwk.kid);
  assert.equal(readJwk({ kty: 'oct', k: 'AAAA' }), undefined);
  assert.equal(readJwk({ kty: 'OKP', crv: 'X25519', x: jwk.x }), undefined);
  assert.equal(readJwk({ kty: 'toString' }), undefined);
  for (const wrong of [null, 7, 'x', [], { kty: 'OKP', crv: 'Ed25519', x: 7 }]) assert.equal(readJwk(wrong), undefined);
  const small = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' });
  assert.equal(readJwk(small), undefined);
});

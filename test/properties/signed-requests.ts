// Requests that others sign, judged by us and by two other implementations of RFC 9421.
import assert from 'node:assert/strict';
import { constants, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { createSignatureSync } from 'http-message-sig';
import { type PublicKey, readJwk, verifySignature } from '#protocol/http-signature/public-key.ts';
import { requestOf } from '#protocol/http-signature/signing.ts';
import { readSignatures } from '#protocol/http-signature/web-bot-auth.ts';
import fc from '#properties';
import { type JudgedRequest, judged, type JudgeKey } from '../support/http-signature-judges.ts';

interface Signer {
  readonly known: PublicKey;
  readonly judge: JudgeKey;
  readonly sign: (data: Uint8Array) => Uint8Array;
}

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 };
const KINDS = [
  {
    pair: () => generateKeyPairSync('ed25519'),
    sign: (data: Uint8Array, key: KeyObject) => sign(null, data, key),
    verify: (data: Uint8Array, key: KeyObject, signature: Uint8Array) => verify(null, data, key, signature),
  },
  {
    pair: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    sign: (data: Uint8Array, key: KeyObject) => sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
    verify: (data: Uint8Array, key: KeyObject, signature: Uint8Array) =>
      verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature),
  },
  {
    pair: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
    sign: (data: Uint8Array, key: KeyObject) => sign('sha512', data, { key, ...PSS }),
    verify: (data: Uint8Array, key: KeyObject, signature: Uint8Array) =>
      verify('sha512', data, { key, ...PSS }, signature),
  },
];

const makeSigners = (): Signer[] =>
  KINDS.map((kind) => {
    const { publicKey, privateKey } = kind.pair();
    const known = readJwk(publicKey.export({ format: 'jwk' })) as PublicKey;
    const { keyid, algorithm } = known;
    const judge = {
      keyid,
      algorithm,
      verify: (data: Uint8Array, signature: Uint8Array) => kind.verify(data, publicKey, signature),
    };
    return { known, judge, sign: (data) => kind.sign(data, privateKey) };
  });

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const text = fc.stringMatching(/^[ !#-[\]-~]{0,12}[!#-[\]-~]$/);
const url = fc
  .record({
    host: word,
    port: fc.constantFrom('', ':8443'),
    path: fc.array(word, { maxLength: 3 }),
    query: fc.array(fc.tuple(word, word), { maxLength: 2 }),
  })
  .map(({ host, port, path, query }) => {
    const search = query.map(([name, value]) => `${name}=${value}`).join('&');
    return `https://${host}.example${port}/${path.join('/')}${search === '' ? '' : `?${search}`}`;
  });

/** What is done to a request after it was signed. */
const CHANGES: Readonly<Record<string, (request: JudgedRequest) => JudgedRequest>> = {
  nothing: (request) => request,
  method: (request) => ({ ...request, method: request.method === 'GET' ? 'POST' : 'GET' }),
  host: (request) => ({ ...request, url: request.url.replace('.example', '.invalid') }),
  path: (request) => ({ ...request, url: request.url.replace(/(\.example(?::\d+)?)\//, '$1/x/') }),
  query: (request) => ({ ...request, url: `${request.url}${request.url.includes('?') ? '&' : '?'}x=1` }),
  note: (request) => withHeader(request, 'x-note', (value) => `${value}x`),
  list: (request) => withHeader(request, 'x-list', (value) => value.replace('a=', 'a=1')),
  agent: (request) => withHeader(request, 'signature-agent', (value) => value.replace('agent.', 'b.agent.')),
  created: (request) => withHeader(request, 'signature-input', (value) => value.replace(/created=\d/, 'created=2')),
  keyid: (request) => withHeader(request, 'signature-input', (value) => value.replace(/keyid="./, 'keyid="_')),
  tag: (request) => withHeader(request, 'signature-input', (value) => value.replace('tag="web-bot-auth"', 'tag="x"')),
  signature: (request) =>
    withHeader(request, 'signature', (value) => value.replace(/:./, (was) => (was === ':A' ? ':B' : ':A'))),
  lost: (request) => withHeader(request, 'x-note', () => ''),
};

function withHeader(request: JudgedRequest, name: string, change: (value: string) => string): JudgedRequest {
  const { [name]: value = '', ...others } = request.headers;
  const changed = change(value);
  return { ...request, headers: changed === '' ? others : { ...others, [name]: changed } };
}

const COMPONENTS = ['@method', '@path', '@query', '@scheme', '@target-uri', 'x-note'];

const signedRequest = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  url,
  note: text,
  list: fc.nat(99),
  isListedTwice: fc.boolean(),
  components: fc.shuffledSubarray(COMPONENTS),
  coversList: fc.boolean(),
  isLegacy: fc.boolean(),
  label: fc.constantFrom('sig1', 'a', 'b-2'),
  member: fc.constantFrom('sig1', 'agent2'),
  kind: fc.constantFrom(0, 0, 0, 0, 1, 2),
  createdIn: fc.constantFrom(-30, -30, -30, 900),
  lasts: fc.constantFrom(600, 600, 600, 10),
  namesAlgorithm: fc.boolean(),
  nonce: fc.option(word, { nil: undefined }),
  change: fc.oneof(fc.constant('nothing'), fc.constantFrom(...Object.keys(CHANGES))),
});

type Drawn = typeof signedRequest extends fc.Arbitrary<infer T> ? T : never;

function made(drawn: Drawn, { known, sign: signData }: Signer, nowS: number): JudgedRequest {
  const { method, url: address, isLegacy, member, label, createdIn, lasts, nonce } = drawn;
  const agent = '"https://agent.example"';
  const headers: Record<string, string> = {
    'x-note': drawn.note,
    'x-list': `${drawn.isListedTwice ? 'a=5;q=1, ' : ''}a=${drawn.list};q=?0, b=("x" y)`,
    'signature-agent': isLegacy ? agent : `other="https://other.example", ${member}=${agent}`,
  };
  const created = nowS + createdIn;
  const fields = createSignatureSync(
    {
      kind: 'request',
      method,
      targetUri: address,
      fields: Object.entries(headers).map(([name, value]) => ({ name, value })),
    },
    {
      label,
      components: [
        '@authority',
        ...drawn.components,
        ...(drawn.coversList ? [{ name: 'x-list', parameters: { key: 'a' } }] : []),
        isLegacy ? 'signature-agent' : { name: 'signature-agent', parameters: { key: member } },
      ],
      parameters: {
        created,
        expires: created + lasts,
        keyid: known.keyid,
        ...(drawn.namesAlgorithm && { alg: known.algorithm }),
        ...(nonce !== undefined && { nonce }),
        tag: 'web-bot-auth',
      },
      signer: { algorithm: known.algorithm, sign: signData },
    },
  );
  return {
    method,
    url: address,
    headers: { ...headers, 'signature-input': fields.signatureInput, signature: fields.signature },
  };
}

function isValidHere({ method, url: address, headers }: JudgedRequest, { known }: Signer, nowMs: number): boolean {
  const request = requestOf(method, new URL(address), (name) => headers[name]);
  const { readings } = readSignatures(request, nowMs);
  return readings.some(
    ({ reason, base, keyid, signature }) =>
      reason === null && base !== null && keyid === known.keyid && verifySignature(known, base, signature),
  );
}

export function declareAgreement(cases: number): void {
  test(`${cases} generated requests are valid here exactly where both judges say so`, async () => {
    const signers = makeSigners();
    const seen = { valid: 0, invalid: 0 };
    const nowMs = Date.now();
    await fc.assert(
      fc.asyncProperty(signedRequest, async (drawn) => {
        const signer = signers[drawn.kind] as Signer;
        const request = (CHANGES[drawn.change] as (one: JudgedRequest) => JudgedRequest)(
          made(drawn, signer, Math.floor(nowMs / 1_000)),
        );
        const ours = isValidHere(request, signer, nowMs);
        assert.deepEqual(await judged(request, signer.judge), [ours, ours], JSON.stringify(request));
        seen[ours ? 'valid' : 'invalid'] += 1;
      }),
      { numRuns: cases },
    );
    assert.ok(seen.valid > cases / 5 && seen.invalid > cases / 5, JSON.stringify(seen));
  });
}

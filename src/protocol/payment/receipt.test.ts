import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { verifyReceipt as verifyAlone } from '../../../verify/avouch-verify.mjs';
import { ed25519PublicBytes } from '../ed25519.ts';
import { VECTOR_KEY, VECTORS } from './_payment-vectors.ts';
import { type Receipt, RECEIPT_KINDS, type ReceiptBody, receiptBytes, resultSha256, signReceipt } from './receipt.ts';
import { verifyReceipt, type PublishedReceiptKey } from './receipt-check.ts';

const { receipt, result, result_sha256, request, signed_bytes_sha256 } = VECTORS.receipt;
const { signature: _, kid: __, signer_pubkey: ___, ...body } = receipt;
/** The same in the form of today. */
const covering = signReceipt({ ...body, covers: '/result' }, VECTOR_KEY);
const answer = { kind: 'eu_vat', result };
const KEY: PublishedReceiptKey = {
  kid: VECTOR_KEY.kid,
  publicKey: VECTOR_KEY.publicKey,
  role: 'root',
  retiredAt: null,
};
const keys = [KEY];
const trust = { keys, sandbox: true };

const outcomes = (question: Parameters<typeof verifyReceipt>[0]) =>
  Object.fromEntries(verifyReceipt(question).checks.map(({ name, ok }) => [name, ok]));

test('the receipt of the vector is signed again to the same bytes', () => {
  assert.equal(resultSha256(result), result_sha256);
  assert.equal(createHash('sha256').update(receiptBytes(receipt)).digest('hex'), signed_bytes_sha256);
  assert.deepEqual(signReceipt(body as ReceiptBody, VECTOR_KEY), receipt);
});

test('a good receipt with its answer and request passes every check', () => {
  const verdict = verifyReceipt({ receipt: covering, answer, request, ...trust });
  assert.deepEqual(
    verdict.checks.map(({ ok }) => ok),
    [true, true, true, true, true],
  );
  assert.equal(verdict.outcome, 'valid');
  assert.deepEqual(verdict.key, KEY);
  assert.equal(verdict.sandbox, true);
});

test('what was not sent is not checked', () => {
  assert.deepEqual(outcomes({ receipt, ...trust }), {
    signature: true,
    key_published: true,
    result_sha256: null,
    request_sha256: null,
    sandbox: true,
  });
});

/** Every path to a value inside the receipt. */
function pathsOf(value: object, before: readonly string[] = []): (readonly string[])[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null ? pathsOf(inner, [...before, name]) : [[...before, name]],
  );
}

function changed(path: readonly string[]): Receipt {
  const copy = structuredClone(receipt) as unknown as Record<string, unknown>;
  const owner = path.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, copy);
  const name = path.at(-1) as string;
  const value = owner[name];
  owner[name] = typeof value === 'string' ? `${value}x` : typeof value === 'number' ? value + 1 : !value;
  return copy as unknown as Receipt;
}

for (const path of pathsOf(receipt)) {
  test(`a changed ${path.join('.')} breaks the signature`, () => {
    const verdict = verifyReceipt({ receipt: changed(path), ...trust });
    assert.equal(verdict.checks[0]?.ok, false);
    assert.equal(verdict.outcome, 'invalid');
  });
}

test('a member that is added or removed breaks the signature', () => {
  assert.equal(outcomes({ receipt: { ...receipt, agent: 'a' }, ...trust }).signature, false);
  const { payment: _payment, ...unpaid } = receipt;
  assert.equal(outcomes({ receipt: unpaid, ...trust }).signature, false);
});

test('a receipt that somebody else signed well is not one of the service', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(ed25519PublicBytes(publicKey)).toString('base64');
  const forged = signReceipt(body, { privateKey, publicKey: raw, kid: VECTOR_KEY.kid });
  const { signature, key_published } = outcomes({ receipt: forged, ...trust });
  assert.deepEqual({ signature, key_published }, { signature: true, key_published: false });
  assert.equal(verifyReceipt({ receipt: forged, ...trust }).outcome, 'invalid');
});

test('the right key under another name is not published', () => {
  const renamed = signReceipt(body, { ...VECTOR_KEY, kid: 'did:web:other.example#21fe31dfa154a261' });
  assert.deepEqual(outcomes({ receipt: renamed, ...trust }).key_published, false);
});

test('another result or request than the bound one is refused', () => {
  const other = (given: object) => outcomes({ receipt: covering, answer: { result: given }, ...trust }).result_sha256;
  assert.equal(other({ ...result, valid: false }), false);
  assert.equal(outcomes({ receipt, request: { ...request, query: {} }, ...trust }).request_sha256, false);
  assert.equal(other({ deep: 1n }), false, 'what is no JSON has no hash');
});

test('a receipt whose covers cannot be read covers nothing', () => {
  for (const covers of ['', 'result', '/', '/a~2', [], ['/result', '/result'], ['/result', 7], 7, null, '/a/b/c/d/e']) {
    const odd = signReceipt({ ...body, covers } as ReceiptBody, VECTOR_KEY);
    assert.equal(verifyReceipt({ receipt: odd, answer, ...trust }).outcome, 'invalid', JSON.stringify(covers));
  }
});

test('what is no receipt is refused without a throw', () => {
  for (const other of [undefined, null, 1, 'x', [], {}, [receipt], { ...receipt, signature: 7 }, { __proto__: null }]) {
    assert.equal(verifyReceipt({ receipt: other, ...trust }).outcome, 'invalid');
  }
});

test('a well signed object of an unknown type or kind is no receipt', () => {
  for (const change of [{ type: 'avouch.other.v1' }, { kind: 'lease' }, { type: 'toString' }, { sandbox: 'no' }]) {
    const signed = signReceipt({ ...body, ...change } as ReceiptBody, VECTOR_KEY);
    assert.equal(outcomes({ receipt: signed, ...trust }).signature, false, JSON.stringify(change));
  }
});

test('each type of receipt can be signed without payment and verified', () => {
  const { payment: _payment, ...unpaid } = body;
  for (const [type, kinds] of Object.entries(RECEIPT_KINDS)) {
    for (const kind of kinds) {
      const signed = signReceipt({ ...unpaid, type, kind, charge: { charged_eur: '0.10' } } as ReceiptBody, VECTOR_KEY);
      assert.equal(verifyReceipt({ receipt: signed, ...trust }).outcome, 'answer_not_given');
    }
  }
});

interface Case {
  readonly name: string;
  readonly answer?: { readonly receipt: Receipt };
  readonly receipt?: Receipt;
  readonly request?: typeof request;
  readonly outcome: string;
  readonly uncovered?: readonly string[];
}

const FILE = new URL('../../../test/vectors/receipts.json', import.meta.url);
const { cases, covered } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  readonly cases: readonly Case[];
  readonly covered: readonly { readonly canonical: string; readonly result_sha256: string }[];
};

for (const { name, outcome, uncovered, ...given } of cases) {
  test(`the vector with ${name} is ${outcome} here and before the verifier that others run`, async () => {
    const { answer: whole, request: asked } = given;
    const signed = given.receipt ?? whole?.receipt;
    const here = verifyReceipt({ receipt: signed, answer: whole, request: asked, ...trust });
    const options = { answer: whole, request: asked, keys: [KEY.publicKey], sandbox: true };
    const there = await verifyAlone(signed, options);
    assert.deepEqual([here.outcome, there.outcome, there.valid], [outcome, outcome, outcome === 'valid']);
    if (uncovered !== undefined) assert.deepEqual([here.uncovered, there.uncovered], [uncovered, uncovered]);
  });
}

test('the digests of the vectors are those of the canonical texts beside them', () => {
  for (const { canonical, result_sha256: digest } of covered) {
    assert.equal(createHash('sha256').update(canonical).digest('hex'), digest);
  }
});

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { suite, test } from 'node:test';
import { decode, type Tag } from 'cbor2';
import fc from 'fast-check';
import { type CoseCase, COSE_JUDGE_SKIP, pythonVerdicts } from '../../test/referees/cose-judge.ts';
import {
  caseOf,
  consistencyOf,
  entriesOf,
  GOLDEN_ENTRIES as ENTRIES,
  GOLDEN_TREE as TREE,
  inclusionOf,
  KEY,
  keyOf,
  LOG,
  treeOf,
} from './_cose-cases.ts';
import { decodeCbor, encodeCbor } from './cbor.ts';
import {
  coseKey,
  coseKeysIn,
  coseKeyThumbprint,
  verifyConsistencyReceipt,
  verifyInclusionReceipt,
} from './cose-receipt.ts';

const TRUST = { keys: [KEY.publicKey], log: LOG };
const VECTOR =
  'd284585fa40127045820687570fb0ffcb69733beeb8155c779a59274e4cf9ccc9038dab7ef10ad1ffffe0fa2017668747470733a2f2f6174746573742e6578616d706c650278186174746573742e6578616d706c652f61737472616c6f636b19018b01a119018ca12081586a830805835820bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b5820ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae05820d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7f6584076d42efc0a61922a9b489849af76f9c9c62900919546c2ad0a549164c670521723ac38f8a68455a24c5c2c1dfa5d14dcfc560561ed5a864eb66ed69ce0f63801';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const sha256 = (bytes: Uint8Array) => hash('sha256', bytes);

/** False also for bytes that are no receipt. */
function isValid(verify: () => { readonly valid: boolean }): boolean {
  try {
    return verify().valid;
  } catch (error) {
    assert.equal((error as Error).name, 'ProtocolError');
    return false;
  }
}

suite('a COSE receipt of the golden log (RFC 9942)', () => {
  test('of entry 5 at size 8 equals the vector byte for byte', () => {
    const receipt = inclusionOf(TREE, 5, 8);
    assert.equal(hex(receipt), VECTOR);
    assert.equal(receipt.length, 281);
    assert.equal(sha256(receipt), 'aa655aecee291359159dc97a1858226ab2eb552191e94ae91db7e4f3bd5fdf48');
    const { valid, size, at, root } = verifyInclusionReceipt(receipt, ENTRIES[5] as Uint8Array, TRUST);
    assert.deepEqual([valid, size, at, hex(root as Uint8Array)], [true, 8, 5, hex(TREE.root(8))]);
  });

  test('of sizes 5 and 8 equals the vector, and proves that one tree starts with the other', () => {
    const receipt = consistencyOf(TREE, 5, 8);
    assert.equal(receipt.length, 348);
    assert.equal(sha256(receipt), 'bb1f3fbc999b1475026af9bd5d436abd02962cdba8017ad4fb5db110f585beb3');
    assert.equal(verifyConsistencyReceipt(receipt, TREE.root(5), TRUST).valid, true);
    assert.equal(verifyConsistencyReceipt(receipt, TREE.root(4), TRUST).valid, false);
  });

  test('names its key by the RFC 9679 thumbprint', () => {
    assert.equal(
      hex(coseKeyThumbprint(KEY.publicKey)),
      '687570fb0ffcb69733beeb8155c779a59274e4cf9ccc9038dab7ef10ad1ffffe',
    );
    const bare = coseKey(KEY.publicKey);
    const required = new Map([...bare].filter(([name]) => name !== 2 && name !== 3));
    assert.equal(
      hex(encodeCbor(required)),
      'a3010120062158201a5cd907143c384c41e830c5bce12aa8817ec5649aaabf2c31388b35b2d744d6',
    );
    for (const set of [[bare], [new Map([[1, 4]]), bare], bare]) {
      assert.deepEqual(coseKeysIn(encodeCbor(set)).map(hex), [hex(KEY.publicKey)]);
    }
  });

  test('has the structure that cbor2 prints', () => {
    const { tag, contents } = decode(Buffer.from(VECTOR, 'hex')) as Tag;
    const [header, , payload] = contents as [Uint8Array, unknown, null, Uint8Array];
    assert.deepEqual([Number(tag), payload], [18, null]);
    const members = decode(header) as Map<number, unknown>;
    assert.deepEqual([...members.keys()], [1, 4, 15, 395]);
  });

  test('with one changed byte verifies nowhere', () => {
    const entry = ENTRIES[5] as Uint8Array;
    const cases: CoseCase[] = [];
    for (let at = 0; at < VECTOR.length / 2; at++) {
      const changed = Buffer.from(VECTOR, 'hex');
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(
        isValid(() => verifyInclusionReceipt(changed, entry, TRUST)),
        false,
        `byte ${at}`,
      );
      cases.push(caseOf(changed, { entry: hex(entry) }));
    }
    if (COSE_JUDGE_SKIP === false) assert.ok(!pythonVerdicts(cases).includes(true));
  });

  test('is refused for another entry, key, issuer or origin', () => {
    const receipt = Buffer.from(VECTOR, 'hex');
    const entry = ENTRIES[5] as Uint8Array;
    const failed = (of: Uint8Array, trust: Parameters<typeof verifyInclusionReceipt>[2]) =>
      verifyInclusionReceipt(receipt, of, trust)
        .checks.filter(({ ok }) => ok === false)
        .map(({ name }) => name);
    assert.deepEqual(failed(entry, TRUST), []);
    assert.deepEqual(failed(ENTRIES[4] as Uint8Array, TRUST), ['signature']);
    assert.deepEqual(failed(entry, { ...TRUST, keys: [keyOf('00'.repeat(32)).publicKey] }), ['key', 'signature']);
    assert.deepEqual(failed(entry, { ...TRUST, log: { iss: 'http://127.0.0.1:8402' } }), ['issuer']);
    assert.deepEqual(failed(entry, { ...TRUST, log: { sub: 'sandbox.invalid/astralock' } }), ['log']);
  });

  test('says of issuer and log that they were not compared where nobody says what they must be', () => {
    const receipt = Buffer.from(VECTOR, 'hex');
    const okOf = (log: Partial<typeof LOG>) => {
      const { valid, checks } = verifyInclusionReceipt(receipt, ENTRIES[5] as Uint8Array, { ...TRUST, log });
      const [issuer, origin] = ['issuer', 'log'].map((wanted) => checks.find(({ name }) => name === wanted)?.ok);
      return [valid, issuer, origin];
    };
    assert.deepEqual(okOf({}), [true, null, null]);
    assert.deepEqual(okOf({ iss: LOG.iss }), [true, true, null]);
    assert.deepEqual(okOf({ sub: LOG.sub }), [true, null, true]);
    assert.deepEqual(okOf(LOG), [true, true, true]);
    assert.deepEqual(okOf({ sub: 'sandbox.invalid/astralock' }), [false, null, false]);
  });

  test('does not exist for a tree of one entry', () => {
    assert.throws(() => inclusionOf(TREE, 0, 1), { code: 'out_of_range' });
  });
});

suite('COSE receipts of random trees', () => {
  const places = fc
    .integer({ min: 2, max: 300 })
    .chain((size) =>
      fc.record({ size: fc.constant(size), index: fc.nat(size - 1), first: fc.integer({ min: 1, max: size - 1 }) }),
    );

  test('lead to the root of the tree, and the Python judge agrees', () => {
    const tree = treeOf(entriesOf(300));
    const cases: CoseCase[] = [];
    fc.assert(
      fc.property(places, ({ size, index, first }) => {
        const entry = Buffer.from(`entry ${index}`);
        const included = inclusionOf(tree, index, size);
        const result = verifyInclusionReceipt(included, entry, TRUST);
        assert.deepEqual([result.valid, result.size, result.at], [true, size, index]);
        assert.deepEqual(hex(result.root as Uint8Array), hex(tree.root(size)));
        const grown = consistencyOf(tree, first, size);
        assert.equal(verifyConsistencyReceipt(grown, tree.root(first), TRUST).valid, true);
        cases.push(caseOf(included, { entry: hex(entry) }), caseOf(grown, { root: hex(tree.root(first)) }));
      }),
      { numRuns: 100 },
    );
    if (COSE_JUDGE_SKIP === false) assert.ok(!pythonVerdicts(cases).includes(false));
  });

  test('bytes that are no receipt are refused, never accepted', () => {
    const receipt = inclusionOf(TREE, 5, 8);
    const cut = fc
      .record({ at: fc.nat(receipt.length - 1), byte: fc.nat(255) })
      .map(({ at, byte }) => receipt.with(at, byte));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), cut), (bytes) => {
        if (Buffer.compare(bytes, receipt) === 0) return;
        assert.equal(
          isValid(() => verifyInclusionReceipt(bytes, ENTRIES[5] as Uint8Array, TRUST)),
          false,
        );
      }),
      { numRuns: 300 },
    );
    const [header, proofs, , signature] = (decodeCbor(receipt) as unknown as { value: never[] }).value;
    const attached = encodeCbor([header, proofs, TREE.root(8), signature] as never);
    assert.throws(() => verifyInclusionReceipt(attached, new Uint8Array(), TRUST), { code: 'receipt_malformed' });
  });
});

test('the Python judge is asked', { skip: COSE_JUDGE_SKIP }, () => {
  assert.deepEqual(pythonVerdicts([caseOf(Buffer.from(VECTOR, 'hex'), { entry: hex(ENTRIES[5] as Uint8Array) })]), [
    true,
  ]);
});

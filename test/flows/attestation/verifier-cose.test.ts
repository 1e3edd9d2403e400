// COSE receipts in the verifier that others run, with the service's own code as its judge.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type Cbor, CborTag, encodeCbor } from '#protocol/cbor.ts';
import {
  coseKey,
  coseKeyThumbprint,
  verifyConsistencyReceipt,
  verifyInclusionReceipt,
} from '#protocol/cose-receipt.ts';
import { ed25519Sign } from '#protocol/ed25519.ts';
import {
  consistencyOf,
  GOLDEN_ENTRIES,
  GOLDEN_TREE as TREE,
  inclusionOf,
  KEY,
  KEYS,
  keyOf,
  LOG,
} from '../../../src/protocol/_cose-cases.ts';
import { verifyCoseReceipt } from '../../../verify/avouch-verify.mjs';
import { sealRecord } from '../../support/log.ts';
import { bytesAt } from '../../support/raw-bytes.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, assertValid, flipped } from './small-changes.ts';

type Question = { readonly entry: Uint8Array } | { readonly root: Uint8Array };

const ENTRY = { entry: GOLDEN_ENTRIES[5] as Uint8Array };
const OLDER = { root: TREE.root(5) };
const TRUST = { keys: Buffer.from(KEYS, 'hex'), issuer: LOG.iss, subject: LOG.sub };
const INCLUDED = inclusionOf(TREE, 5, 8);
const GROWN = consistencyOf(TREE, 5, 8);
const SHORT_HASH = TREE.inclusionPath(5, 8).with(1, new Uint8Array(31));
const VECTORS: readonly (readonly [receipt: Uint8Array, question: Question, sha256: string])[] = [
  [INCLUDED, ENTRY, 'aa655aecee291359159dc97a1858226ab2eb552191e94ae91db7e4f3bd5fdf48'],
  [GROWN, OLDER, 'bb1f3fbc999b1475026af9bd5d436abd02962cdba8017ad4fb5db110f585beb3'],
];

/** What is put in place of a member of a vector; undefined leaves it. */
interface Changes {
  readonly header?: ReadonlyMap<number, Cbor | undefined>;
  readonly size?: Cbor | undefined;
  readonly at?: Cbor | undefined;
  readonly path?: Cbor | undefined;
  readonly payload?: Cbor | undefined;
  readonly proofs?: number;
  readonly tag?: number;
}

/** A vector with changes, which its key signed as they are. */
function signed(grows: boolean, changes: Changes): Uint8Array {
  const changed = [...(changes.header ?? [])].filter(([, value]) => value !== undefined);
  const header = encodeCbor(
    new Map<number, Cbor>([
      [1, -8],
      [4, coseKeyThumbprint(KEY.publicKey)],
      [15, claims([1, LOG.iss], [2, LOG.sub])],
      [395, 1],
      ...(changed as [number, Cbor][]),
    ]),
  );
  const { size = 8, at = 5, proofs = 1, tag = 18 } = changes;
  const { path = grows ? TREE.consistencyProof(5, 8) : TREE.inclusionPath(5, 8) } = changes;
  const { payload = grows ? TREE.root(8) : null } = changes;
  const proof = encodeCbor(grows ? [at, size, path] : [size, at, path]);
  const unprotected = new Map([[396, new Map([[grows ? -2 : -1, Array.from({ length: proofs }, () => proof)]])]]);
  const message = encodeCbor(['Signature1', header, new Uint8Array(), TREE.root(8)]);
  return encodeCbor(new CborTag(tag, [header, unprotected, payload, ed25519Sign(KEY.privateKey, message)]));
}

function claims(...members: readonly [number, Cbor][]): ReadonlyMap<number, Cbor> {
  return new Map(members);
}

/** What the service's own code finds, which throws for bytes of another form. */
function judged(bytes: Uint8Array, question: Question): unknown {
  const trust = { keys: [KEY.publicKey], log: LOG };
  try {
    const { checks, size, at, log } =
      'entry' in question
        ? verifyInclusionReceipt(bytes, question.entry, trust)
        : verifyConsistencyReceipt(bytes, question.root, trust);
    return { checks: checks.map(({ name, ok }) => [name, ok]), size, at, log };
  } catch (error) {
    assert.equal((error as Error).name, 'ProtocolError');
    return { checks: [['form', false]] };
  }
}

/** Whether the receipt is valid, after both have found the same. */
async function agreed(bytes: Uint8Array, question: Question): Promise<boolean> {
  const { valid, checks, root: _, ...said } = await verifyCoseReceipt(bytes, { ...question, ...TRUST });
  const found = { checks: checks.map(({ name, ok }) => [name, ok]), ...said };
  assert.deepEqual(found, judged(bytes, question), Buffer.from(bytes).toString('hex'));
  return valid;
}

suite('the vectors', () => {
  test('are valid, and their log is named', async () => {
    for (const [receipt, question, sha256] of VECTORS) {
      assert.equal(createHash('sha256').update(receipt).digest('hex'), sha256);
      const result = await verifyCoseReceipt(receipt, { ...question, ...TRUST });
      assertValid(result);
      assert.deepEqual([result.log, result.size, result.at], [LOG, 8, 5]);
      assert.deepEqual(Buffer.from(result.root ?? []), Buffer.from(TREE.root(8)));
      assert.equal(await agreed(receipt, question), true);
    }
  });

  test('are valid with WebCrypto, where there is no Node', async (t) => {
    t.mock.property(process, 'getBuiltinModule', undefined);
    const { href } = new URL('../../../verify/avouch-verify.mjs?browser', import.meta.url);
    const inBrowser = (await import(href)) as typeof import('../../../verify/avouch-verify.mjs');
    const verify = t.mock.method(globalThis.crypto.subtle, 'verify');
    for (const [receipt, question] of VECTORS) {
      assertValid(await inBrowser.verifyCoseReceipt(receipt, { ...question, ...TRUST }));
      const changed = receipt.with(-1, (receipt.at(-1) ?? 0) ^ 1);
      assertRefused(await inBrowser.verifyCoseReceipt(changed, { ...question, ...TRUST }), 'changed', 'signature');
    }
    assert.equal(verify.mock.callCount(), 4);
  });

  test('are refused with any bit changed', async () => {
    for (const [receipt, question] of VECTORS) {
      for (const changed of flipped(receipt)) {
        assertRefused(await verifyCoseReceipt(changed, { ...question, ...TRUST }), changed.toString('hex'));
      }
    }
  });

  test('do not sign their size: another one that the path fits is valid too', async () => {
    for (const [receipt, question] of VECTORS) {
      const smaller = signed('root' in question, { size: 7 });
      assert.equal(smaller.filter((byte, i) => byte !== receipt[i]).length, 1);
      assert.equal(await agreed(smaller, question), true);
    }
  });
});

test('a COSE receipt is refused for another entry, root, key, issuer or log', async () => {
  const foreign = encodeCbor([coseKey(keyOf('00'.repeat(32)).publicKey)]);
  const good = { ...ENTRY, ...TRUST };
  const cases: [Uint8Array, Parameters<typeof verifyCoseReceipt>[1], string[]][] = [
    [INCLUDED, { ...ENTRY, keys: TRUST.keys }, []],
    [INCLUDED, { ...good, entry: Buffer.of(1) }, ['signature']],
    [INCLUDED, { ...good, keys: foreign }, ['key', 'signature']],
    [INCLUDED, { ...good, issuer: 'http://127.0.0.1:8402' }, ['issuer']],
    [INCLUDED, { ...good, subject: 'sandbox.invalid/astralock' }, ['log']],
    [INCLUDED, { ...TRUST, ...OLDER }, ['form']],
    [signed(false, { path: SHORT_HASH }), good, ['path', 'signature']],
    [GROWN, good, ['form']],
    [GROWN, { ...TRUST, root: TREE.root(4) }, ['path', 'signature']],
    [GROWN, { ...TRUST, root: OLDER.root.subarray(1) }, ['path', 'signature']],
  ];
  for (const [receipt, options, expected] of cases) {
    const { checks } = await verifyCoseReceipt(receipt, options);
    const failed = checks.filter(({ ok }) => ok === false).map(({ name }) => name);
    assert.deepEqual(failed, expected, JSON.stringify(checks));
  }
});

test('issuer and log of a COSE receipt are compared only where the caller names them, and the checks say so', async () => {
  const { issuer, subject } = TRUST;
  for (const [names, expected] of [
    [{}, [null, null]],
    [{ issuer }, [true, null]],
    [{ subject }, [null, true]],
    [{ issuer, subject }, [true, true]],
  ] as const) {
    const { valid, checks } = await verifyCoseReceipt(INCLUDED, { ...ENTRY, keys: TRUST.keys, ...names });
    const found = ['issuer', 'log'].map((wanted) => checks.find(({ name }) => name === wanted)?.ok);
    assert.deepEqual([valid, found], [true, expected]);
  }
});

test('a COSE receipt may give its algorithm either name, and its key may come in four forms', async () => {
  const newer = signed(false, { header: new Map([[1, -19]]) });
  assert.equal(await agreed(newer, ENTRY), true);
  for (const keys of [
    encodeCbor(coseKey(KEY.publicKey)),
    encodeCbor([coseKey(KEY.publicKey)]),
    encodeCbor([new Map([[1, 4]]), 5, [], coseKey(KEY.publicKey)]),
    [Buffer.from(KEY.publicKey).toString('base64')],
  ]) {
    assertValid(await verifyCoseReceipt(newer, { ...ENTRY, ...TRUST, keys }));
  }
});

test('a COSE receipt of any form and any bytes are judged as by the service', async () => {
  const usually = <T>(...others: T[]) =>
    fc.oneof({ arbitrary: fc.constant(undefined), weight: 12 }, fc.constantFrom(...others));
  const place = usually<Cbor>(-1, 0, 4, 6, 7, 9, 24, 256, 2 ** 32, Number.MAX_SAFE_INTEGER, 'x');
  const header = fc
    .tuple(
      usually<Cbor>(-19, -7, null),
      usually<Cbor>(new Uint8Array(32), 'kid'),
      usually<Cbor>(
        claims([1, LOG.iss]),
        claims([1, 'https://other.example'], [2, LOG.sub]),
        claims([1, LOG.iss], [2, LOG.sub], [9, new CborTag(1, [null, 'é'])]),
        [],
      ),
      usually<Cbor>(2),
    )
    .map(
      ([alg, kid, cwt, vds]) =>
        new Map([
          [1, alg],
          [4, kid],
          [15, cwt],
          [395, vds],
        ] as const),
    );
  const path = usually<Cbor>(
    [],
    SHORT_HASH,
    ['x'],
    Array.from({ length: 65 }, () => new Uint8Array(32)),
  );
  const payload = usually<Cbor>(null, TREE.root(8), new Uint8Array(3), 5);
  const number = (usual: number, ...others: number[]) => usually(...others).map((other) => other ?? usual);
  const changes = fc.record({
    header,
    size: place,
    at: place,
    path,
    payload,
    proofs: number(1, 0, 2),
    tag: number(18, 17),
  });
  const receipt = fc.tuple(fc.boolean(), changes).map(([grows, change]) => signed(grows, change));
  const spliced = fc
    .tuple(receipt, fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 }))
    .map(([bytes, far, cut, put]) => {
      const at = far % bytes.length;
      return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]);
    });
  const bytes = fc.oneof(receipt, spliced, fc.uint8Array({ maxLength: 300 }));
  const verdicts = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom<Question>(ENTRY, OLDER), async (made, question) => {
      verdicts.add(await agreed(made, question));
    }),
    { numRuns: 600 },
  );
  assert.equal(verdicts.size, 2, 'valid ones and others');
});

test('a COSE receipt has one spelling, also where nothing is signed', async () => {
  const whole = Buffer.from(INCLUDED).toString('hex');
  const member = /19018ca12081586a(?:[0-9a-f]{2}){106}/.exec(whole)?.[0] as string;
  const withMap = (map: string) => Buffer.from(whole.replace(`a1${member}`, map), 'hex');
  for (const [map, isValid] of [
    [`a1${member}`, true],
    [`a20000${member}`, true],
    [`a201626869${member}`, true],
    [`a200${'81'.repeat(5)}00${member}`, true],
    [`a200${'81'.repeat(6)}00${member}`, false],
    [`a200${'c1'.repeat(6)}00${member}`, false],
    [`a200${'81'.repeat(9_000)}00${member}`, false],
    [`a2${member}0000`, false],
    [`a300000000${member}`, false],
    [`b801${member}`, false],
    [`bf${member}ff`, false],
    [`a2180000${member}`, false],
    [`a200190001${member}`, false],
    [`a2001bffffffffffffffff${member}`, false],
    [`a2003b001fffffffffffff${member}`, false],
    [`a200f5${member}`, false],
    [`a200f90000${member}`, false],
    [`a20062c328${member}`, false],
    [`a2005affffffff${member}`, false],
    [`a2009affffffff${member}`, false],
    [`a2${member}4000`, false],
    [`a1${member}00`, false],
  ] as const) {
    assert.equal(await agreed(withMap(map), ENTRY), isValid, map.slice(0, 40));
  }
  for (const first of [0x81, 0xc1]) assert.equal(await agreed(new Uint8Array(16_384).fill(first), ENTRY), false);
});

test('whatever is given for a COSE receipt, its question and its keys, nothing is thrown and nothing accepted', async () => {
  for (const value of [undefined, null, 0, '', 'x', [], [null], ['x'], {}, new Uint8Array(), new Uint8Array(2e6)]) {
    const any = value as never;
    assertRefused(await verifyCoseReceipt(any, { ...ENTRY, ...TRUST }), 'receipt', 'form');
    assertRefused(await verifyCoseReceipt(INCLUDED, { ...ENTRY, ...TRUST, keys: any }), 'keys', 'key');
    assertRefused(await verifyCoseReceipt(INCLUDED, { ...TRUST, entry: any }), 'entry');
    assertRefused(await verifyCoseReceipt(GROWN, { ...TRUST, root: any }), 'root');
  }
  assertRefused(await verifyCoseReceipt(GROWN, { ...TRUST, ...ENTRY, ...OLDER }), 'both', 'form');
  assertRefused(await verifyCoseReceipt(INCLUDED, undefined as never), 'nothing', 'form');
});

test('COSE receipts of the service are valid for an entry, and for a root of before it', async () => {
  const service = await sharedService();
  const { json: before } = await service.call('/api/astralock/sth');
  const { json: sealed } = await sealRecord(service, 'a record for the verifier');
  const read = async (path: string) => (await bytesAt(service, path)).bytes;
  const keys = await read('/.well-known/scitt-keys');
  const trust = { keys, issuer: service.url, subject: String(before['origin']) };
  const included = await read(`/api/attest/receipt/${String(sealed['attestation_id'])}`);
  const entry = Buffer.from(String(sealed['entry']), 'base64');
  assertValid(await verifyCoseReceipt(included, { ...trust, entry }));
  const grown = await read(`/api/astralock/consistency?first=${String(before['tree_size'])}`);
  const root = Buffer.from(String(before['root_hash']), 'hex');
  assertValid(await verifyCoseReceipt(grown, { ...trust, root }));
});

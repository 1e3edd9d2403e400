import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { runs } from '#properties';
import {
  entries,
  entry,
  keyOf,
  log,
  NOW,
  openPolicy,
  origin,
  policy,
  proof,
  proofOf,
  signed,
  testChangedProofBits,
  text,
  tree,
  witness,
  witnessed,
} from './_proven-entries.ts';
import { refusesWrongTypes } from './_wrong-types.ts';
import { signCheckpoint } from './checkpoint.ts';
import { ed25519Cosigner } from './cosignature.ts';
import { leafHash } from './merkle.ts';
import { ed25519NoteSigner, formatSignatureLine } from './note.ts';
import { formatVkey } from './note-key.ts';
import { verifyPolicyCheckpoint } from './policy-checkpoint.ts';
import { ProtocolError } from './protocol-error.ts';
import { formatTlogProof, parseTlogProof, verifyTlogProof } from './tlog-proof.ts';
import { parsePolicy } from './witness-policy.ts';

suite('C2SP tlog-proof, verifying', () => {
  test('every entry of the log is proven offline, with index, checkpoint and cosignatures', () => {
    entries.forEach((one, index) => {
      const proven = verifyTlogProof({ proof: proofOf(index), entry: one }, policy, NOW);
      assert.deepEqual([proven.index, proven.checkpoint.size, proven.leafHash], [BigInt(index), 13n, leafHash(one)]);
      assert.deepEqual(
        proven.signatures.logSignatures.map(({ key }) => key.name),
        [origin],
      );
      assert.deepEqual(
        proven.signatures.cosignatures.map(({ timeSeconds }) => timeSeconds),
        [BigInt(NOW)],
      );
    });
  });

  test('a proof of one entry never answers for another, whatever its extra line says', () => {
    for (const other of [...entries.filter((one) => one !== entry), Buffer.alloc(0)]) {
      assert.throws(() => verifyTlogProof({ proof, entry: other }, policy, NOW), { code: 'inclusion_invalid' });
    }
    const relabelled = formatTlogProof({ ...parseTlogProof(proof), extra: entries[6] ?? null });
    const [bound] = [parseTlogProof(relabelled).extra ?? assert.fail()];
    assert.throws(() => verifyTlogProof({ proof: relabelled, entry: bound }, policy, NOW), {
      code: 'inclusion_invalid',
    });
  });

  // A bit of every byte.
  testChangedProofBits(7);

  test('the quorum of the policy decides, and a future cosignature does not count', () => {
    assert.throws(() => verifyTlogProof({ proof: proofOf(5, signed), entry }, policy, NOW), { code: 'quorum_not_met' });
    assert.throws(() => verifyTlogProof({ proof, entry }, policy, NOW - 61), { code: 'quorum_not_met' });
    const open = verifyTlogProof({ proof, entry }, openPolicy, NOW - 61);
    assert.deepEqual([open.signatures.cosignatures.length, open.signatures.ignored.length], [0, 1]);
  });

  test('a log that the policy does not name is refused, even where its witness is known', () => {
    const stranger = parsePolicy(`witness w ${formatVkey(witness.key)}\nquorum w\n`);
    assert.throws(() => verifyTlogProof({ proof, entry }, stranger, NOW), { code: 'origin_unsigned' });
    const other = ed25519NoteSigner('other.example', keyOf(3));
    const strange = parsePolicy(`log ${formatVkey(other.key)}\nquorum none\n`);
    assert.throws(() => verifyTlogProof({ proof, entry }, strange, NOW), { code: 'signature_missing' });
    const crossSigned = signCheckpoint({ origin, size: 13, root: tree.root() }, [other]);
    assert.throws(() => verifyPolicyCheckpoint(crossSigned, strange, NOW), { code: 'origin_unsigned' });
  });

  test('a witness that bears the name of the origin does not make the log', () => {
    const namesake = ed25519Cosigner(origin, keyOf(7));
    const note = `${text}\n${formatSignatureLine(namesake.cosign(text, NOW))}`;
    const trusting = parsePolicy(`log ${formatVkey(log.key)}\nwitness w ${formatVkey(namesake.key)}\nquorum w\n`);
    assert.throws(() => verifyPolicyCheckpoint(note, trusting, NOW), { code: 'origin_unsigned' });
    const other = ed25519NoteSigner('other.example', keyOf(3));
    const both = note + formatSignatureLine(other.sign(text));
    const lenient = parsePolicy(`log ${formatVkey(other.key)}\nwitness w ${formatVkey(namesake.key)}\nquorum w\n`);
    assert.throws(() => verifyPolicyCheckpoint(both, lenient, NOW), { code: 'origin_unsigned' });
  });

  test('one key that is both log and witness is verified once and counts as both', () => {
    const own = ed25519Cosigner(origin, keyOf(8));
    const note = `${text}\n${formatSignatureLine(own.cosign(text, NOW))}`;
    const both = parsePolicy(`log ${formatVkey(own.key)}\nwitness w ${formatVkey(own.key)}\nquorum w\n`);
    const { logSignatures, cosignatures } = verifyPolicyCheckpoint(note, both, NOW);
    assert.deepEqual([logSignatures.length, cosignatures.length], [1, 1]);
  });
});

suite('C2SP tlog-proof, text', () => {
  test('a proof is read in its parts and written alike', () => {
    const read = parseTlogProof(Buffer.from(proof));
    assert.deepEqual([read.index, read.extra, read.path], [5n, entry, tree.inclusionPath(5)]);
    assert.equal(read.checkpoint, witnessed);
    assert.equal(formatTlogProof(read), proof);
    const asText = read.path.map((hash) => Buffer.from(hash).toString('base64'));
    assert.equal(formatTlogProof({ ...read, path: asText }), proof);
    const bare = formatTlogProof({ index: 0, path: [], checkpoint: signed });
    assert.equal(bare, `c2sp.org/tlog-proof@v1\nindex 0\n\n${signed}`);
    assert.deepEqual([parseTlogProof(bare).extra, parseTlogProof(bare).path], [null, []]);
  });

  test('malformed files are refused', () => {
    const line = Buffer.from(tree.inclusionPath(5)[0] as Uint8Array).toString('base64');
    for (const wrong of [
      '',
      proof.replace('@v1', '@v2'),
      `\n${proof}`,
      proof.replaceAll('\n', '\r\n'),
      proof.replace('index 5\n', ''),
      proof.replace('index 5', 'index 05'),
      proof.replace('index 5', 'index -5'),
      proof.replace('index 5', 'index  5'),
      proof.replace('index 5', 'index 9223372036854775808'),
      proof.replace('index 5\n', 'index 5\nindex 5\n'),
      proof.replace(/(extra .*\n)(index 5\n)/, '$2$1'),
      proof.replace(/(extra .*\n)/, '$1$1'),
      proof.replace('extra ', 'extra  '),
      proof.replace(/extra .*\n/, 'extra \n'),
      proof.replace(/extra .*\n/, 'extra AB==\n'),
      proof.replace(line, line.slice(4)),
      proof.replace(line, `${line}=`),
      proof.replace('index 5\n', `index 5\n${`${line}\n`.repeat(60)}`),
      proof.slice(0, proof.indexOf('\n\n') + 1),
    ]) {
      assert.throws(() => parseTlogProof(wrong), { code: 'proof_malformed' }, wrong.slice(0, 80));
    }
    assert.throws(() => parseTlogProof(new Uint8Array(1_300_000)), { code: 'proof_malformed' });
  });

  test('random text and damaged proofs give a proof that is written alike, or the one error', () => {
    const damaged = fc
      .tuple(fc.nat(proof.length), fc.nat(3), fc.string({ maxLength: 3 }))
      .map(([at, gone, put]) => proof.slice(0, at) + put + proof.slice(at + gone));
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string(), fc.uint8Array()), (input) => {
        try {
          assert.equal(formatTlogProof(parseTlogProof(input)), input);
        } catch (error) {
          assert.ok(error instanceof ProtocolError, String(error));
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

test('values of the wrong type are refused in every place', () => {
  const parts = parseTlogProof(proof);
  refusesWrongTypes('nothing', (value) => parseTlogProof(value));
  refusesWrongTypes('nothing', (value) => formatTlogProof(value));
  refusesWrongTypes('integer', (value) => formatTlogProof({ ...parts, index: value }));
  refusesWrongTypes('list', (value) => formatTlogProof({ ...parts, path: value }));
  refusesWrongTypes('text', (value) => formatTlogProof({ ...parts, checkpoint: value }));
  refusesWrongTypes('optionalBytes', (value) => formatTlogProof({ ...parts, extra: value }));
  refusesWrongTypes('nothing', (value) => verifyTlogProof(value, policy, NOW));
  refusesWrongTypes('nothing', (value) => verifyTlogProof({ proof: value, entry }, policy, NOW));
  refusesWrongTypes('nothing', (value) => verifyTlogProof({ proof, entry: value }, policy, NOW));
  refusesWrongTypes('nothing', (value) => verifyTlogProof({ proof, entry }, value, NOW));
  refusesWrongTypes('nothing', (value) => verifyTlogProof({ proof, entry }, policy, value));
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from '#properties';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { flipBit } from '../_wrong-types.ts';
import { formatCheckpoint, signCheckpoint } from '../checkpoint.ts';
import { ed25519Cosigner } from '../cosignature.ts';
import { ed25519PrivateKeyFromSeed } from '../ed25519.ts';
import { leafHash } from '../merkle.ts';
import { MerkleTree } from '../merkle-tree.ts';
import { ed25519NoteSigner, formatSignatureLine, type NoteSigner } from '../note.ts';
import { formatVkey } from '../note-key.ts';
import { formatTlogProof, parseTlogProof } from '../tlog-proof.ts';
import { parsePolicy } from '../witness-policy.ts';
import { GOOD_SEALS, SEED, STAMP, seal } from './_sealed.ts';
import { type BundleTexts, readBundle } from './bundle.ts';
import { type CheckedBundle, checkBundle } from './bundle-check.ts';
import { commitClaim } from './commitment.ts';
import { parseClaimBody } from './claim-input.ts';
import { disclose } from './disclosure.ts';
import { markLeaf } from './leaf.ts';
import type { Claim } from './schema-document.ts';

const NOW = 1_800_000_000;
const ORIGIN = 'log.example/astralock';
const keyOf = (n: number) => ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(n));
const log = ed25519NoteSigner(ORIGIN, keyOf(1));
const stranger = ed25519NoteSigner(ORIGIN, keyOf(3));
const witness = ed25519Cosigner('witness.example/w', keyOf(2));
const own = parsePolicy(`log ${formatVkey(log.key)}\nquorum none\n`);
const witnessLine = `witness w ${formatVkey(witness.key)}\n`;
const seedText = Buffer.from(SEED).toString('base64');
const CLAIM: Claim = { statement: 'seven boxes', evidence_digests: ['ab'.repeat(32)] };
const sealed = seal('record.integrity.v1', CLAIM);
const others = ['a', 'b', 'c', 'd', 'e'].map((text) => Buffer.from(text));

interface Made {
  readonly signer?: NoteSigner;
  readonly cosigned?: boolean;
  readonly extra?: Uint8Array | null;
}

/** A proof of the last of six entries, with a path of two hashes. */
function proofOf(of: Uint8Array, { signer = log, cosigned = false, extra = of }: Made = {}): string {
  const tree = new MerkleTree();
  for (const one of [...others, of]) tree.append(leafHash(one));
  const head = { origin: ORIGIN, size: 6, root: tree.root() };
  const line = cosigned ? formatSignatureLine(witness.cosign(formatCheckpoint(head), NOW)) : '';
  return formatTlogProof({
    index: 5,
    path: tree.inclusionPath(5),
    checkpoint: signCheckpoint(head, [signer]) + line,
    extra,
  });
}

function checked(texts: BundleTexts): CheckedBundle | 'unreadable' {
  const bundle = readBundle(texts);
  return 'proof' in bundle ? checkBundle(bundle, { own, nowSeconds: NOW }) : 'unreadable';
}

function assertValid(texts: BundleTexts): CheckedBundle {
  const result = checked(texts);
  assert.ok(result !== 'unreadable' && result.valid, JSON.stringify(result === 'unreadable' ? result : result.checks));
  return result;
}

function failedChecks(texts: BundleTexts): string[] {
  const result = checked(texts);
  assert.ok(result !== 'unreadable', 'the bundle cannot be read');
  assert.equal(result.valid, false);
  return result.checks.filter(({ ok }) => ok === false).map(({ name }) => name);
}

function isRefused(texts: BundleTexts): boolean {
  const result = checked(texts);
  return result === 'unreadable' || !result.valid;
}

function outcome(texts: BundleTexts): Record<string, boolean | null> {
  return Object.fromEntries(assertValid(texts).checks.map(({ name, ok }) => [name, ok]));
}

const { bytes, id } = sealed.leaf;
const whole: BundleTexts = {
  proof: proofOf(bytes),
  entry: Buffer.from(bytes).toString('base64'),
  attestation_id: id,
  claim: CLAIM,
  seed: seedText,
};

suite('a bundle that holds', () => {
  test('is valid in every part that it brings', () => {
    assert.deepEqual(outcome(whole), {
      leaf_hash: true,
      leaf_form: true,
      id_matches_leaf: true,
      extra_matches_entry: true,
      claim_commitment: true,
      disclosure: null,
      observation_commitments: true,
      bundle_root: true,
      verdict_reexecuted: true,
      fee: true,
      inclusion: true,
      checkpoint_signature: true,
      witnesses: null,
    });
  });

  for (const [schemaId, claim, more] of GOOD_SEALS) {
    test(`of ${schemaId} ${JSON.stringify(claim).slice(0, 30)}: alone, with its claim, and with single fields`, () => {
      const { leaf } = seal(schemaId, claim, more);
      const proof = proofOf(leaf.bytes);
      assert.equal(assertValid({ proof }).id, leaf.id);
      assertValid({ proof, claim, seed: seedText });
      if (leaf.entry.claim !== undefined) assertValid({ proof, claim });
      else for (const field of Object.keys(claim)) assertValid({ proof, ...disclose(claim, SEED, [field]) });
    });
  }

  test('may be a mark', () => {
    const claim = { key: 'k', agent: 'a' };
    const mark = markLeaf({ kind: 'done', claimCommitment: commitClaim(claim, SEED).commitment }, STAMP);
    const proof = proofOf(mark.bytes);
    assert.equal(assertValid({ proof, claim, seed: seedText }).entry?.type, 'mark');
    assert.deepEqual(failedChecks({ proof, claim: { ...claim, agent: 'b' }, seed: seedText }), ['claim_commitment']);
  });

  test('may be of another log, whose policy says whom to trust', () => {
    const foreign = Buffer.from('go.example/module v1.0.0 h1:abc\n');
    const proof = proofOf(foreign, { signer: stranger, extra: Buffer.from('something of theirs') });
    const texts = { proof, entry: foreign.toString('base64') };
    const policy = `log ${formatVkey(stranger.key)}\nquorum none\n`;
    assert.equal(assertValid({ ...texts, policy }).entry, null);
    assert.deepEqual(failedChecks(texts), ['leaf_form', 'inclusion', 'checkpoint_signature']);
    assert.deepEqual(failedChecks({ ...texts, policy, claim: CLAIM, seed: seedText }), ['claim_commitment']);
  });
});

suite('a bundle that does not hold', () => {
  test('names what fails', () => {
    const other = seal('record.integrity.v1', { statement: 'eight boxes' }).leaf;
    assert.deepEqual(failedChecks({ ...whole, attestation_id: other.id }), ['id_matches_leaf']);
    assert.deepEqual(failedChecks({ ...whole, claim: { statement: 'eight boxes' } }), ['claim_commitment']);
    assert.deepEqual(failedChecks({ ...whole, proof: proofOf(bytes, { signer: stranger }) }), [
      'inclusion',
      'checkpoint_signature',
    ]);
    const swapped = { ...whole, entry: Buffer.from(other.bytes).toString('base64'), attestation_id: other.id };
    assert.ok(failedChecks(swapped).includes('inclusion'));
    assert.ok(failedChecks(swapped).includes('extra_matches_entry'));
  });

  test('a claim without its seed is tied to nothing and refused', () => {
    const { seed: _, ...unseeded } = whole;
    assert.deepEqual(failedChecks(unseeded), ['claim_commitment']);
  });

  test('a policy is met by its witnesses and not by the log alone', () => {
    const policy = `log ${formatVkey(log.key)}\n${witnessLine}quorum w\n`;
    assert.deepEqual(failedChecks({ ...whole, policy }), ['witnesses']);
    const result = assertValid({ ...whole, policy, proof: proofOf(bytes, { cosigned: true }) });
    assert.equal(result.checks.find(({ name }) => name === 'witnesses')?.count, 1);
  });

  test('a field that was not sealed, another value, salt or map of commitments is refused', () => {
    const shown = disclose(CLAIM, SEED, ['statement']);
    const { statement } = shown.disclosed as { statement: { value: unknown; salt: string } };
    const proof = proofOf(bytes);
    assertValid({ proof, ...shown });
    for (const lie of [
      { ...shown, disclosed: { statement: { ...statement, value: 'eight boxes' } } },
      { ...shown, disclosed: { statement: { ...statement, salt: 'ab'.repeat(32) } } },
      { ...shown, disclosed: { purpose: statement } },
      { ...shown, commitments: { statement: shown.commitments['statement'] as string } },
    ]) {
      assert.deepEqual(failedChecks({ proof, ...lie }), ['disclosure']);
    }
    const clear = seal('protocol.statement.v1', { statement: 'x' }).leaf.bytes;
    assert.deepEqual(failedChecks({ proof: proofOf(clear), ...shown }), ['disclosure']);
  });
});

suite('one bit changed', () => {
  test('in the proof file, with the entry given or in the file, is refused', () => {
    const file = Buffer.from(whole.proof);
    const { entry, attestation_id } = whole;
    for (let bit = 0; bit < file.length * 8; bit += 1) {
      const proof = Buffer.from(flipBit(file, bit)).toString('utf8');
      assert.ok(isRefused({ entry, attestation_id, proof }), `bit ${bit}: ${proof}`);
      assert.ok(isRefused({ proof }), `bit ${bit} without the entry: ${proof}`);
    }
  });

  test('in the entry is refused', () => {
    const { extra: _, ...parts } = parseTlogProof(whole.proof);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = flipBit(bytes, bit);
      const entry = Buffer.from(flipped).toString('base64');
      assert.ok(isRefused({ proof: whole.proof, entry }), `bit ${bit}`);
      assert.ok(isRefused({ entry, proof: formatTlogProof({ ...parts, extra: flipped }) }), `bit ${bit}, both`);
    }
  });

  test('in the seed or in its text is refused', () => {
    for (let bit = 0; bit < SEED.length * 8; bit += 1) {
      assert.ok(isRefused({ ...whole, seed: Buffer.from(flipBit(SEED, bit)).toString('base64') }), `bit ${bit}`);
    }
    const text = Buffer.from(seedText);
    for (let bit = 0; bit < text.length * 8; bit += 1) {
      assert.ok(isRefused({ ...whole, seed: Buffer.from(flipBit(text, bit)).toString('latin1') }), `text bit ${bit}`);
    }
  });

  test('in the claim is refused, wherever it is still a claim', () => {
    const text = Buffer.from(canonicalJson(CLAIM));
    let claims = 0;
    for (let bit = 0; bit < text.length * 8; bit += 1) {
      const parsed = parseClaimBody(flipBit(text, bit));
      if (!parsed.ok || parsed.faults.length > 0) continue;
      claims += 1;
      assert.ok(isRefused({ ...whole, claim: parsed.value as Claim }), String(flipBit(text, bit)));
    }
    assert.ok(claims > 200);
  });

  test('in the shown value, salt or commitments is refused', () => {
    const shown = Buffer.from(canonicalJson(disclose(CLAIM, SEED, ['statement'])));
    for (let bit = 0; bit < shown.length * 8; bit += 1) {
      const parsed = parseClaimBody(flipBit(shown, bit));
      if (!parsed.ok || parsed.faults.length > 0) continue;
      const { disclosed, commitments } = parsed.value as Partial<BundleTexts>;
      // A member of another name is what the input schema refuses.
      if (disclosed === undefined || commitments === undefined) continue;
      assert.ok(isRefused({ proof: whole.proof, disclosed, commitments }), String(flipBit(shown, bit)));
    }
  });
});

suite('reading', () => {
  test('every part that cannot be read is named', () => {
    const faults = readBundle({ proof: 'x', entry: 'x', seed: 'eA==', policy: 'x', disclosed: {} });
    assert.ok(!('proof' in faults));
    assert.deepEqual(
      faults.map(({ pointer }) => pointer),
      ['#/proof', '#/entry', '#/seed', '#/policy', '#/commitments'],
    );
  });

  test('a file without an entry needs one', () => {
    const faults = readBundle({ proof: proofOf(bytes, { extra: null }) });
    assert.ok(!('proof' in faults));
    assert.deepEqual(
      faults.map(({ pointer, code }) => [pointer, code]),
      [['#/entry', 'missing']],
    );
  });

  test('a checkpoint that is none makes the file unreadable', () => {
    const [head = ''] = whole.proof.split('\n\n');
    for (const checkpoint of ['', 'x\n', `${ORIGIN}\n6\nshort\n\n— ${ORIGIN} 3q2+7wAAAAA=\n`]) {
      assert.equal(checked({ proof: `${head}\n\n${checkpoint}` }), 'unreadable');
    }
  });

  test('whatever texts come, the answer is a refusal and no accident', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    const optional = fc.option(text, { nil: undefined });
    const bundle = fc.record({
      proof: fc.oneof(text, fc.constant(whole.proof)),
      entry: optional,
      seed: fc.oneof(optional, fc.constant(seedText)),
      policy: optional,
      claim: fc.option(fc.dictionary(text, fc.jsonValue() as fc.Arbitrary<unknown>), { nil: undefined }),
    });
    fc.assert(
      fc.property(bundle, (texts) => {
        const isBare = texts.proof === whole.proof && texts.claim === undefined && texts.policy === undefined;
        return isRefused(texts) || (isBare && texts.entry === undefined);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { anyCharacter } from '#properties';
import { formatVkey } from '../note-key.ts';
import {
  CLAIM,
  checked,
  entryBytes,
  isRefused,
  log,
  ORIGIN,
  proofOf,
  seedText,
  stranger,
  whole,
  witnessLine,
} from './_bundles.ts';
import { testChangedBits } from './_changed-bits.ts';
import { GOOD_SEALS, SEED, STAMP, seal } from './_sealed.ts';
import { type BundleTexts, readBundle } from './bundle.ts';
import type { CheckedBundle } from './bundle-check.ts';
import { commitClaim } from './commitment.ts';
import { disclose } from './disclosure.ts';
import { markLeaf } from './leaf.ts';

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

function outcome(texts: BundleTexts): Record<string, boolean | null> {
  return Object.fromEntries(assertValid(texts).checks.map(({ name, ok }) => [name, ok]));
}

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
    assert.deepEqual(failedChecks({ ...whole, proof: proofOf(entryBytes, { signer: stranger }) }), [
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
    const result = assertValid({ ...whole, policy, proof: proofOf(entryBytes, { cosigned: true }) });
    assert.equal(result.checks.find(({ name }) => name === 'witnesses')?.count, 1);
  });

  test('a field that was not sealed, another value, salt or map of commitments is refused', () => {
    const shown = disclose(CLAIM, SEED, ['statement']);
    const { statement } = shown.disclosed as { statement: { value: unknown; salt: string } };
    const proof = proofOf(entryBytes);
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

// A bit of every byte.
testChangedBits(7);

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
    const faults = readBundle({ proof: proofOf(entryBytes, { extra: null }) });
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
    const text = fc.string({ unit: anyCharacter, maxLength: 200 });
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

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { signCheckpoint } from '#protocol/checkpoint.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { leafHash } from '#protocol/merkle.ts';
import { MerkleTree } from '#protocol/merkle-tree.ts';
import { ed25519NoteSigner } from '#protocol/note.ts';
import { formatTlogProof } from '#protocol/tlog-proof.ts';
import * as verifier from '../../verify/avouch-verify.mjs';
// @ts-expect-error -- a script of the pages has no types of its own
import { checkEntry, checkFile, checkHeads, failedWords, passedWords, sizeOf } from './static/proof.js';

interface Outcome {
  readonly kind: string;
  readonly valid: boolean;
  readonly says?: string;
  readonly unsigned?: readonly string[];
  readonly id?: string;
  readonly steps: readonly { readonly name: string; readonly ok: boolean | null; readonly words: string }[];
  readonly path?: readonly { readonly left: string; readonly right: string; readonly hash: string }[];
}

const vectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../test/vectors/${name}.json`, import.meta.url), 'utf8'));
const { golden } = vectors('log');
const { seals, seed_hex: seedHex } = vectors('attestation') as {
  seals: { name: string; entry_jcs: string; leaf_hash_hex: string; attestation_id: string; claim: object }[];
  seed_hex: string;
};
const { answer: paid } = vectors('receipts').cases[0];
const VKEYS = [golden.log_vkey as string];
const leaves = seals.map(({ entry_jcs: jcs }) => Buffer.from(jcs));
const tree = new MerkleTree();
for (const leaf of leaves) tree.append(leafHash(leaf));
const signer = ed25519NoteSigner(golden.origin, ed25519PrivateKeyFromSeed(Buffer.from(golden.log_seed_hex, 'hex')));
const size = leaves.length;
const checkpoint = signCheckpoint({ origin: golden.origin, size, root: tree.root(size) }, [signer]);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const failed = ({ steps }: Outcome) => steps.filter(({ ok }) => ok === false).map(({ name }) => name);

function answerOf(index: number) {
  const entry = JSON.parse(seals[index]?.entry_jcs as string) as Record<string, unknown>;
  return {
    attestation_id: seals[index]?.attestation_id,
    seq: index,
    verdict: entry['verdict'],
    entry: base64(leaves[index] as Uint8Array),
    leaf_hash: seals[index]?.leaf_hash_hex,
    inclusion: { tree_size: size, index, hashes: tree.inclusionPath(index, size).map(base64) },
    checkpoint,
    proof: proofOf(index),
  };
}

function proofOf(index: number): string {
  const path = tree.inclusionPath(index, size).map(base64);
  return formatTlogProof({ extra: leaves[index] as Buffer, index, path, checkpoint });
}

test('every entry of the vectors holds, with each hash of its path up to the signed root', async () => {
  for (const [index, { leaf_hash_hex: leaf, attestation_id: id }] of seals.entries()) {
    const outcome: Outcome = await checkEntry(verifier, answerOf(index), VKEYS, id);
    assert.deepEqual([outcome.valid, outcome.id], [true, id], JSON.stringify(outcome));
    assert.ok([outcome.path?.[0]?.left, outcome.path?.[0]?.right].includes(leaf));
    assert.equal(outcome.path?.at(-1)?.hash, Buffer.from(tree.root(size)).toString('hex'));
    assert.ok(
      outcome.steps.every(({ words, name }) => words !== name),
      'every step has words',
    );
  }
});

test('a claim with its seed is tied to the entry, and another claim is not', async () => {
  const disclosure_seed = Buffer.from(seedHex, 'hex').toString('base64');
  const answer = { ...answerOf(0), claim: seals[0]?.claim, disclosure_seed };
  assert.deepEqual(failed(await checkEntry(verifier, answer, VKEYS)), []);
  assert.deepEqual(failed(await checkEntry(verifier, { ...answer, claim: { statement: 'x' } }, VKEYS)), [
    'claim_commitment',
  ]);
});

test('a file whose claim nothing ties to its entry is not verified, whoever wrote the claim', async () => {
  const trust = { vkeys: VKEYS, receiptKeys: [], sandbox: true };
  const invented = { ...answerOf(0), claim: { statement: 'Acme paid a million' }, means: 'Whatever I like' };
  const outcome: Outcome = await checkFile(verifier, JSON.stringify(invented), trust);
  assert.deepEqual([outcome.valid, failed(outcome), outcome.unsigned], [false, [], ['/means']]);
  assert.match(outcome.says ?? '', /Anybody could have written the claim/);
  assert.equal((await checkFile(verifier, JSON.stringify(answerOf(0)), trust)).valid, true, 'no claim, no doubt');
});

test('a minimal seal is checked by its proof, and all that it repeats with it', async () => {
  const trust = { vkeys: VKEYS, receiptKeys: [], sandbox: true };
  const { entry: _, leaf_hash: _hash, inclusion: _path, checkpoint: _note, ...minimal } = answerOf(1);
  const outcome: Outcome = await checkFile(verifier, JSON.stringify(minimal), trust);
  assert.deepEqual([outcome.kind, outcome.valid, outcome.id], ['entry', true, minimal.attestation_id]);
  assert.equal(outcome.path?.at(-1)?.hash, Buffer.from(tree.root(size)).toString('hex'));
  const lie: Outcome = await checkFile(verifier, JSON.stringify({ ...minimal, seq: 0 }), trust);
  assert.deepEqual(failed(lie), ['inclusion', 'proof_file']);
});

test('one flipped bit anywhere turns the entry red and names the step', async () => {
  const flip = (text: string, at: number) => {
    const bytes = Buffer.from(text, 'base64');
    bytes[at] = (bytes[at] as number) ^ 1;
    return bytes.toString('base64');
  };
  const good = answerOf(1);
  const [first = '', ...rest] = good.inclusion.hashes;
  const cases = [
    [{ ...good, entry: flip(good.entry, good.entry.length >> 2) }, /entry|id_matches_entry/],
    [{ ...good, inclusion: { ...good.inclusion, hashes: [flip(first, 0), ...rest] } }, /^inclusion$/],
    [
      { ...good, checkpoint: checkpoint.replace(/(— \S+ .{12})./u, (_all, head) => `${head}A`) },
      /checkpoint_signature/,
    ],
    [{ ...good, attestation_id: answerOf(0).attestation_id }, /id_matches_entry/],
  ] as const;
  for (const [answer, step] of cases) {
    const outcome: Outcome = await checkEntry(verifier, answer, VKEYS, good.attestation_id);
    assert.equal(outcome.valid, false);
    assert.match(failed(outcome)[0] as string, step);
  }
  const [other] = [`${VKEYS[0]}`.replace(/^[^+]+/, 'other.example')];
  assert.equal((await checkEntry(verifier, good, [other])).valid, false);
});

test('heads: the golden consistency proof holds, and neither another older head nor another proof does', async () => {
  const hashes = (golden.add_checkpoint_body_5_to_8 as string).split('\n\n', 1)[0]?.split('\n').slice(1) as string[];
  const heads = { older: golden.checkpoint_size_5, newer: golden.checkpoint_size_8, hashes };
  assert.deepEqual(failed(await checkHeads(verifier, heads, VKEYS)), []);
  assert.deepEqual(failed(await checkHeads(verifier, { ...heads, hashes: hashes.toReversed() }, VKEYS)), [
    'consistency',
  ]);
  assert.equal((await checkHeads(verifier, { ...heads, older: heads.newer, newer: heads.older }, VKEYS)).valid, false);
  assert.deepEqual([heads.older, heads.newer, 'x', 'a\n01\nb\n'].map(sizeOf), [5, 8, null, null]);
});

test('any file that the service gives out is recognised, and a changed one turns red', async () => {
  const trust = { vkeys: VKEYS, receiptKeys: [paid.receipt.signer_pubkey], sandbox: paid.receipt.sandbox as boolean };
  const changed = (text: string) => text.replace(/"nonce":"../, '"nonce":"XX');
  const asText = (value: unknown) => JSON.stringify(value);
  const entry = answerOf(2);
  const forged = { ...paid, result: { ...paid.result, valid: false } };
  const table: readonly (readonly [string, string, boolean])[] = [
    [proofOf(2), 'proof file', true],
    [proofOf(2).replace(/^index 2$/m, 'index 1'), 'proof file', false],
    [asText({ proof: proofOf(2) }), 'proof file', true],
    [asText(entry), 'entry', true],
    [asText({ ...entry, entry: base64(Buffer.from(changed(seals[2]?.entry_jcs as string))) }), 'entry', false],
    [asText(paid), 'receipt', true],
    [asText(forged), 'receipt', false],
    [asText(paid.receipt), 'receipt', false],
    [asText({ receipt: { ...paid.receipt, kind: 'other' } }), 'receipt', false],
    [asText({ ...forged, proof: proofOf(2) }), 'receipt', false],
    [asText({ ...forged, ...entry }), 'receipt', false],
    [asText({ ...paid.receipt, proof: proofOf(2) }), 'receipt', false],
    [asText({ proof: asText(paid) }), 'proof file', false],
    [asText(entry).replace('"seq":', '"seq":7,"seq":'), 'unknown', false],
    ['{"anything":1}', 'unknown', false],
    ['[]', 'unknown', false],
    ['', 'unknown', false],
  ];
  for (const [text, kind, valid] of table) {
    const outcome: Outcome = await checkFile(verifier, text, trust);
    assert.deepEqual([outcome.kind, outcome.valid], [kind, valid], `${text.slice(0, 120)} ${asText(outcome.steps)}`);
  }
  const alone = await checkFile(verifier, asText(paid.receipt), trust);
  assert.equal(alone.title, 'Signature valid, rest not checked');
  assert.match(alone.says ?? '', /paste the whole response/);
  const unknown = await checkFile(verifier, asText(paid.receipt), { ...trust, receiptKeys: ['AAAA'] });
  assert.deepEqual(failed(unknown), ['key_published']);
});

test('checks that could not be done are counted, and said', () => {
  const steps = [{ ok: true }, { ok: true }, { ok: null }];
  assert.equal(passedWords(steps), '2 of 3 checks passed in your browser, 1 could not be done');
  assert.equal(passedWords([{ ok: true }]), '1 of 1 check passed in your browser');
  assert.equal(failedWords([{ ok: false }, { ok: true }]), '1 of 2 checks');
});

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { suite, test } from 'node:test';
import { CanonicalJsonError, canonicalJson } from '#kernel/canonical-json.ts';
import { leafHash } from '../merkle.ts';
import { type SharedVectors, sharedVectors, sharedVectorsMissing, type VerdictVector } from './_shared-vectors.ts';
import { attestationId, base32, parseAttestationId } from './attestation-id.ts';
import { AttestationError } from './attestation-error.ts';
import { parseClaimBody } from './claim-input.ts';
import { bundleRoot, commitClaim, commitObservations, saltOf } from './commitment.ts';
import { type Leaf, markLeaf, parseLeaf, sealLeaf } from './leaf.ts';
import type { SealEntry } from './leaf-entry.ts';
import type { FullObservation } from './observation.ts';
import { type Claim, claimSha256 } from './schema-document.ts';
import { schemaById } from './schemas.ts';
import { prepareSeal } from './seal.ts';

const { jcs, attestation } = sharedVectors ?? ({ jcs: {}, attestation: {} } as SharedVectors);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const seed = () => Buffer.from(attestation.disclosure_seed_hex, 'hex');
const SEALED = ['record_integrity_accept', 'vat_vies_accept_sandbox', 'record_integrity_reject'] as const;

/** Rebuilds a leaf from the public fields of a vector; its schema digest is a placeholder. */
function rebuild(text: string, claim: Claim, observations: readonly FullObservation[]): Leaf {
  const entry = JSON.parse(text) as SealEntry;
  const schema = schemaById(entry.schema_id);
  assert.ok(schema !== undefined);
  const prepared = prepareSeal({ schema, claim, observations, seed: seed() });
  const stamp = { sandbox: entry.sandbox, sealedAt: entry.sealed_at, nonce: entry.nonce };
  return sealLeaf({ ...prepared, schemaDigest: entry.schema_digest }, stamp);
}

suite('shared vectors', { skip: sharedVectorsMissing }, () => {
  test('canonical JSON, its order of keys and what has no canonical form', () => {
    for (const { input, output, output_sha256_hex: digest } of jcs.samples) {
      assert.equal(canonicalJson(JSON.parse(input)), output);
      assert.equal(hash('sha256', output, 'hex'), digest);
    }
    const shuffled = Object.fromEntries(jcs.key_order_rfc8785.toReversed().map((name) => [name, 0]));
    const inOrder = jcs.key_order_rfc8785.map((name) => `${JSON.stringify(name)}:0`).join(',');
    assert.equal(canonicalJson(shuffled), `{${inOrder}}`);
    for (const { input } of jcs.must_reject) {
      if (input === undefined) continue;
      assert.throws(() => canonicalJson(JSON.parse(input)), CanonicalJsonError);
      assert.equal(parseClaimBody(input).faults[0]?.code, 'lone_surrogate');
    }
  });

  test('the traps of JSON.parse: rounded integers, members that are given twice and __proto__ are refused', () => {
    const codes = jcs.traps.map(({ input }) => parseClaimBody(input).faults.map(({ code }) => code));
    assert.deepEqual(codes, [['number_not_exact'], ['repeated'], ['forbidden_name']]);
  });

  test('base32 without padding', () => {
    for (const { input_utf8: text, output } of attestation.base32) assert.equal(base32(Buffer.from(text)), output);
  });

  for (const name of [...SEALED, 'mark_entry'] as const) {
    test(`${name}: salts, field commitments and claim commitment`, () => {
      const { claim, claim_jcs: text, claim_sha256_hex: digest, fields, claim_commitment: whole } = attestation[name];
      assert.equal(canonicalJson(claim), text);
      assert.equal(claimSha256(claim), digest);
      const committed = commitClaim(claim, seed());
      assert.equal(committed.commitment, whole);
      for (const [field, expected] of Object.entries(fields)) {
        assert.equal(hex(saltOf(seed(), field)), expected.salt_hex);
        assert.equal(canonicalJson(claim[field]), expected.value_jcs);
        assert.equal(committed.fields[field], expected.commitment_hex);
      }
      assert.equal(Object.keys(committed.fields).length, Object.keys(fields).length);
    });
  }

  for (const name of SEALED) {
    test(`${name}: entry, leaf hash and attestation_id`, () => {
      const { claim, entry_jcs: text, entry_bytes: length, leaf_hash_hex: digest, ...vector } = attestation[name];
      const leaf = rebuild(text, claim, vector.observation === undefined ? [] : [vector.observation.full]);
      assert.equal(leaf.text, text);
      assert.equal(leaf.bytes.length, length);
      assert.equal(hex(leaf.hash), digest);
      assert.equal(leaf.id, vector.attestation_id);
      assert.deepEqual(parseLeaf(leaf.bytes), JSON.parse(text));
      assert.equal(hex(parseAttestationId(vector.attestation_id) as Uint8Array), digest);
    });
  }

  test('the observation: salt, commitment, published form and bundle root', () => {
    const observation = attestation.vat_vies_accept_sandbox.observation;
    assert.ok(observation !== undefined);
    const published = commitObservations([observation.full], seed());
    assert.equal(hex(saltOf(seed(), 'observation/0')), observation.salt_hex);
    assert.equal(published[0]?.commitment, observation.commitment_hex);
    assert.equal(canonicalJson(published[0]), observation.published_jcs);
    assert.equal(bundleRoot(published), observation.bundle_root_hex);
  });

  test('the entry of a mark and the key declaration of entry 0', () => {
    const { mark_entry: mark, key_declaration_seq_0: declaration } = attestation;
    const { nonce, sandbox, sealed_at: sealedAt } = JSON.parse(mark.entry_jcs) as SealEntry;
    const claimCommitment = commitClaim(mark.claim, seed()).commitment;
    const markEntry = markLeaf({ kind: 'done', claimCommitment }, { nonce, sandbox, sealedAt });
    assert.deepEqual([markEntry.text, markEntry.id], [mark.entry_jcs, mark.attestation_id]);
    const first = rebuild(declaration.entry_jcs, (JSON.parse(declaration.entry_jcs) as SealEntry).claim as Claim, []);
    assert.deepEqual([first.text, first.id], [declaration.entry_jcs, declaration.attestation_id]);
  });

  test('a tampered leaf has another id and does not parse', () => {
    const bytes = Buffer.from(attestation.tampered.entry_jcs);
    assert.equal(hex(leafHash(bytes)), attestation.tampered.leaf_hash_hex);
    assert.equal(attestationId(leafHash(bytes)), attestation.tampered.attestation_id);
    assert.notEqual(attestation.tampered.attestation_id, attestation.record_integrity_accept.attestation_id);
    assert.throws(() => parseLeaf(bytes), { name: AttestationError.name, code: 'leaf_inconsistent' });
  });

  test('every verdict', () => {
    for (const vector of attestation.verdicts) {
      const claim = writtenOut(vector);
      const { verdict, code } = schemaById(vector.schema_id)?.judge(claim, vector.observations) ?? {};
      assert.deepEqual({ verdict, code }, { verdict: vector.verdict, code: vector.code }, JSON.stringify(vector));
    }
  });
});

/** Values that are too long to stand in the file, by the words that describe them. */
const DESCRIBED: Readonly<Record<string, unknown>> = {
  'U+1F600 repeated 4000 times (8000 UTF-16 units)': '\u{1F600}'.repeat(4000),
  '"a" repeated 4001 times': 'a'.repeat(4001),
  '33 strings "zz"': Array.from({ length: 33 }, () => 'zz'),
  '33 times 64 hex digits "0"': Array.from({ length: 33 }, () => '0'.repeat(64)),
  '7 valid sources': Array.from({ length: 7 }, () => ({ source: 'kvk', query: '69599084' })),
};

function writtenOut({ claim }: VerdictVector): Claim {
  const members = Object.entries(claim).map(([name, value]) => {
    if (!name.endsWith('_rule')) return [name, value] as const;
    assert.ok(String(value) in DESCRIBED, `the test does not know the value ${String(value)}`);
    return [name.replace(/_rule$/, ''), DESCRIBED[String(value)]] as const;
  });
  return Object.fromEntries(members);
}

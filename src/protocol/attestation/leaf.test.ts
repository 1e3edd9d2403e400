import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { runs } from '#properties';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { leafHash } from '../merkle.ts';
import { GOOD_SEALS, observed, refused, SEED, STAMP, seal } from './_sealed.ts';
import type { AttestationErrorCode } from './attestation-error.ts';
import { attestationId } from './attestation-id.ts';
import { commitClaim } from './commitment.ts';
import { markClaim, releaseClaim } from './crossing-claim.ts';
import { markLeaf, parseLeaf, releaseLeaf, sealLeaf } from './leaf.ts';
import { MARK_KINDS, RELEASE_OUTCOMES } from './leaf-entry.ts';
import { schemaById } from './schemas.ts';
import { prepareSeal } from './seal.ts';

const COMMITMENT = 'cd'.repeat(32);
const MARK = markLeaf({ kind: 'done', claimCommitment: COMMITMENT }, STAMP);
const RELEASE = releaseLeaf({ fence: 90214, outcome: null, claimCommitment: COMMITMENT }, STAMP);
const SEALS = GOOD_SEALS.map(([id, claim, more]) => seal(id, claim, more).leaf);

for (const leaf of [...SEALS, MARK, RELEASE]) {
  const name = leaf.entry.type === 'seal' ? `seal of ${leaf.entry.schema_id}, ${leaf.entry.verdict}` : leaf.entry.type;
  test(`${name}: the leaf is canonical JSON, names itself and comes back whole`, () => {
    assert.equal(leaf.text, canonicalJson(leaf.entry));
    assert.equal(Buffer.from(leaf.bytes).toString(), leaf.text);
    assert.deepEqual(leaf.hash, leafHash(leaf.bytes));
    assert.equal(leaf.id, attestationId(leaf.hash));
    assert.deepEqual(parseLeaf(leaf.bytes), leaf.entry);
    assert.equal(leaf.entry.sandbox, true);
  });

  test(`${name}: a change of any one bit gives another id`, () => {
    const bytes = Uint8Array.from(leaf.bytes);
    for (let i = 0; i < bytes.length; i++) {
      const bit = 1 << (i % 8);
      bytes[i] = (bytes[i] as number) ^ bit;
      assert.notEqual(attestationId(leafHash(bytes)), leaf.id);
      bytes[i] = (bytes[i] as number) ^ bit;
    }
  });
}

test('the three operator-written schemas carry their claim in clear, all others a commitment only', () => {
  for (const [i, [schemaId, claim]] of GOOD_SEALS.entries()) {
    const entry = SEALS[i]?.entry;
    const isClear = schemaId.startsWith('protocol.') || schemaId.startsWith('coordination.');
    assert.deepEqual(entry?.claim, isClear ? claim : undefined);
    assert.equal(entry?.claim_commitment, isClear ? null : commitClaim(claim, SEED).commitment);
  }
});

test('an ACCEPT carries the fee of its schema, a REJECT none; only handshakes say where they come from', () => {
  const rows = SEALS.map(({ entry }) => [entry.schema_id, entry.verdict, entry.fee_eurocents, entry.origin]);
  assert.deepEqual(rows.slice(0, 7), [
    ['record.integrity.v1', 'ACCEPT', 25, undefined],
    ['record.integrity.v1', 'REJECT', 0, undefined],
    ['vat.vies.v1', 'ACCEPT', 50, undefined],
    ['kvk.liveness.v1', 'ACCEPT', 50, undefined],
    ['registry.snapshot.v1', 'ACCEPT', 200, undefined],
    ['amh.handshake.v1', 'ACCEPT', 0, 'protocol'],
    ['amh.handshake.v1', 'REJECT', 0, 'submitted'],
  ]);
});

test('links to earlier seals stand in the leaf', () => {
  assert.equal(SEALS[4]?.entry.follows_up, `ATT-${'A'.repeat(52)}`);
  assert.equal(SEALS[9]?.entry.corrects, `ATT-${'Q'.repeat(52)}`);
});

test('every kind of mark and every outcome of a release has an entry', () => {
  for (const kind of MARK_KINDS) {
    const { bytes } = markLeaf({ kind, claimCommitment: COMMITMENT }, STAMP);
    assert.equal((parseLeaf(bytes) as { kind?: string }).kind, kind);
  }
  for (const outcome of [...RELEASE_OUTCOMES, null]) {
    const { bytes } = releaseLeaf({ fence: 0, outcome, claimCommitment: COMMITMENT }, STAMP);
    assert.equal((parseLeaf(bytes) as { outcome?: unknown }).outcome, outcome);
  }
});

test('a mark commits to what was given, a release to key, agent and lease', () => {
  assert.deepEqual(markClaim({ key: 'k', agent: 'a', note: null, evidence: null }), { key: 'k', agent: 'a' });
  const given = { key: 'k', agent: 'a', note: 'n', evidence: 'e' };
  assert.deepEqual(markClaim(given), given);
  assert.deepEqual(releaseClaim({ key: 'k', agent: 'a', lease: 'L1' }), { key: 'k', agent: 'a', lease: 'L1' });
});

test('nothing that was submitted is in the leaf, neither in clear nor as a plain digest', () => {
  const claim = { statement: 'the secret of the seven boxes' };
  const { text } = seal('record.integrity.v1', claim).leaf;
  assert.equal(text.includes('seven boxes'), false);
  const other = seal('record.integrity.v1', claim, { seed: new Uint8Array(32).fill(9) }).leaf.entry;
  assert.notEqual(other.claim_commitment, seal('record.integrity.v1', claim).leaf.entry.claim_commitment);
});

test('a seal is refused whose observations are later than itself, not its own, or of no question', () => {
  const claim = { kvk_number: '11998877' };
  const schema = schemaById('kvk.liveness.v1');
  const own = observed({ source: 'kvk', query: claim });
  const sealed =
    (...observations: (typeof own)[]) =>
    () =>
      seal('kvk.liveness.v1', claim, { observations });
  assert.throws(sealed({ ...own, observed_at: '2026-11-15T00:40:12.346Z' }), refused('leaf_inconsistent'));
  assert.doesNotThrow(sealed({ ...own, observed_at: STAMP.sealedAt }));
  assert.throws(sealed(), refused('observations_mismatch'));
  assert.throws(sealed(own, own), refused('observations_mismatch'));
  assert.throws(sealed({ ...own, query: { kvk_number: '11998878' } }), refused('observations_mismatch'));
  assert.throws(sealed({ ...own, source: 'cir' }), refused('observations_mismatch'));
  const malformed = { schema: schema as NonNullable<typeof schema>, claim: { kvk_number: 'x' }, seed: SEED };
  assert.throws(() => prepareSeal({ ...malformed, observations: [own] }), refused('observations_mismatch'));
});

test('a handshake without its origin is refused, and so is any other seal with one', () => {
  assert.throws(() => seal('amh.handshake.v1', { phase: 'x' }), refused('leaf_inconsistent'));
  assert.throws(
    () => seal('record.integrity.v1', { statement: 'x' }, { origin: 'protocol' }),
    refused('leaf_inconsistent'),
  );
});

test('a leaf is refused that has no proper nonce or time, or does not fit into an entry bundle', () => {
  const mark = { kind: 'done', claimCommitment: COMMITMENT } as const;
  for (const nonce of ['', 'AAECAwQFBgcICQoLDA0OD', 'AAECAwQFBgcICQoLDA0ODx', 'AAECAwQFBgcICQoLDA0O+w']) {
    assert.throws(() => markLeaf(mark, { ...STAMP, nonce }), refused('leaf_field_invalid'));
  }
  for (const sealedAt of ['', '2026-11-15T00:40:12Z', '2026-13-15T00:40:12.345Z']) {
    assert.throws(() => markLeaf(mark, { ...STAMP, sealedAt }), refused('leaf_field_invalid'));
  }
  const key = { public_key: 'k'.repeat(65_536), role: 'root', scope: 'receipts' };
  assert.throws(() => seal('protocol.key.declaration.v1', key), refused('leaf_too_long'));
});

const CLEAR_TEXT = String(SEALS[9]?.text);
const BASE = SEALS[3]?.entry as unknown as Record<string, unknown>;
const with_ = (more: object, base: object = BASE) => canonicalJson({ ...base, ...more });
const without = (name: string, base: object = BASE) =>
  canonicalJson(Object.fromEntries(Object.entries(base).filter(([other]) => other !== name)));
const seen = (more: object) => with_({ observations: [{ ...(BASE['observations'] as object[])[0], ...more }] });

const MALFORMED: readonly (readonly [code: AttestationErrorCode, text: string | Uint8Array])[] = [
  ['leaf_not_utf8', Buffer.from([0x22, 0xff, 0x22])],
  ['leaf_too_long', new Uint8Array(65_536).fill(0x20)],
  ['leaf_not_json', ''],
  ['leaf_not_json', '{'],
  ['leaf_not_json', 'null'],
  ['leaf_not_json', '[]'],
  ['leaf_not_json', `\ufeff${MARK.text}`],
  ['leaf_version_unknown', with_({ v: 2 })],
  ['leaf_version_unknown', without('v')],
  ['leaf_type_unknown', with_({ type: 'lease' })],
  ['leaf_type_unknown', without('type')],
  ['leaf_field_missing', without('nonce')],
  ['leaf_field_missing', without('verdict')],
  ['leaf_field_missing', without('fence', RELEASE.entry)],
  ['leaf_field_unknown', with_({ seq: 5 })],
  ['leaf_field_unknown', with_({ code: null }, MARK.entry)],
  ['leaf_field_invalid', with_({ sandbox: 'no' })],
  ['leaf_field_invalid', with_({ nonce: 'short' })],
  ['leaf_field_invalid', with_({ sealed_at: '2026-11-15T00:40:12Z' })],
  ['leaf_field_invalid', with_({ schema_id: 'Kvk' })],
  ['leaf_field_invalid', with_({ schema_digest: 'AB'.repeat(32) })],
  ['leaf_field_invalid', with_({ evidence_class: 'B' })],
  ['leaf_field_invalid', with_({ fee_eurocents: 0.5 })],
  ['leaf_field_invalid', with_({ fee_eurocents: -1 })],
  ['leaf_field_invalid', with_({ code: 'Not Found' })],
  ['leaf_field_invalid', with_({ corrects: 'ATT-1' })],
  ['leaf_field_invalid', with_({ observations: {} })],
  ['leaf_field_invalid', with_({ observations: [null] })],
  ['leaf_field_invalid', with_({ kind: 'great' }, MARK.entry)],
  ['leaf_field_invalid', with_({ claim_commitment: null }, MARK.entry)],
  ['leaf_field_invalid', with_({ fence: 2 ** 53 }, RELEASE.entry)],
  ['leaf_field_invalid', with_({ outcome: 'paid' }, RELEASE.entry)],
  ['leaf_field_invalid', seen({ status: 'maybe' })],
  ['leaf_field_invalid', seen({ code: 'two words' })],
  ['leaf_field_unknown', seen({ query: 1 })],
  ['leaf_inconsistent', with_({ verdict: 'REJECT' })],
  ['leaf_inconsistent', with_({ code: 'kvk_format' })],
  ['leaf_inconsistent', with_({ claim_commitment: null })],
  ['leaf_inconsistent', with_({ claim: {} })],
  ['leaf_inconsistent', with_({ claim: {}, claim_commitment: null })],
  ['leaf_inconsistent', with_({ schema_id: 'protocol.statement.v1' })],
  ['leaf_inconsistent', with_({ origin: 'protocol' })],
  ['leaf_inconsistent', with_({ schema_id: 'amh.handshake.v1' })],
  ['leaf_inconsistent', with_({ bundle_root: null })],
  ['leaf_inconsistent', with_({ observations: [] })],
  ['leaf_inconsistent', seen({ observed_at: '2026-11-15T00:40:12.346Z' })],
  ['leaf_not_canonical', ` ${MARK.text}`],
  ['leaf_not_canonical', `${MARK.text}\n`],
  ['leaf_not_canonical', JSON.stringify(Object.fromEntries(Object.entries(MARK.entry).toReversed()))],
  ['leaf_not_canonical', MARK.text.replace('"v":1', '"v":1.0')],
  ['leaf_not_canonical', MARK.text.replace('"v":1', '"v":1,"v":1')],
  ['leaf_not_canonical', MARK.text.replace('done', '\\u0064one')],
  ['leaf_not_canonical', CLEAR_TEXT.replace('€', '\\u20ac')],
  ['leaf_not_canonical', CLEAR_TEXT.replace('€', '\\ud800')],
];

for (const [i, [code, text]] of MALFORMED.entries()) {
  test(`malformed leaf ${i + 1}: ${code}`, () => {
    assert.throws(() => parseLeaf(typeof text === 'string' ? Buffer.from(text) : text), refused(code));
  });
}

test('any bytes are parsed or refused by a code', () => {
  const leaves = fc.constantFrom(...SEALS, MARK, RELEASE);
  fc.assert(
    fc.property(leaves, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ bytes, text }, at, byte) => {
      const changed = Uint8Array.from(bytes);
      changed[at % changed.length] = byte;
      try {
        assert.equal(canonicalJson(parseLeaf(changed)), Buffer.from(changed).toString());
      } catch (error) {
        assert.equal((error as Error).name, 'AttestationError', text);
      }
    }),
    { numRuns: runs(1000) },
  );
});

test('the text around sealed_at does not depend on it', () => {
  const { leaf } = seal('record.integrity.v1', { statement: 'x' });
  const prepared = prepareSeal({
    schema: schemaById('record.integrity.v1') as never,
    claim: { statement: 'x' },
    observations: [],
    seed: SEED,
  });
  const later = sealLeaf(prepared, { ...STAMP, sealedAt: '2026-11-15T00:40:12.346Z' });
  assert.equal(later.text.replace('.346Z', '.345Z'), leaf.text);
  assert.notEqual(later.id, leaf.id);
});

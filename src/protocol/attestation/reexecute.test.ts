import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GOOD_SEALS, observed, SEED, STAMP, seal } from './_sealed.ts';
import { VERDICT_CASES } from './_verdict-cases.ts';
import { commitClaim } from './commitment.ts';
import { markLeaf } from './leaf.ts';
import type { SealEntry } from './leaf-entry.ts';
import { type RecheckedPart, recheckEntry, reexecute } from './reexecute.ts';
import { type SchemaDocument, schemaDigest } from './schema-document.ts';
import { SCHEMAS, schemaById } from './schemas.ts';

const documentOf = ({ schema_id: id }: SealEntry) => schemaById(id)?.document as SchemaDocument;
const outcome = (parts: readonly RecheckedPart[]) => Object.fromEntries(parts.map(({ name, ok }) => [name, ok]));

test('every seal that the verdict table can make is judged the same again', () => {
  for (const schema of SCHEMAS) {
    for (const { claim, observations = [] } of VERDICT_CASES[schema.id]) {
      const needs = schema.needs(claim);
      if (needs.length !== observations.length || needs.some(({ source }, i) => source !== observations[i]?.source))
        continue;
      const full = needs.map((need, i) => observed({ ...observations[i], ...need }));
      const origin = schema.id === 'amh.handshake.v1' ? { origin: 'submitted' as const } : {};
      const { leaf, record } = seal(schema.id, claim, { observations: full, ...origin });
      const parts = recheckEntry({ entry: leaf.entry, record, document: schema.document });
      assert.deepEqual(
        parts.filter(({ ok }) => ok === false),
        [],
        JSON.stringify(claim).slice(0, 200),
      );
    }
  }
});

for (const [schemaId, claim, more] of GOOD_SEALS) {
  test(`${schemaId} ${JSON.stringify(claim).slice(0, 30)}: with the record all that was committed to is recomputed`, () => {
    const { leaf, record } = seal(schemaId, claim, more);
    const isClear = leaf.entry.claim !== undefined;
    assert.deepEqual(outcome(recheckEntry({ entry: leaf.entry, record, document: documentOf(leaf.entry) })), {
      claim_commitment: isClear ? null : true,
      observation_commitments: true,
      bundle_root: true,
      verdict_reexecuted: true,
      fee: true,
    });
  });

  test(`${schemaId} ${JSON.stringify(claim).slice(0, 30)}: after an erasure the public parts remain`, () => {
    const { entry } = seal(schemaId, claim, more).leaf;
    assert.deepEqual(outcome(recheckEntry({ entry, record: null, document: documentOf(entry) })), {
      claim_commitment: null,
      observation_commitments: null,
      bundle_root: true,
      verdict_reexecuted: entry.claim === undefined ? null : true,
      fee: true,
    });
  });
}

test('a false record is found out, part by part', () => {
  const { leaf, record } = seal('kvk.liveness.v1', { kvk_number: '11998877' });
  const { entry } = leaf;
  const document = documentOf(entry);
  const wrong = (change: Partial<Parameters<typeof recheckEntry>[0]>) =>
    recheckEntry({ entry, record, document, ...change }).flatMap(({ name, ok }) => (ok === false ? [name] : []));
  const [seen] = record.observations as [(typeof record.observations)[number]];

  assert.deepEqual(wrong({}), []);
  const otherClaim = { ...record, claim: { kvk_number: '11998878' } };
  assert.deepEqual(wrong({ record: otherClaim }), ['claim_commitment', 'verdict_reexecuted']);
  const otherSeed = { ...record, seed: new Uint8Array(32) };
  assert.deepEqual(wrong({ record: otherSeed }), ['claim_commitment', 'observation_commitments']);
  const otherAnswer = { ...record, observations: [{ ...seen, result: { active: false } }] };
  assert.deepEqual(wrong({ record: otherAnswer }), ['observation_commitments']);
  const noAnswer = { ...record, observations: [{ ...seen, status: 'error' as const }] };
  assert.deepEqual(wrong({ record: noAnswer }), ['observation_commitments', 'verdict_reexecuted']);
  assert.deepEqual(wrong({ entry: { ...entry, bundle_root: 'ab'.repeat(32) } }), ['bundle_root']);
  assert.deepEqual(wrong({ entry: { ...entry, fee_eurocents: 5000 } }), ['fee']);
  assert.deepEqual(wrong({ document: { ...document, fee_eurocents: 5000 } }), ['verdict_reexecuted', 'fee']);
});

test('re-execution says why it fails', () => {
  const { leaf, record } = seal('kvk.liveness.v1', { kvk_number: '11998877' });
  const { entry } = leaf;
  const { claim, observations } = record;
  const document = documentOf(entry);
  const why = (change: Partial<Parameters<typeof reexecute>[0]>) => {
    const result = reexecute({ entry, claim, observations, document, ...change });
    return result.ok ? result.verdict.verdict : result.code;
  };
  assert.equal(why({}), 'ACCEPT');
  assert.equal(why({ document: structuredClone(document) }), 'ACCEPT');
  assert.equal(why({ entry: { ...entry, schema_id: 'kvk.liveness.v2' } }), 'schema_unknown');
  assert.equal(why({ document: { ...document, title: 'another' } }), 'document_mismatch');
  assert.equal(why({ document: schemaById('vat.vies.v1')?.document as SchemaDocument }), 'document_mismatch');
  assert.equal(why({ entry: { ...entry, evidence_class: 'R' } }), 'document_mismatch');
  assert.equal(why({ observations: [] }), 'observations_mismatch');
  assert.equal(why({ claim: { kvk_number: '11998878' } }), 'observations_mismatch');
  assert.equal(why({ entry: { ...entry, verdict: 'REJECT', code: 'kvk_not_found' } }), 'verdict_mismatch');
  assert.equal(why({ entry: { ...entry, follows_up: `ATT-${'A'.repeat(52)}` } }), 'links_mismatch');
});

test('a seal is judged by the document that it names, not by the one in force', () => {
  const { leaf, record } = seal('registry.snapshot.v1', { sources: [{ source: 'kvk', query: '11998877' }] });
  const older = { ...documentOf(leaf.entry), sources: [{ source: 'bris', title: 'BRIS', query_pattern: '^b$' }] };
  const entry: SealEntry = {
    ...leaf.entry,
    verdict: 'REJECT',
    code: 'unknown_source',
    schema_digest: schemaDigest(older),
  };
  const again = { entry, claim: record.claim, observations: [] };
  assert.equal(reexecute({ ...again, document: older }).ok, true);
  assert.equal(reexecute({ ...again, document: documentOf(entry) }).ok, false);
});

test('of a mark only the commitment is there to be recomputed', () => {
  const claim = { key: 'k', agent: 'a7' };
  const { entry } = markLeaf({ kind: 'done', claimCommitment: commitClaim(claim, SEED).commitment }, STAMP);
  const recheck = (seed: Uint8Array) =>
    recheckEntry({ entry, record: { claim, seed, observations: [] }, document: null });
  assert.deepEqual(recheck(SEED), [{ name: 'claim_commitment', ok: true }]);
  assert.deepEqual(recheck(new Uint8Array(32)), [{ name: 'claim_commitment', ok: false }]);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SCHEMAS, schemaById } from './schemas.ts';
import { parseClaimBody } from './claim-input.ts';
import { commitClaim, saltOf } from './commitment.ts';
import { checkDisclosure, type Disclosure } from './disclosure.ts';
import { type Leaf, markLeaf, parseLeaf, releaseLeaf, sealLeaf } from './leaf.ts';
import type { HandshakeOrigin, MarkKind, ReleaseOutcome } from './leaf-entry.ts';
import type { FullObservation, Observation } from './observation.ts';
import type { Claim } from './schema-document.ts';
import { prepareSeal } from './seal.ts';

interface EntryVector {
  readonly claim: Claim;
  readonly fields?: Readonly<Record<string, { readonly salt_hex: string; readonly commitment_hex: string }>>;
  readonly entry_jcs: string;
  readonly leaf_hash_hex: string;
  readonly attestation_id: string;
}

interface SealVector extends EntryVector {
  readonly name: string;
  readonly schema_id: string;
  readonly origin?: HandshakeOrigin;
  readonly observations: readonly FullObservation[];
}

interface Vectors {
  readonly schema_digests: Readonly<Record<string, string>>;
  readonly seed_hex: string;
  readonly nonce: string;
  readonly sealed_at: string;
  readonly sandbox: boolean;
  readonly placeholder_schema_digest: string;
  readonly seals: readonly SealVector[];
  readonly mark: EntryVector & { readonly kind: MarkKind };
  readonly release: EntryVector & { readonly fence: number; readonly outcome: ReleaseOutcome };
  readonly disclosure: Disclosure & { readonly claim_commitment: string };
  readonly verdicts: readonly {
    readonly schema_id: string;
    readonly claim: Claim;
    readonly observations: readonly Observation[];
    readonly code: string | null;
  }[];
  readonly bodies: readonly { readonly body: string; readonly faults: readonly unknown[] }[];
}

const file = new URL('../../../test/vectors/attestation.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const seed = Buffer.from(vectors.seed_hex, 'hex');
const stamp = { sandbox: vectors.sandbox, sealedAt: vectors.sealed_at, nonce: vectors.nonce };

function assertEntry(leaf: Leaf, vector: EntryVector): void {
  assert.equal(leaf.text, vector.entry_jcs);
  assert.equal(Buffer.from(leaf.hash).toString('hex'), vector.leaf_hash_hex);
  assert.equal(leaf.id, vector.attestation_id);
  assert.deepEqual(parseLeaf(leaf.bytes), JSON.parse(vector.entry_jcs));
  for (const [field, { salt_hex: salt, commitment_hex: commitment }] of Object.entries(vector.fields ?? {})) {
    assert.equal(Buffer.from(saltOf(seed, field)).toString('hex'), salt);
    assert.equal(commitClaim(vector.claim, seed).fields[field], commitment);
  }
}

test('schema documents are those of the vectors: after a change seals name a new digest, and the old document must stay', () => {
  assert.deepEqual(Object.fromEntries(SCHEMAS.map(({ id, digest }) => [id, digest])), vectors.schema_digests);
});

for (const vector of vectors.seals) {
  test(`vector: ${vector.name}`, () => {
    const { claim, observations, origin } = vector;
    const schema = schemaById(vector.schema_id);
    assert.ok(schema !== undefined);
    const prepared = prepareSeal({ schema, claim, observations, seed, ...(origin === undefined ? {} : { origin }) });
    assertEntry(sealLeaf({ ...prepared, schemaDigest: vectors.placeholder_schema_digest }, stamp), vector);
  });
}

test('vector: a mark and a release', () => {
  const { mark, release } = vectors;
  const commitmentOf = ({ claim }: EntryVector) => commitClaim(claim, seed).commitment;
  assertEntry(markLeaf({ kind: mark.kind, claimCommitment: commitmentOf(mark) }, stamp), mark);
  const { fence, outcome } = release;
  assertEntry(releaseLeaf({ fence, outcome, claimCommitment: commitmentOf(release) }, stamp), release);
});

test('vector: a selective disclosure', () => {
  const { claim_commitment: commitment, ...shown } = vectors.disclosure;
  assert.deepEqual(checkDisclosure(commitment, shown), { ok: true });
});

test('vector: verdicts', () => {
  for (const { schema_id: id, claim, observations, code } of vectors.verdicts) {
    assert.equal(schemaById(id)?.judge(claim, observations).code, code, `${id} ${JSON.stringify(claim)}`);
  }
});

test('vector: bodies and what is malformed in them', () => {
  for (const { body, faults } of vectors.bodies) {
    assert.deepEqual(
      parseClaimBody(body).faults.map(({ pointer, code }) => ({ pointer, code })),
      faults,
      body,
    );
  }
});

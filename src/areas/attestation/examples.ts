/** Answers of a small sandbox log, shortened where length says nothing. */
const ORIGIN = 'sandbox.invalid/example/astralock';
const CHECKPOINT_TEXT = `${ORIGIN}\n2\nHEyNTIjMuc0mv9GIcX0bpxTR1YJIBBHFkp6oHL+RnSE=\n\n— ${ORIGIN} 3q2+7wAAAAA=\n`;
const ID = 'ATT-E6V5YUMJRAFE3HZG3JGSRTZPZ42GISEAMANQPA7O56S3WAMZQRFA';
const HASH = '27abdc51898804a4dcb6da4d28cf2fcf34644880603107877ef7a5bb01998444';
const SIBLING = 'HEyNTIjMuc0mv9GIcX0bpxTR1YJIBBHFkp6oHL+RnSE=';
const ENTRY = 'eyJ2IjoxfQ==';
const AT = '2026-11-15T00:40:12.345Z';
const CLAIM = { statement: 'delivered' };
const INCLUSION = { tree_size: 2, index: 1, hashes: [SIBLING] };
const PROOF = `c2sp.org/tlog-proof@v1\nextra ${ENTRY}\nindex 1\n${SIBLING}\n\n${CHECKPOINT_TEXT}`;

export const SEAL = {
  name: 'record',
  input: { schema_id: 'record.integrity.v1', claim: CLAIM },
  output: {
    attestation_id: ID,
    schema_id: 'record.integrity.v1',
    evidence_class: 'R' as const,
    verdict: 'ACCEPT' as const,
    code: null,
    sandbox: true,
    replayed: false,
    sealed_at: AT,
    seq: 1,
    claim: CLAIM,
    claim_sha256: HASH,
    claim_commitment: HASH,
    disclosure_seed: SIBLING,
    observations: [],
    fee: {
      fee_eurocents: 25,
      platform_fee_pct: 1,
      platform_fee_eurocents: '0.25',
      fee_status: 'invoiced_separately' as const,
      rail: 'x402' as const,
      currency: 'USDC' as const,
      payout_address: null,
      reference: ID,
    },
    entry: ENTRY,
    leaf_hash: HASH,
    inclusion: INCLUSION,
    checkpoint: CHECKPOINT_TEXT,
    proof: PROOF,
    verify_url: `https://avouch.example/api/attest/verify/${ID}`,
    promise: 'the record existed in exactly that byte form at the sealed moment and was unchanged after',
    not_promised: 'truth of the claim',
  },
};

export const ERASURE = {
  name: 'erased',
  input: { attestation_id: ID, disclosure_seed: SIBLING },
  output: { attestation_id: ID, erased: true as const, erased_at: AT, statement: ID, again: false },
};

export const VERIFICATION = {
  name: 'valid',
  input: { attestation_id: ID },
  output: {
    attestation_id: ID,
    found: true as const,
    valid: true,
    type: 'seal' as const,
    verdict: 'ACCEPT' as const,
    code: null,
    schema_id: 'record.integrity.v1',
    evidence_class: 'R' as const,
    sandbox: true,
    sealed_at: AT,
    seq: 1,
    checks: [
      { name: 'id_matches_leaf', ok: true },
      { name: 'leaf_hash', ok: true, recomputed: HASH },
    ],
    claim: null,
    corrects: null,
    follows_up: null,
    superseded_by: [],
    followed_up_by: [],
    entry: ENTRY,
    inclusion: INCLUSION,
    checkpoint: CHECKPOINT_TEXT,
    proof: PROOF,
    recomputed_at: AT,
    origin: null,
    means: 'integrity, order and time of the record',
    does_not_mean: 'truth of the claim',
  },
};

export const BUNDLE = {
  name: 'valid',
  input: { proof: PROOF, attestation_id: ID },
  output: {
    attestation_id: ID,
    valid: true,
    type: 'seal' as const,
    verdict: 'ACCEPT' as const,
    code: null,
    schema_id: 'record.integrity.v1',
    evidence_class: 'R' as const,
    sandbox: true,
    sealed_at: AT,
    corrects: null,
    follows_up: null,
    origin: null,
    checks: [
      { name: 'leaf_hash', ok: true, recomputed: HASH },
      { name: 'inclusion', ok: true },
    ],
    leaf_hash: HASH,
    log: { origin: ORIGIN, tree_size: 2 },
    index: 1,
    recomputed_at: AT,
    means: 'integrity, order and time of the record',
    does_not_mean: 'truth of the claim',
  },
};

export const LEDGER = {
  name: 'page',
  input: { from_seq: 1, limit: 1 },
  output: {
    from_seq: 1,
    next_seq: 2,
    tree_size: 2,
    checkpoint: CHECKPOINT_TEXT,
    entries: [
      { seq: 1, attestation_id: ID, type: 'seal' as const, leaf_hash: HASH, entry: { v: 1 }, entry_b64: ENTRY },
    ],
    range_proof: { left: [SIBLING], right: [] },
  },
};

const EVENT_DATA = JSON.stringify({ ...LEDGER.output.entries[0], tree_size: 2, checkpoint: CHECKPOINT_TEXT });
export const STREAM = {
  name: 'one entry',
  input: { from_seq: 1 },
  output: `retry: 1000\n\nid: 1\nevent: seal\ndata: ${EVENT_DATA}\n\n`,
};

export const TREE_HEAD = {
  name: 'head',
  input: { first: 1 },
  output: {
    origin: ORIGIN,
    tree_size: 2,
    root_hash: HASH,
    root_hash_b64: SIBLING,
    timestamp: AT,
    checkpoint: CHECKPOINT_TEXT,
    witnessed_checkpoint: null,
    vkeys: [`${ORIGIN}+deadbeef+AQ==`],
    signatures: [{ name: ORIGIN, key_id: 'deadbeef', type: 'ed25519' as const }],
    witnesses: [],
    witness_statement: 'no independent witness cosigns this log',
    consistency: { first: 1, second: 2, hashes: [SIBLING] },
    tiles: 'https://avouch.example/astralock/',
    hash: 'SHA-256 RFC 6962' as const,
  },
};

export const AUDIT = {
  name: 'sound',
  input: {},
  output: {
    ok: true,
    tree_size: 2,
    root_signed: HASH,
    root_recomputed: HASH,
    entries_rehashed: 2,
    full: true,
    audited_at: AT,
    entries_read: 2,
    read_since: AT,
    scrubbed: null,
    time_monotone: true,
    ids_ok: true,
    verdicts_reexecuted: 2,
    erased: 0,
    rejects: 0,
    checkpoints_checked: 2,
    keys: [
      {
        vkey: `${ORIGIN}+deadbeef+AQ==`,
        role: 'root' as const,
        scope: 'log-checkpoint' as const,
        declared_in: ID,
        superseded_by: null,
      },
    ],
    witness_lag_entries: null,
    last_anchor: null,
    problems: [],
    hashing_ms: 1,
    judging_ms: 2,
    duration_ms: 3,
    how_to_repeat: './avouch fsck https://avouch.example',
  },
};

export const SCHEMA_LIST = {
  name: 'schemas',
  input: {},
  output: { schemas: [{ schema_id: 'record.integrity.v1', schema_digest: HASH }] },
};

export const CHECKPOINT = { name: 'checkpoint', input: {}, output: CHECKPOINT_TEXT };
export const TILE = { name: 'first', input: { tile: '0/000.p/2' }, output: 'bytes' };

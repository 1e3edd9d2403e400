// Claims under every schema that outsiders may seal, each with the verdict that the spec gives it.
import type { SchemaId } from '#protocol/attestation/schemas.ts';
import type { Claim } from '#protocol/attestation/schema-document.ts';

export interface SealCase {
  readonly schemaId: SchemaId;
  /** Null for ACCEPT. */
  readonly code: string | null;
  /** The claim with a text in it that makes it one of a kind, wherever the verdict leaves room for one. */
  readonly claim: (text: string) => Claim;
}

const KVK = { source: 'kvk', query: '90000001' };
const DOWN = { source: 'kvk', query: '90000008' };
const REF = { verify_ref: 'AMH-1', platform_id: 'plt_1' };
const DIGEST = 'aB'.repeat(32);

type Row = readonly [code: string | null, claim: (text: string) => Claim];

const ROWS: Partial<Record<SchemaId, readonly Row[]>> = {
  'record.integrity.v1': [
    [null, (statement) => ({ statement })],
    [null, (statement) => ({ statement, evidence_digests: [DIGEST] })],
    ['claim_empty', (text) => ({ statement: '', evidence_digests: [text] })],
    ['claim_too_long', (text) => ({ statement: text.padEnd(4_001, 'x') })],
    ['digest_invalid', (text) => ({ statement: text, evidence_digests: [text] })],
    ['too_many_digests', (text) => ({ statement: text, evidence_digests: Array(33).fill(DIGEST) })],
  ],
  'vat.vies.v1': [
    [null, () => ({ country_code: 'NL', vat_number: '000099998B57' })],
    [null, () => ({ country_code: 'NL', vat_number: '000000000B00' })],
    ['country_code_invalid', (text) => ({ country_code: text, vat_number: '12' })],
    ['vat_format', (text) => ({ country_code: 'NL', vat_number: `${text}+` })],
    ['registry_unavailable', () => ({ country_code: 'FR', vat_number: '00000000000' })],
  ],
  'kvk.liveness.v1': [
    [null, () => ({ kvk_number: '90000001' })],
    ['kvk_format', (text) => ({ kvk_number: text })],
    ['registry_unavailable', () => ({ kvk_number: '90000008' })],
    ['kvk_not_found', () => ({ kvk_number: '90000002' })],
  ],
  'registry.snapshot.v1': [
    [null, (purpose) => ({ sources: [KVK], purpose })],
    [null, (purpose) => ({ sources: [KVK, DOWN], purpose })],
    ['sources_missing', (purpose) => ({ sources: [], purpose })],
    ['too_many_sources', (purpose) => ({ sources: Array(7).fill(KVK), purpose })],
    ['unknown_source', (text) => ({ sources: [KVK, { source: text, query: text }] })],
    ['query_invalid', (text) => ({ sources: [{ source: 'kvk', query: text }] })],
    ['all_sources_unreachable', (purpose) => ({ sources: [DOWN], purpose })],
  ],
  'amh.handshake.v1': [
    [null, (reason) => ({ phase: 'verify', ...REF, reason })],
    ['phase_invalid', (phase) => ({ phase, ...REF })],
    ['verify_ref_missing', (text) => ({ phase: 'seal', verify_ref: '', platform_id: text })],
    ['platform_missing', (text) => ({ phase: 'seal', verify_ref: text })],
  ],
};

export const SEAL_CASES: readonly SealCase[] = Object.entries(ROWS).flatMap(([schemaId, rows]) =>
  rows.map(([code, claim]) => ({ schemaId: schemaId as SchemaId, code, claim })),
);

export function caseName({ schemaId, code }: SealCase): string {
  return `${schemaId} ${code ?? 'ACCEPT'}`;
}

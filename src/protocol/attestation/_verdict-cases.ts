import type { Observation } from './observation.ts';
import type { Claim } from './schema-document.ts';
import type { SchemaId } from './schemas.ts';

export interface VerdictCase {
  readonly why: string;
  readonly claim: Claim;
  readonly observations?: readonly Observation[];
  /** Null for ACCEPT. */
  readonly code: string | null;
}

const DIGEST = '0123456789abcdefABCDEF0123456789'.repeat(2);
const EMOJI = '\u{1F600}';
const LONG = 'a'.repeat(4001);
const KVK = { source: 'kvk', query: '11998877' };
const REF = { verify_ref: 'AMH-1', platform_id: 'plt_1' };
const STATE = { case_id: 'c', to_state: 'working', evidence: 'e' };
const KEY = { public_key: 'k', role: 'root', scope: 'receipts' };

const answered = (source: string, result: unknown = {}): Observation => ({ source, status: 'answered', result });
const notFound = (source: string): Observation => ({ source, status: 'not_found' });
const failed = (source: string): Observation => ({ source, status: 'error', code: 'TIMEOUT' });

const STATEMENTS: readonly VerdictCase[] = [
  { why: 'one character', claim: { statement: 'x' }, code: null },
  { why: 'white space is text', claim: { statement: ' ' }, code: null },
  { why: 'a null character is text', claim: { statement: '\0' }, code: null },
  { why: '4000 characters', claim: { statement: 'a'.repeat(4000) }, code: null },
  { why: '4000 emoji are 4000 characters', claim: { statement: EMOJI.repeat(4000) }, code: null },
  { why: 'empty', claim: { statement: '' }, code: 'claim_empty' },
  { why: 'missing', claim: {}, code: 'claim_empty' },
  { why: 'null', claim: { statement: null }, code: 'claim_empty' },
  { why: 'a number', claim: { statement: 5 }, code: 'claim_empty' },
  { why: 'a list', claim: { statement: ['x'] }, code: 'claim_empty' },
  { why: '4001 characters', claim: { statement: LONG }, code: 'claim_too_long' },
  { why: '4001 emoji', claim: { statement: EMOJI.repeat(4001) }, code: 'claim_too_long' },
  { why: '4000 emoji and a letter', claim: { statement: `${EMOJI.repeat(4000)}a` }, code: 'claim_too_long' },
  {
    why: 'combining marks count, without normalisation',
    claim: { statement: 'e\u0301'.repeat(2001) },
    code: 'claim_too_long',
  },
];

/** Claims that pass claim-input.ts, with the verdict that the published order of checks gives. */
export const VERDICT_CASES: Readonly<Record<SchemaId, readonly VerdictCase[]>> = {
  'record.integrity.v1': [
    ...STATEMENTS,
    { why: 'no digests', claim: { statement: 'x', evidence_digests: [] }, code: null },
    {
      why: '32 digests in both cases',
      claim: { statement: 'x', evidence_digests: Array(32).fill(DIGEST) },
      code: null,
    },
    { why: 'not a digest', claim: { statement: 'x', evidence_digests: [DIGEST, 'zz'] }, code: 'digest_invalid' },
    {
      why: 'a digest and a newline',
      claim: { statement: 'x', evidence_digests: [`${DIGEST}\n`] },
      code: 'digest_invalid',
    },
    { why: 'a number among digests', claim: { statement: 'x', evidence_digests: [7] }, code: 'digest_invalid' },
    { why: 'digests not a list', claim: { statement: 'x', evidence_digests: DIGEST }, code: 'digest_invalid' },
    { why: 'digests null', claim: { statement: 'x', evidence_digests: null }, code: 'digest_invalid' },
    {
      why: '33 digests',
      claim: { statement: 'x', evidence_digests: Array(33).fill(DIGEST) },
      code: 'too_many_digests',
    },
    { why: 'empty before bad digests', claim: { statement: '', evidence_digests: ['zz'] }, code: 'claim_empty' },
    {
      why: 'too long before bad digests',
      claim: { statement: LONG, evidence_digests: ['zz'] },
      code: 'claim_too_long',
    },
    {
      why: 'too long before too many',
      claim: { statement: LONG, evidence_digests: Array(33).fill(DIGEST) },
      code: 'claim_too_long',
    },
    {
      why: 'bad before too many',
      claim: { statement: 'x', evidence_digests: Array(33).fill('zz') },
      code: 'digest_invalid',
    },
  ],
  'protocol.statement.v1': STATEMENTS,
  'vat.vies.v1': [
    ...['NL', 'EL', 'GR', 'XI'].map((country) => ({
      why: `${country} is asked`,
      claim: { country_code: country, vat_number: '999900018B01' },
      observations: [answered('vies', { valid: true })],
      code: null,
    })),
    {
      why: 'not valid is an answer',
      claim: { country_code: 'DE', vat_number: '100' },
      observations: [answered('vies', { valid: false })],
      code: null,
    },
    { why: 'GB is not in VIES', claim: { country_code: 'GB', vat_number: '123456789' }, code: 'country_code_invalid' },
    { why: 'lower case', claim: { country_code: 'nl', vat_number: '123456789' }, code: 'country_code_invalid' },
    { why: 'country missing', claim: { vat_number: '123456789' }, code: 'country_code_invalid' },
    { why: 'country not a text', claim: { country_code: ['NL'], vat_number: '12' }, code: 'country_code_invalid' },
    { why: 'number missing', claim: { country_code: 'NL' }, code: 'vat_format' },
    { why: 'one character', claim: { country_code: 'NL', vat_number: '1' }, code: 'vat_format' },
    { why: '15 characters', claim: { country_code: 'NL', vat_number: '1'.repeat(15) }, code: 'vat_format' },
    { why: 'an old Irish number', claim: { country_code: 'IE', vat_number: '9+87654Z' }, code: 'vat_format' },
    { why: 'a number as number', claim: { country_code: 'NL', vat_number: 123456789 }, code: 'vat_format' },
    {
      why: 'other digits than those of ASCII',
      claim: { country_code: 'NL', vat_number: '\u0661\u0662\u0663' },
      code: 'vat_format',
    },
    { why: 'country before number', claim: { country_code: 'US', vat_number: '+' }, code: 'country_code_invalid' },
    {
      why: 'country before register',
      claim: { country_code: 'US', vat_number: '12' },
      observations: [failed('vies')],
      code: 'country_code_invalid',
    },
    {
      why: 'number before register',
      claim: { country_code: 'NL', vat_number: '+' },
      observations: [failed('vies')],
      code: 'vat_format',
    },
    {
      why: 'the service is down',
      claim: { country_code: 'NL', vat_number: '12' },
      observations: [failed('vies')],
      code: 'registry_unavailable',
    },
    { why: 'nobody was asked', claim: { country_code: 'NL', vat_number: '12' }, code: 'registry_unavailable' },
    {
      why: 'another register answered',
      claim: { country_code: 'NL', vat_number: '12' },
      observations: [answered('kvk')],
      code: 'registry_unavailable',
    },
  ],
  'kvk.liveness.v1': [
    { why: 'a record', claim: { kvk_number: '00000001' }, observations: [answered('kvk')], code: null },
    { why: 'seven digits', claim: { kvk_number: '1199887' }, code: 'kvk_format' },
    { why: 'nine digits', claim: { kvk_number: '119988770' }, code: 'kvk_format' },
    { why: 'a number', claim: { kvk_number: 11998877 }, code: 'kvk_format' },
    { why: 'missing', claim: {}, code: 'kvk_format' },
    { why: 'format before register', claim: { kvk_number: 'x' }, observations: [failed('kvk')], code: 'kvk_format' },
    {
      why: 'the register is down',
      claim: { kvk_number: '11998877' },
      observations: [failed('kvk')],
      code: 'registry_unavailable',
    },
    { why: 'nobody was asked', claim: { kvk_number: '11998877' }, code: 'registry_unavailable' },
    { why: 'no record', claim: { kvk_number: '11998877' }, observations: [notFound('kvk')], code: 'kvk_not_found' },
  ],
  'registry.snapshot.v1': [
    { why: 'one source', claim: { sources: [KVK] }, observations: [answered('kvk')], code: null },
    { why: 'nothing found is an answer', claim: { sources: [KVK] }, observations: [notFound('kvk')], code: null },
    { why: 'one of two', claim: { sources: [KVK, KVK] }, observations: [failed('kvk'), notFound('kvk')], code: null },
    {
      why: 'six sources',
      claim: { sources: Array(6).fill(KVK) },
      observations: Array(6).fill(answered('kvk')),
      code: null,
    },
    { why: 'missing', claim: {}, code: 'sources_missing' },
    { why: 'empty', claim: { sources: [] }, code: 'sources_missing' },
    { why: 'not a list', claim: { sources: KVK }, code: 'sources_missing' },
    { why: 'seven sources', claim: { sources: Array(7).fill(KVK) }, code: 'too_many_sources' },
    { why: 'too many before unknown', claim: { sources: Array(7).fill({ source: 'x' }) }, code: 'too_many_sources' },
    { why: 'unknown source', claim: { sources: [KVK, { source: 'x', query: 'x' }] }, code: 'unknown_source' },
    { why: 'source missing', claim: { sources: [{ query: '11998877' }] }, code: 'unknown_source' },
    { why: 'source not a text', claim: { sources: [{ source: ['kvk'], query: '11998877' }] }, code: 'unknown_source' },
    { why: 'an element is no object', claim: { sources: [KVK, 'kvk'] }, code: 'unknown_source' },
    { why: 'an element is null', claim: { sources: [null] }, code: 'unknown_source' },
    {
      why: 'unknown before an earlier bad query',
      claim: { sources: [{ source: 'kvk' }, { source: 'x' }] },
      code: 'unknown_source',
    },
    { why: 'query missing', claim: { sources: [{ source: 'kvk' }] }, code: 'query_invalid' },
    { why: 'query not a text', claim: { sources: [{ source: 'kvk', query: 11998877 }] }, code: 'query_invalid' },
    {
      why: 'query of another source',
      claim: { sources: [{ source: 'rdw', query: '11998877' }] },
      code: 'query_invalid',
    },
    {
      why: 'query before register',
      claim: { sources: [{ source: 'kvk', query: '' }] },
      observations: [failed('kvk')],
      code: 'query_invalid',
    },
    {
      why: 'all down',
      claim: { sources: [KVK, KVK] },
      observations: [failed('kvk'), failed('kvk')],
      code: 'all_sources_unreachable',
    },
    { why: 'nobody was asked', claim: { sources: [KVK] }, code: 'all_sources_unreachable' },
  ],
  'amh.handshake.v1': [
    { why: 'verify', claim: { phase: 'verify', ...REF }, code: null },
    { why: 'a refusal is recorded like any other', claim: { phase: 'verify', ...REF, ok: false }, code: null },
    { why: 'seal', claim: { phase: 'seal', ...REF, outcome: 'placed' }, code: null },
    { why: 'another phase', claim: { phase: 'cancel', ...REF }, code: 'phase_invalid' },
    { why: 'phase missing', claim: REF, code: 'phase_invalid' },
    { why: 'phase not a text', claim: { phase: ['verify'], ...REF }, code: 'phase_invalid' },
    { why: 'ref missing', claim: { phase: 'verify', platform_id: 'p' }, code: 'verify_ref_missing' },
    { why: 'ref empty', claim: { phase: 'verify', verify_ref: '', platform_id: 'p' }, code: 'verify_ref_missing' },
    { why: 'ref not a text', claim: { phase: 'verify', verify_ref: 1, platform_id: 'p' }, code: 'verify_ref_missing' },
    { why: 'platform missing', claim: { phase: 'seal', verify_ref: 'AMH-1' }, code: 'platform_missing' },
    { why: 'platform empty', claim: { phase: 'seal', verify_ref: 'AMH-1', platform_id: '' }, code: 'platform_missing' },
    { why: 'phase before ref', claim: { verify_ref: '' }, code: 'phase_invalid' },
    { why: 'ref before platform', claim: { phase: 'seal' }, code: 'verify_ref_missing' },
  ],
  'coordination.state.v1': [
    ...['working', 'canceled', 'cancelled', 'returned'].map((state) => ({
      why: `to ${state}`,
      claim: { ...STATE, to_state: state },
      code: null,
    })),
    { why: 'case missing', claim: { to_state: 'working', evidence: 'e' }, code: 'case_id_missing' },
    { why: 'case empty', claim: { ...STATE, case_id: '' }, code: 'case_id_missing' },
    { why: 'state unknown', claim: { ...STATE, to_state: 'asleep' }, code: 'state_unknown' },
    { why: 'state missing', claim: { case_id: 'c', evidence: 'e' }, code: 'state_unknown' },
    { why: 'evidence empty', claim: { ...STATE, evidence: '' }, code: 'evidence_empty' },
    { why: 'evidence not a text', claim: { ...STATE, evidence: {} }, code: 'evidence_empty' },
    { why: 'case before state', claim: { to_state: 'asleep', evidence: '' }, code: 'case_id_missing' },
    { why: 'state before evidence', claim: { case_id: 'c', to_state: 'asleep', evidence: '' }, code: 'state_unknown' },
  ],
  'protocol.key.declaration.v1': [
    ...['root', 'legacy', 'peer'].map((role) => ({ why: role, claim: { ...KEY, role }, code: null })),
    { why: 'key missing', claim: { role: 'root', scope: 's' }, code: 'public_key_missing' },
    { why: 'key empty', claim: { ...KEY, public_key: '' }, code: 'public_key_missing' },
    { why: 'another role', claim: { ...KEY, role: 'owner' }, code: 'role_invalid' },
    { why: 'role missing', claim: { public_key: 'k', scope: 's' }, code: 'role_invalid' },
    { why: 'scope empty', claim: { ...KEY, scope: '' }, code: 'scope_empty' },
    { why: 'key before role', claim: { role: 'owner', scope: '' }, code: 'public_key_missing' },
    { why: 'role before scope', claim: { public_key: 'k', role: 'owner', scope: '' }, code: 'role_invalid' },
  ],
};

import { REFRESH_MS } from '#areas/bounties/crawl.ts';
import { MAX_QUESTIONS } from '#areas/briefs/clarity.ts';
import { ONCE_MS } from '#areas/crossing/lease.ts';
import { REMEMBERED_MS } from '#areas/crossing/lookers.ts';
import { MARKS_PER_DAY } from '#areas/crossing/mark.ts';
import { BUDGET_THRESHOLDS } from '#areas/audits/thresholds.ts';
import { schemaOf } from '#kernel/openapi.ts';
import type { Operation } from '#kernel/operation.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';

type Limit = Readonly<Record<string, unknown>>;
type JsonSchema = Readonly<Record<string, unknown>>;

const DAY_MS = 86_400_000;

/** Fields of operations whose bounds callers should know beforehand. */
const OF_FIELDS: readonly (readonly [operationId: string, field: string])[] = [
  ['counterparty_check', 'company_name'],
  ['sanctions_screen', 'name'],
  ['claim', 'agent'],
  ['claim', 'ttl'],
  ['look', 'slots'],
  ['brief', 'slots'],
  ['mark', 'note'],
  ['brief_lint', 'text'],
  ['bounties', 'limit'],
  ['agent_budget_audit', 'period_days'],
  ['spend_fuse', 'probe_amount_usd'],
];
const OF_CLAIMS: readonly (readonly [schemaId: string, field: string])[] = [
  ['record.integrity.v1', 'statement'],
  ['record.integrity.v1', 'evidence_digests'],
  ['registry.snapshot.v1', 'sources'],
  ['vat.vies.v1', 'vat_number'],
  ['kvk.liveness.v1', 'kvk_number'],
];
const OF_CONSTANTS: readonly Limit[] = [
  { area: 'look', limit: 'memory_s', value: REMEMBERED_MS / 1_000 },
  { area: 'claim', limit: 'once_days', value: ONCE_MS / DAY_MS },
  { area: 'mark', limit: 'per_key_and_address_and_day', value: MARKS_PER_DAY },
  { area: 'brief', limit: 'questions', value: MAX_QUESTIONS },
  { area: 'bounties', limit: 'read_every_s', value: REFRESH_MS / 1_000 },
  { area: 'agent_budget_audit', limit: 'period_days_default', value: BUDGET_THRESHOLDS.default_period_days },
  { area: 'spend_fuse', limit: 'probe_share_of_period_budget', value: BUDGET_THRESHOLDS.probe_budget_share },
  { area: 'public manifests', limit: 'quota', value: null },
];

const BOUNDS: Readonly<Record<string, string>> = {
  minLength: 'min_characters',
  maxLength: 'max_characters',
  minimum: 'min',
  maximum: 'max',
  minItems: 'min_items',
  maxItems: 'max_items',
  default: 'default',
  pattern: 'pattern',
};

/** The limits as data, read from the schemas and constants that hold callers to them. */
export function limitsOf(operations: readonly Operation[]): Limit[] {
  const ofFields = OF_FIELDS.flatMap(([operationId, field]) => {
    const schema = operations.find((row) => row.operationId === operationId)?.input.shape[field];
    return schema === undefined ? [] : { area: operationId, limit: field, ...boundsOf(schemaOf(schema, 'input')) };
  });
  const ofClaims = OF_CLAIMS.flatMap(([schemaId, field]) => {
    const properties = schemaById(schemaId)?.document.claim['properties'] as JsonSchema | undefined;
    const schema = properties?.[field];
    return schema === undefined ? [] : { area: schemaId, limit: field, ...boundsOf(schema as JsonSchema) };
  });
  const names = new Set(operations.map(({ operationId }) => operationId));
  const ofConstants = OF_CONSTANTS.filter(({ area }) => names.has(String(area)) || area === 'public manifests');
  return [...ofFields, ...ofClaims, ...ofConstants];
}

function boundsOf(schema: JsonSchema): Limit {
  const bounds = Object.entries(BOUNDS).flatMap(([from, to]) => (from in schema ? [[to, schema[from]] as const] : []));
  return Object.fromEntries(bounds);
}

import type { PublishedLimit } from '#kernel/area.ts';
import { schemaOf } from '#kernel/openapi.ts';
import type { Operation } from '#kernel/operation.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';

type Limit = Readonly<Record<string, unknown>>;
type JsonSchema = Readonly<Record<string, unknown>>;

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
/** The order of what areas publish of their constants. */
const CONSTANTS_OF = ['look', 'claim', 'mark', 'brief', 'bounties', 'agent_budget_audit', 'spend_fuse'];
const MANIFESTS: PublishedLimit = { area: 'public manifests', limit: 'quota', value: null };

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
export function limitsOf(operations: readonly Operation[], published: readonly PublishedLimit[]): Limit[] {
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
  const ofConstants = published.filter(({ area }) => names.has(area)).toSorted((a, b) => placeOf(a) - placeOf(b));
  return [...ofFields, ...ofClaims, ...[...ofConstants, MANIFESTS].map((limit) => ({ ...limit }))];
}

function placeOf({ area }: PublishedLimit): number {
  return CONSTANTS_OF.includes(area) ? CONSTANTS_OF.indexOf(area) : CONSTANTS_OF.length;
}

function boundsOf(schema: JsonSchema): Limit {
  const bounds = Object.entries(BOUNDS).flatMap(([from, to]) => (from in schema ? [[to, schema[from]] as const] : []));
  return Object.fromEntries(bounds);
}

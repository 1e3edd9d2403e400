import { hash } from 'node:crypto';
import { objectIn } from './log-client.ts';

/** The body of a seal, and the claim in it as it must come back. */
export interface SealBody {
  readonly body: string;
  readonly claim: Record<string, unknown>;
  /** `digest`: the file itself is not sent, only its SHA-256. */
  readonly what: 'request' | 'claim' | 'digest';
}

export interface SealChoice {
  readonly schemaId: string | undefined;
  readonly isPublic: boolean;
}

const RECORD = 'record.integrity.v1';

/**
 * A request or a claim in JSON is sent in its own spelling, so that the service sees its digits and not what they were
 * rounded to here. Of any other file only the digest is sent. Undefined: not the claim that a named schema needs.
 */
export function sealRequestOf(bytes: Uint8Array, { schemaId, isPublic }: SealChoice): SealBody | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  const value = objectIn(text);
  const end = isPublic ? ',"disclosure":"public"}' : '}';
  const ofClaim = (schema: string, claim: Record<string, unknown>, spelt: string, what: SealBody['what']) => {
    return { body: `{"schema_id":${JSON.stringify(schema)},"claim":${spelt}${end}`, claim, what };
  };
  if (schemaId !== undefined) return value && ofClaim(schemaId, value, text, 'claim');
  if (isRequest(value)) return { body: text.trimEnd().slice(0, -1) + end, claim: value.claim, what: 'request' };
  if (typeof value?.['statement'] === 'string') return ofClaim(RECORD, value, text, 'claim');
  const digest = hash('sha256', bytes, 'hex');
  const claim = { statement: `sha256 ${digest}`, evidence_digests: [digest] };
  return ofClaim(RECORD, claim, JSON.stringify(claim), 'digest');
}

function isRequest(value: Record<string, unknown> | undefined): value is { claim: Record<string, unknown> } {
  const claim = value?.['claim'];
  return typeof value?.['schema_id'] === 'string' && typeof claim === 'object' && claim !== null;
}

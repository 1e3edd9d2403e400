import { hash } from 'node:crypto';
import { canonicalJson } from '#kernel/canonical-json.ts';

/** What is submitted under a schema, as parsed from JSON. Absent fields are absent, never null or undefined. */
export type Claim = Readonly<Record<string, unknown>>;
/** R: a record of what was submitted. A: a public register, asked by the protocol. C: the same with credentials. */
export type EvidenceClass = 'R' | 'A' | 'C';
export type JsonSchema = Readonly<Record<string, unknown>>;

interface PublishedCheck {
  readonly order: number;
  readonly code: string;
  readonly rule: string;
}

export interface CatalogueSource {
  readonly source: string;
  readonly title: string;
  /** ECMA-262 with the u flag, over the whole query: the dialect of JSON Schema. */
  readonly query_pattern: string;
}

/** The verdict holds when every register that is asked answers. */
interface SchemaExample {
  readonly claim: Claim;
  readonly verdict: 'ACCEPT' | 'REJECT';
  readonly code: string | null;
}

/**
 * What a schema publishes about itself, in wire names. A verdict rule never changes under one schema_id; a change of
 * text, fee, catalogue or states gives a new digest, and old documents are kept because old seals are judged by them.
 */
export interface SchemaDocument {
  readonly schema_id: string;
  readonly evidence_class: EvidenceClass;
  readonly title: string;
  readonly claim: JsonSchema;
  readonly checks: readonly PublishedCheck[];
  readonly fee_eurocents: number;
  readonly sealable_by: 'anyone' | 'internal';
  readonly promise: string;
  readonly not_promised: 'truth of the claim';
  readonly sources?: readonly CatalogueSource[];
  readonly states?: readonly string[];
  readonly examples: readonly SchemaExample[];
}

/** A document as it is served: with the digest under which seals name it. */
export type ServedSchemaDocument = SchemaDocument & { readonly schema_digest: string };

/** SHA-256 in hex over the canonical document without its own digest. */
export function schemaDigest(document: SchemaDocument | ServedSchemaDocument): string {
  const { schema_digest: _, ...undigested } = document as ServedSchemaDocument;
  return hash('sha256', canonicalJson(undigested), 'hex');
}

/** Equal claims have equal digests, whatever the order of their keys. For answers only: the log never holds it. */
export function claimSha256(claim: Claim): string {
  return hash('sha256', canonicalJson(claim), 'hex');
}

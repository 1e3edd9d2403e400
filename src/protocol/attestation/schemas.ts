import type { AttestationSchema } from './attestation-schema.ts';
import type { LeafEntry } from './leaf-entry.ts';
import { schemaDigest, type SchemaDocument } from './schema-document.ts';
import { amhHandshake } from './schemas/amh.handshake.v1.ts';
import { coordinationState } from './schemas/coordination.state.v1.ts';
import { kvkLiveness } from './schemas/kvk.liveness.v1.ts';
import { keyDeclaration } from './schemas/protocol.key.declaration.v1.ts';
import { protocolStatement } from './schemas/protocol.statement.v1.ts';
import { recordIntegrity } from './schemas/record.integrity.v1.ts';
import { registrySnapshot } from './schemas/registry.snapshot.v1.ts';
import { vatVies } from './schemas/vat.vies.v1.ts';

/** Every schema under which anything is sealed, in the order of the spec. */
export const SCHEMAS = [
  recordIntegrity,
  vatVies,
  amhHandshake,
  coordinationState,
  keyDeclaration,
  protocolStatement,
  registrySnapshot,
  kvkLiveness,
] as const;

export type SchemaId = (typeof SCHEMAS)[number]['id'];

const byId: ReadonlyMap<string, AttestationSchema<SchemaId>> = new Map(SCHEMAS.map((schema) => [schema.id, schema]));

/** The schema in force under an id, or undefined for an id that names none. */
export function schemaById(id: string): AttestationSchema<SchemaId> | undefined {
  return byId.get(id); // attacker-controlled
}

/** Documents that were in force once: the log holds seals under them. */
const OLD: readonly SchemaDocument[] = [];

/** Every document under which anything was ever sealed, by its digest. */
export const DOCUMENTS = new Map<string, SchemaDocument>([
  ...SCHEMAS.map(({ digest, document }) => [digest, document] as const),
  ...OLD.map((document) => [schemaDigest(document), document] as const),
]);

/**
 * By which an entry of our own log is judged again: the document that it names. Where nobody knows that one, the document in
 * force, which then does not match; null for marks and releases.
 */
export function judgingDocument(entry: LeafEntry): SchemaDocument | null {
  if (entry.type !== 'seal') return null;
  return DOCUMENTS.get(entry.schema_digest) ?? schemaById(entry.schema_id)?.document ?? null;
}

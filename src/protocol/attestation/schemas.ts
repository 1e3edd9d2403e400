import type { AttestationSchema } from './attestation-schema.ts';
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

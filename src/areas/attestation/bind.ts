import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { logEntry, logExplorer, logHeads, verifyPage } from './explorer-operations.ts';
import type { Explorer } from './explorer.ts';
import type { Ledger } from './ledger.ts';
import * as log from './log-operations.ts';
import { lookup } from './lookup-operation.ts';
import type { LogReads } from './log-reads.ts';
import * as sealing from './operations.ts';
import { schemaDocuments } from './schema-documents.ts';
import type { Seals } from './seals.ts';
import type { Verifications } from './verifications.ts';
import * as verifying from './verify-operations.ts';

/** The rows of this area, in the order in which documents show them. */
export const ATTESTATION_OPERATIONS = [
  sealing.seal,
  sealing.erase,
  verifying.verify,
  verifying.verifyBundle,
  lookup,
  log.ledger,
  log.stream,
  log.treeHead,
  log.audit,
  sealing.schemas,
  log.checkpoint,
  log.witnessedCheckpoint,
  log.tile,
  logExplorer,
  logHeads,
  logEntry,
  verifyPage,
];

export interface AttestationParts {
  readonly seals: Seals;
  readonly verifications: Verifications;
  readonly logReads: LogReads;
  readonly ledger: Ledger;
  readonly explorer: Explorer;
}

export function bindAttestation(parts: AttestationParts): BoundOperation[] {
  const { seals, verifications, logReads, ledger, explorer } = parts;
  return [
    bind(sealing.seal, (input) => seals.seal(input)),
    bind(sealing.erase, (input) => seals.erase(input.attestation_id, input.disclosure_seed)),
    bind(sealing.schemas, ({ digest }) => schemaDocuments(digest)),
    bind(verifying.verify, (input) => verifications.verify(input.attestation_id, input.format)),
    bind(verifying.verifyBundle, (input) => verifications.verifyBundle(input)),
    bind(lookup, ({ sha256 }) => seals.lookup(sha256)),
    bind(log.ledger, (input, call) => ledger.read(input, call.mediaType)),
    bind(log.stream, (input) => ledger.watch(input)),
    bind(log.treeHead, (input) => logReads.treeHead(input.first)),
    bind(log.audit, (input) => logReads.audit(input.from, input.to)),
    bind(log.checkpoint, () => logReads.checkpoint()),
    bind(log.witnessedCheckpoint, () => logReads.witnessedCheckpoint()),
    bind(log.tile, (input) => logReads.tile(input.tile)),
    bind(logExplorer, (input) => explorer.show(input)),
    bind(logHeads, (input) => explorer.heads(input)),
    bind(logEntry, (input) => explorer.entry(input.ref)),
    bind(verifyPage, () => explorer.verifyKeys()),
  ];
}

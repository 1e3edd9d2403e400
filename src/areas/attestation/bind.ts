import { type BoundOperation, bind } from '#kernel/operation.ts';
import * as log from './log-operations.ts';
import type { LogReads } from './log-reads.ts';
import * as sealing from './operations.ts';
import type { Seals } from './seals.ts';
import type { Verifications } from './verifications.ts';
import * as verifying from './verify-operations.ts';

/** The rows of this area, in the order in which documents show them. */
export const ATTESTATION_OPERATIONS = [
  sealing.seal,
  sealing.erase,
  verifying.verify,
  log.ledger,
  log.treeHead,
  log.audit,
  sealing.schemas,
  log.checkpoint,
  log.tile,
];

export interface AttestationParts {
  readonly seals: Seals;
  readonly verifications: Verifications;
  readonly logReads: LogReads;
}

export function bindAttestation({ seals, verifications, logReads }: AttestationParts): BoundOperation[] {
  return [
    bind(sealing.seal, (input) => seals.seal(input)),
    bind(sealing.erase, (input) => seals.erase(input.attestation_id, input.disclosure_seed)),
    bind(sealing.schemas, () => seals.schemas()),
    bind(verifying.verify, (input) => verifications.verify(input.attestation_id)),
    bind(log.ledger, (input) => logReads.ledger(input.from_seq, input.limit)),
    bind(log.treeHead, (input) => logReads.treeHead(input.first)),
    bind(log.audit, (input) => logReads.audit(input.from, input.to)),
    bind(log.checkpoint, () => logReads.checkpoint()),
    bind(log.tile, (input) => logReads.tile(input.tile)),
  ];
}

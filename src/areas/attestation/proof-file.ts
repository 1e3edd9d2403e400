import { Refusal } from '#kernel/problem.ts';
import { formatTlogProof } from '#protocol/tlog-proof.ts';
import type { EntryProof } from '#platform/storage/store.ts';
import * as problems from './problems.ts';

/** The proof as a file of its own: C2SP tlog-proof, with the entry in it. */
export function proofFile(leaf: string, proof: Pick<EntryProof, 'seq' | 'path' | 'checkpoint'>): string {
  const { seq, path, checkpoint } = proof;
  return formatTlogProof({ extra: Buffer.from(leaf), index: seq, path: [...path], checkpoint });
}

export function entryNotFound(): Refusal {
  const members = { found: false, valid: false };
  return new Refusal(problems.attestationNotFound, { detail: 'No log entry has this id.', members });
}

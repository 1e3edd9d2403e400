import type { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import type { Refusal } from '#kernel/problem.ts';
import type { PublicLog } from '#log/public-log.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import { notFound, proofFile } from './proof-file.ts';
import { checksOf } from './verification.ts';
import type { Verification } from './verify-operations.ts';

export interface VerificationsOptions {
  readonly log: PublicLog;
  readonly clock: Pick<Clock, 'now'>;
}

const MEANS =
  'integrity, order and time of the record, attested by a private attestation service with contractual strength between parties; not a civil-law notary, not an eIDAS qualified trust service';
const SUBMITTED = '; somebody submitted this record, the service neither made nor checked that handshake';

/** Verifies what was sealed, from stored bytes and from bytes that a caller brings. */
export class Verifications {
  readonly #options: VerificationsOptions;

  constructor(options: VerificationsOptions) {
    this.#options = options;
  }

  async verify(attestationId: string): Promise<z.output<typeof Verification> | Refusal> {
    const { log, clock } = this.#options;
    const head = await log.follow();
    const stored = await log.entryOf(attestationId);
    if (stored === undefined) return notFound();
    const record = await log.recordOf(stored.seq);
    const path = log.inclusionPath(stored.seq, head.size);
    const proof = { seq: stored.seq, treeSize: head.size, path, checkpoint: head.checkpoint };
    const checks = checksOf(stored, { record, kept: log.sealRecord(record) }, proof, log.vkeys());
    const entry = parseLeaf(Buffer.from(stored.leaf));
    const sealed = entry.type === 'seal' ? entry : undefined;
    const isShown = record?.disclosure === 'public' && record.claim !== null;
    return {
      attestation_id: attestationId,
      found: true,
      valid: checks.every(({ ok }) => ok !== false),
      type: entry.type,
      verdict: sealed?.verdict ?? null,
      code: sealed?.code ?? null,
      schema_id: sealed?.schema_id ?? null,
      evidence_class: sealed?.evidence_class ?? null,
      sandbox: entry.sandbox,
      sealed_at: entry.sealed_at,
      seq: stored.seq,
      checks,
      claim: isShown ? (JSON.parse(record.claim) as Record<string, unknown>) : null,
      entry: Buffer.from(stored.leaf).toString('base64'),
      inclusion: { tree_size: head.size, index: stored.seq, hashes: path },
      checkpoint: head.checkpoint,
      proof: proofFile(stored.leaf, proof),
      recomputed_at: isoTime(clock.now()),
      origin: sealed?.origin ?? null,
      means: sealed?.origin === 'submitted' ? MEANS + SUBMITTED : MEANS,
      does_not_mean: 'truth of the claim',
    };
  }
}

import type { z } from 'zod';
import { refuseFields } from '#kernel/general-problems.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { FileResponse } from '#kernel/operation.ts';
import { type FieldError, Refusal } from '#kernel/problem.ts';
import type { PublicLog, StoredEntry } from '#platform/log/public-log.ts';
import { type Bundle, readBundle } from '#protocol/attestation/bundle.ts';
import { checkBundle } from '#protocol/attestation/bundle-check.ts';
import type { LeafEntry } from '#protocol/attestation/leaf-entry.ts';
import { parsePolicy } from '#protocol/witness-policy.ts';
import { bundleAnswer } from './bundle-answer.ts';
import { meansOf, NOT_MEANT, sealFacts } from './facts.ts';
import * as problems from './problems.ts';
import { entryNotFound, proofFile } from './proof-file.ts';
import type { WitnessedCheckpoint } from '#platform/log/publisher.ts';
import { type LogBundleCheck, type LogProof, verified } from './verification.ts';
import {
  type BundleVerification,
  TLOG_PROOF_MEDIA,
  type VerificationAnswer,
  type verifyBundle,
} from './verify-operations.ts';

export interface VerificationsOptions {
  readonly log: PublicLog;
  readonly clock: Pick<Clock, 'now'>;
  readonly witnessed: () => Promise<WitnessedCheckpoint | null>;
}

type Format = 'json' | 'tlog-proof' | 'cose';

/** Verifies what was sealed, from stored bytes and from bytes that a caller brings. */
export class Verifications {
  readonly #options: VerificationsOptions;

  constructor(options: VerificationsOptions) {
    this.#options = options;
  }

  async verify(
    attestationId: string,
    format: Format = 'json',
  ): Promise<z.output<typeof VerificationAnswer> | FileResponse | Refusal> {
    if (format === 'cose')
      return new Refusal(problems.formatUnsupported, {
        detail: 'COSE receipts have their own address: GET /api/attest/receipt/{attestation_id}.',
      });
    const stored = await this.#options.log.entryOf(attestationId);
    if (stored === undefined) return entryNotFound();
    const proof = await this.#proofOf(stored);
    if (format === 'tlog-proof') return new FileResponse(TLOG_PROOF_MEDIA, proofFile(stored.leaf, proof));
    return this.#answer(stored, proof);
  }

  /** Needs nothing of the store: the bundle is checked by its bytes, and by our keys where it names none. */
  verifyBundle(input: z.output<typeof verifyBundle.input>): z.output<typeof BundleVerification> | Refusal {
    const { clock, log } = this.#options;
    const bundle = readBundle(input);
    if (!isBundle(bundle)) return refuseFields(bundle);
    const own = parsePolicy(`${[...new Set(log.allVkeys())].map((vkey) => `log ${vkey}\n`).join('')}quorum none\n`);
    const nowMs = clock.now();
    return bundleAnswer(bundle, checkBundle(bundle, { own, nowSeconds: Math.floor(nowMs / 1_000) }), nowMs);
  }

  async #answer(stored: StoredEntry, proof: LogProof): Promise<z.output<typeof VerificationAnswer>> {
    const { log, clock } = this.#options;
    const record = await log.recordOf(stored.seq);
    const kept = { record, read: () => log.sealRecord(record) };
    // The newest witnessed checkpoint may be one that a retired key signed.
    const { entry, checks } = verified(stored, kept, proof, log.allVkeys());
    const { attestationId, seq, leaf } = stored;
    return {
      attestation_id: attestationId,
      found: true,
      valid: checks.every(({ ok }) => ok !== false),
      ...sealFacts(entry),
      seq,
      checks: [...checks],
      claim: shownClaim(entry, checks, record?.claim ?? null),
      superseded_by: await log.linksTo(attestationId, 'corrects'),
      followed_up_by: await log.linksTo(attestationId, 'follows_up'),
      entry: Buffer.from(leaf).toString('base64'),
      inclusion: { tree_size: proof.treeSize, index: seq, hashes: [...proof.path] },
      checkpoint: proof.checkpoint,
      proof: proofFile(leaf, proof),
      recomputed_at: isoTime(clock.now()),
      means: meansOf(entry),
      does_not_mean: NOT_MEANT,
    };
  }

  /** Against the newest witnessed checkpoint that covers the entry, else against the newest. */
  async #proofOf({ seq }: StoredEntry): Promise<LogProof> {
    const { log } = this.#options;
    const head = await log.follow();
    const witnessed = await this.#options.witnessed();
    const isCovered = witnessed !== null && seq < witnessed.size && witnessed.size <= head.size;
    const { size, checkpoint } = isCovered ? { size: witnessed.size, checkpoint: witnessed.note } : head;
    // A row that was given a number beyond the log has no path; its inclusion then fails as it must.
    const path = seq < size ? log.inclusionPath(seq, size) : [];
    return { seq, treeSize: size, path, checkpoint, witnessed: isCovered ? witnessed : null };
  }
}

/** A stored claim that is not the sealed one is not shown. */
function shownClaim(
  entry: LeafEntry | null,
  checks: readonly LogBundleCheck[],
  claim: string | null,
): Record<string, unknown> | null {
  if (entry?.type === 'seal' && entry.claim !== undefined) return entry.claim;
  const isShown = checks.some(({ name, ok, state }) => name === 'claim_commitment' && ok === true && state === 'match');
  return isShown && claim !== null ? (JSON.parse(claim) as Record<string, unknown>) : null;
}

function isBundle(read: Bundle | readonly FieldError[]): read is Bundle {
  return 'proof' in read;
}

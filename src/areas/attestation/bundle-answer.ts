import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Bundle } from '#protocol/attestation/bundle.ts';
import type { CheckedBundle } from '#protocol/attestation/bundle-check.ts';
import { meansOf, NOT_MEANT, sealFacts } from './facts.ts';
import type { BundleVerification } from './verify-operations.ts';

const OTHER_LOG = 'The entry is in a log that your policy trusts. Avouch did not create it.';

/** The outcome of a check in wire names. Facts of an entry that is not proven are not repeated. */
export function bundleAnswer(
  bundle: Bundle,
  checked: CheckedBundle,
  nowMs: number,
): z.output<typeof BundleVerification> {
  const { valid, checks, id, leafHash, checkpoint } = checked;
  const entry = valid ? checked.entry : null;
  return {
    attestation_id: id,
    valid,
    ...sealFacts(entry),
    checks: [...checks],
    leaf_hash: Buffer.from(leafHash).toString('hex'),
    log: checkpoint && { origin: checkpoint.origin, tree_size: wholeNumber(checkpoint.size) },
    index: wholeNumber(bundle.proof.index),
    recomputed_at: isoTime(nowMs),
    means: bundle.policy === null ? meansOf(entry) : OTHER_LOG,
    does_not_mean: NOT_MEANT,
  };
}

/** Null beyond what a JSON number says exactly. */
function wholeNumber(value: bigint): number | null {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
}

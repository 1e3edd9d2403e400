import { type VerifiedCheckpoint, verifyCheckpoint } from './checkpoint.ts';
import { checkpointVerifier } from './cosignature.ts';
import type { LogInteger } from './log-text.ts';
import type { VerifiedSignature } from './note.ts';
import { type NoteKey, noteKeyLabel } from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';
import { hasQuorum, type WitnessPolicy } from './witness-policy.ts';

export interface TrustedCheckpoint extends VerifiedCheckpoint {
  /** Signatures by keys of the log. */
  readonly logSignatures: readonly VerifiedSignature[];
  /** Signatures by witnesses of the policy. */
  readonly cosignatures: readonly VerifiedSignature[];
}

/** A checkpoint that a log of the policy signed under its own origin and that its witnesses cosigned in sufficient number. */
export function verifyPolicyCheckpoint(
  input: string | Uint8Array,
  policy: WitnessPolicy,
  nowSeconds: LogInteger,
): TrustedCheckpoint {
  const keys = new Map([...policy.logs, ...policy.witnesses].map(({ key }) => [noteKeyLabel(key), key]));
  const verified = verifyCheckpoint(
    input,
    [...keys.values()].map((key) => checkpointVerifier(key, nowSeconds)),
  );
  const signedBy = (owners: readonly { readonly key: NoteKey }[]) => {
    const labels = new Set(owners.map(({ key }) => noteKeyLabel(key)));
    return verified.verified.filter(({ key }) => labels.has(noteKeyLabel(key)));
  };
  const logSignatures = signedBy(policy.logs).filter(({ key }) => key.name === verified.checkpoint.origin);
  const cosignatures = signedBy(policy.witnesses);
  if (logSignatures.length === 0)
    throw new ProtocolError('origin_unsigned', 'no log of the policy signed as the origin');
  if (
    !hasQuorum(
      policy,
      cosignatures.map(({ key }) => key),
    )
  ) {
    throw new ProtocolError('quorum_not_met', 'too few witnesses of the policy cosigned');
  }
  return { ...verified, logSignatures, cosignatures };
}

import { Refusal } from '#kernel/problem.ts';
import { SignerError } from '#platform/keys/key-ring.ts';
import { insufficientFunds } from '#platform/ledger/problems.ts';
import { LogError } from '#platform/log/log-error.ts';
import { StorageError, type StorageErrorKind } from '#platform/storage/store.ts';
import * as problems from '#kernel/general-problems.ts';

const ANSWERS: Readonly<Record<StorageErrorKind, () => Refusal>> = {
  busy: () =>
    new Refusal(problems.busy, { detail: 'Too many calls are waiting. Nothing was stored.', retryAfterSeconds: 1 }),
  conflict: unavailable,
  unavailable,
  closed: unavailable,
  unknown: () =>
    new Refusal(problems.outcomeUnknown, {
      detail: 'The write may or may not have happened. Repeat it with the same client-made token.',
      retryAfterSeconds: 2,
    }),
  set_back: () =>
    new Refusal(problems.logUnsound, {
      detail:
        'The database is not the one that this process has seen before. Nothing is read or written until the operator has checked it.',
      retryAfterSeconds: 60,
      members: { seq: null },
    }),
};

function unavailable(): Refusal {
  return new Refusal(problems.storageUnavailable, {
    detail: 'The database cannot be written or reached right now. Nothing was stored.',
    retryAfterSeconds: 2,
  });
}

/** The database refuses an overdraft by this constraint, should the ledger's own code ever let one through. */
const OVERDRAFT = 'no_overdraft_ok';

/** Explains faults, and raises the alarm for one that only a defect can cause. */
export function faultExplainer(alarm: (error: unknown) => void): (error: unknown) => Refusal | undefined {
  return (error) => {
    if (!(error instanceof Error && error.message.includes(OVERDRAFT))) return explainFault(error);
    alarm(error);
    return new Refusal(insufficientFunds, { detail: 'The wallet has less than the call costs. Nothing was charged.' });
  };
}

/** What a caller is told of a fault of the store, the log or the keys: an outage is a 503 that says when to come back. */
function explainFault(error: unknown): Refusal | undefined {
  if (error instanceof SignerError) {
    const detail = "This process does not have the log's active signing key. Nothing was stored.";
    return new Refusal(problems.signerUnavailable, { detail, retryAfterSeconds: 5 });
  }
  if (error instanceof LogError) {
    const what = error.seq === null ? 'The stored log' : `Entry ${error.seq} of the stored log`;
    const detail = `${what} differs from what was signed.`;
    return new Refusal(problems.logUnsound, { detail, retryAfterSeconds: 60, members: { seq: error.seq } });
  }
  return error instanceof StorageError ? ANSWERS[error.kind]() : undefined;
}

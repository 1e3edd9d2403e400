import { Seals } from '#areas/attestation/seals.ts';
import { forgetRejects } from '#areas/attestation/unit.ts';
import { forgetMarks } from '#areas/crossing/unit.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ServerSecret } from '#platform/keys/server-secret.ts';
import { erasureUnit } from '#platform/log/erasure.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import { observedRegisters } from '#platform/registers/registers.ts';
import type { Store } from '#platform/storage/store.ts';

interface SealParts {
  readonly store: Store;
  readonly log: PublicLog;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly sandbox: boolean;
  readonly serverSecret: Pick<ServerSecret, 'hasher'>;
  readonly asked: Parameters<typeof observedRegisters>[0];
}

/** Seals, and the erasure that also forgets what other areas keep of an entry. */
export function openSeals({ store, log, clock, baseUrl, sandbox, serverSecret, asked }: SealParts): Seals {
  const eraseUnit = erasureUnit((seqs) => [...forgetRejects(seqs), ...forgetMarks(seqs)]);
  return new Seals({
    store,
    log,
    clock,
    baseUrl,
    sandbox,
    erase: (seq, seedSha256, statement) =>
      store.run(eraseUnit, { seq, by: { seedSha256 }, sandbox, draft: statementDraft(statement) }),
    rejectHash: serverSecret.hasher('reject-index'),
    keyHash: serverSecret.hasher('seal-idempotency'),
    ...observedRegisters(asked),
  });
}

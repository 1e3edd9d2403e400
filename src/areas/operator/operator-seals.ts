import { refuseFields } from '#kernel/general-problems.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { newCommandId, newToken } from '#kernel/ids.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import { keyDeclarationDraft } from '#protocol/attestation/key-declaration.ts';
import type { SealDraft } from '#protocol/attestation/seal-entry.ts';
import type { ToolWork } from '#kernel/tool.ts';
import type { declareKey, issueStatement } from './tools.ts';

export interface OperatorSealDeps {
  readonly seal: (
    draft: SealDraft,
  ) => Promise<{ readonly seq: number; readonly attestationId: string; readonly atMs: number }>;
  readonly log: Pick<PublicLog, 'entryOf'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
}

export interface OperatorSeals {
  readonly issue_statement: ToolWork<typeof issueStatement>;
  readonly declare_key: ToolWork<typeof declareKey>;
}

/** What the operator has sealed in the name of the service, in clear. */
export function operatorSeals(parts: OperatorSealDeps): OperatorSeals {
  const { log, clock, sandbox } = parts;
  const seal = async (draft: SealDraft) => {
    const { seq, attestationId, atMs } = await parts.seal(draft);
    return {
      attestation_id: attestationId,
      log_seq: seq,
      sealed_at: isoTime(atMs),
      as_of: isoTime(clock.now()),
      ...(sandbox && { sandbox: true as const }),
    };
  };
  return {
    async issue_statement({ statement, corrects_attestation_id: corrected }) {
      if (corrected !== undefined && (await log.entryOf(corrected)) === undefined) {
        const detail = 'No log entry has this id.';
        return refuseFields([{ pointer: '#/corrects_attestation_id', code: 'not_found', detail }]);
      }
      return seal(statementDraft(statement, corrected));
    },
    declare_key({ public_key: publicKey, role, scope, superseded_by: supersededBy }) {
      const claim = { publicKey, role, scope, ...(supersededBy !== undefined && { supersededBy }) };
      return seal(keyDeclarationDraft(claim, { seed: newToken(), nonce: newCommandId() }));
    },
  };
}

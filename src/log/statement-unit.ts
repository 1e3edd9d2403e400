import { isoTime } from '#kernel/clock.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Step, Unit } from '#storage/store.ts';
import { statementDraft } from './erasure.ts';

interface StatementCommand {
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

const statementUnit: Unit<StatementCommand, null, null> = {
  name: 'statement',
  reads: () => [],
  load: () => null,
  decide: (state, nowMs, _next, { draft, sandbox }) => ({
    state,
    result: null,
    entries: [sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) })],
  }),
  writes: () => [],
};

/** Seals a statement of the service together with what it is about. */
export function statementStep(statement: string, sandbox: boolean): Step {
  return { unit: statementUnit, command: { draft: statementDraft(statement), sandbox } };
}

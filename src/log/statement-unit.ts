import { isoTime } from '#kernel/clock.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Step, Unit } from '#storage/store.ts';
import { statementDraft } from './erasure.ts';

interface StatementCommand {
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

const statementUnit: Unit<StatementCommand, null, string> = {
  name: 'statement',
  reads: () => [],
  load: () => null,
  decide(state, nowMs, _next, { draft, sandbox }) {
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    return { state, result: entry.leaf.id, entries: [entry] };
  },
  writes: () => [],
};

/** Seals a statement of the service together with what it is about; gives the id of the entry. */
export function statementStep(statement: string, sandbox: boolean): Step {
  return { unit: statementUnit, command: { draft: statementDraft(statement), sandbox } };
}

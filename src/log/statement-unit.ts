import { isoTime } from '#kernel/clock.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Step, Store, Unit } from '#storage/store.ts';
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

/** Where an entry came to stand. */
interface Stated {
  readonly seq: number;
  readonly attestationId: string;
  readonly atMs: number;
}

const statedUnit: Unit<StatementCommand, null, Stated> = {
  ...statementUnit,
  decide(state, nowMs, next, command) {
    const decided = statementUnit.decide(state, nowMs, next, command);
    return { ...decided, result: { seq: next.seq, attestationId: decided.result, atMs: nowMs } };
  },
};

/** Seals what the service says by itself. */
export function sealDraft(store: Pick<Store, 'run'>, draft: SealDraft, sandbox: boolean): Promise<Stated> {
  return store.run(statedUnit, { draft, sandbox });
}

/** Seals a statement of the service together with what it is about; gives the id of the entry. */
export function statementStep(statement: string, sandbox: boolean): Step {
  return { unit: statementUnit, command: { draft: statementDraft(statement), sandbox } };
}

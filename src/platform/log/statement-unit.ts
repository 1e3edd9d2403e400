import { isoTime } from '#kernel/clock.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import { type Step, step, type Store, type Unit } from '#platform/storage/store.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';

interface StatementCommand {
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

/** Where it came to stand. */
export interface Stated {
  readonly seq: number;
  readonly attestationId: string;
  readonly atMs: number;
}

const statementUnit: Unit<[StatementCommand, Stated], null> = {
  name: 'statement',
  reads: () => ({}),
  load: () => null,
  decide(state, nowMs, next, { draft, sandbox }) {
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    return { state, result: { seq: next.seq, attestationId: entry.leaf.id, atMs: nowMs }, entries: [entry] };
  },
  writes: () => [],
};

/** Seals what the service says by itself. */
export function sealDraft(store: Pick<Store, 'run'>, draft: SealDraft, sandbox: boolean): Promise<Stated> {
  return store.run(statementUnit, { draft, sandbox });
}

/** Seals a statement of the service together with what it is about. */
export function statementStep(statement: string, sandbox: boolean): Step<Stated> {
  return step(statementUnit, { draft: statementDraft(statement), sandbox });
}

import { formatNote, type NoteSignature, parseNote } from '#protocol/note.ts';
import { noteKeyLabel } from '#protocol/note-key.ts';
import { hasQuorum, type WitnessPolicy } from '#protocol/witness-policy.ts';
import type { Unit } from '#platform/storage/store.ts';
import { as, integer, listed, table, text } from '#platform/storage/table.ts';
import { PUBLISHED, type Published, PUBLISHED_OF_SIZES } from './publish-unit.ts';

/** What is remembered of a witness: the size that it last cosigned or said that it knows. */
export interface KnownWitness {
  readonly name: string;
  readonly size: number;
  readonly outcome: string;
  readonly detail: string;
}

interface CosignCommand {
  readonly size: number;
  /** Verified cosignatures by witnesses of the policy. */
  readonly signatures: readonly NoteSignature[];
  readonly policy: WitnessPolicy;
  readonly states: readonly KnownWitness[];
}

interface Round {
  readonly published: ReadonlyMap<number, Published>;
  readonly states: readonly (KnownWitness & { readonly atMs: number })[];
}

/** Readers take no more lines of one note. */
const MAX_LINES = 64;

const STATE = table(
  'witness_state',
  {
    name: text(),
    size: integer(),
    outcome: text(),
    detail: text(),
    at: as('atMs', integer()),
  },
  { key: ['name'] },
);
export const WITNESS_STATES = STATE.select('');

const reads = (commands: readonly CosignCommand[]) => ({
  published: listed(
    PUBLISHED_OF_SIZES,
    commands.map(({ size }) => String(size)),
  ),
});

/** Adds what the witnesses answered to a published checkpoint, and marks it when the quorum is met. */
export const cosignUnit: Unit<[CosignCommand, { witnessed: boolean }], Round, typeof reads> = {
  name: 'log_cosign',
  reads,
  load: ({ published }) => ({ published: new Map(published.map((one) => [one.size, one])), states: [] }),
  decide(round, nowMs, _next, { size, signatures, policy, states }) {
    const row = round.published.get(size);
    if (row === undefined) return { state: round, result: { witnessed: false } };
    const note = withSignatures(row.note, signatures);
    const witnessed = row.witnessed || isWitnessed(note, policy);
    const published = new Map(round.published).set(size, { ...row, note, submitted: true, witnessed });
    const told = states.map((state) => ({ ...state, atMs: nowMs }));
    return { state: { published, states: [...round.states, ...told] }, result: { witnessed } };
  },
  writes: (before, after) => [
    PUBLISHED.upsert([...after.published.values()].filter((one) => before.published.get(one.size) !== one)),
    STATE.upsert([...new Map(after.states.map((state) => [state.name, state])).values()]),
  ],
};

/** The witnesses of the policy whose lines the note carries. */
export function witnessesIn(note: string, policy: WitnessPolicy): { name: string; timeSeconds: number }[] {
  const { signatures } = parseNote(note);
  return policy.witnesses.flatMap(({ key }) => {
    const line = signatures.find((signature) => noteKeyLabel(signature) === noteKeyLabel(key));
    if (line === undefined) return [];
    return [{ name: key.name, timeSeconds: Number(Buffer.from(line.signature).readBigUInt64BE()) }];
  });
}

/** A checkpoint that nobody cosigned is not witnessed, whatever the policy asks for. */
export function isWitnessed(note: string, policy: WitnessPolicy): boolean {
  const labels = new Set(parseNote(note).signatures.map(noteKeyLabel));
  const cosigners = policy.witnesses.map(({ key }) => key).filter((key) => labels.has(noteKeyLabel(key)));
  return cosigners.length > 0 && hasQuorum(policy, cosigners);
}

function withSignatures(note: string, added: readonly NoteSignature[]): string {
  const { text: body, signatures } = parseNote(note);
  const labels = new Set(signatures.map(noteKeyLabel));
  const more = added.filter((one) => !labels.has(noteKeyLabel(one)));
  return formatNote({ text: body, signatures: [...signatures, ...more].slice(0, MAX_LINES) });
}

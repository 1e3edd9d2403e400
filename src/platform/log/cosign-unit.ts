import { formatNote, type NoteSignature, parseNote } from '#protocol/note.ts';
import { noteKeyLabel } from '#protocol/note-key.ts';
import { hasQuorum, type WitnessPolicy } from '#protocol/witness-policy.ts';
import type { Row, Unit } from '#platform/storage/store.ts';
import { PUBLISHED_OF_SIZES, PUBLISHED_UPSERT, type Published, publishedCells, publishedRow } from './publish-unit.ts';

/** What is remembered of a witness: the size that it last cosigned or said that it knows. */
export interface WitnessState {
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
  readonly states: readonly WitnessState[];
}

interface Round {
  readonly published: ReadonlyMap<number, Published>;
  readonly states: readonly (WitnessState & { readonly atMs: number })[];
}

/** Readers take no more lines of one note. */
const MAX_LINES = 64;

export const WITNESS_STATES = 'SELECT name, size, outcome, detail FROM witness_state';
const STATE_UPSERT = `INSERT INTO witness_state (name, size, outcome, detail, at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (name) DO UPDATE SET size = excluded.size, outcome = excluded.outcome, detail = excluded.detail, at = excluded.at`;

/** Adds what the witnesses answered to a published checkpoint, and marks it when the quorum is met. */
export const cosignUnit: Unit<[CosignCommand, { witnessed: boolean }], Round> = {
  name: 'log_cosign',
  reads: (commands) => [{ sql: PUBLISHED_OF_SIZES, list: commands.map(({ size }) => String(size)) }],
  load: ([rows = []]) => ({ published: new Map(rows.map(publishedRow).map((row) => [row.size, row])), states: [] }),
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
    {
      sql: PUBLISHED_UPSERT,
      rows: [...after.published.values()].filter((row) => before.published.get(row.size) !== row).map(publishedCells),
    },
    {
      sql: STATE_UPSERT,
      rows: [...new Map(after.states.map((state) => [state.name, state])).values()].map(
        ({ name, size, outcome, detail, atMs }) => [name, size, outcome, detail, atMs],
      ),
    },
  ],
};

export function witnessState(row: Row): WitnessState {
  return {
    name: row['name'] as string,
    size: row['size'] as number,
    outcome: row['outcome'] as string,
    detail: row['detail'] as string,
  };
}

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
  const { text, signatures } = parseNote(note);
  const labels = new Set(signatures.map(noteKeyLabel));
  const more = added.filter((one) => !labels.has(noteKeyLabel(one)));
  return formatNote({ text, signatures: [...signatures, ...more].slice(0, MAX_LINES) });
}

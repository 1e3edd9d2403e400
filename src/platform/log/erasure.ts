import { isoTime } from '#kernel/clock.ts';
import { sameHash } from '#kernel/ids.ts';
import { CLEAR_SCHEMA_IDS } from '#protocol/attestation/leaf-entry.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Found, Unit, Write } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import * as sql from './sql.ts';

export interface EraseEntryCommand {
  /** Below zero where there is no such entry: the same work is done for it. */
  readonly seq: number;
  readonly attestationId: string;
  /** The operator, or whoever showed a seed with this hash. */
  readonly by: 'operator' | { readonly seedSha256: string };
  /** The statement that is sealed about the erasure. */
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

/** Entries of one subject, whose erasure one statement tells of. */
interface EraseEntriesCommand {
  readonly entries: readonly Pick<EraseEntryCommand, 'seq' | 'attestationId'>[];
  /** The entry of that statement. */
  readonly statement: string;
}

/** An entry, and the proof that the caller may have it erased. */
export interface EntryToErase extends Pick<EraseEntryCommand, 'seq' | 'attestationId'> {
  readonly seedSha256: string;
  readonly statement: string;
}

export type EraseResult =
  /** `in_clear`: the claim stands in the signed entry itself. Only the operator is told. */
  | { readonly erased: false; readonly why: 'not_found' | 'in_clear' }
  | { readonly erased: true; readonly again: boolean; readonly erasedAtMs: number; readonly statement: string };

const recordsOf = (seqs: readonly number[]) => ({ records: listed(sql.RECORDS_OF_SEQS, seqs.map(String)) });
const reads = (commands: readonly EraseEntryCommand[]) => recordsOf(commands.map(({ seq }) => seq));
const readsOfAll = (commands: readonly EraseEntriesCommand[]) =>
  recordsOf(commands.flatMap(({ entries }) => entries.map(({ seq }) => seq)));

type Kept = Found<typeof reads>['records'][number];
/** The id of the entry is known of those that are erased now. */
type Records = ReadonlyMap<number, Kept & { readonly attestationId?: string }>;

/** An entry that is erased, as it was kept until then. */
export type ErasedEntry = Pick<Kept, 'seq' | 'seed' | 'claim'> & { readonly attestationId: string };

/** Deletes what else is kept of the entries, in the same transaction. */
export type Forget = (entries: readonly ErasedEntry[]) => readonly Write[];

/** How records are loaded, and how those that were erased are written. */
const erasing = (forget: Forget) => ({
  load: ({ records }: Found<typeof reads>): Records => new Map(records.map((record) => [record.seq, record])),
  writes(before: Records, after: Records): readonly Write[] {
    const erased = [...after.values()].filter((record) => before.get(record.seq) !== record);
    return [
      {
        sql: sql.RECORD_ERASE,
        rows: erased.map(({ seq, disclosure, erasedAtMs, erasedIn }) => [seq, disclosure, erasedAtMs, erasedIn]),
      },
      ...forget(erased.map(({ seq, seed, claim, attestationId = '' }) => ({ seq, seed, claim, attestationId }))),
    ];
  },
});

function isInClear({ schemaId }: Kept): boolean {
  return CLEAR_SCHEMA_IDS.has(schemaId ?? '');
}

/** Deletes claim, seed and observations of a seal; the leaf stays, and the erasure is sealed itself. */
export const erasureUnit = (forget: Forget): Unit<[EraseEntryCommand, EraseResult], Records, typeof reads> => ({
  ...erasing(forget),
  name: 'log_erasure',
  reads,
  decide(records, nowMs, _next, { seq, attestationId, by, draft, sandbox }) {
    const record = records.get(seq);
    const mayErase = by === 'operator' || sameHash(record?.seedSha256 ?? '', by.seedSha256);
    if (record === undefined || !mayErase) return { state: records, result: { erased: false, why: 'not_found' } };
    if (isInClear(record)) return { state: records, result: { erased: false, why: 'in_clear' } };
    if (record.erasedAtMs !== null) {
      const before = { erasedAtMs: record.erasedAtMs, statement: record.erasedIn as string };
      return { state: records, result: { erased: true, again: true, ...before } };
    }
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    const erased = { ...record, attestationId, erasedAtMs: nowMs, erasedIn: entry.leaf.id };
    return {
      state: new Map(records).set(seq, erased),
      result: { erased: true, again: false, erasedAtMs: nowMs, statement: entry.leaf.id },
      entries: [entry],
    };
  },
});

export type EntriesErasure = Unit<[EraseEntriesCommand, number], Records, typeof readsOfAll>;

/** As `erasureUnit`, of entries whose erasure is sealed already; the result is how many were not erased before. */
export const entriesErasureUnit = (forget: Forget): EntriesErasure => ({
  ...erasing(forget),
  name: 'log_entries_erasure',
  reads: readsOfAll,
  decide(records, nowMs, _next, { entries, statement }) {
    const after = new Map(records);
    let count = 0;
    for (const { seq, attestationId } of entries) {
      const record = after.get(seq);
      if (record === undefined || record.erasedAtMs !== null || isInClear(record)) continue;
      after.set(seq, { ...record, attestationId, erasedAtMs: nowMs, erasedIn: statement });
      count += 1;
    }
    return { state: after, result: count };
  },
});

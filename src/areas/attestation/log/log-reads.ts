import type { z } from 'zod';
import { refuseFields } from '#kernel/general-problems.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import { asSentence } from '#kernel/sentence.ts';
import type { AuditReport } from '#platform/log/audit-report.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import type { Publisher } from '#platform/log/publisher.ts';
import { parseNote } from '#protocol/note.ts';
import { witnessOperator } from '#protocol/witness-policy.ts';
import { C2SP_TILE_WIDTH, encodeEntryBundle, parseTilePath, tileWidth } from '#protocol/tile.ts';
import { beyond } from './ledger.ts';
import type { AuditAnswer, TreeHead } from './log-operations.ts';
import * as problems from '../problems.ts';

export interface LogReadsOptions {
  readonly log: PublicLog;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly audit: { whole(): Promise<AuditReport>; range(from: number, to: number): Promise<AuditReport> };
  readonly publisher: Publisher;
  readonly keys: () => readonly LogKey[];
  readonly baseUrl: () => string;
}

/** A key of the log, present or past, with the entries that declared it and its successor. */
interface LogKey {
  readonly scope: string;
  readonly vkey: string | null;
  readonly role: 'root' | 'legacy';
  readonly declaredIn: string | null;
  readonly supersededBy: string | null;
}

const MAX_AUDITED_RANGE = 50_000;

/** The log as it is read from outside: head, tiles, audit. */
export class LogReads {
  readonly #options: LogReadsOptions;

  constructor(options: LogReadsOptions) {
    this.#options = options;
  }

  async treeHead(first: number | undefined): Promise<z.output<typeof TreeHead> | Refusal> {
    const { log, publisher, baseUrl } = this.#options;
    const head = await log.follow();
    if (first !== undefined && first > head.size) return beyond(head.size);
    const witnessed = await publisher.witnessed();
    return {
      origin: log.origin,
      tree_size: head.size,
      root_hash: head.rootHex,
      root_hash_b64: Buffer.from(head.rootHex, 'hex').toString('base64'),
      timestamp: isoTime(await log.checkpointAtMs(head.size)),
      checkpoint: head.checkpoint,
      witnessed_checkpoint: witnessed?.note ?? null,
      vkeys: log.vkeys(),
      signatures: signaturesOf(head.checkpoint),
      witnesses: (witnessed?.witnesses ?? []).map(({ name, timeSeconds }) => ({
        name,
        operator: witnessOperator(name),
        time: isoTime(timeSeconds * 1_000),
      })),
      witness_statement: publisher.witnessStatement(witnessed),
      ...(first !== undefined && {
        consistency: { first, second: head.size, hashes: log.consistencyProof(first, head.size) },
      }),
      tiles: `${baseUrl()}/astralock/`,
      hash: 'SHA-256 RFC 6962',
    };
  }

  async audit(from: number | undefined, to: number | undefined): Promise<z.output<typeof AuditAnswer> | Refusal> {
    const { audit, clock, keys, publisher, baseUrl } = this.#options;
    const startedMs = clock.monotonicMs();
    const range = await this.#auditRange(from, to);
    if (range instanceof Refusal) return range;
    const report = range === null ? await audit.whole() : await audit.range(range.from, range.to);
    const witnessed = await publisher.witnessed();
    return {
      ok: report.ok,
      tree_size: report.treeSize,
      root_signed: report.rootSigned,
      root_recomputed: report.rootRecomputed,
      ...(range !== null && { range }),
      entries_rehashed: report.entriesRehashed,
      full: report.full,
      audited_at: isoTime(report.auditedAtMs),
      entries_read: report.entriesRead,
      read_since: isoTime(report.readSinceMs),
      scrubbed: report.scrubbed,
      time_monotone: report.timeMonotone,
      ids_ok: report.idsOk,
      verdicts_reexecuted: report.verdictsReexecuted,
      erased: report.erased,
      rejects: report.rejects,
      checkpoints_checked: report.checkpointsChecked,
      keys: keys().flatMap(({ scope, vkey, role, declaredIn, supersededBy }) => {
        if (scope !== 'log-checkpoint' || vkey === null) return [];
        return [{ vkey, role, scope, declared_in: declaredIn, superseded_by: supersededBy }];
      }),
      witness_lag_entries: witnessed === null ? null : Math.max(0, report.treeSize - witnessed.size),
      last_anchor: null,
      problems: report.problems.map(asSentence),
      hashing_ms: Math.round(report.hashingMs),
      judging_ms: Math.round(report.judgingMs),
      duration_ms: Math.round(clock.monotonicMs() - startedMs),
      how_to_repeat: `./avouch fsck ${baseUrl()}`,
    };
  }

  /** Null for the whole log. */
  async #auditRange(
    from: number | undefined,
    to: number | undefined,
  ): Promise<{ from: number; to: number } | null | Refusal> {
    if (from === undefined && to === undefined) return null;
    const { size } = await this.#options.log.follow();
    const range = { from: from ?? 0, to: to ?? Math.min((from ?? 0) + MAX_AUDITED_RANGE, size) };
    if (range.from > size || range.to > size) return beyond(size);
    const pointer = to === undefined ? '#/from' : '#/to';
    const fault = (detail: string) => refuseFields([{ pointer, code: 'out_of_range', detail }]);
    if (range.from >= range.to) return fault('The range must have an entry: to must be above from.');
    if (range.to - range.from > MAX_AUDITED_RANGE) return fault(`A range has at most ${MAX_AUDITED_RANGE} entries.`);
    return range;
  }

  async checkpoint(): Promise<string> {
    return (await this.#options.publisher.newest()).note;
  }

  async witnessedCheckpoint(): Promise<string | Refusal> {
    const witnessed = await this.#options.publisher.witnessed();
    return (
      witnessed?.note ?? new Refusal(problems.notWitnessed, { detail: 'No checkpoint has reached the witness quorum.' })
    );
  }

  async tile(path: string): Promise<string | Refusal> {
    const { log } = this.#options;
    const missing = new Refusal(problems.tileNotFound, { detail: 'The log has no such tile.' });
    let tile: ReturnType<typeof parseTilePath>;
    try {
      tile = parseTilePath(`tile/${path}`);
    } catch {
      return missing;
    }
    const { size } = await log.follow();
    const { level, index, width } = tile;
    if (width > tileWidth(size, level, index)) return missing;
    const bytes = level === 'entries' ? await this.#bundle(index, width) : log.tile(level, index, width);
    // The media type says bytes; the row's text type stands for them.
    return bytes as unknown as string;
  }

  async #bundle(index: number, width: number): Promise<Uint8Array> {
    const from = index * C2SP_TILE_WIDTH;
    const entries = await this.#options.log.entries(from, from + width);
    return encodeEntryBundle(entries.map(({ leaf }) => Buffer.from(leaf)));
  }
}

/** The lines of a head, which only the Ed25519 keys of the log sign. */
function signaturesOf(checkpoint: string): { name: string; key_id: string; type: 'ed25519' }[] {
  return parseNote(checkpoint).signatures.map(({ name, keyId }) => ({ name, key_id: keyId, type: 'ed25519' }));
}

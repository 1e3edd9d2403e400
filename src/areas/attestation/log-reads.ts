import type { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { type FieldFault, Refusal } from '#kernel/problem.ts';
import type { AuditReport } from '#log/audit-report.ts';
import type { PublicLog } from '#log/public-log.ts';
import { C2SP_TILE_WIDTH, encodeEntryBundle, parseTilePath, tileWidth } from '#protocol/tile.ts';
import type { AuditAnswer, LedgerPage, TreeHead } from './log-operations.ts';
import * as problems from './problems.ts';

export interface LogReadsOptions {
  readonly log: PublicLog;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly audit: { whole(): Promise<AuditReport>; range(from: number, to: number): Promise<AuditReport> };
  readonly baseUrl: () => string;
  readonly refuseFields: (faults: readonly FieldFault[]) => Refusal;
}

const MAX_AUDITED_RANGE = 50_000;
const UNWITNESSED =
  'no independent witness cosigns this log: nothing but the memory of its readers stops it from showing different views';

/** The log as it is read from outside: head, pages, tiles, audit. */
export class LogReads {
  readonly #options: LogReadsOptions;

  constructor(options: LogReadsOptions) {
    this.#options = options;
  }

  async ledger(fromSeq: number, limit: number): Promise<z.output<typeof LedgerPage> | Refusal> {
    const { log } = this.#options;
    const head = await log.follow();
    if (fromSeq > head.size) return beyond(head.size);
    const to = Math.min(fromSeq + limit, head.size);
    const { left, right } = log.pageProof(fromSeq, to, head.size);
    const entries = await log.entries(fromSeq, to);
    return {
      from_seq: fromSeq,
      next_seq: to,
      tree_size: head.size,
      checkpoint: head.checkpoint,
      entries: entries.map(({ seq, attestationId, type, leafHashHex, leaf }) => ({
        seq,
        attestation_id: attestationId,
        type: type as 'seal',
        leaf_hash: leafHashHex,
        entry: JSON.parse(leaf) as Record<string, unknown>,
        entry_b64: Buffer.from(leaf).toString('base64'),
      })),
      range_proof: { left: left.map(base64), right: right.map(base64) },
    };
  }

  async treeHead(first: number | undefined): Promise<z.output<typeof TreeHead> | Refusal> {
    const { log, baseUrl } = this.#options;
    const head = await log.follow();
    if (first !== undefined && first > head.size) return beyond(head.size);
    return {
      origin: log.origin,
      tree_size: head.size,
      root_hash: head.rootHex,
      root_hash_b64: Buffer.from(head.rootHex, 'hex').toString('base64'),
      checkpoint: head.checkpoint,
      vkeys: [log.vkey],
      witnesses: [],
      witness_statement: UNWITNESSED,
      ...(first !== undefined && {
        consistency: { first, second: head.size, hashes: log.consistencyProof(first, head.size) },
      }),
      tiles: `${baseUrl()}/astralock/`,
      hash: 'SHA-256 RFC 6962',
    };
  }

  async audit(from: number | undefined, to: number | undefined): Promise<z.output<typeof AuditAnswer> | Refusal> {
    const { audit, clock, log, baseUrl } = this.#options;
    const startedMs = clock.monotonicMs();
    const range = await this.#auditRange(from, to);
    if (range instanceof Refusal) return range;
    const report = range === null ? await audit.whole() : await audit.range(range.from, range.to);
    return {
      ok: report.ok,
      tree_size: report.treeSize,
      root_signed: report.rootSigned,
      root_recomputed: report.rootRecomputed,
      ...(range !== null && { range }),
      entries_rehashed: report.entriesRehashed,
      full: report.full,
      scrubbed: report.scrubbed,
      time_monotone: report.timeMonotone,
      ids_ok: report.idsOk,
      verdicts_reexecuted: report.verdictsReexecuted,
      erased: report.erased,
      rejects: report.rejects,
      checkpoints_checked: report.checkpointsChecked,
      keys: auditedKeys(report, log.vkey),
      witness_lag_entries: null,
      last_anchor: null,
      problems: [...report.problems],
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
    const fault = (detail: string) => this.#options.refuseFields([{ pointer, code: 'out_of_range', detail }]);
    if (range.from >= range.to) return fault('the range must have an entry: to must be above from');
    if (range.to - range.from > MAX_AUDITED_RANGE) return fault(`a range has at most ${MAX_AUDITED_RANGE} entries`);
    return range;
  }

  async checkpoint(): Promise<string> {
    return (await this.#options.log.follow()).checkpoint;
  }

  async tile(path: string): Promise<string | Refusal> {
    const { log } = this.#options;
    const missing = new Refusal(problems.tileNotFound, { detail: 'the log has no such tile' });
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

/** The keys that the audit found declared; the one in force always, also where it found no declaration of it. */
function auditedKeys({ keys }: AuditReport, vkey: string): z.output<typeof AuditAnswer>['keys'] {
  const declared = keys.filter(({ scope }) => scope === 'log-checkpoint');
  const inForce = { vkey, role: 'root', scope: 'log-checkpoint', declaredIn: null, supersededBy: null };
  const all = declared.some((key) => key.vkey === vkey) ? declared : [inForce, ...declared];
  return all.map((key) => ({
    vkey: key.vkey,
    role: key.role,
    scope: key.scope,
    declared_in: key.declaredIn,
    superseded_by: key.supersededBy,
  }));
}

function beyond(treeSize: number): Refusal {
  const members = { tree_size: treeSize };
  return new Refusal(problems.beyondTheLog, { detail: 'the log does not have as many entries', members });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

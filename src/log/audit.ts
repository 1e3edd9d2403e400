import { attestationId } from '#protocol/attestation/attestation-id.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import { recheckEntry } from '#protocol/attestation/reexecute.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { verifyCheckpoint } from '#protocol/checkpoint.ts';
import { CompactRange } from '#protocol/compact-range.ts';
import { leafHash } from '#protocol/merkle.ts';
import { ed25519NoteVerifier, type NoteVerifier } from '#protocol/note.ts';
import { parseVkey } from '#protocol/note-key.ts';
import type { PublicLog, StoredEntry } from './public-log.ts';
import { type StoredRecord, sealRecordOf } from './stored-record.ts';

const PAGE_ENTRIES = 512;
const MAX_PROBLEMS = 100;

export interface AuditReport {
  readonly ok: boolean;
  readonly treeSize: number;
  readonly rootSigned: string;
  readonly rootRecomputed: string;
  readonly entriesRehashed: number;
  readonly timeMonotone: boolean;
  readonly idsOk: boolean;
  readonly verdictsReexecuted: number;
  readonly erased: number;
  readonly rejects: number;
  readonly checkpointsChecked: number;
  readonly problems: readonly string[];
}

/** Re-hashes and re-judges the stored log from its bytes; goes on where the last call stopped. */
export class LogAudit {
  readonly #log: PublicLog;
  #range = new CompactRange();
  #lastSealedAt = '';
  #timeMonotone = true;
  #idsOk = true;
  #verdicts = 0;
  #erased = 0;
  #rejects = 0;
  #checkpoints = 0;
  readonly #problems: string[] = [];
  #verifiers: readonly NoteVerifier[] = [];
  #running: Promise<AuditReport> | undefined;

  constructor(log: PublicLog) {
    this.#log = log;
  }

  /** One at a time: a call during another one gets its report. */
  run(): Promise<AuditReport> {
    this.#running ??= this.#goOn().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #goOn(): Promise<AuditReport> {
    const head = await this.#log.follow();
    this.#verifiers = this.#log.allVkeys().map((vkey) => ed25519NoteVerifier(parseVkey(vkey)));
    while (this.#range.size < head.size) {
      await this.#page(this.#range.size, Math.min(this.#range.size + PAGE_ENTRIES, head.size));
      // Calls go on between two pages.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const rootRecomputed = Buffer.from(this.#range.root()).toString('hex');
    if (rootRecomputed !== head.rootHex)
      this.#report(`the entries hash to ${rootRecomputed}, signed is ${head.rootHex}`);
    return {
      ok: this.#problems.length === 0,
      treeSize: head.size,
      rootSigned: head.rootHex,
      rootRecomputed,
      entriesRehashed: this.#range.size,
      timeMonotone: this.#timeMonotone,
      idsOk: this.#idsOk,
      verdictsReexecuted: this.#verdicts,
      erased: this.#erased,
      rejects: this.#rejects,
      checkpointsChecked: this.#checkpoints,
      problems: [...this.#problems],
    };
  }

  async #page(from: number, to: number): Promise<void> {
    const entries = await this.#log.entries(from, to);
    const records = await this.#log.records(from, to);
    const roots = await this.#log.checkpoints(from, to);
    if (entries.length !== to - from) throw new Error(`log entries ${from} to ${to} are not all there`);
    for (const entry of entries) {
      this.#entry(entry, records.get(entry.seq));
      const note = roots.get(this.#range.size);
      if (note !== undefined) this.#checkpoint(note);
    }
  }

  #entry(stored: StoredEntry, record: StoredRecord | undefined): void {
    const bytes = Buffer.from(stored.leaf);
    const hash = leafHash(bytes);
    this.#range.push(hash);
    if (attestationId(hash) !== stored.attestationId || Buffer.from(hash).toString('hex') !== stored.leafHashHex) {
      this.#idsOk = false;
      this.#report(`entry ${stored.seq} does not hash to its id`);
    }
    const entry = parseLeaf(bytes);
    if (entry.sealed_at < this.#lastSealedAt) {
      this.#timeMonotone = false;
      this.#report(`entry ${stored.seq} is dated before the one in front of it`);
    }
    this.#lastSealedAt = entry.sealed_at;
    if (record?.erasedAtMs != null) this.#erased += 1;
    if (entry.type !== 'seal') return;
    if (entry.verdict === 'REJECT') this.#rejects += 1;
    const document = schemaById(entry.schema_id)?.document ?? null;
    for (const { name, ok } of recheckEntry({ entry, record: sealRecordOf(record), document })) {
      if (name === 'verdict_reexecuted' && ok === true) this.#verdicts += 1;
      if (ok === false) this.#report(`entry ${stored.seq}: ${name} does not hold`);
    }
  }

  #checkpoint(note: string): void {
    this.#checkpoints += 1;
    try {
      const { checkpoint } = verifyCheckpoint(note, this.#verifiers);
      const isSame = Buffer.from(checkpoint.root).equals(this.#range.root());
      if (!isSame) this.#report(`the checkpoint of size ${this.#range.size} has another root than its entries`);
    } catch {
      this.#report(`the checkpoint of size ${this.#range.size} is not signed by a key of the log`);
    }
  }

  #report(problem: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
  }
}

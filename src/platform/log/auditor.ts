import type { Clock } from '#kernel/clock.ts';
import { verifyCheckpoint } from '#protocol/checkpoint.ts';
import { CompactRange, decompose } from '#protocol/compact-range.ts';
import { LeafPage } from '#protocol/leaf-page.ts';
import { HASH_BYTES } from '#protocol/log-text.ts';
import { ed25519NoteVerifier, type NoteVerifier } from '#protocol/note.ts';
import { parseVkey } from '#protocol/note-key.ts';
import type { Reader } from '#platform/storage/engine.ts';
import { onlyOne } from '#platform/storage/head.ts';
import { LogFindings } from './audit-findings.ts';
import type { AuditReport, AuditRequest } from './audit-report.ts';
import { hashPage } from './hash-pass.ts';
import { judgePage } from './judge-pass.ts';
import * as sql from './sql.ts';

/** A power of two, so that a page is one subtree. */
const PAGE_ENTRIES = 2_048;
const PAGE_HEIGHT = Math.log2(PAGE_ENTRIES);

interface VerifiedPage {
  /** How many entries it has, and when all of them were last read. */
  readonly count: number;
  readonly readAtMs: number;
  /** Root of the page's own subtree; null for the last page while it is not full. */
  readonly rootHex: string | null;
  readonly lastSealedAt: string;
  readonly verdicts: number;
  readonly erased: number;
  readonly rejects: number;
  readonly checkpoints: number;
}

interface VerifiedTree {
  readonly page: VerifiedPage;
  readonly tree: LeafPage;
  readonly hashes: Buffer;
}

/** What is known of the page that is not full yet: only what is added to it is read. */
interface OpenPage {
  readonly page: VerifiedPage;
  readonly hashes: Buffer;
}

/** Re-hashes and re-judges the stored log from its bytes, page by page; what is verified is gone over in turn again. */
export class Auditor {
  readonly #reader: Reader;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #pages: VerifiedPage[] = [];
  /** Over all full pages. */
  #range = new CompactRange();
  #open: OpenPage | null = null;
  #scrubNext = 0;
  #entriesRead = 0;
  readonly #findings = new LogFindings();
  /** Notes of the page that is not full yet, whose signature was checked: it may be read again. */
  readonly #knownNotes = new Map<number, KnownNote>();

  constructor(reader: Reader, clock: Pick<Clock, 'monotonicMs'>) {
    this.#reader = reader;
    this.#clock = clock;
  }

  async run(request: AuditRequest): Promise<AuditReport> {
    this.#findings.begin();
    this.#entriesRead = 0;
    return request.range === null ? this.#whole(request) : this.#part(request, request.range);
  }

  async #whole(request: AuditRequest): Promise<AuditReport> {
    const { head } = request;
    const scrubbed = await this.#scrub(request);
    if (request.scrub !== null || (await this.#isOpenPageErased())) this.#open = null;
    let range = this.#range;
    while (this.#range.size < head.size) {
      const index = this.#range.size / PAGE_ENTRIES;
      const count = Math.min(PAGE_ENTRIES, head.size - this.#range.size);
      const { page, tree, hashes } = await this.#verify(index, count, request, this.#open);
      this.#pages[index] = page;
      if (count < PAGE_ENTRIES) {
        this.#open = { page, hashes };
        range = extended(this.#range, tree, tree.size);
        break;
      }
      this.#open = null;
      for (const { height, hash } of tree.subtrees(PAGE_ENTRIES)) this.#range.pushSubtree(height, hash);
    }
    const total = (count: (page: VerifiedPage) => number) => this.#pages.reduce((sum, page) => sum + count(page), 0);
    return {
      ...this.#findings.report(request, range.root()),
      entriesRehashed: head.size,
      entriesRead: this.#entriesRead,
      auditedAtMs: request.nowMs,
      readSinceMs: this.#pages.reduce((since, { readAtMs }) => Math.min(since, readAtMs), request.nowMs),
      full: true,
      verdictsReexecuted: total((page) => page.verdicts),
      erased: total((page) => page.erased),
      rejects: total((page) => page.rejects),
      checkpointsChecked: total((page) => page.checkpoints),
      scrubbed,
    };
  }

  /** Whether a claim of the page that is not full was erased since it was read: then it is judged anew. */
  async #isOpenPageErased(): Promise<boolean> {
    if (this.#open === null) return false;
    const from = this.#range.size;
    const { count, erased } = this.#open.page;
    return onlyOne(await this.#reader.read(sql.ERASED_BETWEEN, [from, from + count])).count !== erased;
  }

  /** Goes over old pages again, from where the last call stopped, until the entries or the time that it may take are up. */
  async #scrub(request: AuditRequest): Promise<AuditReport['scrubbed']> {
    if (request.scrub === null) return null;
    const { entries, ms } = request.scrub;
    const startedMs = this.#clock.monotonicMs();
    const full = this.#range.size / PAGE_ENTRIES;
    const from = this.#scrubNext < full ? this.#scrubNext : 0;
    let index = from;
    for (let done = 0; index < full && done < entries; done += PAGE_ENTRIES) {
      if (done > 0 && this.#clock.monotonicMs() - startedMs > ms) break;
      const before = this.#pages[index] as VerifiedPage;
      const { page } = await this.#verify(index, PAGE_ENTRIES, request, null);
      if (page.rootHex !== before.rootHex) {
        const range = `entries ${index * PAGE_ENTRIES} to ${(index + 1) * PAGE_ENTRIES - 1}`;
        this.#findings.problem(`${range} do not hash to what they did before`);
      }
      // What was found first is what the signed root was compared with.
      this.#pages[index] = { ...page, rootHex: before.rootHex };
      index += 1;
    }
    this.#scrubNext = index;
    return from === index ? null : { from: from * PAGE_ENTRIES, to: index * PAGE_ENTRIES };
  }

  /** Verifies a page up to so many entries; what is known of it is not read again. */
  async #verify(index: number, count: number, request: AuditRequest, known: OpenPage | null): Promise<VerifiedTree> {
    const start = index * PAGE_ENTRIES;
    const from = start + (known?.page.count ?? 0);
    const end = start + count;
    const before = known?.page.lastSealedAt ?? this.#pages[index - 1]?.lastSealedAt ?? '';
    const read = await this.#hashed(from, end, before);
    const hashes = known === null ? read.hashes : Buffer.concat([known.hashes, read.hashes]);
    const tree = this.#timed('hashing', () => new LeafPage(hashes));
    const judged = await this.#judged(from, end);
    const left = this.#rangeBefore(index);
    const rootAt = (size: number) => extended(left, tree, size - start).root();
    const checkpoints = await this.#checkpoints(from, end, rootAt, request);
    const rootHex = count === PAGE_ENTRIES ? hex(tree.subtrees(count)[0]?.hash as Uint8Array) : null;
    const page = {
      count,
      readAtMs: known?.page.readAtMs ?? request.nowMs,
      rootHex,
      lastSealedAt: read.lastSealedAt,
      verdicts: judged.verdicts + (known?.page.verdicts ?? 0),
      erased: judged.erased + (known?.page.erased ?? 0),
      rejects: judged.rejects + (known?.page.rejects ?? 0),
      checkpoints: checkpoints + (known?.page.checkpoints ?? 0),
    };
    return { page, tree, hashes };
  }

  /** The range of everything before a page. */
  #rangeBefore(index: number): CompactRange {
    if (index * PAGE_ENTRIES === this.#range.size) return this.#range;
    const range = new CompactRange();
    for (const { rootHex } of this.#pages.slice(0, index)) {
      range.pushSubtree(PAGE_HEIGHT, Buffer.from(rootHex as string, 'hex'));
    }
    return range;
  }

  /** Only some entries, joined to the signed root by the hashes that surround them. */
  async #part(
    request: AuditRequest,
    { from, to, left, right }: NonNullable<AuditRequest['range']>,
  ): Promise<AuditReport> {
    const range = CompactRange.from(from, left);
    const total = { verdicts: 0, erased: 0, rejects: 0, checkpoints: 0 };
    let before = '';
    for (let start = from; start < to; start += PAGE_ENTRIES) {
      const end = Math.min(start + PAGE_ENTRIES, to);
      const { hashes, lastSealedAt } = await this.#hashed(start, end, before);
      before = lastSealedAt;
      const roots = new Map<number, Uint8Array>();
      const wanted = new Set(
        (await this.#reader.read(sql.CHECKPOINT_SIZES_BETWEEN, [start, end])).map(({ size }) => size),
      );
      this.#timed('hashing', () => {
        for (let at = 0; at < hashes.length; at += HASH_BYTES) {
          range.push(hashes.subarray(at, at + HASH_BYTES));
          if (wanted.has(range.size)) roots.set(range.size, range.root());
        }
      });
      const judged = await this.#judged(start, end);
      total.verdicts += judged.verdicts;
      total.erased += judged.erased;
      total.rejects += judged.rejects;
      total.checkpoints += await this.#checkpoints(start, end, (size) => roots.get(size), request);
    }
    decompose(to, request.head.size).forEach(({ height }, i) => range.pushSubtree(height, right[i] as Uint8Array));
    return {
      ...this.#findings.report(request, range.root()),
      entriesRehashed: to - from,
      entriesRead: this.#entriesRead,
      auditedAtMs: request.nowMs,
      readSinceMs: request.nowMs,
      full: false,
      verdictsReexecuted: total.verdicts,
      erased: total.erased,
      rejects: total.rejects,
      checkpointsChecked: total.checkpoints,
      scrubbed: null,
    };
  }

  async #hashed(from: number, to: number, before: string): Promise<{ hashes: Buffer; lastSealedAt: string }> {
    const page = await this.#timedAsync('hashing', () => hashPage(this.#reader, from, to, before));
    this.#findings.hashed(page);
    this.#entriesRead += to - from;
    return page;
  }

  async #judged(from: number, to: number): Promise<{ verdicts: number; erased: number; rejects: number }> {
    const judged = await this.#timedAsync('judging', () => judgePage(this.#reader, from, to));
    this.#findings.judged(judged);
    const { verdicts, erased, rejects } = judged;
    return { verdicts, erased, rejects };
  }

  /** Every stored checkpoint of sizes above `from` up to `to`: signed by the log, over the root of its entries. */
  async #checkpoints(
    from: number,
    to: number,
    rootAt: (size: number) => Uint8Array | undefined,
    { vkeys, head }: AuditRequest,
  ): Promise<number> {
    const stored = await this.#reader.read(sql.CHECKPOINTS_BETWEEN, [from, to]);
    this.#timed('judging', () => {
      const verifiers = vkeys.map((vkey) => ed25519NoteVerifier(parseVkey(vkey)));
      for (const { size, note } of stored) {
        const known = this.#knownNotes.get(size);
        const verified = known?.note === note ? known : verifiedNote(size, note, verifiers);
        if (verified !== undefined) this.#knownNotes.set(size, verified);
        const isSame = verified !== undefined && Buffer.compare(verified.root, rootAt(size) ?? NO_ROOT) === 0;
        if (verified === undefined)
          this.#findings.problem(`the checkpoint of size ${size} is not signed by a key of the log`);
        else if (!isSame) this.#findings.problem(`the checkpoint of size ${size} has another root than its entries`);
      }
    });
    for (const size of this.#knownNotes.keys()) if (size <= this.#range.size) this.#knownNotes.delete(size);
    const isHead = to === head.size && to > from;
    if (isHead && !stored.some(({ size }) => size === to)) {
      this.#findings.problem(`the checkpoint of size ${to} is missing`);
    }
    return stored.length;
  }

  #timed<T>(kind: 'hashing' | 'judging', work: () => T): T {
    const startedMs = this.#clock.monotonicMs();
    const result = work();
    this.#findings.took(kind, this.#clock.monotonicMs() - startedMs);
    return result;
  }

  async #timedAsync<T>(kind: 'hashing' | 'judging', work: () => Promise<T>): Promise<T> {
    const startedMs = this.#clock.monotonicMs();
    const result = await work();
    this.#findings.took(kind, this.#clock.monotonicMs() - startedMs);
    return result;
  }
}

interface KnownNote {
  readonly note: string;
  readonly root: Uint8Array;
}

const NO_ROOT = new Uint8Array(0);

/** Undefined unless the key of the log signed a checkpoint of that size. */
function verifiedNote(size: number, note: string, verifiers: readonly NoteVerifier[]): KnownNote | undefined {
  try {
    const { checkpoint } = verifyCheckpoint(note, verifiers);
    return checkpoint.size === BigInt(size) ? { note, root: checkpoint.root } : undefined;
  } catch {
    return undefined;
  }
}

function extended(left: CompactRange, page: LeafPage, count: number): CompactRange {
  const range = CompactRange.from(left.size, left.hashes);
  for (const { height, hash } of page.subtrees(count)) range.pushSubtree(height, hash);
  return range;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

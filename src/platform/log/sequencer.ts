import { CompactRange } from '#protocol/compact-range.ts';
import { signCheckpoint } from '#protocol/checkpoint.ts';
import type { NoteSigner } from '#protocol/note.ts';
import { extendRange } from '#protocol/range-extension.ts';
import {
  type EntryProof,
  type Found,
  type LogEntry,
  type LogExtension,
  type OpenedLog,
  type Sequencer,
  StorageError,
} from '#platform/storage/store.ts';
import type { SignerSource } from './log-keys.ts';
import * as sql from './sql.ts';

const EMPTY_RANGE = new CompactRange();

interface Moment {
  readonly nowMs: number;
  readonly signers: readonly NoteSigner[];
}

export interface SequencerOptions {
  readonly origin: string;
  /** The keys in force; during an overlap both the old and the new one sign. */
  readonly signers: SignerSource;
  /** Told after a commit by this process that the log has grown; may be told more than once, or not at all. */
  readonly onGrowth?: () => void;
  /** The newest head that this process has read and checked; the log may only go on from it. */
  readonly followed?: () => KnownHead;
}

/** What is known of a log. */
export interface KnownHead {
  readonly size: number;
  readonly rootHex: string;
}

const readsOf = ({ inForceRead }: SignerSource) => ({ head: sql.LOG_HEAD, keys: inForceRead });
type LogReads = ReturnType<typeof readsOf>;

/**
 * Extends the log inside the store's transaction. The head row carries the compact range of the tree, so whichever
 * process holds the lock can grow it without having seen the entries before. A process that knows of more entries, or
 * of others, signs nothing: a failover lost them, or somebody put an older database in the place of this one.
 */
export class LogSequencer implements Sequencer<LogReads> {
  readonly reads: LogReads;
  readonly #options: SequencerOptions;
  #signed: KnownHead = { size: 0, rootHex: '' };

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.reads = readsOf(options.signers);
  }

  /** The newest head that this process has signed and committed. */
  get signed(): KnownHead {
    return this.#signed;
  }

  open({ head: [head], keys }: Found<LogReads>): OpenedLog {
    const size = head?.size ?? 0;
    const stored = { size, rootHex: head?.rootHex ?? '' };
    requireGoneOn(stored, this.#signed);
    requireGoneOn(stored, this.#options.followed?.() ?? this.#signed);
    return {
      size,
      extend: (entries, nowMs) => {
        const range = head === undefined ? EMPTY_RANGE : CompactRange.parse(size, head.subtrees);
        const signers = this.#options.signers.of(keys);
        return this.#extend(range, entries, { nowMs, signers });
      },
    };
  }

  #extend(range: CompactRange, entries: readonly LogEntry[], { nowMs, signers }: Moment): LogExtension {
    const { origin, onGrowth } = this.#options;
    const grown = extendRange(
      range,
      entries.map(({ leaf }) => leaf.hash),
    );
    const { size } = grown.range;
    const note = signCheckpoint({ origin, size, root: grown.root }, signers);
    const rootHex = Buffer.from(grown.root).toString('hex');
    const first = range.size;
    return {
      committed: () => void (this.#signed = { size, rootHex }),
      writes: [
        sql.LOG_ENTRY.insert(
          entries.map(({ type, leaf }, index) => ({ ...storedLeaf(leaf), seq: first + index, type, atMs: nowMs })),
        ),
        sql.RECORD.insert(entries.map(({ record }, index) => ({ ...record, ...NOT_ERASED, seq: first + index }))),
        sql.LOG_LINK.insert(
          entries.flatMap(({ leaf, links = [] }, index) =>
            links.map((link) => ({ ...link, seq: first + index, fromId: leaf.id })),
          ),
        ),
        sql.LOG_CHECKPOINT.insert([{ size, note, atMs: nowMs }]),
        sql.HEAD.upsert([{ id: 1, origin, size, rootHex, subtrees: grown.range.serialise(), checkpoint: note }]),
      ],
      // Made only after the commit, outside the lock.
      proof: (index): EntryProof => {
        onGrowth?.();
        return { seq: first + index, treeSize: size, path: grown.base64Path(index), checkpoint: note };
      },
    };
  }
}

function requireGoneOn(stored: KnownHead, known: KnownHead): void {
  const isSame = stored.size > known.size || (stored.size === known.size && stored.rootHex === known.rootHex);
  if (isSame) return;
  const what =
    stored.size < known.size
      ? `the log in the database has ${stored.size} entries, and this process knows ${known.size}`
      : `the ${known.size} entries of the log in the database are not those that this process knows`;
  throw new StorageError('set_back', `${what}: stop every process and restore the newest copy`);
}

const NOT_ERASED = { erasedAtMs: null, erasedIn: null };

function storedLeaf({ text, hash, id }: LogEntry['leaf']) {
  return { leaf: text, leafHashHex: Buffer.from(hash).toString('hex'), attestationId: id };
}

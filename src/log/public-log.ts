import type { KeyObject } from 'node:crypto';
import { type Checkpoint, verifyCheckpoint } from '#protocol/checkpoint.ts';
import type { SealRecord } from '#protocol/attestation/reexecute.ts';
import { CompactRange } from '#protocol/compact-range.ts';
import { MerkleTree } from '#protocol/merkle-tree.ts';
import { ed25519NoteSigner, ed25519NoteVerifier, type NoteSigner } from '#protocol/note.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { type PageProof, pageProof } from '#protocol/page-proof.ts';
import type { Row, Sequencer, Store } from '#storage/store.ts';
import { requireHighWater } from './high-water.ts';
import { inceptionUnit, keyDeclaration } from './inception.ts';
import { LogFault } from './log-fault.ts';
import { LogSequencer } from './sequencer.ts';
import * as sql from './sql.ts';
import { type StoredRecord, sealRecordOf, storedRecord } from './stored-record.ts';
import { TileKeeper } from './tile-keeper.ts';
import { readLeafHashes, treeFromTiles } from './tree-loading.ts';

export interface PublicLogOptions {
  readonly store: Store;
  readonly attach: (sequencer: Sequencer) => void;
  readonly signingKey: KeyObject;
  /** Used at inception only; an existing log keeps the origin that it was begun with. */
  readonly newOrigin: string;
  readonly sandbox: boolean;
  /** Throws where an existing log is not the one that the configuration means. */
  readonly requireOrigin: (origin: string) => void;
  /** The newest checkpoint that this installation remembers: the log must still be it or go on from it. */
  readonly highWater: Checkpoint | undefined;
  /** A log of at least so many entries is loaded from its stored tiles. */
  readonly tilesFrom?: number;
}

/** Below this many entries a tree is built from the leaf hashes in less time than it takes to notice. */
const TILES_FROM = 100_000;

/** The newest state that this process has followed: signed size and root. */
export interface LogHead {
  readonly size: number;
  readonly rootHex: string;
  readonly checkpoint: string;
}

export interface StoredEntry {
  readonly seq: number;
  readonly type: string;
  readonly leaf: string;
  readonly leafHashHex: string;
  readonly attestationId: string;
}

/** The public append-only log as this process sees it: follows the database and answers with proofs from memory. */
export class PublicLog {
  readonly origin: string;
  readonly vkey: string;
  readonly #store: Store;
  readonly #signer: NoteSigner;
  readonly #tiles: TileKeeper;
  #tree = new MerkleTree();
  #head: LogHead = { size: 0, rootHex: '', checkpoint: '' };
  #following: Promise<void> | undefined;

  private constructor(store: Store, origin: string, signer: NoteSigner) {
    this.#store = store;
    this.origin = origin;
    this.#signer = signer;
    this.vkey = formatVkey(signer.key);
    this.#tiles = new TileKeeper(store, (level, index, width) => this.#tree.tile(level, index, width));
  }

  /** Begins the log of an empty database, or takes up the existing one after checking it against its signed head. */
  static async open(options: PublicLogOptions): Promise<PublicLog> {
    const { store, attach, signingKey, newOrigin, sandbox, highWater, tilesFrom = TILES_FROM } = options;
    const known = await originOf(store);
    if (known !== undefined) options.requireOrigin(known);
    requireHighWater(highWater, await headOf(store));
    const begin = ed25519NoteSigner(known ?? newOrigin, signingKey);
    attach(new LogSequencer({ origin: begin.key.name, signers: [begin] }));
    if (known === undefined) {
      await store.run(inceptionUnit, { draft: keyDeclaration(formatVkey(begin.key), 'log-checkpoint'), sandbox });
    }
    // Another process may have begun the log a moment before, under its own origin.
    const origin = (await originOf(store)) ?? newOrigin;
    const signer = ed25519NoteSigner(origin, signingKey);
    attach(new LogSequencer({ origin, signers: [signer] }));
    const log = new PublicLog(store, origin, signer);
    const head = await headOf(store);
    if (head !== undefined && head.size >= tilesFrom) log.#tree = await treeFromTiles(store, head);
    await log.follow();
    log.#requireContinuation(highWater);
    return log;
  }

  head(): LogHead {
    return this.#head;
  }

  /** Reads what was committed since, by any process; afterwards the head is at least as new as the call. */
  async follow(): Promise<LogHead> {
    // A call that comes while another one reads must not be answered with what that one found before.
    await this.#following;
    this.#following ??= this.#readOn().finally(() => {
      this.#following = undefined;
    });
    await this.#following;
    return this.#head;
  }

  inclusionPath(seq: number, size: number): string[] {
    return this.#tree.inclusionPath(seq, size).map(base64);
  }

  consistencyProof(first: number, second: number): string[] {
    return this.#tree.consistencyProof(first, second).map(base64);
  }

  pageProof(from: number, to: number, size: number): PageProof {
    return pageProof({ from, to, size }, (height, index) => this.#tree.subtree(height, index));
  }

  tile(level: number, index: number, width: number): Uint8Array {
    return this.#tree.tile(level, index, width);
  }

  /** Stores full tiles that are not stored yet, at most so many, for later starts; says how many it stored. */
  async keepTiles(most: number): Promise<number> {
    return this.#tiles.keep((await this.follow()).size, most);
  }

  async entries(from: number, to: number): Promise<StoredEntry[]> {
    return (await this.#store.read(sql.ENTRIES_BETWEEN, [from, to])).map(storedEntry);
  }

  async entryOf(attestationId: string): Promise<StoredEntry | undefined> {
    const [row] = await this.#store.read(sql.ENTRY_OF_ID, [attestationId]);
    return row === undefined ? undefined : storedEntry(row);
  }

  async recordOf(seq: number): Promise<StoredRecord | undefined> {
    const [row] = await this.#store.read(sql.RECORD_OF_SEQ, [seq]);
    return row === undefined ? undefined : storedRecord(row);
  }

  /** A record in the form that commitments and verdicts are recomputed from. */
  sealRecord(record: StoredRecord | undefined): SealRecord | null {
    return sealRecordOf(record);
  }

  async records(from: number, to: number): Promise<Map<number, StoredRecord>> {
    const rows = await this.#store.read(sql.RECORDS_BETWEEN, [from, to]);
    return new Map(rows.map((row) => [row['seq'] as number, storedRecord(row)]));
  }

  /** The signed checkpoints of sizes above `from`, up to and including `to`. */
  async checkpoints(from: number, to: number): Promise<Map<number, string>> {
    const rows = await this.#store.read(sql.CHECKPOINTS_BETWEEN, [from, to]);
    return new Map(rows.map((row) => [row['size'] as number, row['note'] as string]));
  }

  async #readOn(): Promise<void> {
    const [row] = await this.#store.read(sql.LOG_HEAD);
    if (row === undefined) throw new LogFault('the log has no head');
    const size = row['size'] as number;
    await readLeafHashes(this.#store, this.#tree.size, size, (hash) => this.#tree.append(hash));
    if (size === this.#head.size) return;
    const head = { size, rootHex: row['root'] as string, checkpoint: row['note'] as string };
    this.#head = this.#checked(head, row['subtrees'] as string);
  }

  /** What the head says must be what the entries hash to and what the log's own key signed. */
  #checked(head: LogHead, subtrees: string): LogHead {
    const rootHex = Buffer.from(this.#tree.root(head.size)).toString('hex');
    if (rootHex !== head.rootHex) throw new LogFault(`the entries of the log do not hash to the root of its head`);
    // The next batch grows the tree from these alone: with others it would sign a fork.
    const range = CompactRange.from(head.size, this.pageProof(head.size, head.size, head.size).left);
    if (range.serialise() !== subtrees) throw new LogFault('the subtrees in the head of the log are not its own');
    const checkpoint = this.#signed(head.checkpoint);
    const isSame = checkpoint.origin === this.origin && checkpoint.size === BigInt(head.size);
    if (!isSame || Buffer.from(checkpoint.root).toString('hex') !== rootHex) {
      throw new LogFault('the head of the log and its signed checkpoint differ');
    }
    return head;
  }

  #signed(note: string): Checkpoint {
    try {
      return verifyCheckpoint(note, [ed25519NoteVerifier(this.#signer.key)]).checkpoint;
    } catch (cause) {
      const advice = 'restore the key file of this log or a backup of the database';
      throw new LogFault(`the checkpoint of the log is not signed by its key in force: ${advice}`, { cause });
    }
  }

  #requireContinuation(highWater: Checkpoint | undefined): void {
    if (highWater === undefined) return;
    const size = Number(highWater.size);
    if (Buffer.compare(this.#tree.root(size), highWater.root) === 0) return;
    throw new LogFault(
      `the first ${size} entries of the log are not those that this installation signed before: restore the right database`,
    );
  }
}

async function originOf(store: Store): Promise<string | undefined> {
  return (await headOf(store))?.origin;
}

async function headOf(store: Store): Promise<{ origin: string; size: number; rootHex: string } | undefined> {
  const [row] = await store.read(sql.LOG_HEAD);
  if (row === undefined) return undefined;
  return { origin: row['origin'] as string, size: row['size'] as number, rootHex: row['root'] as string };
}

function storedEntry(row: Row): StoredEntry {
  return {
    seq: row['seq'] as number,
    type: row['type'] as string,
    leaf: row['leaf'] as string,
    leafHashHex: row['leaf_hash'] as string,
    attestationId: row['attestation_id'] as string,
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

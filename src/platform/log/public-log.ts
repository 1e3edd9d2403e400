import { newCommandId, newToken } from '#kernel/ids.ts';
import { attestationId } from '#protocol/attestation/attestation-id.ts';
import { keyDeclarationDraft } from '#protocol/attestation/key-declaration.ts';
import { type Checkpoint, type VerifiedCheckpoint, verifyCheckpoint } from '#protocol/checkpoint.ts';
import type { SealRecord } from '#protocol/attestation/reexecute.ts';
import type { SealDraft } from '#protocol/attestation/seal-entry.ts';
import { CompactRange } from '#protocol/compact-range.ts';
import { leafHash } from '#protocol/merkle.ts';
import { MerkleTree } from '#protocol/merkle-tree.ts';
import { ed25519NoteVerifier } from '#protocol/note.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { type PageProof, pageProof } from '#protocol/page-proof.ts';
import type { EntryLink, Sequencer, Store } from '#platform/storage/store.ts';
import { LogGrowth } from './growth.ts';
import { requireCheckpointMemory } from './checkpoint-memory.ts';
import { inceptionUnit } from './inception.ts';
import { LogError } from './log-error.ts';
import { type LogKeys, noteKeysOf, signersOf } from './log-keys.ts';
import { type KnownHead, LogSequencer } from './sequencer.ts';
import * as sql from './sql.ts';
import { sealRecordOf, type StoredRecord } from './stored-record.ts';
import { TileKeeper } from './tile-keeper.ts';
import { checkLoadedTiles, readLeafHashes, treeFromTiles } from './tree-loading.ts';

export interface PublicLogOptions {
  readonly store: Store;
  readonly attach: (sequencer: Sequencer) => void;
  readonly keys: LogKeys;
  /** Used at inception only; an existing log keeps the origin that it was begun with. */
  readonly newOrigin: string;
  readonly sandbox: boolean;
  /** Throws where an existing log is not the one that the configuration means. */
  readonly requireOrigin?: (origin: string) => void;
  /** The newest checkpoint that this installation remembers: the log must still be it or go on from it. */
  readonly highWater?: Checkpoint | undefined;
  /** A log of at least so many entries is loaded from its stored tiles. */
  readonly tilesFrom?: number;
  /** Told when what is stored is not the log that was signed: nothing may be added to it any more. */
  readonly onUnsound?: (fault: LogError) => void;
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

/** Members that the bytes of an entry must have. */
export interface EntryMembers {
  readonly type?: string | undefined;
  readonly schema_id?: string | undefined;
  readonly verdict?: string | undefined;
}

/** The public append-only log as this process sees it: follows the database and answers with proofs from memory. */
export class PublicLog {
  readonly origin: string;
  /** Who waits for entries that are not there yet. */
  readonly growth = new LogGrowth(() => this.follow());
  readonly #store: Store;
  readonly #keys: LogKeys;
  readonly #tiles: TileKeeper;
  #tree = new MerkleTree();
  #head: LogHead = { size: 0, rootHex: '', checkpoint: '' };
  #committed: () => KnownHead = () => this.#head;
  #following: Promise<void> | undefined;
  readonly #onUnsound: (fault: LogError) => void;

  private constructor({ store, keys, onUnsound = () => {} }: PublicLogOptions, origin: string) {
    this.#store = store;
    this.origin = origin;
    this.#keys = keys;
    this.#onUnsound = onUnsound;
    this.#tiles = new TileKeeper(store, (level, index, width) => this.#tree.tile(level, index, width));
  }

  /** Begins the log of an empty database, or takes up the existing one after checking it against its signed head. */
  static async open(options: PublicLogOptions): Promise<PublicLog> {
    const { store, attach, keys, newOrigin, sandbox, highWater, tilesFrom = TILES_FROM } = options;
    const known = await originOf(store);
    if (known !== undefined) options.requireOrigin?.(known);
    requireCheckpointMemory(highWater, await storedHead(store));
    if (known === undefined) {
      attach(new LogSequencer({ origin: newOrigin, signers: signersOf(keys, newOrigin) }));
      await store.run(inceptionUnit, { draft: inceptionDraft(keys, newOrigin), sandbox });
    }
    // Another process may have begun the log a moment before, under its own origin.
    const origin = (await originOf(store)) ?? newOrigin;
    const log = new PublicLog(options, origin);
    const sequencer = new LogSequencer({
      origin,
      signers: signersOf(keys, origin),
      onGrowth: () => log.growth.wake(),
      followed: () => log.#head,
    });
    log.#committed = () => sequencer.signed;
    attach(sequencer);
    const head = await storedHead(store);
    if (head !== undefined && head.size >= tilesFrom) log.#tree = await treeFromTiles(store, head);
    await log.follow();
    log.#requireContinuation(highWater);
    return log;
  }

  /** The verifier keys that sign now, oldest first. */
  vkeys(): string[] {
    return noteKeysOf(this.#keys.inForce(), this.origin).map(formatVkey);
  }

  /** The verifier keys that sign or ever signed. */
  allVkeys(): string[] {
    return noteKeysOf(this.#keys.all(), this.origin).map(formatVkey);
  }

  head(): LogHead {
    return this.#head;
  }

  /** Reads what was committed since, by any process; afterwards the head is at least as new as the call. */
  async follow(): Promise<LogHead> {
    // A call that comes while another one reads must not be answered with what that one found before, nor fail with it.
    await this.#following?.catch(() => {});
    this.#following ??= this.#readOn()
      .catch((error: unknown) => {
        if (error instanceof LogError) this.#onUnsound(error);
        throw error;
      })
      .finally(() => {
        this.#following = undefined;
      });
    await this.#following;
    return this.#head;
  }

  /** The root of its first entries; undefined for more than it has. */
  rootHexAt(size: number): string | undefined {
    return size > this.#head.size ? undefined : Buffer.from(this.#tree.root(size)).toString('hex');
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

  /** Compares what a start has loaded of the tree with what lies above it; nothing is answered from what was not. */
  async checkTree(signal: AbortSignal): Promise<void> {
    try {
      await checkLoadedTiles(this.#tree, signal);
    } catch (error) {
      this.#onUnsound(error as LogError);
    }
  }

  /** Stores full tiles that are not stored yet, at most so many, for later starts; says how many it stored. */
  async keepTiles(most: number): Promise<number> {
    return this.#tiles.keep((await this.follow()).size, most);
  }

  /** The entries [from, to) of a log that was followed up to `to`: all of them, with the bytes that were signed. */
  async entries(from: number, to: number): Promise<readonly StoredEntry[]> {
    const entries = await this.#store.read(sql.LOG_ENTRIES_BETWEEN, [from, to]);
    const gap = entries.findIndex(({ seq }, place) => seq !== from + place);
    const missing = gap === -1 ? from + entries.length : from + gap;
    if (missing < to) throw new LogError(`log entry ${missing} is missing: see the audit of the log`, { seq: missing });
    for (const entry of entries) this.#requireSigned(entry);
    return entries;
  }

  /** The newest hundred of the entries [from, to) whose signed bytes have these members; newest first. */
  async entriesWith(from: number, to: number, members: EntryMembers): Promise<readonly StoredEntry[]> {
    const { type, schema_id: schema, verdict } = members;
    const spelled = [
      ['schema_id', schema],
      ['verdict', verdict],
    ].map(([name, value]) => (value === undefined ? '{' : `"${name}":${JSON.stringify(value)}`));
    const found = await this.#store.read(sql.ENTRIES_WITH_MEMBERS, [from, to, type ?? '', ...spelled]);
    for (const entry of found) this.#requireSigned(entry);
    return found.filter(({ leaf }) =>
      Object.entries(members).every(([name, value]) => value === undefined || memberOf(leaf, name) === value),
    );
  }

  /** The id of an entry by its number; null where the log has none. */
  async idAt(seq: number): Promise<string | null> {
    const { size } = await this.follow();
    const [entry] = seq < size ? await this.entries(seq, seq + 1) : [];
    return entry?.attestationId ?? null;
  }

  async entryOf(id: string): Promise<StoredEntry | undefined> {
    return entryOfId(this.#store, id);
  }

  /** The entries that this digest stands in: as the hash of the leaf, the commitment to what was recorded, or the root of its bundle. */
  async entriesOfDigest(hex: string): Promise<StoredEntry[]> {
    // The id of an entry is its hash in another form.
    const hashed = await this.entryOf(attestationId(Buffer.from(hex, 'hex')));
    if (hashed !== undefined) return [hashed];
    const committed = await this.#store.read(sql.ENTRIES_OF_COMMITMENT, [hex]);
    const bundled = await this.#store.read(sql.ENTRIES_OF_BUNDLE, [hex]);
    return [
      ...committed.filter(({ leaf }) => memberOf(leaf, 'claim_commitment') === hex),
      ...bundled.filter(({ leaf }) => memberOf(leaf, 'bundle_root') === hex),
    ];
  }

  /** The entries that say they are about this one, in their order; at most the newest hundred. */
  async linksTo(id: string, kind: EntryLink['kind']): Promise<string[]> {
    const links = await this.#store.read(sql.LINKS_TO, [id, kind]);
    // The signed bytes decide: a row is only where to look.
    const said = links.filter(({ leaf }) => memberOf(leaf, kind) === id);
    return said.map(({ fromId }) => fromId).toReversed();
  }

  async recordOf(seq: number): Promise<StoredRecord | undefined> {
    return (await this.#store.read(sql.RECORD_OF_SEQ, [seq]))[0];
  }

  async seedOf(id: string): Promise<string | null> {
    return seedOfEntry(this.#store, id);
  }

  /** A record in the form that commitments and verdicts are recomputed from. */
  sealRecord(record: StoredRecord | undefined): SealRecord | null {
    return sealRecordOf(record);
  }

  /** The signed checkpoints of sizes above `from`, up to and including `to`. */
  async checkpoints(from: number, to: number): Promise<Map<number, string>> {
    const signed = await this.#store.read(sql.CHECKPOINTS_BETWEEN, [from, to]);
    return new Map(signed.map(({ size, note }) => [size, note]));
  }

  /** The signed head of an earlier size, if one was signed for it; the log must have been followed up to it. */
  async headOf(size: number): Promise<LogHead | undefined> {
    const checkpoint = (await this.checkpoints(size - 1, size)).get(size);
    if (checkpoint === undefined) return undefined;
    const rootHex = Buffer.from(this.#tree.root(size)).toString('hex');
    return this.#signed({ size, rootHex, checkpoint }, () => this.#keys.all());
  }

  /** The sizes next to this one at which the log was signed: one below, one above, where there are any. */
  async signedSizesNextTo(size: number): Promise<number[]> {
    const found = [
      ...(await this.#store.read(sql.CHECKPOINT_BEFORE, [size])),
      ...(await this.#store.read(sql.CHECKPOINT_AFTER, [size])),
    ];
    return found.map((checkpoint) => checkpoint.size);
  }

  /** When the checkpoint of that size was signed. */
  async checkpointAtMs(size: number): Promise<number> {
    const [checkpoint] = await this.#store.read(sql.CHECKPOINT_OF_SIZE, [size]);
    if (checkpoint === undefined) throw new LogError(`there is no checkpoint of size ${size}`);
    return checkpoint.atMs;
  }

  #requireSigned({ seq, leaf }: StoredEntry): void {
    if (Buffer.compare(leafHash(Buffer.from(leaf)), this.#tree.subtree(0, seq)) === 0) return;
    throw new LogError(`log entry ${seq} is not the one that was signed: see the audit of the log`, { seq });
  }

  async #readOn(): Promise<void> {
    const stored = await this.#storedHead();
    if (stored === undefined) throw new LogError('the log has no head');
    const { size, rootHex, checkpoint, subtrees } = stored;
    if (size < this.#head.size) {
      throw new LogError(`the log has gone back from ${this.#head.size} to ${size} entries: restore the newest copy`);
    }
    if (size === this.#head.size) {
      if (rootHex === this.#head.rootHex) return;
      throw new LogError(`the ${size} entries of the log are not those that were read before: restore the right copy`);
    }
    await readLeafHashes(this.#store, this.#tree.size, size, (hash) => this.#tree.append(hash));
    this.#head = await this.#checked({ size, rootHex, checkpoint }, subtrees);
  }

  /** A head that is new, and that this process has not committed itself, is followed only when it is there for good. */
  async #storedHead() {
    const [stored] = await this.#store.read(sql.LOG_HEAD);
    const known = Math.max(this.#head.size, this.#committed().size);
    if (stored === undefined || stored.size <= known) return stored;
    return (await this.#store.readConfirmed(sql.LOG_HEAD))[0];
  }

  /** What the head says must be what the entries hash to and what a key in force of the log signed. */
  async #checked(head: LogHead, subtrees: string): Promise<LogHead> {
    const rootHex = Buffer.from(this.#tree.root(head.size)).toString('hex');
    if (rootHex !== head.rootHex) throw new LogError(`the entries of the log do not hash to the root of its head`);
    // The next batch grows the tree from these alone: with others it would sign a fork.
    const range = CompactRange.from(head.size, this.pageProof(head.size, head.size, head.size).left);
    if (range.serialise() !== subtrees) throw new LogError('the subtrees in the head of the log are not its own');
    return this.#signed(head, () => this.#keys.inForce());
  }

  async #signed(head: LogHead, keys: () => readonly Uint8Array[]): Promise<LogHead> {
    const { checkpoint } = await this.#opened(head.checkpoint, keys);
    const isSame = checkpoint.origin === this.origin && checkpoint.size === BigInt(head.size);
    if (!isSame || Buffer.from(checkpoint.root).toString('hex') !== head.rootHex) {
      throw new LogError('the head of the log and its signed checkpoint differ');
    }
    return head;
  }

  /** A head that no key known here signed may be that of a rotation that another process made. */
  async #opened(note: string, keys: () => readonly Uint8Array[]): Promise<VerifiedCheckpoint> {
    const open = () => verifyCheckpoint(note, noteKeysOf(keys(), this.origin).map(ed25519NoteVerifier));
    try {
      return open();
    } catch {
      await this.#keys.refresh();
    }
    try {
      return open();
    } catch (cause) {
      const advice = 'restore the key file of this log or a backup of the database';
      throw new LogError(`the checkpoint of the log is not signed by its key in force: ${advice}`, { cause });
    }
  }

  #requireContinuation(highWater: Checkpoint | undefined): void {
    if (highWater === undefined) return;
    const size = Number(highWater.size);
    if (Buffer.compare(this.#tree.root(size), highWater.root) === 0) return;
    throw new LogError(
      `the first ${size} entries of the log are not those that this installation signed before: restore the right database`,
    );
  }
}

/** For a tool beside the service: lets its commands add entries to the existing log, and gives the log's origin. */
export async function attachToLog(
  store: Store,
  attach: (sequencer: Sequencer) => void,
  keys: LogKeys,
): Promise<string> {
  const origin = await originOf(store);
  if (origin === undefined) throw new LogError('there is no log yet: start the service first');
  attach(new LogSequencer({ origin, signers: signersOf(keys, origin) }));
  return origin;
}

/** Entry 0 declares the key that signs it. */
function inceptionDraft(keys: LogKeys, origin: string): SealDraft {
  const [first] = noteKeysOf(keys.inForce(), origin);
  if (first === undefined) throw new LogError('there is no key to begin the log with');
  const claim = { publicKey: formatVkey(first), role: 'root', scope: 'log-checkpoint' } as const;
  return keyDeclarationDraft(claim, { seed: newToken(), nonce: newCommandId() });
}

/** The entry with this id, also where no log is open. */
export async function entryOfId(store: Store, id: string): Promise<StoredEntry | undefined> {
  return (await store.read(sql.ENTRY_OF_ID, [id]))[0];
}

async function originOf(store: Store): Promise<string | undefined> {
  return (await storedHead(store))?.origin;
}

/** What the database says of its log; undefined where none was begun. */
export async function storedHead(
  store: Pick<Store, 'read'>,
): Promise<{ origin: string; size: number; rootHex: string } | undefined> {
  const [head] = await store.read(sql.LOG_HEAD);
  if (head === undefined) return undefined;
  const { origin, size, rootHex } = head;
  return { origin, size, rootHex };
}

function memberOf(leaf: string, name: string): unknown {
  try {
    return (JSON.parse(leaf) as Readonly<Record<string, unknown>>)[name];
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** The seed of an entry, as its holder is shown it; null once the entry is erased. */
export async function seedOfEntry(store: Store, id: string): Promise<string | null> {
  const entry = await entryOfId(store, id);
  const [record] = entry === undefined ? [] : await store.read(sql.RECORD_OF_SEQ, [entry.seq]);
  return record?.seed == null ? null : Buffer.from(record.seed, 'base64url').toString('base64');
}

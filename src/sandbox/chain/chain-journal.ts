import { hash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Hex } from '#protocol/payment/hex.ts';
import type { StateChanges } from './chain-state.ts';
import type { StoredBlock } from './stored-block.ts';

const NO_PARENT: Hex = `0x${'0'.repeat(64)}`;
const HASH_CHARS = 66;
/** What is older may be forgotten when the chain is opened; nobody asks about payments that old. */
const KEPT_BLOCKS = 10_000;

export interface ReadBlock {
  readonly hash: Hex;
  readonly block: StoredBlock;
}

class ChainJournalError extends Error {
  override readonly name = 'ChainJournalError';
}

/** The blocks of the chain as lines of a file: hash, space, JSON. Each names its parent, so a changed line is found. */
export class ChainJournal {
  readonly #file: FileHandle;
  #lastHash: Hex;
  #length: number;

  private constructor(file: FileHandle, lastHash: Hex, length: number) {
    this.#file = file;
    this.#lastHash = lastHash;
    this.#length = length;
  }

  /** Reads the blocks in order. A last line without its end was never visible to anybody and is cut off. */
  static async open(
    path: string,
    keptBlocks = KEPT_BLOCKS,
  ): Promise<{ journal: ChainJournal; blocks: readonly ReadBlock[] }> {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a+', 0o600);
    try {
      const bytes = readFileSync(path);
      const length = bytes.lastIndexOf(0x0a) + 1;
      const blocks = parseBlocks(bytes.subarray(0, length));
      if (blocks.length > 2 * keptBlocks) {
        await file.close();
        compact(path, blocks, keptBlocks);
        return await ChainJournal.open(path, keptBlocks);
      }
      if (length < bytes.length) await file.truncate(length);
      return { journal: new ChainJournal(file, blocks.at(-1)?.hash ?? NO_PARENT, length), blocks };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get lastHash(): Hex {
    return this.#lastHash;
  }

  /** Returns the hash of the block after it is durable. After a failed write the file ends where it did before. */
  async append(block: StoredBlock): Promise<Hex> {
    const { line, hash: blockHash } = lineOf(block);
    try {
      await this.#file.appendFile(line);
      await this.#file.datasync();
    } catch (error) {
      await this.#file.truncate(this.#length);
      throw error;
    }
    this.#length += line.length;
    this.#lastHash = blockHash;
    return blockHash;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

/** A block with everything that was changed up to it; it keeps the hash by which the next one names it. */
interface BaseBlock extends StoredBlock {
  readonly hash: Hex;
}

function lineOf(block: StoredBlock): { readonly line: Buffer; readonly hash: Hex } {
  const text = JSON.stringify(block);
  const blockHash = hashOf(text);
  return { line: Buffer.from(`${blockHash} ${text}\n`), hash: blockHash };
}

/** Line by line: the file may be longer than a text can be. */
function parseBlocks(bytes: Uint8Array): ReadBlock[] {
  const blocks: ReadBlock[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
    const before = blocks.at(-1);
    const number = before === undefined ? undefined : before.block.number + 1;
    const lineHash = line.slice(0, HASH_CHARS) as Hex;
    const json = line.slice(HASH_CHARS + 1);
    if (hashOf(json) !== lineHash) throw damaged(number ?? 0);
    const block = JSON.parse(json) as StoredBlock | BaseBlock;
    const isBase = before === undefined && 'hash' in block;
    const isNext = block.number === (number ?? 0) && block.parentHash === (before?.hash ?? NO_PARENT);
    if (!isBase && !isNext) throw damaged(number ?? 0);
    blocks.push({ hash: isBase ? block.hash : lineHash, block });
    start = end + 1;
  }
  return blocks;
}

/** Replaces the file by one with the newest blocks, of which the first holds what all before it had changed. */
function compact(path: string, blocks: readonly ReadBlock[], keptBlocks: number): void {
  const [first, ...others] = blocks.slice(-keptBlocks) as [ReadBlock, ...ReadBlock[]];
  const changes = merged(blocks.slice(0, -others.length).map(({ block }) => block.changes));
  const base: BaseBlock = { ...first.block, changes, hash: first.hash };
  const draft = `${path}.draft`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    for (const block of [base, ...others.map((one) => one.block)]) writeFileSync(handle, lineOf(block).line);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, path);
}

function merged(all: readonly StateChanges[]): StateChanges {
  const table = <T>(name: keyof StateChanges): Record<string, T> => {
    const values: Record<string, T | null> = {};
    for (const changes of all) Object.assign(values, changes[name]);
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Record<string, T>;
  };
  return { accounts: table('accounts'), code: table('code'), storage: table('storage') };
}

function damaged(number: number): ChainJournalError {
  return new ChainJournalError(
    `the sandbox chain is damaged at block ${number}: restore its file, or remove it to start a new chain`,
  );
}

function hashOf(text: string): Hex {
  return `0x${hash('sha256', text, 'hex')}`;
}

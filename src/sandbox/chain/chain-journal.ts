import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Hex } from '#protocol/payment/hex.ts';
import type { StoredBlock } from './stored-block.ts';

const NO_PARENT: Hex = `0x${'0'.repeat(64)}`;
const HASH_CHARS = 66;

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
  static async open(path: string): Promise<{ journal: ChainJournal; blocks: readonly ReadBlock[] }> {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a+', 0o600);
    try {
      const bytes = readFileSync(path);
      const length = bytes.lastIndexOf(0x0a) + 1;
      const blocks = parseBlocks(bytes.subarray(0, length).toString());
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
    const text = JSON.stringify(block);
    const blockHash = hashOf(text);
    const line = Buffer.from(`${blockHash} ${text}\n`);
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

function parseBlocks(text: string): ReadBlock[] {
  let parent = NO_PARENT;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, number) => {
      const lineHash = line.slice(0, HASH_CHARS) as Hex;
      const json = line.slice(HASH_CHARS + 1);
      if (hashOf(json) !== lineHash) throw damaged(number);
      const block = JSON.parse(json) as StoredBlock;
      if (block.parentHash !== parent || block.number !== number) throw damaged(number);
      parent = lineHash;
      return { hash: lineHash, block };
    });
}

function damaged(number: number): ChainJournalError {
  return new ChainJournalError(
    `the sandbox chain is damaged at block ${number}: restore its file, or remove it to start a new chain`,
  );
}

function hashOf(text: string): Hex {
  return `0x${hash('sha256', text, 'hex')}`;
}

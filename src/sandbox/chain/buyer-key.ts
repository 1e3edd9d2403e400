import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { newCommandId, randomBytes } from '#kernel/ids.ts';
import { type PayingKey, payingKey } from '#protocol/payment/account.ts';
import { hexOf, isBytes32 } from '#protocol/payment/hex.ts';

const FILE = 'sandbox-buyer.key';

export class BuyerKeyError extends Error {
  override readonly name = 'BuyerKeyError';
}

/** The key with which this installation tries its own paid calls; made once, readable by its owner only. */
export function ensureBuyerKey(directory: string): PayingKey {
  const path = join(directory, FILE);
  return readBuyerKey(path) ?? makeBuyerKey(directory, path);
}

function readBuyerKey(path: string): PayingKey | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return undefined;
  if ((mode & 0o077) !== 0) throw new BuyerKeyError(`${FILE} can be read by others: run chmod 600 on it`);
  const text = readFileSync(path, 'utf8').trim();
  if (!isBytes32(text)) throw new BuyerKeyError(`${FILE} is damaged: remove it and a new one is made`);
  return payingKey(text);
}

/** The file appears whole or not at all; where another process was faster, its key is the one. */
function makeBuyerKey(directory: string, path: string): PayingKey {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const draft = `${path}.${newCommandId()}.draft`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${hexOf(randomBytes(32))}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readBuyerKey(path) as PayingKey;
}

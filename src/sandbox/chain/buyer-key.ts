import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from '#kernel/ids.ts';
import { createWhole } from '#platform/storage/whole-file.ts';
import { type PayingKey, payingKey } from '#protocol/payment/account.ts';
import { hexOf, isBytes32 } from '#protocol/payment/hex.ts';

const FILE = 'sandbox-buyer.key';

export class BuyerKeyError extends Error {
  override readonly name = 'BuyerKeyError';
}

/** The key with which this installation tries its own paid calls; made once, readable by its owner only. */
export function ensureBuyerKey(directory: string): PayingKey {
  const path = join(directory, FILE);
  return readBuyerKey(path) ?? makeBuyerKey(path);
}

function readBuyerKey(path: string): PayingKey | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return undefined;
  if ((mode & 0o077) !== 0) throw new BuyerKeyError(`${FILE} can be read by others: run chmod 600 on it`);
  const text = readFileSync(path, 'utf8').trim();
  if (!isBytes32(text)) throw new BuyerKeyError(`${FILE} is damaged: remove it and a new one is made`);
  return payingKey(text);
}

/** Where another process was faster, its key is the one. */
function makeBuyerKey(path: string): PayingKey {
  createWhole(path, `${hexOf(randomBytes(32))}\n`);
  return readBuyerKey(path) as PayingKey;
}

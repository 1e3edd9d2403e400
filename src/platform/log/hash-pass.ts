import {
  ATTESTATION_ID_BYTES,
  isIdOfHash,
  sealedAtOffset,
  UTC_MILLISECONDS_BYTES,
} from '#protocol/attestation/leaf-bytes.ts';
import { attestationId } from '#protocol/attestation/attestation-id.ts';
import { hashJoinedLeaves, type JoinedLeaves, splitJoinedLeaves } from '#protocol/leaf-page.ts';
import { HASH_BYTES } from '#protocol/log-text.ts';
import { leafHash } from '#protocol/merkle.ts';
import type { Reader } from '#platform/storage/engine.ts';
import { onlyOne } from '#platform/storage/head.ts';
import * as sql from './sql.ts';

export interface HashedPage {
  /** The leaf hashes side by side, recomputed from the stored leaves. */
  readonly hashes: Buffer;
  /** Numbers of the entries whose stored hash or id is not what their leaf hashes to. */
  readonly wrongIds: readonly number[];
  /** Numbers of the entries that are dated before the one in front of them. */
  readonly earlier: readonly number[];
  readonly missing: readonly number[];
  /** The time of the last entry. */
  readonly lastSealedAt: string;
}

/** Hashes the stored entries [from, to) again and compares what is stored beside them. */
export async function hashPage(reader: Reader, from: number, to: number, sealedAtBefore: string): Promise<HashedPage> {
  const joined = onlyOne(await reader.read(sql.ENTRIES_JOINED, [from, to]));
  const count = to - from;
  const leaves = joined.count === count ? splitJoinedLeaves(joined.leaves ?? '', count) : undefined;
  const ids = Buffer.from(joined.ids ?? '');
  // Something is missing or has another form: row by row shows what.
  if (leaves === undefined || ids.length !== count * ATTESTATION_ID_BYTES) {
    return hashRows(reader, from, to, sealedAtBefore);
  }
  const hashes = hashJoinedLeaves(leaves);
  const storedHex = joined.hashes ?? '';
  const isWhole = hashes.toString('hex') === storedHex;
  const wrongIds: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const isHashStored = isWhole || hexAt(hashes, i) === storedHex.slice(2 * i * HASH_BYTES, 2 * (i + 1) * HASH_BYTES);
    if (!isHashStored || !isIdOfHash(ids, i * ATTESTATION_ID_BYTES, hashes, i * HASH_BYTES)) wrongIds.push(from + i);
  }
  return { hashes, wrongIds, missing: [], ...timesOf(leaves, from, sealedAtBefore) };
}

function timesOf(
  { bytes, starts }: JoinedLeaves,
  from: number,
  before: string,
): Pick<HashedPage, 'earlier' | 'lastSealedAt'> {
  const earlier: number[] = [];
  let last: Uint8Array = Buffer.from(before);
  let lastAt = 0;
  for (let i = 0; i + 1 < starts.length; i += 1) {
    const at = sealedAtOffset(bytes, starts[i] as number, starts[i + 1] as number);
    if (at === -1) continue;
    if (isBefore(bytes, at, last, lastAt)) earlier.push(from + i);
    last = bytes;
    lastAt = at;
  }
  const lastSealedAt = Buffer.from(last.subarray(lastAt, lastAt + UTC_MILLISECONDS_BYTES)).toString('latin1');
  return { earlier, lastSealedAt };
}

/** All times have one form, so their bytes are in the order of time; nothing is before no time. */
function isBefore(bytes: Uint8Array, at: number, other: Uint8Array, otherAt: number): boolean {
  for (let i = 0; i < UTC_MILLISECONDS_BYTES; i += 1) {
    const difference = (bytes[at + i] as number) - (other[otherAt + i] ?? -1);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

async function hashRows(reader: Reader, from: number, to: number, sealedAtBefore: string): Promise<HashedPage> {
  const entries = new Map((await reader.read(sql.LOG_ENTRIES_BETWEEN, [from, to])).map((entry) => [entry.seq, entry]));
  const hashes = Buffer.alloc((to - from) * HASH_BYTES);
  const [wrongIds, earlier, missing]: [number[], number[], number[]] = [[], [], []];
  let lastSealedAt = sealedAtBefore;
  for (let seq = from; seq < to; seq += 1) {
    const entry = entries.get(seq);
    if (entry === undefined) {
      missing.push(seq);
      continue;
    }
    const leaf = Buffer.from(entry.leaf);
    const hash = leafHash(leaf);
    hashes.set(hash, (seq - from) * HASH_BYTES);
    const isSame = attestationId(hash) === entry.attestationId && hexAt(hashes, seq - from) === entry.leafHashHex;
    if (!isSame) wrongIds.push(seq);
    const at = sealedAtOffset(leaf, 0, leaf.length);
    if (at === -1) continue;
    const sealedAt = leaf.toString('latin1', at, at + UTC_MILLISECONDS_BYTES);
    if (sealedAt < lastSealedAt) earlier.push(seq);
    lastSealedAt = sealedAt;
  }
  return { hashes, wrongIds, earlier, missing, lastSealedAt };
}

function hexAt(hashes: Buffer, index: number): string {
  return hashes.toString('hex', index * HASH_BYTES, (index + 1) * HASH_BYTES);
}

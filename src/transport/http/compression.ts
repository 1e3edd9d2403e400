import { NewestMap } from '#kernel/newest-map.ts';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CacheRule } from '#kernel/operation.ts';
import type { Coding } from './negotiation.ts';

/** What fits into one packet gains nothing. */
const MIN_BYTES = 1_400;
/** What changes more often would be compressed again and again. */
const LASTING_SECONDS = 300;
const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b|image\/svg\+xml\b)/;
const MAX_KEPT = 256;
/** 1.3 MB of JSON take about 35 ms at these levels, and two seconds at the highest one of brotli. */
const GZIP_LEVEL = 9;
const BROTLI_QUALITY = 5;

const COMPRESS: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
  br: (bytes) => {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    return promisify(brotliCompress)(bytes, { params });
  },
};

/**
 * Whether an answer of this kind is ever compressed: only public text that stays the same. Its length tells nothing that a
 * caller could not read; in an answer for one caller it could tell a secret beside words of that caller's choice (BREACH).
 */
export function isCompressible(rule: CacheRule, mediaType: string): boolean {
  return rule !== 'no-store' && rule.maxAgeSeconds >= LASTING_SECONDS && TEXT.test(mediaType);
}

export function isWorthCompressing(body: string | Uint8Array): boolean {
  return Buffer.byteLength(body) >= MIN_BYTES;
}

/** By the entity tag of the compressed form, which names its bytes; the newest last. */
const kept = new NewestMap<string, Uint8Array | Promise<Uint8Array>>(MAX_KEPT);

/** The compressed form, made once on a thread of its own; a promise only until then. */
export function compressed(etag: string, coding: Coding, body: string | Uint8Array): Uint8Array | Promise<Uint8Array> {
  const known = kept.get(etag);
  if (known !== undefined) return known;
  const making = COMPRESS[coding](typeof body === 'string' ? Buffer.from(body) : body);
  kept.set(etag, making);
  making.then(
    (bytes) => kept.set(etag, bytes),
    () => kept.delete(etag),
  );
  return making;
}

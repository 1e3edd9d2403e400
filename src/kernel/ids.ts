import { createHash, createHmac, hash, randomFillSync, timingSafeEqual } from 'node:crypto';

type RandomIdPrefix =
  | ('AMH-' | 'brf_' | 'tsk_' | 'rcp_' | 'agt_' | 'key_' | 'plt_' | 'mnd_' | 'apr_' | 'chk_')
  | ('tu_' | 'tx_' | 'hold_' | 'exe_' | 'les_' | 'bom_' | 'ord_' | 'flg_' | 'sus_');
export type ApiKeyPrefix = 'agk_' | 'amhk_' | 'amhm_';
/** Every prefix of a reference. `ATT-` ids are derived from a leaf hash; `L` ids and keys have forms of their own. */
type IdPrefix = RandomIdPrefix | ApiKeyPrefix | 'ATT-' | 'L';
export type Id<P extends IdPrefix> = `${P}${string}`;
export type LeaseId = Id<'L'>;

/** Hands out `count` bytes that nobody else has been given. */
export type ByteSource = (count: number) => Uint8Array;

const POOL_BYTES = 4096;
const pool = new Uint8Array(POOL_BYTES);
let poolUsed = POOL_BYTES;

/** Returns fresh random bytes; the pool keeps no copy, so a later memory leak cannot show an earlier secret. */
export function randomBytes(count: number): Uint8Array {
  // One draw per 4 KiB: a draw per id would cost more than the rest of the id.
  if (count > POOL_BYTES) return randomFillSync(new Uint8Array(count));
  if (poolUsed + count > POOL_BYTES) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const taken = pool.slice(poolUsed, poolUsed + count);
  pool.fill(0, poolUsed, poolUsed + count);
  poolUsed += count;
  return taken;
}

/** Returns a number from 0 up to but not including 1, for jitter between retries. */
export function randomUnit(bytes: ByteSource = randomBytes): number {
  return Buffer.from(bytes(6)).readUIntBE(0, 6) / 2 ** 48;
}

const CROCKFORD_LOWER = '0123456789abcdefghjkmnpqrstvwxyz';
const CROCKFORD_UPPER = CROCKFORD_LOWER.toUpperCase();

/** Writes 16 bytes as one 128-bit number in 26 digits of Crockford base32; the first digit is 0 to 7. */
function crockford(bytes: Uint8Array, alphabet: string): string {
  let text = '';
  let pending = 0;
  let pendingBits = 2; // 26 digits hold 130 bits: two leading zero bits
  for (const byte of bytes) {
    pending = ((pending & 0x1f) << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      text += alphabet[(pending >>> pendingBits) & 0x1f];
    }
  }
  return text;
}

/** Returns a new reference: the prefix and 128 random bits. */
export function newId<P extends RandomIdPrefix>(prefix: P, bytes: ByteSource = randomBytes): Id<P> {
  return `${prefix}${crockford(bytes(16), prefix === 'AMH-' ? CROCKFORD_UPPER : CROCKFORD_LOWER)}`;
}

/** The form of an id with this prefix. */
export function idForm(prefix: string): RegExp {
  return new RegExp(`^${prefix}[0-9a-hjkmnp-tv-z]{26}$`);
}

/** Returns what keeps a lease id from being counted up: 24 random bits as 4 base64url characters. */
export function newLeaseSalt(bytes: ByteSource = randomBytes): string {
  return base64url(bytes(3));
}

const FENCE_BYTES = 6;
const fenceBytes = Buffer.alloc(FENCE_BYTES);

/**
 * Returns the id of the lease granted at a revision: it cannot collide, and neighbours in time are neighbours in an index
 * (docs/adr/0006-lease-ids-grow.md). It names a lease and proves nothing; the token does.
 */
export function leaseId(fence: number, salt: string): LeaseId {
  fenceBytes.writeUIntBE(fence, 0, FENCE_BYTES);
  return `L${fenceBytes.toString('base64url')}${salt}`;
}

/** Returns the id by which a command finds its own events again: 128 random bits. */
export function newCommandId(bytes: ByteSource = randomBytes): string {
  return base64url(bytes(16));
}

/** Returns a new secret of 256 random bits as 43 base64url characters. */
export function newToken(bytes: ByteSource = randomBytes): string {
  return base64url(bytes(32));
}

/** Returns a new key: prefix, 256 random bits and a checksum that tells a typo from an unknown key. */
export function newApiKey<P extends ApiKeyPrefix>(prefix: P, bytes: ByteSource = randomBytes): Id<P> {
  const body: Id<P> = `${prefix}${base64url(bytes(32))}`;
  return `${body}${checksum(body)}`;
}

const API_KEY = /^((?:agk|amhk|amhm)_[A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/;

/** Says whether a key has the form of one that this service could have issued, without looking it up. */
export function apiKeyForm(text: string): 'ok' | 'malformed' {
  const parts = API_KEY.exec(text); // attacker-controlled
  return parts?.[1] !== undefined && parts[2] === checksum(parts[1]) ? 'ok' : 'malformed';
}

function checksum(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, 6);
}

const encoding = Buffer.alloc(32);

/** Writes at most 32 bytes. Buffer.from would leave the secret behind in Node's shared pool. */
function base64url(bytes: Uint8Array): string {
  encoding.set(bytes);
  const text = encoding.toString('base64url', 0, bytes.length);
  encoding.fill(0);
  return text;
}

export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** A digest of bytes that come piece by piece. */
export function runningSha256(): RunningHash {
  return runningHash('sha256');
}

interface RunningHash {
  update(piece: Uint8Array): void;
  hex(): string;
}

export function runningHash(algorithm: 'sha256' | 'sha512'): RunningHash {
  const digest = createHash(algorithm);
  return { update: (piece) => void digest.update(piece), hex: () => digest.digest('hex') };
}

export function hmacSha256Hex(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Returns the only form in which a token or key is stored: SHA-256, base64url. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

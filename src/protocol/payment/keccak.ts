import { hash } from 'node:crypto';

/** Keccak-256 as Ethereum uses it: the padding of the contest, not that of SHA-3. OpenSSL has it since 3.2. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('keccak256 takes bytes');
  return hash('keccak-256', bytes, 'buffer');
}

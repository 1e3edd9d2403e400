import { bytesOfHex, type Hex, hexOf } from './hex.ts';
import { keccak256 } from './keccak.ts';

const WORD = 32;

const EIP712_DOMAIN_TYPEHASH = hashOfText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const EIP3009_TRANSFER_TYPEHASH = hashOfText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
);

/** What EIP-712 binds a signature to: a token contract on one chain, under the name and version that it hashes. */
export interface TokenDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Hex;
}

/** An EIP-3009 transfer that its payer signs. Amount in atomic units, times in Unix seconds. */
export interface TransferAuthorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
}

/** The EIP-712 domain separator; it is constant for a configuration, so compute it once. */
export function domainSeparator({ name, version, chainId, verifyingContract }: TokenDomain): Uint8Array {
  const words = Buffer.alloc(5 * WORD);
  words.set(EIP712_DOMAIN_TYPEHASH, 0);
  words.set(hashOfText(name), WORD);
  words.set(hashOfText(version), 2 * WORD);
  writeUint(words, 3, BigInt(chainId));
  writeAddress(words, 4, verifyingContract);
  return keccak256(words);
}

/** The EIP-712 hash of the authorization as a struct, before any domain. */
export function transferStructHash(authorization: TransferAuthorization): Uint8Array {
  const words = Buffer.alloc(7 * WORD);
  words.set(EIP3009_TRANSFER_TYPEHASH, 0);
  writeAddress(words, 1, authorization.from);
  writeAddress(words, 2, authorization.to);
  writeUint(words, 3, authorization.value);
  writeUint(words, 4, authorization.validAfter);
  writeUint(words, 5, authorization.validBefore);
  words.set(bytesOfHex(authorization.nonce), 6 * WORD);
  return keccak256(words);
}

/** The 32 bytes that the payer signs. */
export function transferDigest(separator: Uint8Array, authorization: TransferAuthorization): Uint8Array {
  const bytes = Buffer.alloc(2 + 2 * WORD);
  bytes[0] = 0x19;
  bytes[1] = 0x01;
  bytes.set(separator, 2);
  bytes.set(transferStructHash(authorization), 2 + WORD);
  return keccak256(bytes);
}

/** The account of an uncompressed public key (65 bytes with its prefix), in lower case. */
export function addressOfPublicKey(publicKey: Uint8Array): Hex {
  if (publicKey.length !== 65) throw new TypeError('an uncompressed public key is 65 bytes');
  return hexOf(keccak256(publicKey.subarray(1)).subarray(12));
}

function hashOfText(text: string): Uint8Array {
  return keccak256(Buffer.from(text));
}

function writeAddress(words: Buffer, index: number, address: Hex): void {
  words.write(address.slice(2), index * WORD + 12, 'hex');
}

function writeUint(words: Buffer, index: number, value: bigint): void {
  if (value < 0n || value >> 256n !== 0n) throw new RangeError('not a uint256');
  words.write(value.toString(16).padStart(64, '0'), index * WORD, 'hex');
}

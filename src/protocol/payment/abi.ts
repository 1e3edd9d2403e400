import { type Hex, hexOf } from './hex.ts';
import { keccak256 } from './keccak.ts';

/** The first four bytes of the call of a function. */
export function selector(signature: string): Hex {
  return hexOf(keccak256(Buffer.from(signature)).subarray(0, 4));
}

/** A call: the selector and the words of its arguments. */
export function callData(start: Hex, words: readonly Hex[]): Hex {
  return `${start}${words.map((word) => word.slice(2)).join('')}`;
}

/** An address as a topic or a word of calldata. */
export function addressWord(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

export function uintWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

/** Bytes as a dynamic argument: their length and then words. */
export function bytesWords(bytes: Hex): Hex[] {
  const digits = bytes.slice(2);
  return [uintWord(BigInt(digits.length / 2)), `0x${digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')}`];
}

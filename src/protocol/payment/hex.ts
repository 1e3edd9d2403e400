export type Hex = `0x${string}`;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BYTES32 = /^0x[0-9a-fA-F]{64}$/;

export function isAddress(text: string): text is Hex {
  return ADDRESS.test(text);
}

export function isBytes32(text: string): text is Hex {
  return BYTES32.test(text);
}

export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** The bytes of a hex text with 0x; the caller has checked its form. */
export function bytesOfHex(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex');
}

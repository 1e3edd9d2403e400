import type { Hex } from '#protocol/payment/hex.ts';

/** What JSON-RPC answers instead of a result; codes as anvil gives them. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: Hex | undefined;

  constructor(code: number, message: string, data?: Hex) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (detail: string): RpcError => new RpcError(-32602, detail);
export const rejected = (detail: string): RpcError => new RpcError(-32003, detail);

/** A revert with its data, as callers decode it; EIP-838 texts stand in the message too. */
export function reverted(data: Hex): RpcError {
  const reason = revertReason(data);
  return new RpcError(3, reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`, data);
}

/** The text of `Error(string)`. */
function revertReason(data: Hex): string | undefined {
  if (!data.startsWith('0x08c379a0')) return undefined;
  const bytes = Buffer.from(data.slice(10), 'hex');
  if (bytes.length < 64) return undefined;
  const length = bytes.readUInt32BE(60);
  return bytes.subarray(64, 64 + length).toString();
}

import { type AccessList, parseTransaction, serializeTransaction, type TransactionSerializable } from 'viem';
import { bytesOfHex, type Hex, hexOf } from '#protocol/payment/hex.ts';
import { keccak256 } from '#protocol/payment/keccak.ts';
import type { RecoverEngine } from '#protocol/payment/recover-engine.ts';
import { recoverSigner } from '#protocol/payment/signature.ts';
import { rejected } from './rpc-error.ts';

export type TransactionType = 'legacy' | 'eip2930' | 'eip1559';

/** A transaction that its sender signed, in the fields that running and showing it need. */
export interface SignedTransaction {
  readonly hash: Hex;
  readonly raw: Hex;
  readonly type: TransactionType;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly nonce: number;
  readonly gasLimit: bigint;
  readonly value: bigint;
  readonly data: Hex;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly chainId: number | undefined;
  readonly accessList: AccessList;
  readonly signature: { readonly r: Hex; readonly s: Hex; readonly v: bigint; readonly yParity: 0 | 1 };
}

const TYPES: ReadonlySet<string> = new Set<TransactionType>(['legacy', 'eip2930', 'eip1559']);

/** Reads a raw transaction of a supported type and finds its sender; refuses everything else. */
export function decodeTransaction(raw: Hex, engine: RecoverEngine): SignedTransaction {
  const { r, s, v, yParity, ...unsigned } = parsed(raw);
  const type = unsigned.type ?? 'legacy';
  if (!TYPES.has(type)) throw rejected(`transactions of type ${type} are not taken`);
  if (r === undefined || s === undefined) throw rejected('the transaction is not signed');
  const recovery = yParity ?? (Number(v) >= 35 ? (Number(v) - 35) % 2 : Number(v) - 27);
  const digest = keccak256(bytesOfHex(serializeTransaction(unsigned as unknown as TransactionSerializable)));
  const compact = Buffer.from(word(r) + word(s), 'hex');
  const from = recoverSigner(engine, digest, { compact, recovery: recovery === 1 ? 1 : 0 });
  if (from === undefined) throw rejected('invalid signature');
  const feeCap = unsigned.maxFeePerGas ?? unsigned.gasPrice ?? 0n;
  return {
    hash: hexOf(keccak256(bytesOfHex(raw))),
    raw,
    type: type as TransactionType,
    from,
    to: (unsigned.to?.toLowerCase() as Hex | undefined) ?? null,
    nonce: unsigned.nonce ?? 0,
    gasLimit: unsigned.gas ?? 0n,
    value: unsigned.value ?? 0n,
    data: unsigned.data ?? '0x',
    maxFeePerGas: feeCap,
    maxPriorityFeePerGas: unsigned.maxPriorityFeePerGas ?? feeCap,
    chainId: unsigned.chainId,
    accessList: unsigned.accessList ?? [],
    signature: { r, s, v: v ?? BigInt(recovery), yParity: recovery === 1 ? 1 : 0 },
  };
}

interface ParsedTransaction {
  readonly type?: string;
  readonly chainId?: number;
  readonly nonce?: number;
  readonly gas?: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly to?: Hex | null;
  readonly value?: bigint;
  readonly data?: Hex;
  readonly accessList?: AccessList;
  readonly r?: Hex;
  readonly s?: Hex;
  readonly v?: bigint;
  readonly yParity?: number;
}

function parsed(raw: Hex): ParsedTransaction {
  try {
    return parseTransaction(raw) as unknown as ParsedTransaction; // attacker-controlled
  } catch {
    throw rejected('the transaction cannot be decoded');
  }
}

function word(hex: Hex): string {
  return hex.slice(2).padStart(64, '0');
}

import { bytesOfHex, type Hex, hexOf } from './hex.ts';
import { keccak256 } from './keccak.ts';
import type { RecoverEngine } from './recover-engine.ts';
import { decodeRlp, encodeRlp, type Rlp, rlpUint } from './rlp.ts';
import { recoverSigner } from './signature.ts';

type TransactionType = 'legacy' | 'eip2930' | 'eip1559';
type AccessList = readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[];

/** What a sender of this service asks the chain to do. */
export interface FeeTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

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

const NOTHING = new Uint8Array(0);
/** EIP-2718 types by their first byte, with how many fields are signed; a legacy one begins as a list. */
const TYPES: Readonly<Record<number, { readonly type: TransactionType; readonly signedFields: number }>> = {
  1: { type: 'eip2930', signedFields: 8 },
  2: { type: 'eip1559', signedFields: 9 },
};
const EIP1559_TYPE = 2;
/** Every number on a chain is below this many bytes. */
const MAX_UINT_BYTES = 32;

/** A raw EIP-1559 transaction, signed. */
export function signTransaction(transaction: FeeTransaction, secret: Uint8Array, engine: RecoverEngine): Hex {
  const { chainId, nonce, to, data, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const numbers = [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map(rlpUint);
  const fields: Rlp[] = [...numbers, bytesOfHex(to), NOTHING, bytesOfHex(data), []];
  const { compact, recovery } = engine.sign(keccak256(typed(EIP1559_TYPE, fields)), secret);
  const signature = [rlpUint(recovery), unpadded(compact.subarray(0, 32)), unpadded(compact.subarray(32))];
  return hexOf(typed(EIP1559_TYPE, [...fields, ...signature]));
}

/** The hash by which a raw transaction is known. */
export function transactionHash(raw: Hex): Hex {
  return hexOf(keccak256(bytesOfHex(raw)));
}

/** Reads a raw transaction and finds its sender; undefined for everything that is not one of the types above. */
export function decodeTransaction(raw: Hex, engine: RecoverEngine): SignedTransaction | undefined {
  const bytes = bytesOfHex(raw); // attacker-controlled
  const known = TYPES[bytes[0] as number];
  const fields = decodeRlp(known === undefined ? bytes : bytes.subarray(1));
  if (fields === undefined || fields instanceof Uint8Array) return undefined;
  try {
    const read = known === undefined ? legacy(fields) : eip2718(bytes[0] as number, fields);
    const { digest, r, s, yParity, ...rest } = read;
    const compact = Buffer.concat([padded(r), padded(s)]);
    const from = recoverSigner(engine, digest, { compact, recovery: yParity });
    if (from === undefined) return undefined;
    const signature = { r: hexOf(padded(r)), s: hexOf(padded(s)), v: rest.v, yParity };
    return { hash: hexOf(keccak256(bytes)), raw, from, ...rest, signature };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function legacy(fields: readonly Rlp[]) {
  if (fields.length !== 9) throw new TypeError('a legacy transaction has nine fields');
  const [nonce, gasPrice, gas, to, value, data, v, r, s] = fields;
  const recoveryAndChain = uint(v);
  // EIP-155 puts the chain into v and into what is signed.
  const isBound = recoveryAndChain >= 35n;
  const chainId = isBound ? Number((recoveryAndChain - 35n) / 2n) : undefined;
  const body = fields.slice(0, 6);
  const digest = keccak256(encodeRlp(chainId === undefined ? body : [...body, rlpUint(chainId), NOTHING, NOTHING]));
  const yParity = parity(isBound ? (recoveryAndChain - 35n) % 2n : recoveryAndChain - 27n);
  const price = uint(gasPrice);
  return {
    type: 'legacy' as const,
    ...common({ nonce, gas, to, value, data }),
    chainId,
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
    accessList: [],
    digest,
    r: bytesIn(r),
    s: bytesIn(s),
    yParity,
    v: recoveryAndChain,
  };
}

function eip2718(prefix: number, fields: readonly Rlp[]) {
  const { type, signedFields } = TYPES[prefix] as (typeof TYPES)[number];
  if (fields.length !== signedFields + 3) throw new TypeError('the transaction has another number of fields');
  const [v, r, s] = fields.slice(signedFields);
  const [chainId, nonce, ...others] = fields.slice(0, signedFields);
  const fees = others.splice(0, type === 'eip1559' ? 2 : 1).map(uint);
  const [gas, to, value, data, accessList] = others;
  const yParity = parity(uint(v));
  return {
    type,
    ...common({ nonce, gas, to, value, data }),
    chainId: Number(uint(chainId)),
    maxFeePerGas: fees.at(-1) as bigint,
    maxPriorityFeePerGas: fees[0] as bigint,
    accessList: accessListIn(accessList),
    digest: keccak256(typed(prefix, fields.slice(0, signedFields))),
    r: bytesIn(r),
    s: bytesIn(s),
    yParity,
    v: BigInt(yParity),
  };
}

function common({ nonce, gas, to, value, data }: Record<'nonce' | 'gas' | 'to' | 'value' | 'data', Rlp | undefined>) {
  return {
    nonce: Number(uint(nonce)),
    gasLimit: uint(gas),
    to: bytesIn(to).length === 0 ? null : sized(to, 20),
    value: uint(value),
    data: hexOf(bytesIn(data)),
  };
}

function accessListIn(value: Rlp | undefined): AccessList {
  return listIn(value).map((entry) => {
    const [address, keys] = listIn(entry);
    return { address: sized(address, 20), storageKeys: listIn(keys).map((key) => sized(key, 32)) };
  });
}

function typed(prefix: number, fields: readonly Rlp[]): Uint8Array {
  return Buffer.concat([Uint8Array.of(prefix), encodeRlp(fields)]);
}

function bytesIn(value: Rlp | undefined): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError('bytes are expected');
  return value;
}

function listIn(value: Rlp | undefined): readonly Rlp[] {
  if (value === undefined || value instanceof Uint8Array) throw new TypeError('a list is expected');
  return value;
}

function sized(value: Rlp | undefined, length: number): Hex {
  const bytes = bytesIn(value);
  if (bytes.length !== length) throw new TypeError(`${length} bytes are expected`);
  return hexOf(bytes);
}

function uint(value: Rlp | undefined): bigint {
  const bytes = bytesIn(value);
  if (bytes.length > MAX_UINT_BYTES || bytes[0] === 0) throw new TypeError('not a number of a chain');
  return bytes.length === 0 ? 0n : BigInt(hexOf(bytes));
}

function parity(value: bigint): 0 | 1 {
  if (value !== 0n && value !== 1n) throw new TypeError('v names no key');
  return value === 0n ? 0 : 1;
}

function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_UINT_BYTES) throw new TypeError('32 bytes at most are expected');
  return Buffer.concat([new Uint8Array(MAX_UINT_BYTES - bytes.length), bytes]);
}

function unpadded(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  return start === -1 ? NOTHING : bytes.subarray(start);
}

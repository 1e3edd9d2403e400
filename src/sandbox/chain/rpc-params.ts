import { type Hex, isAddress, isBytes32 } from '#protocol/payment/hex.ts';
import type { LogFilter } from './block-index.ts';
import type { EmbeddedChain } from './embedded-chain.ts';
import { BASE_FEE_WEI, BLOCK_GAS_LIMIT, type Message } from './evm-executor.ts';
import { invalidParams } from './rpc-error.ts';

const QUANTITY = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/;
const DATA = /^0x(?:[0-9a-fA-F]{2})*$/;
const HEAD_TAGS: ReadonlySet<unknown> = new Set(['latest', 'pending', 'safe', 'finalized', undefined, null]);
const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;

type Fields = Readonly<Record<string, unknown>>;

function fieldsParam(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw invalidParams('an object is expected');
  return value as Fields;
}

export function addressParam(value: unknown): Hex {
  if (typeof value !== 'string' || !isAddress(value)) throw invalidParams('an address is expected');
  return value.toLowerCase() as Hex;
}

export function hashParam(value: unknown): Hex {
  if (typeof value !== 'string' || !isBytes32(value)) throw invalidParams('a hash of 32 bytes is expected');
  return value.toLowerCase() as Hex;
}

export function dataParam(value: unknown): Hex {
  if (typeof value !== 'string' || !DATA.test(value)) throw invalidParams('data in hex is expected');
  return value as Hex;
}

export function quantityParam(value: unknown): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw invalidParams('a quantity in hex is expected');
  return BigInt(value);
}

export function slotParam(value: unknown): Hex {
  const slot = typeof value === 'string' && isBytes32(value) ? BigInt(value) : quantityParam(value);
  return `0x${slot.toString(16).padStart(64, '0')}`;
}

/** The number of the block that a tag or a quantity names. */
export function blockParam(value: unknown, head: number): number {
  if (HEAD_TAGS.has(value)) return head;
  return value === 'earliest' ? 0 : Number(quantityParam(value));
}

/** Balances, code and calls are answered for the newest block only: the chain keeps no other state. */
export function requireHead(value: unknown, head: number): void {
  if (typeof value === 'object' && value !== null) return;
  if (blockParam(value, head) !== head) throw invalidParams('the state of earlier blocks is not kept');
}

export function messageParam(value: unknown): Message {
  const { from, to, data, input, value: wei, gas, gasPrice, maxFeePerGas } = fieldsParam(value);
  return {
    from: from === undefined || from === null ? ZERO_ADDRESS : addressParam(from),
    to: to === undefined || to === null ? null : addressParam(to),
    data: dataParam(input ?? data ?? '0x'),
    value: wei === undefined ? 0n : quantityParam(wei),
    gasLimit: gas === undefined ? BLOCK_GAS_LIMIT : least(quantityParam(gas), BLOCK_GAS_LIMIT),
    gasPriceWei: quantityOr(gasPrice ?? maxFeePerGas, BASE_FEE_WEI),
    accessList: [],
  };
}

function quantityOr(value: unknown, otherwise: bigint): bigint {
  return value === undefined || value === null ? otherwise : quantityParam(value);
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export function filterParam(value: unknown, chain: EmbeddedChain): LogFilter {
  const { fromBlock, toBlock, blockHash, address, topics } = fieldsParam(value);
  const head = chain.head.block.number;
  const one = blockHash === undefined ? undefined : (chain.blocks.byHash(hashParam(blockHash))?.block.number ?? -1);
  return {
    fromBlock: one ?? blockParam(fromBlock, head),
    toBlock: one ?? blockParam(toBlock, head),
    addresses: listOf(address).map(addressParam),
    topics: listOf(topics).map((topic) => (topic === null ? null : listOf(topic).map(hashParam))),
  };
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

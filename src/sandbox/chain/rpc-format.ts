import type { Hex } from '#protocol/payment/hex.ts';
import { type IndexedBlock, logsOf, type PlacedLog, type PlacedTransaction } from './block-index.ts';
import { effectiveGasPrice } from './embedded-chain.ts';
import { BASE_FEE_WEI, BLOCK_GAS_LIMIT } from './evm-executor.ts';
import type { SignedTransaction, TransactionType } from '#protocol/payment/transaction.ts';

const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;
const ZERO_HASH: Hex = `0x${'0'.repeat(64)}`;
/** No reader of the sandbox trusts a filter over the logs: it says "look". */
const FULL_BLOOM: Hex = `0x${'f'.repeat(512)}`;
const TYPE_CODES: Readonly<Record<TransactionType, Hex>> = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2' };

export function quantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

export function showBlock(at: IndexedBlock, transactions: readonly unknown[]): object {
  const { number, parentHash, timestampSeconds } = at.block;
  const gasUsed = at.block.transactions.reduce((sum, one) => sum + one.gasUsed, 0);
  return {
    number: quantity(number),
    hash: at.hash,
    parentHash,
    timestamp: quantity(timestampSeconds),
    gasLimit: quantity(BLOCK_GAS_LIMIT),
    gasUsed: quantity(gasUsed),
    baseFeePerGas: quantity(BASE_FEE_WEI),
    transactions,
    miner: ZERO_ADDRESS,
    difficulty: '0x0',
    totalDifficulty: '0x0',
    nonce: '0x0000000000000000',
    mixHash: ZERO_HASH,
    extraData: '0x',
    logsBloom: FULL_BLOOM,
    // The chain keeps no trees: roots are empty and nobody can prove anything from them.
    stateRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
    transactionsRoot: ZERO_HASH,
    sha3Uncles: ZERO_HASH,
    uncles: [],
    size: '0x0',
  };
}

export function showTransaction(signed: SignedTransaction, placed?: PlacedTransaction): object {
  const { signature } = signed;
  const isLegacy = signed.type === 'legacy';
  return {
    hash: signed.hash,
    type: TYPE_CODES[signed.type],
    from: signed.from,
    to: signed.to,
    nonce: quantity(signed.nonce),
    gas: quantity(signed.gasLimit),
    gasPrice: quantity(effectiveGasPrice(signed)),
    ...(signed.type === 'eip1559' && {
      maxFeePerGas: quantity(signed.maxFeePerGas),
      maxPriorityFeePerGas: quantity(signed.maxPriorityFeePerGas),
    }),
    value: quantity(signed.value),
    input: signed.data,
    ...(signed.chainId !== undefined && { chainId: quantity(signed.chainId) }),
    ...(!isLegacy && { accessList: signed.accessList, yParity: quantity(signature.yParity) }),
    r: signature.r,
    s: signature.s,
    v: quantity(isLegacy ? signature.v : signature.yParity),
    blockHash: placed?.at.hash ?? null,
    blockNumber: placed === undefined ? null : quantity(placed.at.block.number),
    transactionIndex: placed === undefined ? null : quantity(placed.index),
  };
}

export function showReceipt({ at, index, stored, signed }: PlacedTransaction): object {
  const before = at.block.transactions.slice(0, index).reduce((sum, one) => sum + one.gasUsed, 0);
  return {
    transactionHash: stored.hash,
    transactionIndex: quantity(index),
    blockHash: at.hash,
    blockNumber: quantity(at.block.number),
    from: stored.from,
    to: signed.to,
    status: stored.succeeded ? '0x1' : '0x0',
    gasUsed: quantity(stored.gasUsed),
    cumulativeGasUsed: quantity(before + stored.gasUsed),
    effectiveGasPrice: quantity(effectiveGasPrice(signed)),
    contractAddress: stored.contractAddress,
    logs: logsOf(at)
      .filter(({ transactionIndex }) => transactionIndex === index)
      .map(showLog),
    logsBloom: FULL_BLOOM,
    type: TYPE_CODES[signed.type],
  };
}

export function showLog({ log, at, transactionHash, transactionIndex, logIndex }: PlacedLog): object {
  return {
    ...log,
    blockHash: at.hash,
    blockNumber: quantity(at.block.number),
    blockTimestamp: quantity(at.block.timestampSeconds),
    transactionHash,
    transactionIndex: quantity(transactionIndex),
    logIndex: quantity(logIndex),
    removed: false,
  };
}

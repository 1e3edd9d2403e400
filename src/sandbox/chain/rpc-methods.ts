import type { EmbeddedChain } from './embedded-chain.ts';
import { BASE_FEE_WEI, type Execution, intrinsicGas, type Message } from './evm-executor.ts';
import { invalidParams, RpcError, rejected, reverted } from './rpc-error.ts';
import { quantity, showBlock, showLog, showReceipt, showTransaction } from './rpc-format.ts';
import {
  addressParam,
  blockParam,
  dataParam,
  filterParam,
  hashParam,
  messageParam,
  quantityParam,
  requireHead,
  slotParam,
} from './rpc-params.ts';

type Params = readonly unknown[];
type Method = (chain: EmbeddedChain, params: Params) => unknown;

const CLIENT_VERSION = 'avouch-evm/1';
const MAX_FEE_HISTORY = 1024;

const METHODS: Readonly<Record<string, Method>> = {
  web3_clientVersion: () => CLIENT_VERSION,
  net_version: (chain) => String(chain.chainId),
  eth_chainId: (chain) => quantity(chain.chainId),
  eth_blockNumber: (chain) => quantity(chain.head.block.number),
  eth_gasPrice: () => quantity(BASE_FEE_WEI * 2n),
  eth_maxPriorityFeePerGas: () => quantity(BASE_FEE_WEI),
  eth_feeHistory: feeHistory,
  eth_getBlockByNumber: (chain, [tag, isFull]) =>
    blockAnswer(chain, blockParam(tag, chain.head.block.number), isFull === true),
  eth_getBlockByHash: (chain, [hash, isFull]) =>
    blockAnswer(chain, chain.blocks.byHash(hashParam(hash))?.block.number ?? -1, isFull === true),
  eth_getBalance: async (chain, [address, tag]) => {
    requireHead(tag, chain.head.block.number);
    return quantity(await chain.balance(addressParam(address)));
  },
  eth_getCode: (chain, [address, tag]) => {
    requireHead(tag, chain.head.block.number);
    return chain.code(addressParam(address));
  },
  eth_getStorageAt: (chain, [address, slot, tag]) => {
    requireHead(tag, chain.head.block.number);
    return chain.storage(addressParam(address), slotParam(slot));
  },
  eth_getTransactionCount: async (chain, [address, tag]) => {
    requireHead(tag, chain.head.block.number);
    return quantity(await chain.nonce(addressParam(address), tag === 'pending'));
  },
  eth_call: async (chain, [message, tag]) => {
    requireHead(tag, chain.head.block.number);
    return returnedBy(await chain.call(runnable(messageParam(message)))).returnData;
  },
  eth_estimateGas: async (chain, [message]) => quantity(await estimateGas(chain, runnable(messageParam(message)))),
  eth_sendRawTransaction: (chain, [raw]) => chain.send(dataParam(raw)),
  eth_getTransactionByHash: (chain, [hash]) => transactionAnswer(chain, hash),
  eth_getTransactionReceipt: (chain, [hash]) => {
    const placed = chain.blocks.transaction(hashParam(hash));
    return placed === undefined ? null : showReceipt(placed);
  },
  eth_getLogs: (chain, [filter]) => chain.blocks.logs(filterParam(filter, chain)).map(showLog),
  // As anvil names them, so that both chains are set up in the same way.
  anvil_setCode: async (chain, [address, code]) => {
    await chain.setCode(addressParam(address), dataParam(code));
    return null;
  },
  anvil_setBalance: async (chain, [address, balance]) => {
    await chain.setBalance(addressParam(address), quantityParam(balance));
    return null;
  },
  evm_mine: async (chain) => {
    await chain.mine();
    return '0x0';
  },
};

/** Answers one call; throws RpcError for what cannot be answered. */
export async function answerRpc(chain: EmbeddedChain, name: string, params: unknown): Promise<unknown> {
  if (!Object.hasOwn(METHODS, name)) throw new RpcError(-32601, `the method ${name} does not exist`);
  if (params !== undefined && !Array.isArray(params)) throw invalidParams('params must be a list');
  return (METHODS[name] as Method)(chain, params ?? []);
}

function blockAnswer(chain: EmbeddedChain, number: number, isFull: boolean): object | null {
  const at = chain.blocks.byNumber(number);
  if (at === undefined) return null;
  const transactions = at.block.transactions.map(({ hash }, index) => {
    if (!isFull) return hash;
    const placed = chain.blocks.placed(at, index);
    return showTransaction(placed.signed, placed);
  });
  return showBlock(at, transactions);
}

function transactionAnswer(chain: EmbeddedChain, hash: unknown): object | null {
  const placed = chain.blocks.transaction(hashParam(hash));
  if (placed !== undefined) return showTransaction(placed.signed, placed);
  const pooled = chain.pooled(hashParam(hash));
  return pooled === undefined ? null : showTransaction(pooled);
}

function feeHistory(chain: EmbeddedChain, [count, newest, percentiles]: Params): object {
  const last = blockParam(newest, chain.head.block.number);
  const asked = typeof count === 'number' ? count : Number(quantityParam(count));
  const length = Math.max(0, Math.min(asked, last + 1, MAX_FEE_HISTORY));
  const rewards = Array.isArray(percentiles) ? percentiles.map(() => quantity(BASE_FEE_WEI)) : undefined;
  return {
    oldestBlock: quantity(last + 1 - length),
    baseFeePerGas: Array.from({ length: length + 1 }, () => quantity(BASE_FEE_WEI)),
    gasUsedRatio: Array.from({ length }, () => 0),
    ...(rewards !== undefined && { reward: Array.from({ length }, () => rewards) }),
  };
}

function runnable(message: Message): Message {
  if (message.gasLimit < intrinsicGas(message)) throw rejected('intrinsic gas too low');
  return message;
}

function returnedBy(execution: Execution): Execution {
  if (execution.succeeded) return execution;
  if (execution.isRevert) throw reverted(execution.returnData);
  throw new RpcError(-32003, `EVM error ${execution.error}`);
}

/** The least gas, to one part in 64, with which the message still succeeds. */
async function estimateGas(chain: EmbeddedChain, message: Message): Promise<bigint> {
  const succeedsWith = async (gasLimit: bigint) => (await chain.call({ ...message, gasLimit })).succeeded;
  const { gasBeforeRefund } = returnedBy(await chain.call(message));
  let low = gasBeforeRefund - 1n;
  let high = message.gasLimit;
  // EIP-150 keeps a part of 64 back from each call: one more such part nearly always suffices.
  const likely = gasBeforeRefund + gasBeforeRefund / 63n;
  if (likely < high && (await succeedsWith(likely))) high = likely;
  while (high - low > high / 64n + 1n) {
    const middle = (low + high) / 2n;
    if (await succeedsWith(middle)) high = middle;
    else low = middle;
  }
  return high;
}

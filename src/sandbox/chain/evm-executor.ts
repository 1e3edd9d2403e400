import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM, type EVMResult, getActivePrecompiles } from '@ethereumjs/evm';
import { createAddressFromString, createZeroAddress } from '@ethereumjs/util';
import { bytesOfHex, type Hex, hexOf } from '#protocol/payment/hex.ts';
import { keccak256 } from '#protocol/payment/keccak.ts';
import type { RecoverEngine } from '#protocol/payment/recover-engine.ts';
import type { AccessList } from '#protocol/payment/transaction.ts';
import type { ChainState } from './chain-state.ts';
import { rememberJumps } from './jump-cache.ts';
import type { StoredLog } from './stored-block.ts';

export const BLOCK_GAS_LIMIT = 400_000_000n;
export const BASE_FEE_WEI = 1_000_000_000n;

/** EIP-3529: at most a fifth of the gas is given back. */
const EIP3529_REFUND_QUOTIENT = 5n;

export interface BlockContext {
  readonly number: number;
  readonly timestampSeconds: number;
}

export interface Message {
  readonly from: Hex;
  readonly to: Hex | null;
  readonly data: Hex;
  readonly value: bigint;
  readonly gasLimit: bigint;
  readonly gasPriceWei: bigint;
  readonly accessList: AccessList;
}

export interface Execution {
  readonly succeeded: boolean;
  /** True when the code ended itself; any other failure has taken all gas. */
  readonly isRevert: boolean;
  readonly error: string | undefined;
  /** With the intrinsic part; refunds are taken off. */
  readonly gasUsed: bigint;
  readonly gasBeforeRefund: bigint;
  readonly returnData: Hex;
  readonly logs: readonly StoredLog[];
  readonly contractAddress: Hex | null;
}

/** Runs one message at a time on the state; the caller keeps others away while it does. */
export class EvmExecutor {
  readonly #evm: EVM;
  readonly #warm: readonly string[];

  private constructor(evm: EVM, warm: readonly string[]) {
    this.#evm = evm;
    this.#warm = warm;
  }

  static async create(state: ChainState, chainId: number, engine: RecoverEngine): Promise<EvmExecutor> {
    const common = createCustomCommon({ chainId }, Mainnet, {
      hardfork: Hardfork.Cancun,
      customCrypto: { keccak256, ecrecover: precompileRecover(engine) },
    });
    await rememberJumps();
    const evm = await createEVM({ common, stateManager: state });
    return new EvmExecutor(evm, [...getActivePrecompiles(common).keys()]);
  }

  /** Runs the message and leaves its effects in the state, except for the payment of gas. */
  async run(message: Message, context: BlockContext): Promise<Execution> {
    const { from, to, data, value, gasLimit, gasPriceWei } = message;
    const intrinsic = intrinsicGas(message);
    this.#warmUp(message);
    const result = await this.#call({
      block: blockOf(context),
      caller: createAddressFromString(from),
      origin: createAddressFromString(from),
      ...(to !== null && { to: createAddressFromString(to) }),
      data: Uint8Array.from(bytesOfHex(data)),
      value,
      gasLimit: gasLimit - intrinsic,
      gasPrice: gasPriceWei,
    });
    return executionOf(result, intrinsic, to === null);
  }

  async #call(options: Parameters<EVM['runCall']>[0]): Promise<EVMResult> {
    try {
      const result = await this.#evm.runCall(options);
      await this.#evm.journal.cleanup();
      return result;
    } finally {
      this.#evm.journal.cleanJournal();
      this.#evm.stateManager.originalStorageCache.clear();
      this.#evm.transientStorage.clear();
    }
  }

  #warmUp({ from, to, accessList }: Message): void {
    const { journal } = this.#evm;
    for (const address of this.#warm) journal.addAlwaysWarmAddress(address);
    journal.addAlwaysWarmAddress(from);
    journal.addAlwaysWarmAddress(createZeroAddress().toString());
    if (to !== null) journal.addAlwaysWarmAddress(to);
    for (const { address, storageKeys } of accessList) {
      journal.addAlwaysWarmAddress(address.toLowerCase());
      for (const key of storageKeys) journal.addAlwaysWarmSlot(address.toLowerCase(), key.toLowerCase());
    }
  }
}

/** The gas of a transaction before any code runs (yellow paper, EIP-2028, EIP-2930, EIP-3860). */
export function intrinsicGas({ to, data, accessList }: Pick<Message, 'to' | 'data' | 'accessList'>): bigint {
  const bytes = bytesOfHex(data);
  let gas = 21_000;
  for (const byte of bytes) gas += byte === 0 ? 4 : 16;
  if (to === null) gas += 32_000 + 2 * Math.ceil(bytes.length / 32);
  for (const { storageKeys } of accessList) gas += 2400 + 1900 * storageKeys.length;
  return BigInt(gas);
}

function executionOf({ execResult, createdAddress }: EVMResult, intrinsic: bigint, isCreate: boolean): Execution {
  const { exceptionError, executionGasUsed, gasRefund = 0n, returnValue, logs = [] } = execResult;
  const gasBeforeRefund = intrinsic + executionGasUsed;
  const most = gasBeforeRefund / EIP3529_REFUND_QUOTIENT;
  const succeeded = exceptionError === undefined;
  return {
    succeeded,
    isRevert: exceptionError?.error === 'revert',
    error: exceptionError?.error,
    gasBeforeRefund,
    gasUsed: gasBeforeRefund - (gasRefund < most ? gasRefund : most),
    returnData: hexOf(returnValue),
    logs: succeeded ? logs.map(logOf) : [],
    contractAddress: isCreate && succeeded && createdAddress !== undefined ? createdAddress.toString() : null,
  };
}

function logOf([address, topics, data]: readonly [Uint8Array, Uint8Array[], Uint8Array]): StoredLog {
  return { address: hexOf(address), topics: topics.map(hexOf), data: hexOf(data) };
}

function blockOf({ number, timestampSeconds }: BlockContext) {
  return {
    header: {
      number: BigInt(number),
      coinbase: createZeroAddress(),
      timestamp: BigInt(timestampSeconds),
      difficulty: 0n,
      prevRandao: new Uint8Array(32),
      gasLimit: BLOCK_GAS_LIMIT,
      baseFeePerGas: BASE_FEE_WEI,
      getBlobGasPrice: () => 1n,
    },
  };
}

/** The precompile's own recover is pure JavaScript; this one is as fast as the machine allows. It wants 64 bytes. */
function precompileRecover(engine: RecoverEngine) {
  return (digest: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array): Uint8Array => {
    const key = engine.recover(digest, Buffer.concat([r, s]), v === 28n ? 1 : 0);
    if (key === undefined) throw new Error('no key has made this signature');
    return key.subarray(1);
  };
}

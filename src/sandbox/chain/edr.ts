import type { AccountOverride } from '@nomicfoundation/edr';
import { bytesOfHex, type Hex } from '#protocol/payment/hex.ts';

const BLOCK_GAS_LIMIT = 400_000_000n;
const BASE_FEE_WEI = 1_000_000_000n;
/** So slow that the fee never moves: the same transactions cost the same on whatever block they begin. */
const STILL = { maxChangeDenominator: 2n ** 62n, elasticityMultiplier: 2n };
/** Not made for each chain: edr keeps them, and they would keep the chain in whose scope they were made. */
const SILENT = { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} };
const UNHEARD = { subscriptionCallback: () => {} };
const MISSING =
  `@nomicfoundation/edr has no binary for ${process.platform} ${process.arch} here. npm on a Node before 22 leaves it out;` +
  ' where there is one, this adds it: PATH="$PWD/node_modules/.bin:$PATH" npm install --no-save --omit=dev';

export interface ChainAccount {
  balance?: Hex;
  nonce?: number;
  code?: Hex;
  storage?: Record<string, Hex>;
}

/** By address in lower case. */
export type Accounts = Readonly<Record<string, ChainAccount>>;

export interface ChainAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

/** Asks a chain by a call of JSON-RPC. One that reverts is answered as by other nodes: code 3 and the contract's data. */
export type Edr = (method: string, params: unknown) => Promise<ChainAnswer>;

let loading: ReturnType<typeof load> | undefined;

/** Starts a chain in memory. This is the one file that knows edr, whose interface is not stable yet. */
export async function startEdr(chainId: number, seconds: number, accounts: Accounts): Promise<Edr> {
  loading ??= load();
  const { edr, context } = await loading;
  const config = {
    chainId: BigInt(chainId),
    networkId: BigInt(chainId),
    hardfork: edr.CANCUN,
    genesisState: Object.entries(accounts).map(overrideOf),
    network: { genesisBlockGasLimit: BLOCK_GAS_LIMIT, genesisBlockTime: BigInt(seconds) },
    mining: { autoMine: false, blockGasLimit: BLOCK_GAS_LIMIT, memPool: { order: edr.MineOrdering.Fifo } },
    defaultTransactionGasLimit: BLOCK_GAS_LIMIT,
    initialBaseFeePerGas: BASE_FEE_WEI,
    baseFeeConfig: [{ activation: { hardfork: edr.LONDON }, ...STILL }],
    minGasPrice: 0n,
    coinbase: new Uint8Array(20),
    allowBlocksWithSameTimestamp: true,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    bailOnTransactionFailure: false,
    observability: {},
    ownedAccounts: [],
    precompileOverrides: [],
  };
  const decoder = new edr.ContractDecoder();
  const provider = await context.createProvider(edr.L1_CHAIN_TYPE, config, SILENT, UNHEARD, decoder);
  return async (method, params) => {
    const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 0, method, params }));
    const { result, error } = typeof data === 'string' ? JSON.parse(data) : data;
    if (error === undefined) return { result };
    const given: unknown = error.data?.data;
    if (typeof given !== 'string') return { error: { code: error.code, message: error.message } };
    return { error: { code: 3, message: `execution ${error.message}`, data: given } };
  };
}

/** A process may have one context only. */
async function load() {
  const { default: edr } = await import('@nomicfoundation/edr').catch((cause: unknown) => {
    throw new Error(MISSING, { cause });
  });
  const context = new edr.EdrContext();
  await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory());
  return { edr, context };
}

function overrideOf([address, { balance = '0x0', nonce = 0, code, storage = {} }]: [
  string,
  ChainAccount,
]): AccountOverride {
  return {
    address: bytesOfHex(address as Hex),
    balance: BigInt(balance),
    nonce: BigInt(nonce),
    storage: Object.entries(storage).map(([index, value]) => ({ index: BigInt(index), value: BigInt(value) })),
    ...(code !== undefined && { code: bytesOfHex(code) }),
  };
}

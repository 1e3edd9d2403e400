import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Account,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseSignature,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { newCommandId } from '#kernel/ids.ts';
import { hexOf } from '#protocol/payment/hex.ts';
import { keccak256 } from '#protocol/payment/keccak.ts';
import { until } from '../../../test/support/until.ts';
import { callRpc } from './rpc-client.ts';
import { startSandboxChain, type SandboxChainOptions } from './sandbox-chain.ts';
import { SANDBOX_CHAIN_ID, SANDBOX_SETTLER_KEY, SANDBOX_TOKEN } from './sandbox-contracts.ts';

export const TOKEN_ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function init(string)',
  'function mint(address to, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function authorizationState(address, bytes32) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

export const BATCH_ABI = parseAbi([
  'struct Auth { address from; address to; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; uint8 v; bytes32 r; bytes32 s; }',
  'function settle(address token, Auth[] auths) returns (uint256)',
  'event Failed(uint256 index, bytes32 nonce)',
]);

export const settler = privateKeyToAccount(SANDBOX_SETTLER_KEY);
/** The development accounts 1 and 2 of every local chain. */
export const payer = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
export const payee: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const FAR = 4_000_000_000n;
/** Whatever comes at all comes sooner on the slowest machine. */
const PATIENT_MS = 60_000;

export type TestChainOptions = Omit<SandboxChainOptions, 'directory'>;

/** A chain in a directory of its own, which goes with it. */
export async function chainForTest(options: TestChainOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'avouch-chain-'));
  const { rpcUrl, chainInstance, [Symbol.asyncDispose]: close } = await startSandboxChain({ directory, ...options });
  return {
    rpcUrl,
    chainInstance,
    directory,
    close,
    [Symbol.asyncDispose]: async () => {
      await close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export function clientsOf(rpcUrl: string) {
  const definition = defineChain({
    id: SANDBOX_CHAIN_ID,
    name: 'sandbox',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
  });
  const transport = http(rpcUrl, { timeout: PATIENT_MS });
  return {
    reads: createPublicClient({ chain: definition, transport, pollingInterval: 25, cacheTime: 0 }),
    wallet: (account: Account) => createWalletClient({ chain: definition, transport, account }),
  };
}

export interface Authorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
}

const DOMAIN = { name: 'Sandbox USDC', version: '2', chainId: SANDBOX_CHAIN_ID, verifyingContract: SANDBOX_TOKEN };
const FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;

export function authorization(change: Partial<Authorization> = {}): Authorization {
  const nonce = hexOf(keccak256(Buffer.from(newCommandId())));
  return { from: payer.address, to: payee, value: 2000n, validAfter: 0n, validBefore: FAR, nonce, ...change };
}

type Primary = 'TransferWithAuthorization' | 'ReceiveWithAuthorization';

export function signed(message: Authorization, primaryType: Primary = 'TransferWithAuthorization', by = payer) {
  const types = { TransferWithAuthorization: FIELDS, ReceiveWithAuthorization: FIELDS } as const;
  return by.signTypedData({ domain: DOMAIN, types, primaryType, message });
}

export function signedCancel(nonce: Hex) {
  const types = {
    CancelAuthorization: [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ],
  } as const;
  const message = { authorizer: payer.address, nonce };
  return payer.signTypedData({ domain: DOMAIN, types, primaryType: 'CancelAuthorization', message });
}

export async function batchMember(change: Partial<Authorization> = {}) {
  const message = authorization(change);
  const { r, s, yParity } = parseSignature(await signed(message));
  return { ...message, r, s, v: 27 + yParity };
}

export function transferCall({ from, to, value, validAfter, validBefore, nonce }: Authorization, signature: Hex): Hex {
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
  return encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transferWithAuthorization', args });
}

/** A signed raw transaction of the settler. */
export function settlerTransaction(nonce: number, to: Hex, data: Hex, maxFeePerGas = 10_000_000_000n): Promise<Hex> {
  const fees = { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas / 2n, gas: 10_000_000n };
  return settler.signTransaction({ type: 'eip1559', chainId: SANDBOX_CHAIN_ID, nonce, to, data, ...fees });
}

export async function receiptOf(rpcUrl: string, hash: unknown): Promise<Record<string, unknown> & { logs: unknown[] }> {
  const receipt = await until('a receipt', () => callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash]));
  return receipt as Record<string, unknown> & { logs: unknown[] };
}

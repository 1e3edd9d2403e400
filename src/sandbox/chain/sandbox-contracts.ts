import type { Hex } from '#protocol/payment/hex.ts';
import contracts from './contracts.json' with { type: 'json' };

/** Base; the token stands at the address of the real one, so that clients pay without being told anything. */
export const SANDBOX_CHAIN_ID = 8453;
/** Not the name of the real token: a signature of the sandbox is worth nothing there. */
export const SANDBOX_TOKEN_NAME = 'Sandbox USDC';
export const SANDBOX_TOKEN: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** Where every chain has Multicall3, and clients look for it. */
const SANDBOX_MULTICALL: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';
export const SANDBOX_BATCH_SETTLE: Hex = '0x000000000000000000000000000000000BA7c5E7';

interface PlantedContract {
  readonly address: Hex;
  readonly runtime: Hex;
}

export const PLANTED_CONTRACTS: readonly PlantedContract[] = [
  { address: SANDBOX_TOKEN, runtime: contracts.contracts.SandboxUSDC.runtime as Hex },
  { address: SANDBOX_MULTICALL, runtime: contracts.contracts.Multicall.runtime as Hex },
  { address: SANDBOX_BATCH_SETTLE, runtime: contracts.contracts.BatchSettle.runtime as Hex },
];

/** The first development key of anvil. Everybody knows it: it can hold nothing of worth. */
export const SANDBOX_SETTLER_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
/** The last one of them, for minting: with an account of its own it never takes a nonce from the settler. */
export const SANDBOX_FAUCET_KEY: Hex = '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6';

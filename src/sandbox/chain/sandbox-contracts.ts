import { type Hex, hexOf } from '#protocol/payment/hex.ts';
import type { Accounts } from './edr.ts';
import contracts from './contracts.json' with { type: 'json' };

/** Base; the token stands at the address of the real one, so that clients pay without being told anything. */
export const SANDBOX_CHAIN_ID = 8453;
/** Not the name of the real token: a signature of the sandbox is worth nothing there. */
export const SANDBOX_TOKEN_NAME = 'Sandbox USDC';
export const SANDBOX_TOKEN: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** Where every chain has Multicall3, and clients look for it. */
const SANDBOX_MULTICALL: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';
export const SANDBOX_BATCH_SETTLE: Hex = '0x000000000000000000000000000000000BA7c5E7';

/** The first development key of every local chain. Everybody knows it: it can hold nothing of worth. */
export const SANDBOX_SETTLER_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
/** The last one of them, for minting: with an account of its own it never takes a nonce from the settler. */
export const SANDBOX_FAUCET_KEY: Hex = '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6';
/** The second last one: the simulator facilitator has an account of its own. */
export const SANDBOX_RELAY_KEY: Hex = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97';

const CODE: readonly (readonly [address: Hex, runtime: string])[] = [
  [SANDBOX_TOKEN, contracts.contracts.SandboxUSDC.runtime],
  [SANDBOX_MULTICALL, contracts.contracts.Multicall.runtime],
  [SANDBOX_BATCH_SETTLE, contracts.contracts.BatchSettle.runtime],
];

/** The same accounts with the contracts of today, by addresses in lower case. */
export function withSandboxCode(accounts: Accounts): Accounts {
  const changed = CODE.map(([address, runtime]) => {
    const name = address.toLowerCase();
    return [name, { ...accounts[name], code: runtime as Hex }] as const;
  });
  return { ...accounts, ...Object.fromEntries(changed) };
}

/** The addresses of the three keys. To compute them would take longer than to start the chain. */
export const SANDBOX_SENDERS: readonly Hex[] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
  '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
];
/** Gas for more transactions than there will ever be. */
const GAS_MONEY_WEI: Hex = `0x${(10n ** 27n).toString(16)}`;

/** Where the token keeps its name. */
const NAME_SLOT: Hex = `0x${'0'.repeat(64)}`;

/** What a new chain begins with: the contracts, the token with its name, and gas money. */
export function sandboxGenesis(): Accounts {
  return withSandboxCode({
    [SANDBOX_TOKEN.toLowerCase()]: { storage: { [NAME_SLOT]: shortText(SANDBOX_TOKEN_NAME) } },
    ...Object.fromEntries(SANDBOX_SENDERS.map((address) => [address, { balance: GAS_MONEY_WEI }])),
  });
}

/** A text of at most 31 bytes as Solidity stores it: its bytes from the left, and at the end twice its length. */
function shortText(text: string): Hex {
  const word = Buffer.alloc(32);
  word.write(text);
  word[31] = 2 * Buffer.byteLength(text);
  return hexOf(word);
}

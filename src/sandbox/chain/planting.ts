import { selector } from '#protocol/payment/abi.ts';
import { addressOfPrivateKey } from '#protocol/payment/account.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import { callRpc } from './rpc-client.ts';
import {
  PLANTED_CONTRACTS,
  SANDBOX_FAUCET_KEY,
  SANDBOX_SETTLER_KEY,
  SANDBOX_TOKEN,
  SANDBOX_TOKEN_NAME,
} from './sandbox-contracts.ts';
import { SandboxMoney } from './sandbox-money.ts';

const GAS_MONEY_WEI = 10_000n * 10n ** 18n;
const GAS_MONEY_LOW_WEI = GAS_MONEY_WEI / 10n;
const BUYER_ATOMIC = 100_000_000n;
const BUYER_LOW_ATOMIC = 1_000_000n;

/** Puts contracts and gas money in place. What is there already stays: a restart changes nothing. */
export async function plantContracts(rpcUrl: string): Promise<void> {
  for (const { address, runtime } of PLANTED_CONTRACTS) {
    if ((await callRpc(rpcUrl, 'eth_getCode', [address, 'latest'])) !== runtime) {
      await callRpc(rpcUrl, 'anvil_setCode', [address, runtime]);
    }
  }
  for (const key of [SANDBOX_SETTLER_KEY, SANDBOX_FAUCET_KEY]) {
    const address = addressOfPrivateKey(key);
    const balance = BigInt((await callRpc(rpcUrl, 'eth_getBalance', [address, 'latest'])) as Hex);
    if (balance < GAS_MONEY_LOW_WEI) {
      await callRpc(rpcUrl, 'anvil_setBalance', [address, `0x${GAS_MONEY_WEI.toString(16)}`]);
    }
  }
  if (!(await hasTokenName(rpcUrl))) await new SandboxMoney(rpcUrl).nameToken(SANDBOX_TOKEN_NAME);
}

/** Gives the buyer test money when it has next to none. */
export async function fundBuyer(rpcUrl: string, buyer: Hex): Promise<void> {
  const money = new SandboxMoney(rpcUrl);
  if ((await money.balance(buyer)) < BUYER_LOW_ATOMIC) await money.mint(buyer, BUYER_ATOMIC);
}

async function hasTokenName(rpcUrl: string): Promise<boolean> {
  const answer = await callRpc(rpcUrl, 'eth_call', [{ to: SANDBOX_TOKEN, data: selector('name()') }, 'latest']);
  const [, length] = (answer as Hex).slice(2).match(/.{64}/g) ?? [];
  return BigInt(`0x${length}`) > 0n;
}

import { setTimeout as pause } from 'node:timers/promises';
import { addressWord, callData, selector, uintWord } from '#protocol/payment/abi.ts';
import { accountOf } from '#protocol/payment/account.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import { callRpc } from './rpc-client.ts';
import { SANDBOX_CHAIN_ID, SANDBOX_FAUCET_KEY, SANDBOX_TOKEN } from './sandbox-contracts.ts';

const GAS_LIMIT = 200_000n;
const MAX_FEE_WEI = 10_000_000_000n;
const RECEIPT_POLL_MS = 15;
const RECEIPT_POLLS = 2000;
const BUYER_ATOMIC = 100_000_000n;
const BUYER_LOW_ATOMIC = 1_000_000n;

/** Makes test money. Its transactions go out one after the other, whoever asks, and are waited for together. */
export class SandboxMoney {
  readonly #rpcUrl: string;
  readonly #account = chooseRecoverEngine().then((engine) => accountOf(SANDBOX_FAUCET_KEY, engine));
  #turn: Promise<unknown> = Promise.resolve();

  constructor(rpcUrl: string) {
    this.#rpcUrl = rpcUrl;
  }

  /** Mints and resolves with the hash of the confirmed transaction. */
  mint(to: Hex, amountAtomic: bigint): Promise<Hex> {
    return this.#confirmed(callData(selector('mint(address,uint256)'), [addressWord(to), uintWord(amountAtomic)]));
  }

  async balance(account: Hex): Promise<bigint> {
    const data = callData(selector('balanceOf(address)'), [addressWord(account)]);
    return BigInt((await callRpc(this.#rpcUrl, 'eth_call', [{ to: SANDBOX_TOKEN, data }, 'latest'])) as Hex);
  }

  #confirmed(data: Hex): Promise<Hex> {
    const sent = this.#turn.then(() => this.#send(data));
    this.#turn = sent.catch(() => undefined);
    return sent.then((hash) => this.#receipt(hash));
  }

  async #send(data: Hex): Promise<Hex> {
    const account = await this.#account;
    const nonce = await callRpc(this.#rpcUrl, 'eth_getTransactionCount', [account.address, 'pending']);
    const raw = account.sign({
      chainId: SANDBOX_CHAIN_ID,
      to: SANDBOX_TOKEN,
      data,
      nonce: Number(nonce),
      gas: GAS_LIMIT,
      maxFeePerGas: MAX_FEE_WEI,
      maxPriorityFeePerGas: 0n,
    });
    return (await callRpc(this.#rpcUrl, 'eth_sendRawTransaction', [raw])) as Hex;
  }

  async #receipt(hash: Hex): Promise<Hex> {
    for (let i = 0; i < RECEIPT_POLLS; i++) {
      const receipt = (await callRpc(this.#rpcUrl, 'eth_getTransactionReceipt', [hash])) as { status: Hex } | null;
      if (receipt?.status === '0x1') return hash;
      if (receipt !== null) throw new Error(`the sandbox token refused transaction ${hash}`);
      await pause(RECEIPT_POLL_MS);
    }
    throw new Error(`the sandbox chain did not confirm transaction ${hash}`);
  }
}

/** Gives the buyer test money when it has next to none. */
export async function fundBuyer(rpcUrl: string, buyer: Hex): Promise<void> {
  const money = new SandboxMoney(rpcUrl);
  if ((await money.balance(buyer)) < BUYER_LOW_ATOMIC) await money.mint(buyer, BUYER_ATOMIC);
}

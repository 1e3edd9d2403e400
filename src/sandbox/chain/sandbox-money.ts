import { setTimeout as pause } from 'node:timers/promises';
import { encodeFunctionData, parseAbi } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '#protocol/payment/hex.ts';
import { callRpc } from './rpc-client.ts';
import { SANDBOX_CHAIN_ID, SANDBOX_FAUCET_KEY, SANDBOX_TOKEN } from './sandbox-contracts.ts';

export const SANDBOX_TOKEN_ABI = parseAbi([
  'function init(string name)',
  'function name() view returns (string)',
  'function mint(address to, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);

const GAS_LIMIT = 200_000n;
const MAX_FEE_WEI = 10_000_000_000n;
const RECEIPT_POLL_MS = 15;
const RECEIPT_POLLS = 2000;

/** Makes test money. Its transactions go out one after the other, whoever asks, and are waited for together. */
export class SandboxMoney {
  readonly #rpcUrl: string;
  readonly #account: PrivateKeyAccount = privateKeyToAccount(SANDBOX_FAUCET_KEY);
  #turn: Promise<unknown> = Promise.resolve();

  constructor(rpcUrl: string) {
    this.#rpcUrl = rpcUrl;
  }

  /** Mints and resolves with the hash of the confirmed transaction. */
  mint(to: Hex, amountAtomic: bigint): Promise<Hex> {
    return this.#confirmed(
      encodeFunctionData({ abi: SANDBOX_TOKEN_ABI, functionName: 'mint', args: [to, amountAtomic] }),
    );
  }

  /** Names the planted token; it takes one name only. */
  nameToken(name: string): Promise<Hex> {
    return this.#confirmed(encodeFunctionData({ abi: SANDBOX_TOKEN_ABI, functionName: 'init', args: [name] }));
  }

  async balance(account: Hex): Promise<bigint> {
    const data = encodeFunctionData({ abi: SANDBOX_TOKEN_ABI, functionName: 'balanceOf', args: [account] });
    return BigInt((await callRpc(this.#rpcUrl, 'eth_call', [{ to: SANDBOX_TOKEN, data }, 'latest'])) as Hex);
  }

  #confirmed(data: Hex): Promise<Hex> {
    const sent = this.#turn.then(() => this.#send(data));
    this.#turn = sent.catch(() => undefined);
    return sent.then((hash) => this.#receipt(hash));
  }

  async #send(data: Hex): Promise<Hex> {
    const nonce = await callRpc(this.#rpcUrl, 'eth_getTransactionCount', [this.#account.address, 'pending']);
    const raw = await this.#account.signTransaction({
      type: 'eip1559',
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

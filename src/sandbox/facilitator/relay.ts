import { encodeFunctionData, parseAbi, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Hex } from '#protocol/payment/hex.ts';
import type { PaymentPayload } from '#protocol/payment/wire.ts';
import { callRpc } from '../chain/rpc-client.ts';
import { SANDBOX_CHAIN_ID, SANDBOX_TOKEN } from '../chain/sandbox-contracts.ts';

/** The second last development key of anvil: the stand-in has an account of its own. */
const RELAY_KEY: Hex = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97';
const TRANSFER = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);
const GAS_MONEY_WEI = `0x${(10n ** 21n).toString(16)}`;
const RECEIPT_POLLS = 2000;
const RECEIPT_POLL_MS = 10;

/** Sends payments to the sandbox chain one by one, as a facilitator does. */
export class Relay {
  readonly #rpcUrl: string;
  readonly #account = privateKeyToAccount(RELAY_KEY);
  #turn: Promise<unknown> = Promise.resolve();
  #isFunded = false;

  constructor(rpcUrl: string) {
    this.#rpcUrl = rpcUrl;
  }

  get address(): Hex {
    return this.#account.address;
  }

  /** The hash and whether the token took the payment. */
  settle(payload: PaymentPayload): Promise<{ readonly transaction: Hex; readonly isPaid: boolean }> {
    const result = this.#turn.then(() => this.#send(payload));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #send({ payload: { authorization, signature } }: PaymentPayload) {
    if (!this.#isFunded) await callRpc(this.#rpcUrl, 'anvil_setBalance', [this.#account.address, GAS_MONEY_WEI]);
    this.#isFunded = true;
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const { r, s, yParity } = parseSignature(signature);
    const times = [BigInt(value), BigInt(validAfter), BigInt(validBefore)] as const;
    const args = [from, to, ...times, nonce, 27 + yParity, r, s] as const;
    const count = await callRpc(this.#rpcUrl, 'eth_getTransactionCount', [this.#account.address, 'pending']);
    const raw = await this.#account.signTransaction({
      type: 'eip1559',
      chainId: SANDBOX_CHAIN_ID,
      to: SANDBOX_TOKEN,
      data: encodeFunctionData({ abi: TRANSFER, functionName: 'transferWithAuthorization', args }),
      nonce: Number(count),
      gas: 200_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 0n,
    });
    const transaction = (await callRpc(this.#rpcUrl, 'eth_sendRawTransaction', [raw])) as Hex;
    for (let i = 0; i < RECEIPT_POLLS; i++) {
      const receipt = (await callRpc(this.#rpcUrl, 'eth_getTransactionReceipt', [transaction])) as {
        status: Hex;
      } | null;
      if (receipt !== null) return { transaction, isPaid: receipt.status === '0x1' };
      await pause(RECEIPT_POLL_MS);
    }
    throw new Error(`the sandbox chain did not confirm transaction ${transaction}`);
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { addressWord, callData, selector, uintWord } from '#protocol/payment/abi.ts';
import { accountOf, type SendingAccount } from '#protocol/payment/account.ts';
import { type Hex, hexOf } from '#protocol/payment/hex.ts';
import type { RecoverEngine } from '#protocol/payment/recover-engine.ts';
import { parseEcdsaSignature, tokenV } from '#protocol/payment/signature.ts';
import { authorizationOf } from '#protocol/payment/static-checks.ts';
import type { PaymentPayload } from '#protocol/payment/wire.ts';
import { callRpc } from '../chain/rpc-client.ts';
import { SANDBOX_CHAIN_ID, SANDBOX_TOKEN } from '../chain/sandbox-contracts.ts';

/** The second last development key of anvil: the stand-in has an account of its own. */
const RELAY_KEY: Hex = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97';
const TRANSFER = selector(
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
);
const GAS_MONEY_WEI = `0x${(10n ** 24n).toString(16)}`;
const RECEIPT_POLLS = 2000;
const RECEIPT_POLL_MS = 10;

/** Sends payments to the sandbox chain one by one, as a facilitator does, and waits for all of them together. */
export class Relay {
  readonly #rpcUrl: string;
  readonly #account: SendingAccount;
  #turn: Promise<unknown> = Promise.resolve();
  #nextNonce: number | undefined;

  constructor(rpcUrl: string, engine: RecoverEngine) {
    this.#rpcUrl = rpcUrl;
    this.#account = accountOf(RELAY_KEY, engine);
  }

  get address(): Hex {
    return this.#account.address;
  }

  /** The hash and whether the token took the payment. */
  async settle(payload: PaymentPayload): Promise<{ readonly transaction: Hex; readonly isPaid: boolean }> {
    const sent = this.#turn.then(() => this.#send(payload));
    this.#turn = sent.catch(() => undefined);
    const transaction = await sent;
    return { transaction, isPaid: await this.#isPaid(transaction) };
  }

  async #send(payload: PaymentPayload): Promise<Hex> {
    const { from, to, value, validAfter, validBefore, nonce } = authorizationOf(payload);
    const signature = parseEcdsaSignature(payload.payload.signature);
    if (signature === undefined) throw new Error('no such signature passes the token');
    const { compact } = signature;
    const numbers = [value, validAfter, validBefore].map(uintWord);
    const signed = [uintWord(BigInt(tokenV(signature))), hexOf(compact.subarray(0, 32)), hexOf(compact.subarray(32))];
    const accountNonce = (this.#nextNonce ??= await this.#begin());
    const raw = this.#account.sign({
      chainId: SANDBOX_CHAIN_ID,
      to: SANDBOX_TOKEN,
      data: callData(TRANSFER, [addressWord(from), addressWord(to), ...numbers, nonce, ...signed]),
      nonce: accountNonce,
      gas: 200_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 0n,
    });
    const transaction = (await callRpc(this.#rpcUrl, 'eth_sendRawTransaction', [raw])) as Hex;
    this.#nextNonce = accountNonce + 1;
    return transaction;
  }

  async #begin(): Promise<number> {
    await callRpc(this.#rpcUrl, 'anvil_setBalance', [this.address, GAS_MONEY_WEI]);
    return Number(await callRpc(this.#rpcUrl, 'eth_getTransactionCount', [this.address, 'pending']));
  }

  async #isPaid(transaction: Hex): Promise<boolean> {
    for (let i = 0; i < RECEIPT_POLLS; i++) {
      const receipt = await callRpc(this.#rpcUrl, 'eth_getTransactionReceipt', [transaction]);
      if (receipt !== null) return (receipt as { status: Hex }).status === '0x1';
      await pause(RECEIPT_POLL_MS);
    }
    throw new Error(`the sandbox chain did not confirm transaction ${transaction}`);
  }
}

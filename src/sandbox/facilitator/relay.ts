import { setTimeout as pause } from 'node:timers/promises';
import { addressWord, callData, selector, uintWord } from '#protocol/payment/abi.ts';
import { accountOf, type SendingAccount } from '#protocol/payment/account.ts';
import { type Hex, hexOf } from '#protocol/payment/hex.ts';
import type { RecoverEngine } from '#protocol/payment/recover-engine.ts';
import { parseEcdsaSignature, tokenV } from '#protocol/payment/signature.ts';
import { authorizationOf } from '#protocol/payment/static-checks.ts';
import type { PaymentPayload } from '#protocol/payment/wire.ts';
import { callRpc, callRpcs } from '../chain/rpc-client.ts';
import { SANDBOX_CHAIN_ID, SANDBOX_RELAY_KEY, SANDBOX_TOKEN } from '../chain/sandbox-contracts.ts';

const TRANSFER = selector(
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
);
const AT_ONCE = 100;
const RECEIPT_POLLS = 2000;
const RECEIPT_POLL_MS = 10;

export interface Relayed {
  readonly transaction: Hex;
  /** Whether the token took the payment. */
  readonly isPaid: boolean;
}

interface Waiting {
  readonly data: Hex;
  readonly resolve: (relayed: Relayed) => void;
  readonly reject: (error: Error) => void;
}

/** Sends payments to the sandbox chain in a transaction each, as a facilitator does; those that come together go together. */
export class Relay {
  readonly #rpcUrl: string;
  readonly #account: SendingAccount;
  readonly #queue: Waiting[] = [];
  #nextNonce: number | undefined;
  #isSending = false;

  constructor(rpcUrl: string, engine: RecoverEngine) {
    this.#rpcUrl = rpcUrl;
    this.#account = accountOf(SANDBOX_RELAY_KEY, engine);
  }

  get address(): Hex {
    return this.#account.address;
  }

  settle(payload: PaymentPayload): Promise<Relayed> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ data: transferOf(payload), resolve, reject });
      if (!this.#isSending) void this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#queue.length > 0) {
      const some = this.#queue.splice(0, AT_ONCE);
      try {
        await this.#send(some);
      } catch (error) {
        this.#nextNonce = undefined;
        for (const { reject } of some) reject(error as Error);
      }
    }
    this.#isSending = false;
  }

  async #send(some: readonly Waiting[]): Promise<void> {
    const first = (this.#nextNonce ??= await this.#pendingNonce());
    const raws = some.map(({ data }, index) =>
      this.#account.sign({
        chainId: SANDBOX_CHAIN_ID,
        to: SANDBOX_TOKEN,
        data,
        nonce: first + index,
        gas: 200_000n,
        maxFeePerGas: 10_000_000_000n,
        maxPriorityFeePerGas: 0n,
      }),
    );
    const sent = await callRpcs(
      this.#rpcUrl,
      raws.map((raw) => ['eth_sendRawTransaction', [raw]] as const),
    );
    const refused = sent.find((hash) => hash instanceof Error);
    if (refused instanceof Error) throw refused;
    this.#nextNonce = first + some.length;
    void this.#watch(new Map(some.map((waiting, index) => [sent[index] as Hex, waiting])));
  }

  async #pendingNonce(): Promise<number> {
    return Number(await callRpc(this.#rpcUrl, 'eth_getTransactionCount', [this.address, 'pending']));
  }

  async #watch(open: Map<Hex, Waiting>): Promise<void> {
    for (let i = 0; i < RECEIPT_POLLS && open.size > 0; i++) {
      if (i > 0) await pause(RECEIPT_POLL_MS);
      const calls = [...open.keys()].map((hash) => ['eth_getTransactionReceipt', [hash]] as const);
      for (const receipt of await callRpcs(this.#rpcUrl, calls).catch(() => [])) {
        if (receipt === null || receipt instanceof Error) continue;
        const { transactionHash: transaction, status } = receipt as { transactionHash: Hex; status: Hex };
        open.get(transaction)?.resolve({ transaction, isPaid: status === '0x1' });
        open.delete(transaction);
      }
    }
    for (const { reject } of open.values()) reject(new Error('the sandbox chain did not confirm a transaction'));
  }
}

function transferOf(payload: PaymentPayload): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorizationOf(payload);
  const signature = parseEcdsaSignature(payload.payload.signature);
  if (signature === undefined) throw new Error('no such signature passes the token');
  const { compact } = signature;
  const numbers = [value, validAfter, validBefore].map(uintWord);
  const signed = [uintWord(BigInt(tokenV(signature))), hexOf(compact.subarray(0, 32)), hexOf(compact.subarray(32))];
  return callData(TRANSFER, [addressWord(from), addressWord(to), ...numbers, nonce, ...signed]);
}

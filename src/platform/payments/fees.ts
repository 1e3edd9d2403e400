import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { RpcClient } from './rpc.ts';

const RETENTION_MS = 2000;

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt);
const Head = z.object({ baseFeePerGas: quantity });

/** What a transaction should offer now: twice the base fee outlasts six full blocks of rises. */
export class FeeMarket {
  readonly #rpc: RpcClient;
  readonly #clock: Clock;
  #kept: { readonly fees: Fees; readonly untilMs: number } | undefined;

  constructor(rpc: RpcClient, clock: Clock) {
    this.#rpc = rpc;
    this.#clock = clock;
  }

  async current(): Promise<Fees> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#kept !== undefined && nowMs < this.#kept.untilMs) return this.#kept.fees;
    const [head, tip] = await this.#rpc.all([
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_maxPriorityFeePerGas', params: [] },
    ]);
    const maxPriorityFeePerGas = quantity.parse(tip);
    const fees = { maxFeePerGas: Head.parse(head).baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas };
    this.#kept = { fees, untilMs: nowMs + RETENTION_MS };
    return fees;
  }
}

/** A replacement must offer a tenth more of both; an eighth is on the safe side of every pool. */
export function raisedFees(fees: Fees, now: Fees): Fees {
  const more = (one: bigint, other: bigint) => (one + one / 8n + 1n > other ? one + one / 8n + 1n : other);
  return {
    maxFeePerGas: more(fees.maxFeePerGas, now.maxFeePerGas),
    maxPriorityFeePerGas: more(fees.maxPriorityFeePerGas, now.maxPriorityFeePerGas),
  };
}

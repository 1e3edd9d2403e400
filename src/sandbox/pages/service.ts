import type { z } from 'zod';
import { Refusal } from '#kernel/problem.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import type { BalanceAnswer, FaucetAnswer } from './operations.ts';
import { noTestMoney } from './problems.ts';

const FAUCET_ATOMIC = 5_000_000n;
const RETRY_AFTER_SECONDS = 5;

/** The chain of the sandbox, as far as money is made and counted on it. */
interface TestMoney {
  mint(to: Hex, amountAtomic: bigint): Promise<Hex>;
  balance(account: Hex): Promise<bigint>;
}

export class Faucet {
  readonly #money: TestMoney | null;

  constructor(money: TestMoney | null) {
    this.#money = money;
  }

  mint(address: Hex): Promise<z.output<typeof FaucetAnswer> | Refusal> {
    return this.#withChain(async (money) => {
      const transaction = await money.mint(address, FAUCET_ATOMIC);
      const balance = String(await money.balance(address));
      return { address, minted: String(FAUCET_ATOMIC), balance, transaction, sandbox: true };
    });
  }

  balance(address: Hex): Promise<z.output<typeof BalanceAnswer> | Refusal> {
    return this.#withChain(async (money) => {
      return { address, balance: String(await money.balance(address)), sandbox: true };
    });
  }

  async #withChain<T>(work: (money: TestMoney) => Promise<T>): Promise<T | Refusal> {
    const detail = 'The local chain is not running or does not respond. Retry later.';
    try {
      if (this.#money !== null) return await work(this.#money);
    } catch {
      // Whatever the chain says against it, the caller can only try again.
    }
    return new Refusal(noTestMoney, { detail, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

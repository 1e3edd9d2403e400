import type { z } from 'zod';
import { Refusal } from '#kernel/problem.ts';
import type { CheckoutAction, CheckoutAnswer } from './checkout-operations.ts';
import { actionNotPossible, noSuchCheckout } from './problems.ts';

/** The card processor of the sandbox, as far as somebody clicks on its page. */
export interface CheckoutService {
  checkout(sessionId: string): Omit<z.output<typeof CheckoutAnswer>, 'sandbox'> | undefined;
  act(sessionId: string, action: CheckoutAction): Promise<'done' | 'unknown' | 'impossible'>;
}

type Shown = z.output<typeof CheckoutAnswer>;

export class Checkouts {
  readonly #desk: CheckoutService | undefined;

  constructor(desk: CheckoutService | undefined) {
    this.#desk = desk;
  }

  show(sessionId: string): Shown | Refusal {
    const found = this.#desk?.checkout(sessionId);
    return found === undefined ? notFound() : { ...found, sandbox: true };
  }

  async act(sessionId: string, action: CheckoutAction): Promise<Shown | Refusal> {
    const done = (await this.#desk?.act(sessionId, action)) ?? 'unknown';
    if (done !== 'impossible') return this.show(sessionId);
    const actions = this.#desk?.checkout(sessionId)?.actions.map((one) => one.action) ?? [];
    return new Refusal(actionNotPossible, {
      detail: `The action ${action} is not possible now. See actions.`,
      members: { actions },
    });
  }
}

function notFound(): Refusal {
  return new Refusal(noSuchCheckout, { detail: 'No checkout session has this id.' });
}

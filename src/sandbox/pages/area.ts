import { type OpenArea, on } from '#kernel/area.ts';
import { Redirect } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Outbox } from '#platform/mail/outbox.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { checkoutAct, checkoutPage } from './checkout-operations.ts';
import { type CheckoutService, Checkouts } from './checkouts.ts';
import { pathAfter } from './way-back.ts';
import { balance, faucet } from './operations.ts';
import { outboxPage, shownMail } from './outbox-operation.ts';
import { Faucet } from './service.ts';

export interface SandboxNeeds {
  /** The card processor that is played; undefined where there is none. */
  readonly cards: CheckoutService | undefined;
}

export interface OpenSandboxPages extends OpenArea {
  readonly checkouts: Checkouts;
  readonly outbox: Outbox;
  readonly faucet: Faucet;
}

/** Pages on which people do what others do to a service in production. */
export const sandboxPagesArea = {
  name: 'sandbox',
  services: 'all',
  open: ({ outbox, payments }: Platform, { cards }: SandboxNeeds) => ({
    checkouts: new Checkouts(cards),
    outbox,
    faucet: new Faucet(payments.testMoney ?? null),
  }),
  operations: [
    on(checkoutPage, ({ checkouts }: OpenSandboxPages, { session_id }) => checkouts.show(session_id), {
      after: 'cabinet_export',
    }),
    on(
      checkoutAct,
      async ({ checkouts }: OpenSandboxPages, { session_id, action }, { wantsPage }) => {
        const done = await checkouts.act(session_id, action);
        return wantsPage && !(done instanceof Refusal) ? new Redirect(pathAfter(action, done)) : done;
      },
      { after: 'sandbox_checkout' },
    ),
    on(outboxPage, async ({ outbox }: OpenSandboxPages) => (await outbox.newest(100)).map(shownMail), {
      after: 'sandbox_checkout_act',
    }),
    on(faucet, (area: OpenSandboxPages, { address }) => area.faucet.mint(address)),
    on(balance, (area: OpenSandboxPages, { address }) => area.faucet.balance(address)),
  ],
} satisfies PlatformArea<OpenSandboxPages, SandboxNeeds>;

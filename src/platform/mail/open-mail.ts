import type { Config } from '#platform/config/config.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Job } from '#kernel/job.ts';
import type { Logger } from '#platform/logger.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import type { Store } from '#platform/storage/store.ts';
import { Outbox } from './outbox.ts';
import { MAIL_EXPIRY } from './sql.ts';

export interface OpenMail extends Disposable {
  readonly outbox: Outbox;
  readonly jobs: readonly Job[];
}

/** Mail as the settings want it: by a server, kept for the page of the sandbox, or not at all. */
export async function openMail(
  { mail }: Config,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  logger: Logger,
): Promise<OpenMail> {
  const smtp = mail.by === 'smtp' ? await smtpOf(mail) : undefined;
  const outbox = new Outbox({
    store,
    clock,
    transport: smtp ?? (mail.by === 'off' ? null : 'keep'),
    warn: (message, fields) => logger.warn(message, fields),
  });
  return {
    outbox,
    jobs: [
      expiryJob('mail-sweep', { store, clock }, MAIL_EXPIRY),
      { name: 'mail', everyMs: 1_000, ownTimer: true, run: () => outbox.run(), stop: () => outbox.stop() },
    ],
    [Symbol.dispose]: () => smtp?.[Symbol.dispose](),
  };
}

async function smtpOf({ url, from }: Extract<Config['mail'], { by: 'smtp' }>) {
  // Loaded only where it is used.
  const { SmtpTransport } = await import('./smtp.ts');
  return new SmtpTransport({ url: url.reveal(), from });
}

import type { Clock } from '#kernel/clock.ts';
import { newCommandId } from '#kernel/ids.ts';
import { type Step, step, type Store } from '#platform/storage/store.ts';
import type { Mail, StoredMail } from './mail.ts';
import { outboxUnit } from './outbox-unit.ts';
import * as sql from './sql.ts';

const AT_ONCE = 5;

/** How mail leaves. A rejected send may have been delivered all the same: the id lets the receiver see it twice. */
export interface MailTransport {
  send(mail: Mail & { readonly id: string }): Promise<void>;
}

export interface OutboxOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** `keep`: for the page of the sandbox; null: this installation sends nothing. */
  readonly transport: MailTransport | 'keep' | null;
  readonly warn: (message: string, fields: Readonly<Record<string, string | number>>) => void;
}

/** Mail that must not be lost: a row of the transaction that causes it, sent afterwards. */
export class Outbox {
  readonly #options: OutboxOptions;
  #isStopped = false;
  #lastFailure: string | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get isOff(): boolean {
    return this.#options.transport === null;
  }

  /** The step that puts a mail into the outbox. */
  queue(mail: Mail): Step<number> {
    const isKept = this.#options.transport === 'keep';
    return step(outboxUnit, { type: 'queue', id: newCommandId(), mail, isKept });
  }

  /** The step that forgets all mail to somebody. */
  forget(to: string): Step<number> {
    return step(outboxUnit, { type: 'forget', to });
  }

  async newest(limit: number): Promise<readonly StoredMail[]> {
    return this.#options.store.read(sql.NEWEST_MAILS, [limit]);
  }

  /** Sends what is due. One process at a time does this. */
  async run(): Promise<void> {
    const { store, clock, transport } = this.#options;
    if (transport === null || transport === 'keep') return;
    const due = await store.read(sql.MAILS_DUE, [clock.now()]);
    for (let from = 0; from < due.length && !this.#isStopped; from += AT_ONCE) {
      await Promise.all(due.slice(from, from + AT_ONCE).map((mail) => this.#attempt(mail, transport)));
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  status(): { readonly status: 'up' | 'degraded' | 'not_configured'; readonly detail: string | null } {
    if (this.isOff)
      return { status: 'not_configured', detail: 'Email is off, so nobody can sign in. Set AVOUCH_MAIL.' };
    if (this.#options.transport === 'keep') return { status: 'up', detail: 'No email leaves this machine.' };
    if (this.#lastFailure === null) return { status: 'up', detail: null };
    return { status: 'degraded', detail: `The last email could not be sent: ${this.#lastFailure}.` };
  }

  async #attempt({ id, to, subject, body, dropAtMs, tries }: StoredMail, transport: MailTransport): Promise<void> {
    const { store, clock, warn } = this.#options;
    const settle = (outcome: 'sent' | 'failed' | 'dropped') =>
      store.run(outboxUnit, { type: 'attempted', id, outcome });
    if (body === null || (dropAtMs !== null && dropAtMs <= clock.now())) return void (await settle('dropped'));
    try {
      await transport.send({ id, to, subject, body });
    } catch (error) {
      const cause = mailFault(error);
      this.#lastFailure = cause;
      warn('email delivery failed', { email_id: id, tries: tries + 1, cause });
      return void (await settle('failed'));
    }
    this.#lastFailure = null;
    await settle('sent');
  }
}

/** A code and no text: servers quote addresses in their refusals. */
export function mailFault(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? 'failed', responseCode].filter((part) => part !== undefined).join(' ');
}

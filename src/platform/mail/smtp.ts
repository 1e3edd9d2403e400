import { createTransport, type Transporter } from 'nodemailer';
import { isLoopbackHost } from '#platform/config/loopback.ts';
import type { MailTransport } from './outbox.ts';

export interface SmtpOptions {
  /** smtp:// or smtps://, with user and password where the server wants them. */
  readonly url: string;
  readonly from: string;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 20_000;

/** A mail server over a few connections that stay open. Nothing goes in clear beyond this machine. */
export class SmtpTransport implements MailTransport, Disposable {
  readonly #pool: Transporter;
  readonly #from: string;
  readonly #timeoutMs: number;

  constructor({ url, from, timeoutMs = TIMEOUT_MS }: SmtpOptions) {
    const { protocol, hostname, port, username, password } = new URL(url);
    const isTls = protocol === 'smtps:';
    this.#from = from;
    this.#timeoutMs = timeoutMs;
    this.#pool = createTransport({
      pool: true,
      maxConnections: 3,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (isTls ? 465 : 587) : Number(port),
      secure: isTls,
      requireTLS: !isTls && !isLoopbackHost(hostname),
      ignoreTLS: isLoopbackHost(hostname),
      ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send({ id, to, subject, body }: Parameters<MailTransport['send']>[0]): Promise<void> {
    await this.#inTime(
      this.#pool.sendMail({
        from: this.#from,
        to,
        subject,
        text: body,
        messageId: `<${id}@${this.#from.replace(/^.*@|>$/g, '')}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      }),
    );
  }

  /** Connects and logs in, and sends nothing. */
  async check(): Promise<void> {
    await this.#inTime(this.#pool.verify());
  }

  async #inTime(work: Promise<unknown>): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
      this.#timeoutMs,
    );
    // Told of its end also when nobody waits for it any more.
    work.catch(() => undefined);
    try {
      await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose](): void {
    this.#pool.close();
  }
}

import { type Clock, isoTime } from '#kernel/clock.ts';
import { newToken, randomUnit, tokenHash } from '#kernel/ids.ts';
import { Answer, type Call, Redirect, WithHeaders } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { cleanText } from '#kernel/foreign-text.ts';
import { type Step, step, type Store } from '#platform/storage/store.ts';
import type { Cookies } from './cookies.ts';
import type { RequestResult } from '../decide.ts';
import { KNOWN_BROWSER_MS, LINK_MS, SESSION_MS } from './login.ts';
import { loginUnit } from './login-unit.ts';
import * as problems from '../problems.ts';
import type { Sessions } from './sessions.ts';

const SECONDS = 1_000;
const CODES = 1_000_000;
const USER_AGENT_CHARS = 200;

interface LoginMail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly dropAtMs: number;
}

export interface LinksOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly cookies: Cookies;
  readonly sessions: Sessions;
  readonly baseUrl: () => string;
  readonly serviceName: string;
  readonly outbox: { readonly isOff: boolean; queue(mail: LoginMail): Step };
  readonly codeSecret: (...parts: readonly string[]) => string;
  /** Whether anybody registered an agent under this address. */
  readonly isOwner: (email: string) => Promise<boolean>;
  readonly slowDown: (retryAfterSeconds: number) => Refusal;
  /** Where login links are written to in a sandbox whose operator wants it. */
  readonly logLink?: (link: string) => void;
}

const SENT = { status: 'sent_if_known' as const, expires_in_s: LINK_MS / SECONDS };

/** Logging in by a link or a code from a mail, in the browser that asked for it and once. */
export class LoginLinks {
  readonly #options: LinksOptions;

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  /** The same answer for every address: who is an owner is nobody's business. */
  async request({ email }: { readonly email: string }, call: Call) {
    const { store, clock, cookies, sessions, outbox, isOwner } = this.#options;
    if (sessions.isForeign(call)) return foreign();
    if (outbox.isOff) {
      return new Refusal(problems.mailNotConfigured, {
        detail: 'Email is off, so nobody can sign in. The operator sets AVOUCH_MAIL. No email was sent.',
        retryAfterSeconds: 3_600,
      });
    }
    const browser = cookies.read(call.header?.('cookie'), 'lb') ?? newToken();
    const known = cookies.read(call.header?.('cookie'), 'kb');
    const knownBrowser = known === undefined ? null : tokenHash(known);
    const token = newToken();
    const code = String(Math.floor(randomUnit() * CODES)).padStart(6, '0');
    const browserHash = tokenHash(browser);
    const codeHmac = this.#codeHmac(browserHash, code);
    const link = { tokenHash: tokenHash(token), email, browserHash, codeHmac, addressTag: call.addressTag };
    const dropAtMs = clock.now() + LINK_MS;
    const url = `${this.#options.baseUrl()}/dashboard/login#${token}`;
    const mail = { to: email, ...this.#mail(url, code, dropAtMs), dropAtMs };
    const requested = step(loginUnit, { type: 'request', link, knownBrowser, isKnown: await isOwner(email) });
    const [result] = await store.runAll([requested, outbox.queue(mail)], sendsNothing);
    if (result?.type === 'slow_down') return this.#options.slowDown(Math.ceil(result.retryAfterMs / SECONDS));
    if (result?.sends) this.#options.logLink?.(url);
    const cookie = cookies.set('lb', browser, LINK_MS / SECONDS);
    return new WithHeaders(['set-cookie', cookie], new Answer(202, SENT));
  }

  /** Uses a link or a code up; a call from another browser uses up nothing. */
  async login(given: { readonly t?: string | undefined; readonly code?: string | undefined }, call: Call) {
    const { store, cookies, sessions } = this.#options;
    if (sessions.isForeign(call)) return foreign();
    const browser = cookies.read(call.header?.('cookie'), 'lb');
    const { t: token, code = '' } = given;
    if (browser === undefined) return invalid();
    const id = newToken();
    const userAgent = cleanText((call.header?.('user-agent') ?? '').slice(0, USER_AGENT_CHARS));
    const known = cookies.read(call.header?.('cookie'), 'kb') ?? newToken();
    const { addressTag } = call;
    const session = { idHash: tokenHash(id), userAgent, addressTag, knownBrowser: tokenHash(known) };
    const browserHash = tokenHash(browser);
    const result = await store.run(
      loginUnit,
      token === undefined
        ? { type: 'by_code', browserHash, codeHmac: this.#codeHmac(browserHash, code), session }
        : { type: 'by_link', browserHash, tokenHash: tokenHash(token), session },
    );
    if (result.type !== 'session') return invalid();
    const remembered = cookies.set('kb', known, KNOWN_BROWSER_MS / SECONDS);
    const cookie = ['set-cookie', cookies.set('sid', id, SESSION_MS / SECONDS), 'set-cookie', remembered];
    const done = { status: 'logged_in' as const, next: '/cabinet' };
    return new WithHeaders(cookie, call.wantsPage ? new Redirect('/dashboard') : done);
  }

  #codeHmac(browserHash: string, code: string): string {
    return this.#options.codeSecret(browserHash, code);
  }

  #mail(url: string, code: string, untilMs: number): { subject: string; body: string } {
    const { serviceName } = this.#options;
    const body = [
      `Someone asked to sign in to the ${serviceName} dashboard with this email address.`,
      '',
      'Open this link in the browser where you requested it:',
      url,
      '',
      `Or enter this code there: ${code}`,
      '',
      `Use either one, once, before ${isoTime(untilMs)}. If you did not ask for this, ignore this email.`,
      '',
    ].join('\n');
    return { subject: `Sign in to ${serviceName}`, body };
  }
}

function sendsNothing(result: unknown): boolean {
  const given = result as RequestResult;
  return given.type === 'slow_down' || (given.type === 'requested' && !given.sends);
}

function foreign(): Refusal {
  return new Refusal(problems.foreignOrigin, { detail: 'The request comes from another site. Nothing was changed.' });
}

function invalid(): Refusal {
  return new Refusal(problems.linkInvalid, {
    detail: 'That code or link is wrong or expired. Try again or request a new one.',
  });
}

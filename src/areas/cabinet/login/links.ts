import type { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { newToken, randomUnit, tokenHash } from '#kernel/ids.ts';
import { Answer, type Call, Redirect, WithHeaders, WithPage } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { cleanText } from '#kernel/foreign-text.ts';
import { type Step, step, type Store } from '#platform/storage/store.ts';
import type { Cookies } from './cookies.ts';
import type { RequestResult } from '../decide.ts';
import { KNOWN_BROWSER_MS, LINK_MS, SESSION_MS } from './login.ts';
import { askHtml, codeHtml, LOGIN_PAGE, OVERVIEW_PAGE } from './login-page.ts';
import type { loginPage } from './login-operations.ts';
import { loginUnit } from './login-unit.ts';
import { formOf } from './next-page.ts';
import { exactText } from '#web/times.ts';
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

type LoginView = z.output<typeof loginPage.output>;

/** A person to email, and the page of ours that they go to once they are in. */
interface Asked {
  readonly email: string;
  readonly next?: string | undefined;
}

/** A browser and the cookie by which it is recognised. */
interface KnownBrowser {
  readonly browser: string;
  readonly headers: readonly string[];
}

interface Sent extends KnownBrowser {
  /** The code that was emailed; null where nothing was sent. */
  readonly code: string | null;
}

interface Given {
  readonly t?: string | undefined;
  readonly code?: string | undefined;
}

interface Entered {
  readonly email: string;
  readonly idHash: string;
  readonly headers: readonly string[];
}

/** A link or code that did not sign anybody in. */
interface NotEntered {
  readonly refusal: Refusal;
  /** The browser has used up its tries. */
  readonly isSpent: boolean;
  /** The browser never asked for an email, or too long ago. */
  readonly isOtherBrowser: boolean;
}

/** Logging in by a link or a code from a mail, in the browser that asked for it and once. */
export class LoginLinks {
  readonly #options: LinksOptions;

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  /** The same answer for every address: who is an owner is nobody's business. */
  async request({ email }: { readonly email: string }, call: Call) {
    const asked = { email, next: formOf(call.pageInput).next };
    const sent = await this.send(asked, call);
    if (sent instanceof Refusal) return sent;
    const answer = new Answer(202, SENT);
    const shown = call.wantsPage ? new WithPage(answer, (site) => codeHtml(asked, site)) : answer;
    return new WithHeaders(sent.headers, shown);
  }

  /** Emails a link and a code to an owner. */
  async send({ email, next }: Asked, call: Call): Promise<Sent | Refusal> {
    const { store, clock, cookies, sessions, outbox, isOwner } = this.#options;
    const foreign = sessions.refuseForeign(call);
    if (foreign !== undefined) return foreign;
    if (outbox.isOff) {
      return new Refusal(problems.mailNotConfigured, {
        detail: 'Email is off, so nobody can sign in. The operator sets AVOUCH_MAIL. No email was sent.',
        retryAfterSeconds: 3_600,
      });
    }
    const { browser, headers } = this.browserFor(call);
    const known = cookies.read(call.header?.('cookie'), 'kb');
    const knownBrowser = known === undefined ? null : tokenHash(known);
    const token = newToken();
    const code = String(Math.floor(randomUnit() * CODES)).padStart(6, '0');
    const browserHash = tokenHash(browser);
    const codeHmac = this.#codeHmac(browserHash, code);
    const link = { tokenHash: tokenHash(token), email, browserHash, codeHmac, addressTag: call.addressTag };
    const dropAtMs = clock.now() + LINK_MS;
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
    const url = `${this.#options.baseUrl()}${LOGIN_PAGE}${query}#${token}`;
    const mail = { to: email, ...this.#mail(url, code, dropAtMs), dropAtMs };
    const requested = step(loginUnit, { type: 'request', link, knownBrowser, isKnown: await isOwner(email) });
    const [result] = await store.runAll([requested, outbox.queue(mail)], sendsNothing);
    if (result?.type === 'slow_down') return this.#options.slowDown(Math.ceil(result.retryAfterMs / SECONDS));
    if (result?.sends) this.#options.logLink?.(url);
    return { browser, headers, code: result?.sends ? code : null };
  }

  /** Uses a link or a code up; a call from another browser uses up nothing. */
  async login(given: Given, call: Call) {
    const { email, next } = formOf(call.pageInput);
    const foreign = this.#options.sessions.refuseForeign(call);
    if (foreign !== undefined) return foreign;
    const entered = await this.enter(given, call);
    if ('refusal' in entered) {
      const { refusal, isSpent, isOtherBrowser } = entered;
      if (!call.wantsPage) return refusal;
      return new WithPage<never>(refusal, (site) =>
        given.t === undefined
          ? codeHtml({ email, next, refused: isSpent ? 'spent' : 'wrong' }, site)
          : askHtml(
              { next, hasCode: !isOtherBrowser, refusedLink: isOtherBrowser ? 'other_browser' : 'invalid' },
              site,
            ),
      );
    }
    const done = { status: 'logged_in' as const, next: '/cabinet' };
    return new WithHeaders(entered.headers, call.wantsPage ? new Redirect(next ?? OVERVIEW_PAGE) : done);
  }

  /** The page that begins it. */
  page(view: LoginView, call: Call) {
    if (!call.wantsPage) return view;
    const { next } = formOf(call.pageInput);
    const hasCode = this.browserOf(call) !== undefined;
    return new WithPage(view, (site) => askHtml({ next, hasCode, isOff: view.mail === 'off' }, site));
  }

  /** The browser that a call comes from, if it has asked for an email. */
  browserOf(call: Call): string | undefined {
    return this.#options.cookies.read(call.header?.('cookie'), 'lb');
  }

  /** As `browserOf`; one that has not asked gets its cookie with `headers`. */
  browserFor(call: Call): KnownBrowser {
    const browser = this.browserOf(call) ?? newToken();
    return { browser, headers: ['set-cookie', this.#options.cookies.set('lb', browser, LINK_MS / SECONDS)] };
  }

  async enter({ t: token, code = '' }: Given, call: Call): Promise<Entered | NotEntered> {
    const { store, cookies } = this.#options;
    const browser = this.browserOf(call);
    if (browser === undefined) return { refusal: invalid(), isSpent: false, isOtherBrowser: true };
    const id = newToken();
    const idHash = tokenHash(id);
    const userAgent = cleanText((call.header?.('user-agent') ?? '').slice(0, USER_AGENT_CHARS));
    const known = cookies.read(call.header?.('cookie'), 'kb') ?? newToken();
    const session = { idHash, userAgent, addressTag: call.addressTag, knownBrowser: tokenHash(known) };
    const browserHash = tokenHash(browser);
    const result = await store.run(
      loginUnit,
      token === undefined
        ? { type: 'by_code', browserHash, codeHmac: this.#codeHmac(browserHash, code), session }
        : { type: 'by_link', browserHash, tokenHash: tokenHash(token), session },
    );
    if (result.type !== 'session') {
      return { refusal: invalid(), isSpent: result.isSpent === true, isOtherBrowser: false };
    }
    const remembered = cookies.set('kb', known, KNOWN_BROWSER_MS / SECONDS);
    const headers = ['set-cookie', cookies.set('sid', id, SESSION_MS / SECONDS), 'set-cookie', remembered];
    return { email: result.email, idHash, headers };
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
      `Use either one, once, before ${exactText(untilMs)} UTC. If you did not ask for this, ignore this email.`,
      '',
    ].join('\n');
    return { subject: `Sign in to ${serviceName}`, body };
  }
}

function sendsNothing(result: unknown): boolean {
  const given = result as RequestResult;
  return given.type === 'slow_down' || (given.type === 'requested' && !given.sends);
}

function invalid(): Refusal {
  return new Refusal(problems.linkInvalid, {
    detail: 'That code or link is wrong or expired. Try again or request a new one.',
  });
}

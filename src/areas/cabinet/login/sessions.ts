import { type Clock, isoTime } from '#kernel/clock.ts';
import { sameHash, sha256Hex, tokenHash } from '#kernel/ids.ts';
import type { Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Cookies } from './cookies.ts';
import { isAlive, type Session, SESSION_USE_STEP_MS } from './login.ts';
import { loginUnit } from './login-unit.ts';
import * as problems from '../problems.ts';
import * as sql from '../sql.ts';

export interface SessionsOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly cookies: Cookies;
  readonly baseUrl: () => string;
  /** Keyed hash of a session, which forms carry. */
  readonly formSecret: (...parts: readonly string[]) => string;
}

/** Who is logged in, and what proves that a form was sent from our own page. */
export interface Visitor {
  readonly email: string;
  readonly idHash: string;
  readonly csrf: string;
}

const MAX_KNOWN = 10_000;

export class Sessions {
  readonly #options: SessionsOptions;
  /** Hashes of sessions that were found alive; any other may be made up. */
  readonly #known = new Set<string>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** The session of a call; a use is written down at most once a minute. */
  async visitor(call: Call): Promise<Visitor | Refusal> {
    const { store, clock, cookies } = this.#options;
    const id = cookies.read(call.header?.('cookie'), 'sid');
    const [session] = id === undefined ? [] : await store.read(sql.SESSION_OF_ID, [tokenHash(id)]);
    const nowMs = clock.now();
    if (id === undefined || session === undefined || !isAlive(session, nowMs)) {
      return new Refusal(problems.noSession, {
        detail: 'You are not signed in. Sign in at /cabinet/login.',
        members: { login: '/cabinet/login' },
      });
    }
    const { idHash, email, usedAtMs } = session;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.add(idHash);
    if (nowMs - usedAtMs >= SESSION_USE_STEP_MS) {
      // Not waited for: a page may be read while nothing can be written.
      void store.run(loginUnit, { type: 'touch', idHash }).catch(() => undefined);
    }
    return { email, idHash, csrf: this.#csrfOf(id) };
  }

  /** Who is signed in, if anybody is. */
  async emailOf(call: Call): Promise<string | null> {
    if (this.#options.cookies.read(call.header?.('cookie'), 'sid') === undefined) return null;
    const visitor = await this.visitor(call);
    return visitor instanceof Refusal ? null : visitor.email;
  }

  /** As `visitor`, for a call that changes something: it must come from a page of this session. */
  async actor(call: Call, field: string | undefined): Promise<Visitor | Refusal> {
    const visitor = await this.visitor(call);
    if (visitor instanceof Refusal) return visitor;
    const given = field ?? call.header?.('x-csrf-token') ?? '';
    if (this.isForeign(call) || !sameHash(given, visitor.csrf)) {
      return new Refusal(problems.csrf, {
        detail:
          'The form has expired or was not sent from this session. Reload the page and try again. Nothing was changed.',
      });
    }
    return visitor;
  }

  /** Why a call that changes something is not taken from where it comes. */
  refuseForeign(call: Call): Refusal | undefined {
    if (!this.isForeign(call)) return undefined;
    return new Refusal(problems.foreignOrigin, { detail: 'The request comes from another site. Nothing was changed.' });
  }

  /** True where a browser says that the call comes from another site. */
  isForeign(call: Call): boolean {
    const origin = call.header?.('origin');
    // Without a referrer browsers say `null` of our own forms too; no page can forge what they say beside it.
    if (origin === 'null') return call.header?.('sec-fetch-site') !== 'same-origin';
    return origin !== undefined && origin !== new URL(this.#options.baseUrl()).origin;
  }

  /** Names a session that was found alive before, for counting its calls. */
  tagOf(cookie: string | undefined): string | undefined {
    const id = this.#options.cookies.read(cookie, 'sid');
    const hash = id === undefined ? '' : tokenHash(id);
    return this.#known.has(hash) ? hash : undefined;
  }

  /** The visitor's own first, then those that were used last. */
  async list({ email, idHash }: Visitor) {
    const { store, clock } = this.#options;
    const sessions = await store.read(sql.SESSIONS_OF_EMAIL, [email]);
    return sessions
      .filter((session) => isAlive(session, clock.now()))
      .map((session) => ({
        session_id: referenceOf(session),
        created_at: isoTime(session.createdAtMs),
        last_used_at: isoTime(session.usedAtMs),
        ends_at: isoTime(Math.min(session.idleUntilMs, session.absoluteUntilMs)),
        untrusted_user_agent: session.userAgent,
        this_one: session.idHash === idHash,
      }))
      .toSorted((a, b) => Number(b.this_one) - Number(a.this_one));
  }

  /** Ends one session of the account, this one or all. False where there is none of this name. */
  async end({ email, idHash }: Visitor, which: string): Promise<boolean> {
    const { store } = this.#options;
    if (which === 'all') return this.#run(email, 'all');
    const sessions = which === 'this' ? [] : await store.read(sql.SESSIONS_OF_EMAIL, [email]);
    const named = which === 'this' ? idHash : sessions.find((one) => referenceOf(one) === which)?.idHash;
    return named === undefined ? false : this.#run(email, [named]);
  }

  async #run(email: string, idHashes: readonly string[] | 'all'): Promise<boolean> {
    return (await this.#options.store.run(loginUnit, { type: 'end', email, idHashes })).count > 0;
  }

  #csrfOf(sessionId: string): string {
    return Buffer.from(this.#options.formSecret(`csrf:${sessionId}`), 'hex').toString('base64url');
  }
}

/** Names a session without telling anything that would open it. */
function referenceOf({ idHash }: Session): string {
  return `ses_${sha256Hex(idHash).slice(0, 20)}`;
}

import { sameHash } from '#kernel/ids.ts';
import type { VersionedMap } from '#kernel/versioned-map.ts';
import { decideByType, type Decision } from '#platform/storage/store.ts';
import * as login from './login/login.ts';
import type { CodeError, Known, Link, Session } from './login/login.ts';

export interface LoginState {
  /** By hash of the token. */
  readonly links: VersionedMap<string, Link>;
  /** By mail address. */
  readonly faults: VersionedMap<string, CodeError>;
  /** By hash of the id. */
  readonly sessions: VersionedMap<string, Session>;
  /** By `knownName`. */
  readonly known: VersionedMap<string, Known>;
}

type NewSession = Pick<Session, 'idHash' | 'userAgent'> & {
  readonly addressTag: string;
  /** Hash of the cookie by which the browser is known from now on. */
  readonly knownBrowser: string;
};

/** Asks for a mail with a link and a code. */
interface RequestLink {
  readonly type: 'request';
  readonly link: Pick<Link, 'tokenHash' | 'email' | 'browserHash' | 'codeHmac' | 'addressTag'>;
  /** Whether anybody is to get the mail. */
  readonly isKnown: boolean;
  /** Hash of the cookie of a browser that has logged in to some account before. */
  readonly knownBrowser: string | null;
}

interface LoginByLink {
  readonly type: 'by_link';
  readonly tokenHash: string;
  readonly browserHash: string;
  readonly session: NewSession;
}

interface LoginByCode {
  readonly type: 'by_code';
  readonly browserHash: string;
  readonly codeHmac: string;
  readonly session: NewSession;
}

type Use = LoginByLink | LoginByCode | { readonly type: 'touch'; readonly idHash: string };

type Removal =
  | { readonly type: 'end'; readonly email: string; readonly idHashes: readonly string[] | 'all' }
  | { readonly type: 'forget'; readonly email: string };

export type RequestResult =
  | { readonly type: 'requested'; readonly sends: boolean }
  | { readonly type: 'slow_down'; readonly retryAfterMs: number };

type UseResult =
  | { readonly type: 'session'; readonly email: string }
  /** `isSpent`: the browser has used up the codes of its newest email, whether that was sent or not. */
  | { readonly type: 'refused'; readonly isSpent?: true };

interface Removed {
  readonly type: 'done';
  readonly count: number;
}

export type LoginDeed = [RequestLink, RequestResult] | [Use, UseResult] | [Removal, Removed];
export type LoginCommand = LoginDeed[0];
export type LoginResult = LoginDeed[1];

type Decided<R> = Decision<LoginState, R>;

export const decide = decideByType<LoginDeed, LoginState>({
  request,
  by_link: (state, nowMs, _next, { tokenHash, browserHash, session }) => {
    const link = state.links.get(tokenHash);
    const isHis = link !== undefined && isOpen(link, nowMs) && sameHash(link.browserHash, browserHash);
    return isHis ? admit(state, nowMs, link, session) : refused(state);
  },
  by_code: byCode,
  touch: (state, nowMs, _next, { idHash }) => {
    const session = state.sessions.get(idHash);
    if (session === undefined || !login.isAlive(session, nowMs)) return refused(state);
    const used = { ...session, usedAtMs: nowMs, idleUntilMs: nowMs + login.IDLE_MS };
    return { state: withSession(state, used), result: { type: 'session', email: session.email } };
  },
  end: (state, _nowMs, _next, { email, idHashes }) =>
    ended(state, (one) => one.email === email && (idHashes === 'all' || idHashes.includes(one.idHash))),
  forget: (state, _nowMs, _next, { email }) => forgotten(state, (one) => one.email === email),
});

function request(
  state: LoginState,
  nowMs: number,
  _next: unknown,
  { link, isKnown, knownBrowser }: RequestLink,
): Decided<RequestResult> {
  const links = state.links.values();
  const since = (beforeMs: number) => (one: Link) => one.createdAtMs > nowMs - beforeMs;
  const recent = links.filter((one) => one.addressTag === link.addressTag).filter(since(login.REQUEST_WINDOW_MS));
  if (recent.length >= login.REQUESTS_PER_HOUR) {
    const firstMs = Math.min(...recent.map(({ createdAtMs }) => createdAtMs));
    return { state, result: { type: 'slow_down', retryAfterMs: firstMs + login.REQUEST_WINDOW_MS - nowMs } };
  }
  const mailed = links.filter(({ email }) => email === link.email);
  const wasHere = (mark: string) =>
    (state.known.get(login.knownName({ email: link.email, mark }))?.untilMs ?? 0) > nowMs;
  const isOwnBrowser = knownBrowser !== null && wasHere(knownBrowser);
  // A browser that has logged in answers for itself, not for others at its address.
  const isOfCaller = ({ browserHash, addressTag }: Link) =>
    browserHash === link.browserHash || (!isOwnBrowser && addressTag === link.addressTag);
  const { MAILS_OF_CALLER: ofCaller, MAILS_OF_DAY: ofDay } = login;
  const most = ofDay.most + (isOwnBrowser || wasHere(link.addressTag) ? ofDay.reserve : 0);
  const sends =
    isKnown &&
    mailed.filter(isOfCaller).filter(since(ofCaller.withinMs)).length < ofCaller.most &&
    mailed.filter(since(ofDay.withinMs)).length < most;
  // A request that sends nothing leaves a row of the same size: neither its time nor its write tells it apart.
  const made: Link = {
    ...link,
    ...(sends ? { usedAtMs: null } : { email: '', usedAtMs: nowMs }),
    tries: 0,
    expiresAtMs: nowMs + login.LINK_MS,
    createdAtMs: nowMs,
  };
  return { state: withLink(state, made), result: { type: 'requested', sends } };
}

function isOpen({ usedAtMs, expiresAtMs }: Link, nowMs: number): boolean {
  return usedAtMs === null && nowMs < expiresAtMs;
}

/**
 * Each open link of the browser is tried once by a code, whether it fits or not. Requests that sent nothing count their
 * tries too, so that a known address cannot be told from an unknown one.
 */
function byCode(
  state: LoginState,
  nowMs: number,
  _next: unknown,
  { browserHash, codeHmac, session }: LoginByCode,
): Decided<UseResult> {
  const isClosed = (email: string) => (state.faults.get(email)?.closedUntilMs ?? 0) > nowMs;
  const counting = state.links
    .values()
    .filter((link) => link.browserHash === browserHash && nowMs < link.expiresAtMs && link.tries < login.CODE_TRIES);
  const tried = counting.filter((link) => isOpen(link, nowMs) && !isClosed(link.email));
  const meant = tried.find((link) => sameHash(link.codeHmac, codeHmac));
  if (meant !== undefined) return admit(state, nowMs, meant, session);
  const counted = counting.reduce((left, link) => withLink(left, { ...link, tries: link.tries + 1 }), state);
  const emails = new Set(tried.map(({ email }) => email));
  const left = [...emails].reduce((rest, email) => withFault(rest, nowMs, email), counted);
  const isSpent = (newestOf(counted, browserHash)?.tries ?? 0) >= login.CODE_TRIES;
  return isSpent ? { state: left, result: { type: 'refused', isSpent } } : refused(left);
}

function newestOf({ links }: LoginState, browserHash: string): Link | undefined {
  const own = links.values().filter((link) => link.browserHash === browserHash);
  return own.reduce<Link | undefined>(
    (newest, link) => (newest === undefined || link.createdAtMs > newest.createdAtMs ? link : newest),
    undefined,
  );
}

/** The link is used, every other open one of the address is void, and there is one new session. */
function admit(state: LoginState, nowMs: number, { email }: Link, given: NewSession): Decided<UseResult> {
  const { idHash, userAgent } = given;
  const open = state.links.values().filter((link) => link.email === email && link.usedAtMs === null);
  const used = open.reduce((left, link) => withLink(left, { ...link, usedAtMs: nowMs }), state);
  const times = { createdAtMs: nowMs, usedAtMs: nowMs, idleUntilMs: nowMs + login.IDLE_MS };
  const session = { idHash, email, userAgent, ...times, absoluteUntilMs: nowMs + login.SESSION_MS };
  const known = login
    .knownAfter(email, given, nowMs)
    .reduce((left, one) => left.with(login.knownName(one), one), used.known);
  return { state: withSession({ ...used, known }, session), result: { type: 'session', email } };
}

function withFault(state: LoginState, nowMs: number, email: string): LoginState {
  const known = state.faults.get(email);
  const isFresh = known === undefined || known.sinceMs <= nowMs - login.CODES_CLOSED_MS;
  const wrong = isFresh ? 1 : known.wrong + 1;
  const closedUntilMs = wrong >= login.WRONG_CODES ? nowMs + login.CODES_CLOSED_MS : 0;
  const fault = { email, wrong, sinceMs: isFresh ? nowMs : known.sinceMs, closedUntilMs };
  return { ...state, faults: state.faults.with(email, fault) };
}

function ended(state: LoginState, isMeant: (session: Session) => boolean): Decided<Removed> {
  const over = state.sessions.values().filter(isMeant);
  const sessions = over.reduce((left, { idHash }) => left.without(idHash), state.sessions);
  return { state: { ...state, sessions }, result: { type: 'done', count: over.length } };
}

function forgotten(state: LoginState, isMeant: (one: { readonly email: string }) => boolean): Decided<Removed> {
  const { state: left, result } = ended(state, isMeant);
  const links = left.links.values().filter(isMeant);
  const faults = left.faults.values().filter(isMeant);
  return {
    state: {
      ...left,
      links: links.reduce((rest, { tokenHash }) => rest.without(tokenHash), left.links),
      faults: faults.reduce((rest, { email }) => rest.without(email), left.faults),
      known: left.known.values().filter(isMeant).reduce(withoutKnown, left.known),
    },
    result,
  };
}

function withoutKnown(left: LoginState['known'], one: Known): LoginState['known'] {
  return left.without(login.knownName(one));
}

function withLink(state: LoginState, link: Link): LoginState {
  return { ...state, links: state.links.with(link.tokenHash, link) };
}

function withSession(state: LoginState, session: Session): LoginState {
  return { ...state, sessions: state.sessions.with(session.idHash, session) };
}

function refused(state: LoginState): Decided<UseResult> {
  return { state, result: { type: 'refused' } };
}

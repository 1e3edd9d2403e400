import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Read, Row, Unit, Write } from '#platform/storage/store.ts';
import { decide, type LoginCommand, type LoginResult, type LoginState } from '../decide.ts';
import {
  type CodeError,
  faultOf,
  RETENTION_MS,
  type Known,
  knownName,
  knownOf,
  type Link,
  linkOf,
  type Session,
  sessionOf,
} from './login.ts';
import * as sql from '../sql.ts';

type Of<T extends LoginCommand['type']> = Extract<LoginCommand, { type: T }>;

/** How links, wrong codes and sessions are read and written. */
export const loginUnit: Unit<[LoginCommand, LoginResult], LoginState> = {
  name: 'cabinet_login',
  reads,
  load,
  decide: (state, nowMs, _next, command) => decide(state, nowMs, command),
  writes,
};

function reads(commands: readonly LoginCommand[]): readonly Read[] {
  const of = <T extends LoginCommand['type']>(...types: T[]) =>
    commands.filter((one): one is Of<T> => (types as string[]).includes(one.type));
  const listed = (text: string, list: readonly string[]): Read => ({ sql: text, list: [...new Set(list)] });
  const [sweep] = of('sweep');
  const swept = (text: string, keptMs: number): Read =>
    sweep === undefined ? { sql: text, list: [] } : { sql: text, params: [sweep.nowMs - keptMs] };
  const emails = [...of('request').map(({ link }) => link.email), ...of('forget').map(({ email }) => email)];
  const browsers = of('by_code').map(({ browserHash }) => browserHash);
  return [
    listed(sql.LINKS_OF_EMAILS, emails),
    listed(
      sql.LINKS_OF_ADDRESSES,
      of('request').map(({ link }) => link.addressTag),
    ),
    listed(
      sql.LINKS_OF_TOKENS,
      of('by_link').map(({ tokenHash }) => tokenHash),
    ),
    listed(sql.LINKS_OF_BROWSERS, browsers),
    swept(sql.LINKS_OVER, RETENTION_MS),
    listed(sql.FAULTS_OF_BROWSERS, browsers),
    listed(
      sql.FAULTS_OF_EMAILS,
      of('forget').map(({ email }) => email),
    ),
    swept(sql.FAULTS_OVER, RETENTION_MS),
    listed(
      sql.SESSIONS_OF_IDS,
      of('touch').map(({ idHash }) => idHash),
    ),
    listed(
      sql.SESSIONS_OF_EMAILS,
      of('end', 'forget').map(({ email }) => email),
    ),
    swept(sql.SESSIONS_OVER, 0),
    listed(sql.KNOWN_OF_EMAILS, emails),
    swept(sql.KNOWN_OVER, 0),
  ];
}

function load(rows: readonly (readonly Row[])[]): LoginState {
  const links = rows.slice(0, 5).flat().map(linkOf);
  const faults = rows.slice(5, 8).flat().map(faultOf);
  const sessions = rows.slice(8, 11).flat().map(sessionOf);
  const known = rows.slice(11).flat().map(knownOf);
  return {
    links: VersionedMap.of(links.map((link) => [link.tokenHash, link] as const)),
    faults: VersionedMap.of(faults.map((fault) => [fault.email, fault] as const)),
    sessions: VersionedMap.of(sessions.map((session) => [session.idHash, session] as const)),
    known: VersionedMap.of(known.map((one) => [knownName(one), one] as const)),
  };
}

function writes(before: LoginState, after: LoginState): readonly Write[] {
  const known = [...after.known.changesSince(before.known)];
  return [
    { sql: sql.KNOWN_UPSERT, rows: known.flatMap(([name]) => after.known.get(name) ?? []).map(knownRow) },
    {
      sql: sql.KNOWN_DELETE,
      rows: known.flatMap(([name, was]) => (was === undefined || after.known.get(name) ? [] : [[was.email, was.mark]])),
    },
    ...changes(before.links, after.links, sql.LINK_UPSERT, sql.LINK_DELETE, linkRow),
    ...changes(before.faults, after.faults, sql.FAULT_UPSERT, sql.FAULT_DELETE, faultRow),
    ...changes(before.sessions, after.sessions, sql.SESSION_UPSERT, sql.SESSION_DELETE, sessionRow),
  ];
}

function changes<V extends object>(
  before: VersionedMap<string, V>,
  after: VersionedMap<string, V>,
  upsert: string,
  remove: string,
  rowOf: (value: V) => Cell[],
): Write[] {
  const changed = [...after.changesSince(before).keys()];
  return [
    { sql: upsert, rows: changed.flatMap((key) => after.get(key) ?? []).map(rowOf) },
    { sql: remove, rows: changed.filter((key) => after.get(key) === undefined).map((key) => [key]) },
  ];
}

function linkRow(link: Link): Cell[] {
  const { tokenHash, email, browserHash, codeHmac, tries, expiresAtMs, usedAtMs, addressTag, createdAtMs } = link;
  return [tokenHash, email, browserHash, codeHmac, tries, expiresAtMs, usedAtMs, addressTag, createdAtMs];
}

function knownRow({ email, mark, untilMs }: Known): Cell[] {
  return [email, mark, untilMs];
}

function faultRow({ email, wrong, sinceMs, closedUntilMs }: CodeError): Cell[] {
  return [email, wrong, sinceMs, closedUntilMs];
}

function sessionRow(session: Session): Cell[] {
  const { idHash, email, createdAtMs, usedAtMs, idleUntilMs, absoluteUntilMs, userAgent } = session;
  return [idHash, email, createdAtMs, usedAtMs, idleUntilMs, absoluteUntilMs, userAgent];
}

import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Found, Unit, Write } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import { decide, type LoginCommand, type LoginDeed, type LoginState } from '../decide.ts';
import { knownName, LOGIN_RETENTION_MS } from './login.ts';
import * as sql from '../sql.ts';

type Of<T extends LoginCommand['type']> = Extract<LoginCommand, { type: T }>;

/** Links and wrong codes stay for as long as a limit counts them. */
export const LOGIN_EXPIRIES = [
  sql.LOGIN_LINK.expiring({ by: ['created_at'], keptMs: LOGIN_RETENTION_MS }),
  sql.FAULT.expiring({
    by: ['since', 'closed_until'],
    with: 'last',
    keptMs: LOGIN_RETENTION_MS,
  }),
  sql.SESSION.expiring({ by: ['idle_until', 'absolute_until'] }),
  sql.KNOWN.expiring({ by: ['until'] }),
];

/** How links, wrong codes and sessions are read and written. */
export const loginUnit: Unit<LoginDeed, LoginState, typeof reads> = {
  name: 'cabinet_login',
  reads,
  load,
  decide,
  writes,
};

function reads(commands: readonly LoginCommand[]) {
  const of = <T extends LoginCommand['type']>(...types: T[]) =>
    commands.filter((one): one is Of<T> => (types as string[]).includes(one.type));
  const forgotten = of('forget').map(({ email }) => email);
  const emails = new Set([...of('request').map(({ link }) => link.email), ...forgotten]);
  const addresses = new Set(of('request').map(({ link }) => link.addressTag));
  const tokens = new Set(of('by_link').map(({ tokenHash }) => tokenHash));
  const browsers = new Set(of('by_code').map(({ browserHash }) => browserHash));
  const sessions = new Set(of('touch').map(({ idHash }) => idHash));
  const ended = new Set(of('end', 'forget').map(({ email }) => email));
  return {
    linksOfEmails: listed(sql.LINKS_OF_EMAILS, emails),
    linksOfAddresses: listed(sql.LINKS_OF_ADDRESSES, addresses),
    linksOfTokens: listed(sql.LINKS_OF_TOKENS, tokens),
    linksOfBrowsers: listed(sql.LINKS_OF_BROWSERS, browsers),
    linksWithBrowsers: listed(sql.LINKS_WITH_BROWSERS, browsers),
    faultsOfBrowsers: listed(sql.FAULTS_OF_BROWSERS, browsers),
    faultsOfEmails: listed(sql.FAULTS_OF_EMAILS, new Set(forgotten)),
    sessions: listed(sql.SESSIONS_OF_IDS, sessions),
    sessionsOfEmails: listed(sql.SESSIONS_OF_EMAILS, ended),
    known: listed(sql.KNOWN_OF_EMAILS, emails),
  };
}

function load(found: Found<typeof reads>): LoginState {
  const links = [
    ...found.linksOfEmails,
    ...found.linksOfAddresses,
    ...found.linksOfTokens,
    ...found.linksOfBrowsers,
    ...found.linksWithBrowsers,
  ];
  const faults = [...found.faultsOfBrowsers, ...found.faultsOfEmails];
  const sessions = [...found.sessions, ...found.sessionsOfEmails];
  return {
    links: VersionedMap.by(links, ({ tokenHash }) => tokenHash),
    faults: VersionedMap.by(faults, ({ email }) => email),
    sessions: VersionedMap.by(sessions, ({ idHash }) => idHash),
    known: VersionedMap.by(found.known, knownName),
  };
}

function writes(before: LoginState, after: LoginState): readonly Write[] {
  return [
    ...sql.KNOWN.diff(before.known, after.known),
    ...sql.LOGIN_LINK.diff(before.links, after.links),
    ...sql.FAULT.diff(before.faults, after.faults),
    ...sql.SESSION.diff(before.sessions, after.sessions),
  ];
}

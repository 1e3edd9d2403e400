import { DAY_MS, HOUR_MS, MINUTE_MS } from '#kernel/clock.ts';

export const LINK_MS = 15 * MINUTE_MS;
export const CODE_TRIES = 5;
/** Wrong codes of one mail address in a day, after which its codes count no more for a day. */
export const WRONG_CODES = 10;
export const CODES_CLOSED_MS = DAY_MS;
/**
 * Mails to one mail address: of one browser or caller within the time of a link, of all within a day, and beyond that of
 * those who have logged in before, so that nobody else uses up what the owner needs.
 */
export const MAILS_OF_CALLER = { most: 3, withinMs: LINK_MS } as const;
export const MAILS_OF_DAY = { most: 20, reserve: 5, withinMs: DAY_MS } as const;
/** How long a browser that has logged in is known, and the address that it did so from, whose tag ends with the day. */
export const KNOWN_BROWSER_MS = 90 * DAY_MS;
const KNOWN_ADDRESS_MS = DAY_MS;
export const REQUESTS_PER_HOUR = 20;
export const REQUEST_WINDOW_MS = HOUR_MS;
export const IDLE_MS = 12 * HOUR_MS;
export const SESSION_MS = 7 * DAY_MS;
/** The use of a session is written down at most this often. */
export const SESSION_USE_STEP_MS = MINUTE_MS;
/** Rows that no limit counts any more. */
export const LOGIN_RETENTION_MS = 2 * DAY_MS;

/** A request for a link. One that sent nothing has no mail address and is used from the start. */
export interface Link {
  readonly tokenHash: string;
  readonly email: string;
  readonly browserHash: string;
  readonly codeHmac: string;
  readonly tries: number;
  readonly expiresAtMs: number;
  readonly usedAtMs: number | null;
  readonly addressTag: string;
  readonly createdAtMs: number;
}

export interface CodeError {
  readonly email: string;
  readonly wrong: number;
  readonly sinceMs: number;
  readonly closedUntilMs: number;
}

export interface Session {
  readonly idHash: string;
  readonly email: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number;
  readonly idleUntilMs: number;
  readonly absoluteUntilMs: number;
  readonly userAgent: string;
}

/** A browser, or the tag of an address, from which somebody logged in to an account. */
export interface Known {
  readonly email: string;
  readonly mark: string;
  readonly untilMs: number;
}

export function knownName({ email, mark }: Pick<Known, 'email' | 'mark'>): string {
  return JSON.stringify([email, mark]);
}

export function knownAfter(
  email: string,
  { addressTag, knownBrowser }: { readonly addressTag: string; readonly knownBrowser: string },
  nowMs: number,
): readonly Known[] {
  return [
    { email, mark: knownBrowser, untilMs: nowMs + KNOWN_BROWSER_MS },
    { email, mark: addressTag, untilMs: nowMs + KNOWN_ADDRESS_MS },
  ];
}

export function isAlive({ idleUntilMs, absoluteUntilMs }: Session, nowMs: number): boolean {
  return nowMs < idleUntilMs && nowMs < absoluteUntilMs;
}

/** That a call goes, when, and what takes its place. Dates are days of UTC. */
export interface Deprecation {
  readonly since: string;
  /** Until this day it answers as before; from then on it is gone. */
  readonly sunset: string;
  /** Path of what takes its place. */
  readonly successor: string;
}

/** Where the policy stands. */
const POLICY = '/entry';
const MONTHS_APART = 12;

/** What callers can rely on; published with the interface. */
export const COMPATIBILITY = [
  'Within a path prefix, changes only add: new optional parameters, new response members, new paths.',
  'Requests are strict and responses are open: ignore members that you do not know.',
  'Anything else gets a new prefix or a new schema id. Old seals verify under their old schema permanently.',
  `A deprecated call works as before and sends the headers Deprecation (RFC 9745), Sunset (RFC 8594) and Link to its successor. At least ${MONTHS_APART} months are between the two dates.`,
  'After the Sunset date the response is 410 and names the successor.',
  'The mandate handshake is a draft, version 0: its fields may change with 30 days of notice, announced by the same headers.',
  'A security fix may shorten these periods. We then publish the reason.',
];

export function sunsetMs({ sunset }: Deprecation): number {
  return Date.parse(sunset);
}

/** The headers of every answer of what is deprecated (RFC 9745, RFC 8594, RFC 5829). */
export function deprecationHeaders(deprecation: Deprecation): string[] {
  const { since, successor } = deprecation;
  return [
    ...['deprecation', `@${Date.parse(since) / 1_000}`],
    ...['sunset', new Date(sunsetMs(deprecation)).toUTCString()],
    ...['link', `<${successor}>; rel="successor-version", <${POLICY}>; rel="deprecation"`],
  ];
}

/** Throws where callers would have less time than they were promised. */
export function checkDeprecation(deprecation: Deprecation): void {
  const earliest = new Date(deprecation.since);
  earliest.setUTCMonth(earliest.getUTCMonth() + MONTHS_APART);
  if (sunsetMs(deprecation) >= earliest.getTime()) return;
  throw new Error(`what ${deprecation.successor} replaces would go less than ${MONTHS_APART} months after its notice`);
}

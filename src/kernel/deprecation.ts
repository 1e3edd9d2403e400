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
  'Within a path prefix changes are additive: new optional parameters, new members of answers, new paths.',
  'Requests are strict, answers are open: ignore members that you do not know.',
  'Anything else needs a new prefix or a new schema id; old seals verify under their old schema for ever.',
  `What is deprecated answers as before, with the headers Deprecation (RFC 9745), Sunset (RFC 8594) and Link to its successor; at least ${MONTHS_APART} months lie between the two dates.`,
  'After Sunset the answer is 410 and names the successor.',
  'The mandate handshake is a draft, version 0: its fields may change with 30 days of notice by the same headers.',
  'A fix of security may shorten these times; the reason is published.',
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

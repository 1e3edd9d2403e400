import { DAY_MS, MINUTE_MS } from '#kernel/clock.ts';

/** Rules whose breach flags the caller. */
export const TEXT_RULES = ['founder_impersonation', 'secret_request'] as const;
export const EVASION_RULE = 'quota_evasion';
export type FlagRule = (typeof TEXT_RULES)[number] | typeof EVASION_RULE;

/** What is counted within a moving window; above `most` the caller is flagged. */
export interface CountedSignal {
  readonly most: number;
  readonly windowMs: number;
  /** True where a flag lets the count begin anew; otherwise every further one is a flag too. */
  readonly startsAnew: boolean;
}

export const COUNTED = {
  anonymous_tasks: { most: 10, windowMs: MINUTE_MS, startsAnew: true },
  registrations_of_address: { most: 20, windowMs: DAY_MS, startsAnew: false },
  registrations_of_owner: { most: 20, windowMs: DAY_MS, startsAnew: false },
} as const satisfies Readonly<Record<string, CountedSignal>>;
export type CountedName = keyof typeof COUNTED;
export type SignalName = CountedName | 'key_rotation' | 'rule_refusal';

/** Figures of the rotation of keys. */
export const ROTATION = { keys: 3, pauseMs: 1_000, handoverMs: 500, withinMs: MINUTE_MS } as const;

const ADDRESS = 'the address, for the UTC day';

/** Every signal as the rules show it: what is measured, whom a flag falls on, and when suspension comes at the latest. */
export const SIGNALS_SHOWN = [
  {
    signal: 'rule_refusal',
    rules: TEXT_RULES,
    measure: 'A call refused with rule_refused under one of these rules. Every such refusal is one flag.',
    flags: 'the agent or platform whose key the call has; without a key, the address, for the UTC day',
    budget: 'Suspended with the third refusal within 24 hours.',
  },
  {
    signal: 'anonymous_tasks',
    rules: [EVASION_RULE],
    measure: `Anonymous tasks created from one address, over HTTP and MCP together. A call refused with 429 does not count. The task after ${COUNTED.anonymous_tasks.most} within 60 seconds is one flag, and the count starts again.`,
    flags: ADDRESS,
    budget: `Suspended with task ${2 * (COUNTED.anonymous_tasks.most + 1)} of a flood.`,
  },
  {
    signal: 'registrations_of_address',
    rules: [EVASION_RULE],
    measure: `Agents registered from one address in a UTC day. Each above ${COUNTED.registrations_of_address.most} is one flag.`,
    flags: ADDRESS,
    budget: `Suspended with registration ${COUNTED.registrations_of_address.most + 2}.`,
  },
  {
    signal: 'registrations_of_owner',
    rules: [EVASION_RULE],
    measure: `Agents registered for one owner_email within 24 hours, from any address. Each above ${COUNTED.registrations_of_owner.most} is one flag. The owner's agents are not flagged, because anybody can name an owner.`,
    flags: ADDRESS,
    budget: `Suspended with the address's second registration above ${COUNTED.registrations_of_owner.most}.`,
  },
  {
    signal: 'key_rotation',
    rules: [EVASION_RULE],
    measure: `From one address, the whole quota of ${ROTATION.keys} keys used up one after the other within 60 seconds: a key makes as many calls as the burst of the class without a pause of a second and without a call by another key in between, is refused with 429, and within half a second the next key is used. One flag for every agent and platform of these keys.`,
    flags: 'the agents and platforms whose keys are rotated',
    budget: 'Suspended when its whole quota is used up in such a series for the second time within 24 hours.',
  },
] as const;

export const SUSPENSION_SHOWN = {
  after: 'Two flags of quota_evasion, or three of founder_impersonation and secret_request together, within 24 hours.',
  lasts:
    '24 hours the first time, doubled for every suspension in the previous 90 days, at most 30 days. For an address, which many may share: 5 minutes the first time, doubled for every suspension on the same UTC day, at most until the day ends.',
  answer:
    '403 suspended with until, rule and contact on every call that changes state. Never on reading, signing in, the dashboard, or renewing and releasing a lease. The suspension of an address never affects a call with its own key.',
  meanwhile: 'A suspended caller is not flagged again.',
} as const;

/** An address is known for a day; everybody else by an id. */
export type Subject = `addr:${string}` | `agt_${string}` | `plt_${string}`;

export function addressSubject(addressTag: string): Subject {
  return `addr:${addressTag}`;
}

export function isAddressSubject(subject: string): boolean {
  return subject.startsWith('addr:');
}

export interface FlagMoment {
  readonly rule: FlagRule;
  readonly atMs: number;
}

const NEEDED = { evasion: 2, text: 3 } as const;
const COUNTS_MS = DAY_MS;
const REPEAT_MS = 90 * DAY_MS;
const MAX_MS = 30 * DAY_MS;
/** An address may be an office: whoever is innocent there waits for minutes, not for a day. */
const FIRST_OF_ADDRESS_MS = 5 * MINUTE_MS;

/** Whether flags suspend their caller now. Those that led to an earlier suspension are spent. */
export function isSuspensionDue(flags: readonly FlagMoment[], spentUntilMs: number, nowMs: number): boolean {
  const counted = flags.filter(({ atMs }) => atMs > nowMs - COUNTS_MS && atMs > spentUntilMs);
  const evasions = counted.filter(({ rule }) => rule === EVASION_RULE).length;
  return evasions >= NEEDED.evasion || counted.length - evasions >= NEEDED.text;
}

/** When a suspension that begins now ends; `beganMs` are those of the same caller before it. */
export function suspensionEndMs(subject: string, beganMs: readonly number[], nowMs: number): number {
  if (isAddressSubject(subject)) return Math.min(endOfDayMs(nowMs), nowMs + FIRST_OF_ADDRESS_MS * 2 ** beganMs.length);
  const repeats = beganMs.filter((atMs) => atMs > nowMs - REPEAT_MS).length;
  return nowMs + Math.min(MAX_MS, DAY_MS * 2 ** repeats);
}

/** When a flag or a suspension of this moment is forgotten. */
export function forgottenMs(subject: string, atMs: number): number {
  return isAddressSubject(subject) ? endOfDayMs(atMs) : atMs + REPEAT_MS;
}

function endOfDayMs(atMs: number): number {
  return (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;
}

/** The times that still count, this one included, no more of them than are needed; and whether they are too many. */
export function countedTimes(
  { most, windowMs, startsAnew }: CountedSignal,
  before: readonly number[],
  nowMs: number,
): { readonly times: readonly number[]; readonly isOver: boolean } {
  const times = [...before.filter((atMs) => atMs > nowMs - windowMs), nowMs].slice(-(most + 1));
  const isOver = times.length > most;
  return { times: isOver && startsAnew ? [] : times, isOver };
}

import { DAY_MS, utcDay } from '#kernel/clock.ts';
import { foreign, type StoredRow } from './source.ts';

/** How long decisions took, for one authority and activity. */
export interface LeadTime {
  readonly authority: string;
  readonly activity: string;
  readonly n: number;
  readonly medianDays: number;
  /** Null where the sample is too small to say. */
  readonly p90Days: number | null;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface LeadTimes {
  readonly groups: readonly LeadTime[];
  /** Pairs whose decision stands before its application. */
  readonly dropped: number;
}

const MIN_FOR_P90 = 5;

interface Case {
  readonly authority: string;
  readonly activity: string;
  applicationMs: number | null;
  decisionMs: number | null;
}

/** Pairs the first application with the first decision of each case; groups with their sample size. */
export function leadTimes(rows: Iterable<Pick<StoredRow, 'kind' | 'reference' | 'sortAtMs' | 'item'>>): LeadTimes {
  const cases = new Map<string, Case>();
  for (const { kind, reference, sortAtMs, item } of rows) {
    if (reference === '' || (kind !== 'application' && kind !== 'decision')) continue;
    const authority = foreign(item['authority']);
    const key = `${authority}\n${reference}`;
    const known = cases.get(key) ?? {
      authority,
      activity: foreign(item['activity']),
      applicationMs: null,
      decisionMs: null,
    };
    const field = kind === 'application' ? 'applicationMs' : 'decisionMs';
    known[field] = Math.min(known[field] ?? Number.POSITIVE_INFINITY, sortAtMs);
    cases.set(key, known);
  }
  const pairs = [...cases.values()].filter(
    ({ applicationMs, decisionMs }) => applicationMs !== null && decisionMs !== null,
  );
  const sound = pairs.filter(({ applicationMs, decisionMs }) => (decisionMs as number) >= (applicationMs as number));
  const groups = Map.groupBy(sound, ({ authority, activity }) => `${authority}\n${activity}`);
  return { groups: [...groups.values()].map(leadTime), dropped: pairs.length - sound.length };
}

function leadTime(cases: readonly Case[]): LeadTime {
  const days = cases
    .map(({ applicationMs, decisionMs }) => Math.round(((decisionMs as number) - (applicationMs as number)) / DAY_MS))
    .toSorted((a, b) => a - b);
  const { authority, activity } = cases[0] as Case;
  return {
    authority,
    activity,
    n: days.length,
    medianDays: median(days),
    p90Days: days.length < MIN_FOR_P90 ? null : (days[Math.ceil(days.length * 0.9) - 1] as number),
    fromMs: Math.min(...cases.map(({ applicationMs }) => applicationMs as number)),
    toMs: Math.max(...cases.map(({ decisionMs }) => decisionMs as number)),
  };
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** By law; checked against the text in force on that day. */
const STATUTORY_CHECKED = '2026-11-15';
export const STATUTORY = [
  {
    id: 'statutory-regular',
    activity: 'regular procedure',
    days: 56,
    words: 'regular procedure: 8 weeks, once extended by 6 weeks',
    url: 'https://wetten.overheid.nl/BWBR0037885',
  },
  {
    id: 'statutory-extensive',
    activity: 'extensive procedure',
    days: 182,
    words: 'extensive procedure: 26 weeks, once extended by 6 weeks',
    url: 'https://wetten.overheid.nl/BWBR0005537',
  },
] as const;

export const STATUTORY_NOTE = `Statutory decision periods (checked ${STATUTORY_CHECKED}): ${STATUTORY.map(({ words }) => words).join('; ')}. Since 2024 no permit is granted by silence.`;

/** The item of a measured group. */
export function leadTimeItem({ authority, activity, n, medianDays, p90Days, fromMs, toMs }: LeadTime) {
  return {
    authority,
    activity,
    median_days: medianDays,
    p90_days: p90Days,
    n,
    basis: 'measured' as const,
    from: utcDay(fromMs),
    to: utcDay(toMs),
    label: `measured from publications, n=${n}`,
  };
}

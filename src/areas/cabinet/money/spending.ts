import type { z } from 'zod';
import { DAY_MS, utcDay } from '#kernel/clock.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import type { CabinetOverview, SPEND_GROUPS } from '../shapes.ts';
import type { DayTotal } from './daily-totals.ts';

export type SpendGroup = (typeof SPEND_GROUPS)[number];
type Spending = z.output<typeof CabinetOverview>['spending'];

export interface WalletDays {
  readonly agentId: string;
  readonly totals: readonly DayTotal[];
}

interface Range {
  readonly days: number;
  readonly nowMs: number;
}

const GROUP_OF: Readonly<Record<SpendGroup, (total: DayTotal, agentId: string) => string>> = {
  kind: ({ kind }) => kind,
  agent: (_total, agentId) => agentId,
  capability: ({ kind, capability }) => capability ?? kind,
};

function firstDayMs({ days, nowMs }: Range): number {
  return nowMs - (nowMs % DAY_MS) - (days - 1) * DAY_MS;
}

/** Charges per day, the newest day first, and per group, the largest first. */
export function spendingOf(wallets: readonly WalletDays[], groupBy: SpendGroup, range: Range): Spending {
  const sinceMs = firstDayMs(range);
  const spent = wallets.flatMap(({ agentId, totals }) =>
    totals
      .filter(({ dayMs, spentMicro }) => dayMs >= sinceMs && spentMicro > 0)
      .map((total) => ({ ...total, what: GROUP_OF[groupBy](total, agentId) })),
  );
  const sum = (list: readonly DayTotal[] = []) => list.reduce((left, { spentMicro }) => left + spentMicro, 0);
  const byWhat = [...Map.groupBy(spent, ({ what }) => what)].toSorted(([, a], [, b]) => sum(b) - sum(a));
  const byDay = Map.groupBy(spent, ({ dayMs }) => dayMs);
  const lastMs = sinceMs + (range.days - 1) * DAY_MS;
  return {
    from: utcDay(sinceMs),
    to: utcDay(lastMs),
    group_by: groupBy,
    whats: byWhat.map(([what]) => what),
    counts: byWhat.map(([, list]) => list.reduce((left, { spentTimes }) => left + spentTimes, 0)),
    days: Array.from({ length: range.days }, (_, index) => {
      const dayMs = lastMs - index * DAY_MS;
      const ofDay = Map.groupBy(byDay.get(dayMs) ?? [], ({ what }) => what);
      return {
        day: utcDay(dayMs),
        total_eur: formatEur(sum(byDay.get(dayMs))),
        amounts_eur: byWhat.map(([what]) => formatEur(sum(ofDay.get(what)))),
      };
    }),
    totals_eur: byWhat.map(([, list]) => formatEur(sum(list))),
    total_eur: formatEur(sum(spent)),
  };
}

/** What the wallets had at the end of each day: today's balance without what came later. */
export function balanceOf(wallets: readonly WalletDays[], postedMicro: number, range: Range) {
  const sinceMs = firstDayMs(range);
  const gained = Map.groupBy(
    wallets.flatMap(({ totals }) => totals),
    ({ dayMs }) => dayMs,
  );
  let leftMicro = postedMicro;
  const newestFirst = Array.from({ length: range.days }, (_, index) => {
    const dayMs = sinceMs + (range.days - 1 - index) * DAY_MS;
    const point = { day: utcDay(dayMs), balance_eur: formatEur(leftMicro) };
    leftMicro -= (gained.get(dayMs) ?? []).reduce((left, { gainedMicro }) => left + gainedMicro, 0);
    return point;
  });
  return newestFirst.toReversed();
}

import { HOUR_MS } from '#kernel/clock.ts';

/** How far the hourly read is. It is kept in the store, so that another process or a later start goes on from here. */
export interface Crawl {
  /** Counts the reads of the list. */
  readonly pass: number;
  readonly startedMs: number;
  readonly phase: 'idle' | 'list' | 'crowd' | 'repositories';
  readonly search: number;
  readonly page: number;
  /** The read that is under way has not shown everything. */
  readonly isPartial: boolean;
  /** When the newest whole read of the list began; null before the first. */
  readonly asOfMs: number | null;
  /** The newest whole read was not all that the source has. */
  readonly isIncomplete: boolean;
  /** The last call for the list failed. */
  readonly isFailing: boolean;
}

export const NOT_BEGUN: Crawl = {
  pass: 0,
  startedMs: 0,
  phase: 'idle',
  search: 0,
  page: 1,
  isPartial: false,
  asOfMs: null,
  isIncomplete: true,
  isFailing: false,
};

export const REFRESH_MS = HOUR_MS;

export function begun({ pass, asOfMs, isIncomplete, isFailing }: Crawl, nowMs: number): Crawl {
  return { ...NOT_BEGUN, pass: pass + 1, startedMs: nowMs, phase: 'list', asOfMs, isIncomplete, isFailing };
}

export interface PageShown {
  /** There is, or may be, a page behind it. */
  readonly isFull: boolean;
  readonly isIncomplete: boolean;
}

/** The read after one more page of the list: the next page, the next search, or what follows the list. */
export function afterPage(crawl: Crawl, page: PageShown, limits: { searches: number; pages: number }): Crawl {
  const isCut = page.isFull && crawl.page >= limits.pages;
  const isPartial = crawl.isPartial || page.isIncomplete || isCut;
  const shown = { ...crawl, isPartial, isFailing: false };
  if (page.isFull && !isCut) return { ...shown, page: crawl.page + 1 };
  if (crawl.search + 1 < limits.searches) return { ...shown, search: crawl.search + 1, page: 1 };
  return { ...shown, phase: 'crowd', asOfMs: crawl.startedMs, isIncomplete: isPartial };
}

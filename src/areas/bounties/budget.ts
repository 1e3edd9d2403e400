import { HOUR_MS } from '#kernel/clock.ts';

/** What is asked apart and has a limit of its own. */
export type SourceId = 'github_core' | 'github_search' | 'gitlab' | 'opire';
/** The hourly read, or a caller who waits. Neither can use up what is kept for the other. */
export type Lane = 'crawl' | 'look';

export interface CallPlan {
  readonly perHour: Readonly<Record<Lane, number>>;
  /** Least time between two calls. */
  readonly everyMs: number;
}

/** What was asked of a source, kept in the store: restarts and other processes count with it. */
export interface VenueState {
  /** An hour begins with its first call. */
  readonly hourStartMs: number;
  readonly calls: Readonly<Record<Lane, number>>;
  readonly lastCallMs: number;
  /** Until then nothing is asked: the source said so, or it failed. */
  readonly heldUntilMs: number;
  /** In a row. */
  readonly failures: number;
}

export const UNASKED: VenueState = {
  hourStartMs: 0,
  calls: { crawl: 0, look: 0 },
  lastCallMs: 0,
  heldUntilMs: 0,
  failures: 0,
};

export type Permit =
  | { readonly granted: true; readonly state: VenueState }
  | { readonly granted: false; readonly why: 'held' | 'spent' | 'spaced'; readonly untilMs: number };

/** Leave for one call, counted before it is made. */
export function permit(
  state: VenueState,
  { nowMs, lane, plan }: { readonly nowMs: number; readonly lane: Lane; readonly plan: CallPlan },
): Permit {
  if (nowMs < state.heldUntilMs) return { granted: false, why: 'held', untilMs: state.heldUntilMs };
  const isNewHour = nowMs >= state.hourStartMs + HOUR_MS;
  const hourStartMs = isNewHour ? nowMs : state.hourStartMs;
  const calls = isNewHour ? UNASKED.calls : state.calls;
  if (calls[lane] >= plan.perHour[lane]) return { granted: false, why: 'spent', untilMs: hourStartMs + HOUR_MS };
  const dueMs = state.lastCallMs + plan.everyMs;
  if (nowMs < dueMs) return { granted: false, why: 'spaced', untilMs: dueMs };
  const counted = { ...calls, [lane]: calls[lane] + 1 };
  return { granted: true, state: { ...state, hourStartMs, calls: counted, lastCallMs: nowMs } };
}

/** How a call ended, as far as the source is concerned. */
export type Ending =
  | {
      readonly type: 'well';
      /** The source did not count the call. */
      readonly isFree: boolean;
      readonly remaining: number | null;
      readonly resetAtMs: number | null;
    }
  | { readonly type: 'limited'; readonly untilMs: number }
  | { readonly type: 'ill'; readonly random: number };

const FIRST_HOLD_MS = 30_000;
/** A source may ask for less patience than this, never for more. */
const MAX_HOLD_MS = 2 * HOUR_MS;

/** Each failure in a row doubles the time in which nobody asks; the half of it is random, so that callers spread. */
export function settleCall(
  state: VenueState,
  { nowMs, lane, ending }: { readonly nowMs: number; readonly lane: Lane; readonly ending: Ending },
): VenueState {
  const heldUntil = (untilMs: number) => Math.min(Math.max(untilMs, nowMs + 1_000), nowMs + MAX_HOLD_MS);
  if (ending.type === 'limited') return { ...state, heldUntilMs: heldUntil(ending.untilMs) };
  if (ending.type === 'ill') {
    const failures = state.failures + 1;
    const holdMs = Math.min(HOUR_MS, FIRST_HOLD_MS * 2 ** Math.min(state.failures, 10));
    return { ...state, failures, heldUntilMs: nowMs + Math.ceil(holdMs * (0.5 + ending.random / 2)) };
  }
  const { isFree, remaining, resetAtMs } = ending;
  const calls = isFree ? { ...state.calls, [lane]: Math.max(0, state.calls[lane] - 1) } : state.calls;
  const isAtLimit = remaining === 0 && resetAtMs !== null && resetAtMs > nowMs;
  const heldUntilMs = isAtLimit ? heldUntil(resetAtMs) : state.heldUntilMs;
  return { ...state, calls, failures: 0, heldUntilMs };
}

/** Failed gets in a row that open it, and how long it stays open before one probe goes through. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 15_000;

export interface Breaker {
  readonly failures: number;
  /** Until then nothing is asked; null while closed. */
  readonly openUntilMs: number | null;
  readonly isProbing: boolean;
}

export const CLOSED: Breaker = { failures: 0, openUntilMs: null, isProbing: false };

export type Admission =
  | { readonly admitted: true; readonly breaker: Breaker }
  | { readonly admitted: false; readonly code: 'BREAKER_OPEN' | 'BREAKER_HALF_OPEN'; readonly waitMs: number };

/** Asks for leave to ask the register; of an open breaker whose time is up one probe is let through. */
export function admit(breaker: Breaker, nowMs: number): Admission {
  const { openUntilMs, isProbing } = breaker;
  if (openUntilMs === null) return { admitted: true, breaker };
  if (nowMs < openUntilMs) return { admitted: false, code: 'BREAKER_OPEN', waitMs: openUntilMs - nowMs };
  if (isProbing) return { admitted: false, code: 'BREAKER_HALF_OPEN', waitMs: 1_000 };
  return { admitted: true, breaker: { ...breaker, isProbing: true } };
}

/** What a get says about the health of the register; `neither` ends a probe without a verdict. */
export function settle(breaker: Breaker, result: 'well' | 'ill' | 'neither', nowMs: number): Breaker {
  if (result === 'well') return CLOSED;
  if (result === 'neither') return { ...breaker, isProbing: false };
  const failures = breaker.failures + 1;
  const openUntilMs = failures >= FAILURES_TO_OPEN ? nowMs + OPEN_MS : null;
  return { failures, openUntilMs, isProbing: false };
}

export function breakerState(breaker: Breaker, nowMs: number): 'closed' | 'open' | 'half_open' {
  if (breaker.openUntilMs === null) return 'closed';
  return nowMs < breaker.openUntilMs ? 'open' : 'half_open';
}

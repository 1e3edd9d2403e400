import { MINUTE_MS } from '#kernel/clock.ts';

/** A mail as it is handed in. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  /** From when on nobody needs it any more. */
  readonly dropAtMs?: number;
}

/** `kept`: for the outbox page of the sandbox alone; `failed`: given up, or dropped unsent. */
type MailState = 'queued' | 'kept' | 'sent' | 'failed';

export interface StoredMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** Null once it was sent or given up. */
  readonly body: string | null;
  readonly state: MailState;
  /** Attempts that failed. */
  readonly tries: number;
  readonly nextAtMs: number | null;
  readonly dropAtMs: number | null;
  readonly createdAtMs: number;
}

/** How long each of the five repeated attempts waits. */
const RETRY_AFTER_MS = [10_000, MINUTE_MS, 3 * MINUTE_MS, 6 * MINUTE_MS, 10 * MINUTE_MS] as const;

/** The mail after an attempt that failed: tried again later, or given up. */
export function afterFailure(mail: StoredMail, nowMs: number): StoredMail {
  const tries = mail.tries + 1;
  const waitMs = RETRY_AFTER_MS[mail.tries];
  const isOver = mail.dropAtMs !== null && nowMs + (waitMs ?? 0) >= mail.dropAtMs;
  if (waitMs === undefined || isOver) return { ...mail, tries, ...ABANDONED };
  return { ...mail, tries, nextAtMs: nowMs + waitMs };
}

export const ABANDONED = { state: 'failed', body: null, nextAtMs: null } as const;
export const SENT = { state: 'sent', body: null, nextAtMs: null } as const;

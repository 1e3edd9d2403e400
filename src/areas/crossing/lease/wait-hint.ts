import { sha256Hex } from '#kernel/ids.ts';

export const FIRST_BACKOFF_SECONDS = 2;
export const MAX_BACKOFF_SECONDS = 300;
/** Who waits in the line asks again within eight seconds, so that it is there in its turn of ten. */
export const MAX_QUEUED_ATTEMPT = 1;

export interface RefusedClaim {
  readonly key: string;
  readonly agent: string;
  /** How often the agent was refused before; 0 for the first time. */
  readonly attempt: number;
  /** Until the key can be free at the latest; Infinity when there is no such limit. */
  readonly waitSeconds: number;
  /** Before which nothing can free the key; 0 when a release can at any moment. */
  readonly leastSeconds?: number;
}

/**
 * Returns when to ask again: a backoff, doubled with each attempt, plus up to as much again. Jitter is only ever added,
 * because asking early is certain to be refused, and is a function of its arguments, so that callers can check it.
 */
export function retryInSeconds({ key, agent, attempt, waitSeconds, leastSeconds = 0 }: RefusedClaim): number {
  const backoffSeconds = Math.min(MAX_BACKOFF_SECONDS, FIRST_BACKOFF_SECONDS * 2 ** attempt);
  const jitter = Number.parseInt(sha256Hex(`${key}|${agent}|${attempt}`).slice(0, 8), 16) / 2 ** 32;
  return Math.min(waitSeconds, Math.max(leastSeconds, toMicroseconds(backoffSeconds + backoffSeconds * jitter)));
}

function toMicroseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

import { newToken } from '#kernel/ids.ts';
import { type Given, UsageError } from './line/spec.ts';

/** The key under which a call can be repeated: a new one unless one is given. */
export function idempotencyKeyIn(values: Given['values']): string {
  const key = values['idempotency-key'] ?? newToken();
  if (/^[\x21-\x7e]{16,255}$/.test(key)) return key;
  throw new UsageError('--idempotency-key must be 16 to 255 visible ASCII characters.');
}

/** For a call of which nobody knows whether it was done. */
export function repeatNote(key: string, done: string, option = '--idempotency-key'): string {
  return `Repeat it with ${option} ${key}: it is ${done} at most once.`;
}

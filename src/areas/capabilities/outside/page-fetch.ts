import { GuardedClient } from '#platform/outbound/guarded-client.ts';
import type { Platform } from '#platform/platform.ts';
import { VERSION } from '#platform/version.ts';
import { type FetchedPage, Unworkable } from '../capability.ts';

/** What one address of a caller may give, and how long it may take. */
const PAGE_LIMITS = { timeoutMs: 10_000, maxBodyBytes: 2 * 1024 * 1024 };

/** Fetches through the guard; half a body is none. */
export function pageFetch({
  clock,
  patience,
  signing,
  testing,
}: Pick<Platform, 'clock' | 'patience' | 'signing' | 'testing'>): (url: string) => Promise<FetchedPage | Unworkable> {
  const client = new GuardedClient({
    userAgent: `avouch/${VERSION}`,
    monotonicMs: () => clock.monotonicMs(),
    limits: { ...PAGE_LIMITS, timeoutMs: patience * PAGE_LIMITS.timeoutMs },
    ...(signing !== undefined && { sign: signing }),
    ...(testing !== undefined && { testing }),
  });
  return async (url) => {
    const answer = await client.get(url);
    if (answer.state === 'blocked') {
      return new Unworkable(
        'input',
        'url_blocked',
        `Avouch does not send requests to this address (${answer.reason}).`,
        'url',
      );
    }
    if (answer.state === 'failed') {
      return new Unworkable('work', 'fetch_failed', `The address did not respond (${answer.reason}).`, 'url');
    }
    if (answer.truncated) return new Unworkable('work', 'fetch_failed', 'The response is too long or too slow.', 'url');
    const { status, body } = answer;
    const contentType = answer.header('content-type')?.slice(0, 200).toWellFormed() ?? null;
    return { status, contentType, body: new Uint8Array(body) };
  };
}

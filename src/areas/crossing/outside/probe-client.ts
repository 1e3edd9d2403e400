import type { Clock } from '#kernel/clock.ts';
import { GuardedClient } from '#platform/outbound/guarded-client.ts';
import type { Platform } from '#platform/platform.ts';
import { VERSION } from '#platform/version.ts';

/** Looks at addresses that callers name. */
export function probeClient(
  clock: Pick<Clock, 'monotonicMs'>,
  { signing, testing }: Pick<Platform, 'signing' | 'testing'>,
): GuardedClient {
  return new GuardedClient({
    userAgent: `avouch/${VERSION}`,
    monotonicMs: () => clock.monotonicMs(),
    ...(signing !== undefined && { sign: signing }),
    ...(testing !== undefined && { testing }),
  });
}

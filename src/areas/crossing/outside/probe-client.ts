import type { Clock } from '#kernel/clock.ts';
import { GuardedClient, type GuardedClientOptions } from '#platform/outbound/guarded-client.ts';
import { VERSION } from '#platform/version.ts';

/** Looks at addresses that callers name. */
export function probeClient(
  clock: Pick<Clock, 'monotonicMs'>,
  testing: GuardedClientOptions['testing'],
): GuardedClient {
  return new GuardedClient({
    userAgent: `avouch/${VERSION}`,
    monotonicMs: () => clock.monotonicMs(),
    ...(testing !== undefined && { testing }),
  });
}

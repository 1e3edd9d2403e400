import type { Config } from '#platform/config/config.ts';
import { RATE_CLASSES, type RateClass } from '#kernel/operation.ts';
import { AGENT_KEY_HEADER } from '#kernel/api-key.ts';
import type { Binding } from '#transport/http/call-steps.ts';
import { RateLimiter } from '#transport/http/rate-limit.ts';

/** One limiter for each class, with the figures of the settings. */
export function makeLimiters(config: Config): Map<RateClass, RateLimiter> {
  return new Map(RATE_CLASSES.map((name) => [name, new RateLimiter(name, config.rates[name])]));
}

/** Classes that count by agent key, or by the session of an owner. */
const BY_KEY: ReadonlySet<string> = new Set<RateClass>(['wallet', 'tasks']);

/** Names who calls by the key or session of the call; undefined where only the address is known. */
export function callerTagger(
  agents: { tagOf(agentKey: unknown): string | undefined },
  sessions: { tagOf(cookie: string | undefined): string | undefined },
): NonNullable<Binding['keyTagOf']> {
  return ({ rate }, headers) => {
    if (!BY_KEY.has(rate)) return undefined;
    return agents.tagOf(headers[AGENT_KEY_HEADER]) ?? sessions.tagOf(headers.cookie);
  };
}

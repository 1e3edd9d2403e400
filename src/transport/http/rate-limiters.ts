import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '#platform/config/config.ts';
import { RATE_CLASSES, type RateClass } from '#kernel/operation.ts';
import { AGENT_KEY_HEADER, PLATFORM_KEY_HEADER } from '#kernel/api-key.ts';
import { type CallerKey, keysCounted } from '#kernel/rate-policy.ts';
import type { Binding } from '#transport/http/call-steps.ts';
import { RateLimiter } from '#transport/http/rate-limit.ts';

/** One limiter for each class, with the figures of the settings. */
export function makeLimiters(config: Config): Map<RateClass, RateLimiter> {
  return new Map(RATE_CLASSES.map((name) => [name, new RateLimiter(name, config.rates[name])]));
}

interface Tagged<T> {
  /** Names who has it; undefined where nobody is known to. */
  tagOf(key: T): string | undefined;
}

/** Names who calls by the keys that the class counts by; undefined where only the address is known. */
export function callerTagger(known: {
  readonly agents: Tagged<unknown>;
  readonly sessions: Tagged<string | undefined>;
  readonly platforms: Tagged<unknown>;
}): NonNullable<Binding['keyTagOf']> {
  const taggers: Readonly<Record<CallerKey, (headers: IncomingHttpHeaders) => string | undefined>> = {
    agent_key: (headers) => known.agents.tagOf(headers[AGENT_KEY_HEADER]),
    session: ({ cookie }) => known.sessions.tagOf(cookie),
    platform_key: (headers) => known.platforms.tagOf(headers[PLATFORM_KEY_HEADER]),
  };
  return ({ rate }, headers) => {
    for (const key of keysCounted(rate)) {
      const tag = taggers[key](headers);
      if (tag !== undefined) return tag;
    }
    return undefined;
  };
}

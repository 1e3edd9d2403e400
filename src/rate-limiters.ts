import type { Config } from '#config/config.ts';
import { RATE_CLASSES, type RateClass } from '#kernel/operation.ts';
import { RateLimiter } from '#transport/http/rate-limit.ts';

/** One limiter for each class, with the figures of the settings. */
export function makeLimiters(config: Config): Map<RateClass, RateLimiter> {
  return new Map(RATE_CLASSES.map((name) => [name, new RateLimiter(name, config.rates[name])]));
}

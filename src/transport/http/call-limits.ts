import type { FastifyRequest } from 'fastify';
import type { Operation } from '#kernel/operation.ts';
import type { Refusal } from '#kernel/problem.ts';
import { type Binding, limit } from './call-steps.ts';
import type { Exchange } from './exchange.ts';

type Headers = FastifyRequest['headers'];

/** How the calls of a row are counted, and what becomes of one that comes too soon. */
export interface CallLimits {
  /** Counts a call; the refusal of one that comes too soon. */
  count(exchange: Exchange, headers: Headers): Refusal | undefined;
  /** Counts a call once its input is known, where it stands for more than one; the refusal of one that is too much. */
  countInput(exchange: Exchange, headers: Headers, input: unknown): Refusal | undefined;
  /** Whether a key may be looked up: keys are not to be guessed without end. */
  mayLookUp(exchange: Exchange, headers: Headers): boolean;
  /** Counts a call that was answered although it came too soon. */
  charge(exchange: Exchange, headers: Headers): void;
}

export function callLimits(operation: Operation, { limiterOf, keyTagOf, rules }: Binding): CallLimits {
  const limiter = limiterOf(operation);
  const { judgesRate = false, countsAs } = operation;
  const keyOf = (headers: Headers) => keyTagOf?.(operation, headers);
  return {
    count(exchange, headers) {
      const key = keyOf(headers);
      const tooSoon = limit(exchange, limiter, key);
      if (key !== undefined && limiter !== undefined) {
        const addressTag = exchange.addressTag as string;
        const isAccepted = tooSoon === undefined || judgesRate;
        const counted = { addressTag, key, isAccepted, quota: limiter.burst, atMs: exchange.startedMs };
        rules?.counted(operation.rate, counted);
      }
      return tooSoon;
    },
    countInput(exchange, headers, input) {
      if (limiter === undefined || countsAs === undefined) return undefined;
      // With the burst of its caller untouched every call passes.
      const more = Math.min(countsAs(input as never), limiter.burst) - 1;
      return more > 0 ? limit(exchange, limiter, keyOf(headers), more) : undefined;
    },
    mayLookUp(exchange, headers) {
      if (!judgesRate || limiter === undefined) return false;
      // A key that was good before is its caller's own; of others, an address has so many more tries.
      return (
        keyOf(headers) !== undefined || limiter.take(`keys of ${exchange.addressTag}`, exchange.startedMs).accepted
      );
    },
    charge(exchange, headers) {
      limiter?.charge(keyOf(headers) ?? (exchange.addressTag as string), exchange.startedMs);
    },
  };
}

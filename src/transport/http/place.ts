import { withMembers } from '#kernel/problem.ts';
import * as problems from '../../problems.ts';
import type { ExchangeHandler } from './call-steps.ts';
import { simple } from './problem-response.ts';

/** What is said of a path to methods that no operation has. */
export interface Place {
  readonly pattern: RegExp;
  readonly preflight: ExchangeHandler;
  readonly refuse: ExchangeHandler;
}

export function placeOf(path: string, allowed: ReadonlySet<string>, isPaid: boolean, allowedHeaders: string): Place {
  const allow = [...allowed].toSorted().join(', ');
  const parts = path
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : RegExp.escape(part)));
  return {
    pattern: new RegExp(`^${parts.join('/')}$`),
    preflight(exchange) {
      exchange.openToCaches();
      exchange.headers.push('allow', allow, 'access-control-allow-methods', allow);
      exchange.headers.push('access-control-allow-headers', allowedHeaders);
      exchange.headers.push('access-control-max-age', '600', 'cache-control', 'no-store');
      exchange.sendEmpty(204);
    },
    refuse(exchange) {
      exchange.headers.push('allow', allow);
      const refusal = simple(problems.methodNotAllowed, `this path takes ${allow}`);
      exchange.refuse(isPaid ? withMembers(refusal, { charged: false }) : refusal);
    },
  };
}

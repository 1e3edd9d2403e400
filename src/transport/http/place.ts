import type { FastifyRequest } from 'fastify';
import { type Refusal, withMembers } from '#kernel/problem.ts';
import * as problems from '#kernel/general-problems.ts';
import type { ExchangeHandler } from './call-steps.ts';
import { refusalOfTransfer } from './codings.ts';
import { simple } from './problem-response.ts';

/** What is said of a path to methods that no operation has. */
export interface Place {
  readonly pattern: RegExp;
  readonly preflight: ExchangeHandler;
  readonly refuse: ExchangeHandler;
}

interface PlaceOptions {
  readonly isPaid?: boolean;
  /** Request headers that pages of other sites may send; none may where it is missing. */
  readonly allowedHeaders?: string | undefined;
}

export function placeOf(
  path: string,
  allowed: ReadonlySet<string>,
  { isPaid = false, allowedHeaders }: PlaceOptions,
): Place {
  const allow = [...allowed].toSorted().join(', ');
  const parts = path
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : RegExp.escape(part)));
  return {
    pattern: new RegExp(`^${parts.join('/')}$`),
    preflight(exchange) {
      exchange.headers.push('allow', allow, 'cache-control', 'no-store');
      if (allowedHeaders === undefined) exchange.closeToOtherSites();
      else {
        exchange.openToCaches();
        exchange.headers.push('access-control-allow-methods', allow, 'access-control-max-age', '600');
        exchange.headers.push('access-control-allow-headers', allowedHeaders);
      }
      exchange.sendEmpty(204);
    },
    refuse(exchange) {
      exchange.headers.push('allow', allow);
      const refusal = simple(problems.methodNotAllowed, `This path accepts only ${allow}.`);
      exchange.refuse(isPaid ? withMembers(refusal, { charged: false }) : refusal);
    },
  };
}

/** What is said of the address itself, whatever stands there. */
export function refusalOfAddress({ raw }: FastifyRequest): Refusal | undefined {
  const { host } = raw.headers;
  // The router takes `*` for the root.
  if (raw.url?.startsWith('*')) return unknownPath();
  if (host === undefined) return simple(problems.malformedRequest, 'The request has no Host header.');
  if (host.includes(',')) return simple(problems.malformedRequest, 'The request has more than one Host header.');
  return refusalOfTransfer(raw.headers);
}

export function unknownPath(): Refusal {
  return simple(problems.notFound, 'There is nothing at this address. See /openapi.json.');
}

export function malformedAddress(): Refusal {
  return simple(problems.malformedRequest, 'The path contains a malformed escape or a segment that is too long.');
}

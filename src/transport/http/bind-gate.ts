import type { FastifyRequest } from 'fastify';
import type { BoundOperation } from '#kernel/bound-operation.ts';
import type { Operation, Site } from '#kernel/operation.ts';
import type { GateAnswer, GatedCall } from '#kernel/paid-operation.ts';
import { type FieldError, Refusal } from '#kernel/problem.ts';
import { MalformedQueryError, parseQuery } from '#kernel/query-decoder.ts';
import * as problems from '#kernel/general-problems.ts';
import { chargedUnseen, withCharged } from '#platform/payments/answers.ts';
import { paymentRequired } from '#platform/payments/problems.ts';
import { paymentHtml } from '#web/payment-page.ts';
import {
  type Binding,
  decodedInput,
  type ExchangeHandler,
  inputParser,
  limit,
  refuseIfTrailDown,
} from './call-steps.ts';
import type { Exchange } from './exchange.ts';
import { refusalOfError, simple } from './problem-response.ts';

type GatedOperation = Extract<BoundOperation, { gate: unknown }>;

/**
 * The whole way of a call for a row with a price: rate limit, gate, answer. A cross-site load carries no payment, so it
 * can do no more than see the price.
 */
export function bindGate({ operation, gate }: GatedOperation, binding: Binding): ExchangeHandler {
  const limiter = binding.limiterOf(operation);
  const readInput = inputParser(operation);
  const explained = (exchange: Exchange, error: unknown) => {
    const refusal = refusalOfError(error, binding.explainFault);
    if (refusal.type.status >= 500) binding.logFault(exchange.requestId, operation.operationId, error);
    return refusal;
  };
  return (exchange, request) => {
    exchange.operationId = operation.operationId;
    exchange.mayChange = operation.effects;
    exchange.addressTag = binding.tagOf(request.raw, exchange.atMs);
    const isPaid = request.headers['payment-signature'] !== undefined;
    const stopped = limit(exchange, limiter) ?? (isPaid ? refuseIfTrailDown(binding) : undefined);
    const header: GatedCall['header'] = (name) => headerText(request, name);
    if (stopped !== undefined) return exchange.refuse(withCharged(stopped, chargedUnseen(header)));
    const call: GatedCall = {
      requestId: exchange.requestId,
      addressTag: exchange.addressTag,
      isHead: request.method === 'HEAD',
      // However the path was spelt: what is signed names the one that is documented.
      url: `${operation.path}${request.query === '' ? '' : `?${request.query as string}`}`,
      header,
      query: () => unlessMalformed(() => decodedQuery(request.query as string)),
      input: () => unlessMalformed(() => decodedInput(operation, readInput(request), exchange)),
      refusalOf: (error) => explained(exchange, error),
    };
    exchange.refusalPage = (refusal) => unpaidPage(operation, refusal, call, binding.site);
    gate(call)
      .then((given) => write(exchange, given))
      .catch((error: unknown) => exchange.refuse(withCharged(explained(exchange, error), chargedUnseen(header))));
  };
}

function write(exchange: Exchange, { headers, answer, trace }: GateAnswer): void {
  exchange.paid = trace;
  for (const [name, value] of headers) exchange.headers.push(name, value);
  if (answer instanceof Refusal) return exchange.refuse(answer);
  exchange.headers.push('cache-control', 'private, no-store');
  exchange.send(answer.status, 'application/json', answer.body);
}

/** What people see of a price; any other refusal has the general page. */
function unpaidPage(operation: Operation, refusal: Refusal, call: GatedCall, site: Site): string | undefined {
  if (refusal.type !== paymentRequired) return undefined;
  const [query, input] = [call.query(), call.input()];
  const pairs = query instanceof Refusal ? [] : Object.entries(query);
  const values = Object.fromEntries(
    pairs.map(([name, value]) => [name, typeof value === 'string' ? value : value.join(',')]),
  );
  const errors = input instanceof Refusal ? faultsOf(input) : [];
  return paymentHtml({ operation, refusal, values, errors }, site);
}

/** A refusal that names no field is about the call as a whole. */
function faultsOf({ type, details }: Refusal): readonly FieldError[] {
  return details.errors ?? [{ pointer: '#', code: type.code, detail: details.detail }];
}

function headerText({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** A plain object of them, in which a parameter may be called __proto__. */
function decodedQuery(text: string): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(parseQuery(text))) as Record<string, string | string[]>;
}

function unlessMalformed<T>(read: () => T): T | Refusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedQueryError) return simple(problems.malformedRequest, error.message);
    throw error;
  }
}

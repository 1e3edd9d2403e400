import { checkDeprecation, type Deprecation, deprecationHeaders, sunsetMs } from '#kernel/deprecation.ts';
import { Refusal } from '#kernel/problem.ts';
import * as problems from '#kernel/general-problems.ts';
import { type Operation, pagePathOf } from '#kernel/operation.ts';
import type { CallHandler, ExchangeHandler } from './call-steps.ts';
import { formAsked } from './forms.ts';

export function asMarkdown(handle: ExchangeHandler): ExchangeHandler {
  return (exchange, request) => {
    exchange.form = 'markdown';
    handle(exchange, request);
  };
}

/** Sends who asks for the page on to where pages are; any other form is answered here. */
export function pagesElsewhere(operation: Operation, handle: ExchangeHandler): ExchangeHandler {
  const place = pagePathOf(operation);
  if (place === operation.path || operation.pages === undefined) return handle;
  return (exchange, request) => {
    const query = request.query as string;
    if (formAsked(query, exchange) !== 'html') return handle(exchange, request);
    exchange.operationId = operation.operationId;
    exchange.redirect(query === '' ? place : `${place}?${query}`, 'Accept');
  };
}

/** Both parts of a call that has no body. */
export function inOne({ admit, run }: CallHandler): ExchangeHandler {
  return (exchange, request) => admit(exchange, request, () => run(exchange, request));
}

/** What is deprecated says so in every answer; once its time is over, that is all it says. */
export function untilSunset({ admit, run }: CallHandler, deprecated: Deprecation | undefined): CallHandler {
  if (deprecated === undefined) return { admit, run };
  checkDeprecation(deprecated);
  const { successor, sunset } = deprecated;
  const headers = deprecationHeaders(deprecated);
  const gone = new Refusal(problems.sunsetPassed, {
    detail: `This call was available until ${sunset}. Use ${successor}.`,
    members: { successor },
  });
  return {
    run,
    admit(exchange, request, goOn) {
      exchange.headers.push(...headers);
      if (exchange.atMs >= sunsetMs(deprecated)) exchange.refuse(gone);
      else admit(exchange, request, goOn);
    },
  };
}

import { hash } from 'node:crypto';
import { Answer, type CacheRule, FileAnswer, mediaTypesOf, type Operation } from '#kernel/operation.ts';
import type { Exchange } from './exchange.ts';
import { negotiate, type Representation } from './negotiation.ts';

interface Rendered {
  readonly body: string | Uint8Array;
  readonly etag: string;
}

const PAGE_HEADERS = [
  'content-security-policy',
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cross-origin-opener-policy',
  'same-origin',
  'cross-origin-resource-policy',
  'same-origin',
];

/** Writes what a handler returned in the form that the caller asked for. */
export function answerWriter(operation: Operation): (exchange: Exchange, output: unknown) => void {
  const { cache, pages, mediaType, writeJson = JSON.stringify } = operation;
  const media = mediaType ?? 'application/json';
  const sendKept = keptSender(operation);
  const sendUnkept = (exchange: Exchange, status: number, output: unknown) => {
    exchange.headers.push('cache-control', 'no-store');
    exchange.send(status, media, mediaType === undefined ? writeJson(output) : (output as string | Uint8Array));
  };
  const isKept = cache !== 'no-store' || pages !== undefined;
  return (exchange, output) => {
    if (output instanceof FileAnswer) return sendFile(exchange, output);
    if (!(output instanceof Answer)) {
      return isKept ? sendKept(exchange, output, cache) : sendUnkept(exchange, 200, output);
    }
    if (output.replayed) exchange.headers.push('idempotent-replayed', 'true');
    if (output.location !== undefined) exchange.headers.push('location', output.location);
    if (output.cache === undefined) return sendUnkept(exchange, output.status, output.body);
    return sendKept(exchange, output.body, output.cache);
  };
}

function sendFile(exchange: Exchange, { mediaType, text, replayed }: FileAnswer): void {
  if (replayed) exchange.headers.push('idempotent-replayed', 'true');
  exchange.headers.push('cache-control', 'no-store');
  exchange.send(200, mediaType, text);
}

/** For answers that a caller or a cache may know already. */
function keptSender(operation: Operation): (exchange: Exchange, output: unknown, rule: CacheRule) => void {
  const { pages, mediaType = 'application/json' } = operation;
  const render = keptRenderer(operation);
  const hasForms = pages !== undefined || mediaTypesOf(operation).length > 1;
  return (exchange, output, rule) => {
    const form = pages === undefined ? 'json' : negotiate(exchange.request.headers.accept);
    const { body, etag } = render(output, form);
    exchange.openToCaches();
    exchange.headers.push('cache-control', cacheControl(rule), 'etag', etag);
    if (hasForms) exchange.headers.push('vary', 'Accept');
    if (form === 'html') exchange.headers.push(...PAGE_HEADERS);
    const known = exchange.request.headers['if-none-match'];
    if (known === '*' || known?.includes(etag)) return exchange.sendEmpty(304);
    return exchange.send(200, form === 'json' ? mediaType : `text/${form}; charset=utf-8`, body);
  };
}

function cacheControl(rule: CacheRule): string {
  if (rule === 'no-store') return rule;
  return `public, max-age=${rule.maxAgeSeconds}${rule.immutable ? ', immutable' : ''}`;
}

/** A document that its handler hands out as one object again and again is rendered and hashed once per form. */
function keptRenderer({ pages, mediaType }: Operation): (output: unknown, form: Representation) => Rendered {
  const kept = new WeakMap<object, Map<Representation, Rendered>>();
  const bodyOf = (output: unknown, form: Representation) => {
    if (mediaType !== undefined) return output as string | Uint8Array;
    return form === 'json' || pages === undefined ? JSON.stringify(output) : pages[form](output);
  };
  return (output, form) => {
    const forms = typeof output === 'object' && output !== null ? kept.get(output) : undefined;
    const known = forms?.get(form);
    if (known !== undefined) return known;
    const body = bodyOf(output, form);
    const rendered = { body, etag: `"${hash('sha256', body).slice(0, 32)}"` };
    if (typeof output === 'object' && output !== null) kept.set(output, (forms ?? new Map()).set(form, rendered));
    return rendered;
  };
}

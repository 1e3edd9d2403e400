import { hash } from 'node:crypto';
import { Answer, FileAnswer, type Operation } from '#kernel/operation.ts';
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
  const { cache, pages } = operation;
  const media = operation.mediaType ?? 'application/json';
  if (cache === 'no-store' && pages === undefined) {
    return (exchange, output) => {
      exchange.headers.push('cache-control', 'no-store');
      if (output instanceof FileAnswer) exchange.send(200, output.mediaType, output.text);
      else if (output instanceof Answer) exchange.send(output.status, media, JSON.stringify(output.body));
      else exchange.send(200, media, JSON.stringify(output));
    };
  }
  const render = keptRenderer(operation);
  const cacheControl = cache === 'no-store' ? cache : `public, max-age=${cache.maxAgeSeconds}`;
  return (exchange, output) => {
    const form = pages === undefined ? 'json' : negotiate(exchange.request.headers.accept);
    const { body, etag } = render(output, form);
    exchange.openToCaches();
    exchange.headers.push('cache-control', cacheControl, 'etag', etag);
    if (pages !== undefined) exchange.headers.push('vary', 'Accept');
    if (form === 'html') exchange.headers.push(...PAGE_HEADERS);
    const known = exchange.request.headers['if-none-match'];
    if (known === '*' || known?.includes(etag)) return exchange.sendEmpty(304);
    return exchange.send(200, form === 'json' ? media : `text/${form}; charset=utf-8`, body);
  };
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

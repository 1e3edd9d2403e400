import { hash } from 'node:crypto';
import {
  Answer,
  type CacheRule,
  FileResponse,
  hasAnswerPage,
  mediaTypesOf,
  type Operation,
  type Site,
} from '#kernel/operation.ts';
import { answerHtml } from '#web/answer-page.ts';
import { compressed, isCompressible, isWorthCompressing } from './compression.ts';
import type { Exchange } from './exchange.ts';
import { formOf, PAGE_MEDIA, pageHeaders } from './forms.ts';
import { chooseCoding, chooseMedia, type Coding, type Representation } from './negotiation.ts';

interface Rendered {
  readonly body: string | Uint8Array;
  readonly etag: string;
}

/** A rough count: what common models make of English text. */
const BYTES_PER_TOKEN = 4;
/** How every document names those that explain it (RFC 8288). */
const DOCUMENT_LINKS =
  '</openapi.json>; rel="service-desc", </llms.txt>; rel="describedby", </api/rules-of-engagement>; rel="terms-of-service"';

/** Writes what a handler returned in the form that the caller asked for. */
export function answerWriter(
  operation: Operation,
  site: Site,
  { contentSignal }: { readonly contentSignal?: string | undefined } = {},
): (exchange: Exchange, output: unknown) => void {
  const { cache, pages, mediaType, jsonMediaType = 'application/json', writeJson = JSON.stringify } = operation;
  const media = mediaType ?? jsonMediaType;
  const sendKept = keptSender(operation, site, contentSignal);
  const sendUnkept = (exchange: Exchange, status: number, output: unknown) => {
    exchange.headers.push('cache-control', 'no-store');
    if (pages !== undefined) exchange.headers.push('vary', 'Accept');
    const form = pages === undefined ? 'json' : formOf(exchange);
    if (pages !== undefined && form !== 'json') {
      if (form === 'html') exchange.headers.push(...pageHeaders(site));
      const own = form === 'html' ? exchange.ownPage?.(site) : undefined;
      return exchange.send(status, PAGE_MEDIA[form], own ?? pages[form](output, site));
    }
    return exchange.send(status, media, mediaType === undefined ? writeJson(output) : (output as string | Uint8Array));
  };
  const isKept = cache !== 'no-store' || pages !== undefined;
  const sendAnswerPage = answerPageSender(operation, site);
  return (exchange, output) => {
    if (sendAnswerPage?.(exchange, output)) return;
    if (output instanceof FileResponse) return sendFile(exchange, output);
    if (!(output instanceof Answer)) {
      const isForAll = isKept && (exchange.ownPage === undefined || cache !== 'no-store');
      return isForAll ? sendKept(exchange, output, cache) : sendUnkept(exchange, 200, output);
    }
    if (output.replayed) exchange.headers.push('idempotent-replayed', 'true');
    if (output.location !== undefined) exchange.headers.push('location', output.location);
    if (output.cache === undefined) return sendUnkept(exchange, output.status, output.body);
    return sendKept(exchange, output.body, output.cache);
  };
}

/** Shows a browser the JSON of a row that has no page; says whether it did. */
function answerPageSender(
  operation: Operation,
  site: Site,
): ((exchange: Exchange, output: unknown) => boolean) | undefined {
  if (!hasAnswerPage(operation)) return undefined;
  const { cache, isDocument } = operation;
  return (exchange, output) => {
    const { accept } = exchange.request.headers;
    // Read first: most callers want JSON, and nothing more is spent on them.
    if (accept?.includes('text/html') !== true || formOf(exchange) !== 'html') return false;
    const { status, body } = output instanceof Answer ? output : { status: 200, body: output };
    if (typeof body !== 'object' || body === null || body instanceof FileResponse) return false;
    const html = answerHtml({ operation, output: body, address: exchange.request.url ?? '' }, site);
    exchange.headers.push(...pageHeaders(site));
    if (isDocument) exchange.headers.push('link', DOCUMENT_LINKS);
    if (cache === 'no-store') {
      exchange.headers.push('cache-control', cache, 'vary', 'Accept');
      exchange.send(status, PAGE_MEDIA.html, html);
    } else {
      exchange.openToCaches();
      sendKnown(exchange, { media: PAGE_MEDIA.html, body: html, etag: etagOf(html), rule: cache, hasForms: true });
    }
    return true;
  };
}

function sendFile(exchange: Exchange, { mediaType, text, replayed, cache }: FileResponse): void {
  if (replayed) exchange.headers.push('idempotent-replayed', 'true');
  if (cache === 'no-store') {
    exchange.headers.push('cache-control', cache);
    return exchange.send(200, mediaType, text);
  }
  exchange.headers.push('cross-origin-resource-policy', 'same-origin');
  return sendKnown(exchange, { media: mediaType, body: text, etag: fileTag(text), rule: cache, hasForms: false });
}

const fileTags = new WeakMap<Uint8Array, string>();

/** A file that never changes is hashed once. */
function fileTag(file: string | Uint8Array): string {
  if (typeof file === 'string') return etagOf(file);
  const etag = fileTags.get(file) ?? etagOf(file);
  fileTags.set(file, etag);
  return etag;
}

function etagOf(body: string | Uint8Array, suffix = ''): string {
  return `"${hash('sha256', body).slice(0, 32)}${suffix}"`;
}

interface Known extends Rendered {
  readonly media: string;
  readonly rule: CacheRule;
  /** Whether Accept chooses between forms. */
  readonly hasForms: boolean;
}

/** Sends what a caller may know already, in the coding that it takes. Each coding is a representation with a tag of its own. */
function sendKnown(exchange: Exchange, { media, body, etag, rule, hasForms }: Known): void {
  const { 'accept-encoding': codings, 'if-none-match': known } = exchange.request.headers;
  const mayCompress = isCompressible(rule, media);
  const coding = mayCompress && isWorthCompressing(body) ? chooseCoding(codings) : undefined;
  const varied = [...(hasForms ? ['Accept'] : []), ...(mayCompress ? ['Accept-Encoding'] : [])];
  exchange.headers.push('cache-control', cacheControl(rule));
  if (varied.length > 0) exchange.headers.push('vary', varied.join(', '));
  const tag = coding === undefined ? etag : codedTag(etag, coding);
  if (known === '*' || known?.includes(tag)) {
    exchange.headers.push('etag', tag);
    return exchange.sendEmpty(304);
  }
  const sendPlain = () => {
    exchange.headers.push('etag', etag);
    exchange.send(200, media, body);
  };
  if (coding === undefined) return sendPlain();
  const sendCoded = (bytes: Uint8Array) => {
    exchange.headers.push('etag', tag, 'content-encoding', coding);
    exchange.send(200, media, bytes);
  };
  const bytes = compressed(tag, coding, body);
  if (bytes instanceof Uint8Array) return sendCoded(bytes);
  void bytes.then(sendCoded, sendPlain);
}

function codedTag(etag: string, coding: Coding): string {
  return etag.replace(/"$/, `-${coding}"`);
}

const LARGE_CHARS = 16_384;

/** For answers that a caller or a cache may know already. */
function keptSender(
  operation: Operation,
  site: Site,
  contentSignal: string | undefined,
): (exchange: Exchange, output: unknown, rule: CacheRule) => void {
  const {
    pages,
    isDocument,
    jsonMediaType = 'application/json',
    mediaType = jsonMediaType,
    extraMediaTypes = [],
  } = operation;
  const render = keptRenderer(operation, site);
  const hasForms = pages !== undefined || hasAnswerPage(operation) || mediaTypesOf(operation).length > 1;
  return (exchange, output, rule) => {
    const { accept } = exchange.request.headers;
    const form = pages === undefined ? 'json' : formOf(exchange);
    const media = form === 'json' ? chooseMedia(accept, [mediaType, ...extraMediaTypes]) : PAGE_MEDIA[form];
    const own = form === 'html' ? exchange.ownPage?.(site) : undefined;
    const { body, etag } = own === undefined ? render(output, form, media) : { body: own, etag: etagOf(own) };
    if (rule !== 'no-store') exchange.openToCaches();
    if (form === 'html') exchange.headers.push(...pageHeaders(site));
    if (isDocument) exchange.headers.push('link', DOCUMENT_LINKS);
    if (isDocument && media.startsWith('text/markdown')) {
      exchange.headers.push('x-markdown-tokens', String(Math.ceil(Buffer.byteLength(body) / BYTES_PER_TOKEN)));
      if (contentSignal !== undefined) exchange.headers.push('content-signal', contentSignal);
    }
    return sendKnown(exchange, { media, body, etag, rule, hasForms });
  };
}

function cacheControl(rule: CacheRule): string {
  if (rule === 'no-store') return rule;
  return `public, max-age=${rule.maxAgeSeconds}${rule.immutable ? ', immutable' : ''}`;
}

/** A document that its handler hands out as one object again and again is rendered and hashed once per form. */
function keptRenderer(
  { pages, mediaType }: Operation,
  site: Site,
): (output: unknown, form: Representation, media: string) => Rendered {
  const kept = new WeakMap<object, Map<string, Rendered>>();
  const bodyOf = (output: unknown, form: Representation) => {
    if (mediaType !== undefined) return output as string | Uint8Array;
    return form === 'json' || pages === undefined ? JSON.stringify(output) : pages[form](output, site);
  };
  return (output, form, media) => {
    const forms = typeof output === 'object' && output !== null ? kept.get(output) : undefined;
    const known = forms?.get(media);
    if (known !== undefined) return known;
    const body = bodyOf(output, form);
    // The same bytes under another media type are another representation (RFC 9110, 8.8.3).
    const isOther = mediaType !== undefined && media !== mediaType;
    const etag = etagOf(body, isOther ? '-other' : '');
    if (typeof output !== 'object' || output === null) return { body, etag };
    // Text is turned into bytes at every answer; of a large one that costs more than all the rest.
    const isLargeText = typeof body === 'string' && body.length > LARGE_CHARS;
    const rendered = { body: isLargeText ? Buffer.from(body) : body, etag };
    kept.set(output, (forms ?? new Map()).set(media, rendered));
    return rendered;
  };
}

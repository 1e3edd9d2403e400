import { STATUS_CODES } from '#kernel/node-http.ts';
import type { Refusal } from '#kernel/problem.ts';
import { VERSION } from '#platform/version.ts';
import { PROBLEM_MEDIA_TYPE, problemDocument } from './problem-response.ts';

/** A refusal as bytes, for connections that no request came out of; it is the last that is said on them. */
export function rawRefusal(
  refusal: Refusal,
  { baseUrl, requestId, isHead = false }: { baseUrl: string; requestId: string; isHead?: boolean },
): string {
  const body = JSON.stringify(problemDocument(refusal, baseUrl, '/'));
  const { status } = refusal.type;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${PROBLEM_MEDIA_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    `avouch-version: ${VERSION}`,
    'cache-control: no-store',
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`;
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '#kernel/problem.ts';
import * as problems from '#kernel/general-problems.ts';
import { simple } from './problem-response.ts';

/** Charsets whose every text is UTF-8 too. */
const READ_CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** A body in a coding that nobody undoes would be taken for something else than its sender meant. */
export function refusalOfCodings(headers: IncomingHttpHeaders): Refusal | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity')
    return simple(problems.unsupportedCoding, 'The body has a Content-Encoding. Send it without one.');
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (!READ_CHARSETS.has(charset))
    return simple(problems.unsupportedCoding, "The body's charset is not UTF-8. Send it in UTF-8.");
  return undefined;
}

/** Anything but chunks would have to be undone before the request could be read (RFC 9112, 6.1). */
export function refusalOfTransfer(headers: IncomingHttpHeaders): Refusal | undefined {
  const coding = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked';
  return coding === 'chunked'
    ? undefined
    : simple(problems.notImplemented, 'This Transfer-Encoding is not supported. Use chunked, or none.');
}

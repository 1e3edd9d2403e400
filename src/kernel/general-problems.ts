import { defineProblem, type FieldError, Refusal } from '#kernel/problem.ts';

/** Problems that no single area owns: of decoding, of transport and of the store. */
export const invalidParameters = defineProblem({
  code: 'invalid_parameters',
  status: 400,
  title: 'Invalid parameters',
  help: 'One or more parameters are missing, unknown, repeated or not of the documented form. Every bad field is listed in errors, up to 20; rules between fields are checked once each field is right. Nothing was stored.',
});
export const malformedJson = defineProblem({
  code: 'malformed_json',
  status: 400,
  title: 'Malformed JSON',
  help: 'The body is not JSON in UTF-8. Send one JSON object.',
});
export const malformedRequest = defineProblem({
  code: 'malformed_request',
  status: 400,
  title: 'Malformed request',
  help: 'The bytes that arrived are not a complete HTTP/1.1 request with a Host header and a valid address, or they came too slowly.',
});
export const crossSiteRequest = defineProblem({
  code: 'cross_site_request',
  status: 403,
  title: 'Cross-site request',
  help: 'A page of another site tried to load an address that changes state. Browser-based agents use POST with a JSON body.',
});
export const prefetch = defineProblem({
  code: 'prefetch',
  status: 403,
  title: 'Prefetch refused',
  help: 'The request was marked as a prefetch, or came from a program that previews links, and this address changes state.',
});
export const notFound = defineProblem({
  code: 'not_found',
  status: 404,
  title: 'Not found',
  help: 'Nothing is served at this path. /openapi.json lists every path.',
});
export const methodNotAllowed = defineProblem({
  code: 'method_not_allowed',
  status: 405,
  title: 'Method not allowed',
  help: 'The path exists, but not with this method. The Allow header lists the methods it has.',
});
export const sunsetPassed = defineProblem({
  code: 'sunset_passed',
  status: 410,
  title: 'No longer offered',
  help: 'The call was deprecated and its time is over. The member successor is the path that takes its place; /entry has the policy.',
});
export const bodyTooLarge = defineProblem({
  code: 'body_too_large',
  status: 413,
  title: 'Body too large',
  help: 'The request body is longer than this call takes: 64 KiB unless its description says otherwise.',
});
export const unsupportedMediaType = defineProblem({
  code: 'unsupported_media_type',
  status: 415,
  title: 'Unsupported media type',
  help: 'The body must be sent as application/json.',
});
export const unsupportedCoding = defineProblem({
  code: 'unsupported_coding',
  status: 415,
  title: 'Unsupported coding',
  help: 'The body must be sent in UTF-8 and without a Content-Encoding. Nothing of it was read.',
});
export const notImplemented = defineProblem({
  code: 'not_implemented',
  status: 501,
  title: 'Not implemented',
  help: 'The service is no proxy: it knows no CONNECT, and no Transfer-Encoding but chunked. Send the request directly and plain.',
});
export const slowDown = defineProblem({
  code: 'slow_down',
  status: 429,
  title: 'Slow down',
  help: 'More calls came from this address than its rate class allows. Wait as Retry-After says; RateLimit and RateLimit-Policy on every answer tell what is left.',
});
export const tooManyStreams = defineProblem({
  code: 'too_many_streams',
  status: 429,
  title: 'Too many open streams',
  help: 'As many streams of this kind as one address may have are open to this address. Close one, or read pages.',
});
export const headersTooLarge = defineProblem({
  code: 'headers_too_large',
  status: 431,
  title: 'Address and headers too large',
  help: 'Address and headers together may have 131,072 bytes. Send long texts by POST.',
});
export const internal = defineProblem({
  code: 'internal',
  status: 500,
  title: 'Internal fault',
  help: 'Something failed on our side. The request id names the line in our log.',
});
export const busy = defineProblem({
  code: 'busy',
  status: 503,
  title: 'Busy',
  help: 'More writes wait than the service can take. Nothing was stored. Repeat after Retry-After.',
});
export const tooManyBodies = defineProblem({
  code: 'too_many_bodies',
  status: 503,
  title: 'Too many long bodies',
  help: 'More long bodies are on their way than the service keeps at once, from all callers or from this address. Nothing was stored. Repeat after Retry-After, with fewer at once.',
});
export const storageUnavailable = defineProblem({
  code: 'storage_unavailable',
  status: 503,
  title: 'Storage unavailable',
  help: 'The database cannot be written or reached at the moment. Nothing was stored. Repeat after Retry-After.',
});
export const logUnsound = defineProblem({
  code: 'log_unsound',
  status: 503,
  title: 'The stored log does not hold',
  help: 'What is stored of the public log is not what was signed, and is not served. Its operator must restore it; `seq` names the entry where it is one, and the audit of the log says what is wrong.',
});
export const outcomeUnknown = defineProblem({
  code: 'outcome_unknown',
  status: 503,
  title: 'Outcome unknown',
  help: 'The database was lost at the moment of the commit: the write may or may not have happened. Repeat the same call with the same client-made token after Retry-After; it then answers what became of it.',
});
export const signerUnavailable = defineProblem({
  code: 'signer_unavailable',
  status: 503,
  title: 'Signer unavailable',
  help: 'This process lacks a key of the log that is in force, and may not sign without it. Nothing was stored. Repeat after Retry-After; another process may answer.',
});
export const auditTrailUnavailable = defineProblem({
  code: 'audit_trail_unavailable',
  status: 503,
  title: 'Audit trail unavailable',
  help: 'Calls that change state are refused while the audit trail cannot be written. Nothing was stored. Repeat after Retry-After.',
});
export const streamsFull = defineProblem({
  code: 'streams_full',
  status: 503,
  title: 'Streams are full',
  help: 'As many streams as the process carries are open. Repeat after Retry-After, or read pages.',
});

export const GENERAL_PROBLEMS = [
  invalidParameters,
  malformedJson,
  malformedRequest,
  crossSiteRequest,
  prefetch,
  notFound,
  methodNotAllowed,
  sunsetPassed,
  bodyTooLarge,
  unsupportedMediaType,
  unsupportedCoding,
  notImplemented,
  slowDown,
  tooManyStreams,
  headersTooLarge,
  internal,
  busy,
  tooManyBodies,
  storageUnavailable,
  logUnsound,
  outcomeUnknown,
  signerUnavailable,
  auditTrailUnavailable,
  streamsFull,
] as const;

/** More would help nobody, and a body can have a fault in every byte. */
const MAX_NAMED = 20;

export function refuseFields(errors: readonly FieldError[]): Refusal {
  const detail = errors.length === 1 ? '1 parameter is wrong' : `${errors.length} parameters are wrong`;
  return new Refusal(invalidParameters, { detail, errors: errors.slice(0, MAX_NAMED) });
}

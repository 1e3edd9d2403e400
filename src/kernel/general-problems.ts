import { defineProblem, type FieldError, Refusal } from '#kernel/problem.ts';

/** Problems that no single area owns: of decoding, of transport and of the store. */
export const invalidParameters = defineProblem({
  code: 'invalid_parameters',
  status: 400,
  title: 'Invalid parameters',
  help: 'One or more parameters are missing, unknown, repeated or in the wrong format. `errors` lists every bad field, up to 20. Rules between fields are checked once each field is valid. Nothing was stored.',
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
  help: 'The request is not a complete HTTP/1.1 request with a Host header and a valid address.',
});
export const crossSiteRequest = defineProblem({
  code: 'cross_site_request',
  status: 403,
  title: 'Cross-site request',
  help: 'A page on another site tried to load an address that changes state. Agents in a browser must use POST with a JSON body. Nothing was changed.',
});
export const prefetch = defineProblem({
  code: 'prefetch',
  status: 403,
  title: 'Prefetch refused',
  help: 'This address changes state, and the request was a prefetch or came from a link preview. Nothing was changed. Send a normal request.',
});
export const notFound = defineProblem({
  code: 'not_found',
  status: 404,
  title: 'Not found',
  help: 'There is nothing at this address. /openapi.json lists every path.',
});
export const notOffered = defineProblem({
  code: 'not_offered',
  status: 404,
  title: 'Not offered here',
  help: 'Avouch has this call, but this installation does not offer it: it serves free calls only. /openapi.json lists what it offers.',
});
export const methodNotAllowed = defineProblem({
  code: 'method_not_allowed',
  status: 405,
  title: 'Method not allowed',
  help: 'The path exists, but not with this method. The Allow header lists its methods.',
});
export const sunsetPassed = defineProblem({
  code: 'sunset_passed',
  status: 410,
  title: 'No longer offered',
  help: 'The call was deprecated and its Sunset date has passed. Use the path in `successor`. The policy is at /entry.',
});
export const bodyTooLarge = defineProblem({
  code: 'body_too_large',
  status: 413,
  title: 'Body too large',
  help: 'The request body is longer than this call accepts: 64 KiB unless its description says otherwise.',
});
export const requestTimeout = defineProblem({
  code: 'request_timeout',
  status: 408,
  title: 'Request not complete in time',
  help: 'The headers must arrive within 10 seconds, and the whole request within 15. Nothing was stored. Send it again.',
});
export const unsupportedMediaType = defineProblem({
  code: 'unsupported_media_type',
  status: 415,
  title: 'Unsupported media type',
  help: 'Send the body as application/json.',
});
export const unsupportedCoding = defineProblem({
  code: 'unsupported_coding',
  status: 415,
  title: 'Unsupported body encoding',
  help: 'Send the body in UTF-8 and without Content-Encoding. The body was not read.',
});
export const notImplemented = defineProblem({
  code: 'not_implemented',
  status: 501,
  title: 'Not implemented',
  help: 'Avouch is not a proxy. It does not support CONNECT, or any Transfer-Encoding except chunked. Send a direct request.',
});
export const slowDown = defineProblem({
  code: 'slow_down',
  status: 429,
  title: 'Slow down',
  help: 'This address, or the key of this call, exceeded its rate limit. Try again after the time in Retry-After. The RateLimit and RateLimit-Policy headers of every response say how many calls are left.',
});
export const tooManyStreams = defineProblem({
  code: 'too_many_streams',
  status: 429,
  title: 'Too many open streams',
  help: 'This address has the maximum number of streams of this kind open. Close one, or read pages instead.',
});
export const headersTooLarge = defineProblem({
  code: 'headers_too_large',
  status: 431,
  title: 'Address and headers too large',
  help: 'Address and headers together can have at most 131,072 bytes. Send long texts by POST.',
});
export const internal = defineProblem({
  code: 'internal',
  status: 500,
  title: 'Internal error',
  help: 'Something failed on our side. Quote the request id when you report it: it identifies the entry in our log.',
});
export const busy = defineProblem({
  code: 'busy',
  status: 503,
  title: 'Service busy',
  help: 'Too many writes are waiting, or log audits have used their share of the time. Nothing was stored. Retry after the time in Retry-After.',
});
export const tooManyBodies = defineProblem({
  code: 'too_many_bodies',
  status: 503,
  title: 'Too many long bodies',
  help: 'Too many long bodies are being received at once, from all callers or from this address. Nothing was stored. Retry after the time in Retry-After, with fewer at once.',
});
export const storageUnavailable = defineProblem({
  code: 'storage_unavailable',
  status: 503,
  title: 'Storage unavailable',
  help: 'The database cannot be written or reached right now. Nothing was stored. Retry after the time in Retry-After.',
});
export const logUnsound = defineProblem({
  code: 'log_unsound',
  status: 503,
  title: 'Stored log failed verification',
  help: 'The stored public log differs from what was signed, so it is not served. The operator must restore it. `seq` is the number of the entry, if it is a single one. The log audit says what is wrong.',
});
export const outcomeUnknown = defineProblem({
  code: 'outcome_unknown',
  status: 503,
  title: 'Outcome unknown',
  help: 'The database connection or disk failed during the commit, so the write may or may not have happened. Repeat the same call with the same client-made token after the time in Retry-After: the response then gives the outcome.',
});
export const signerUnavailable = defineProblem({
  code: 'signer_unavailable',
  status: 503,
  title: 'Signer unavailable',
  help: "This process does not have the log's active signing key and cannot sign. Nothing was stored. Retry after the time in Retry-After: another process may respond.",
});
export const auditTrailUnavailable = defineProblem({
  code: 'audit_trail_unavailable',
  status: 503,
  title: 'Audit trail unavailable',
  help: 'Calls that change state are refused while the audit trail cannot be written. Nothing was stored. Retry after the time in Retry-After.',
});
export const streamsFull = defineProblem({
  code: 'streams_full',
  status: 503,
  title: 'Too many streams',
  help: 'This process has its maximum number of streams open. Retry after the time in Retry-After, or read pages instead.',
});

/** Of calls whose work needs packages that an installation may lack. */
export const notInstalled = defineProblem({
  code: 'not_installed',
  status: 503,
  title: 'Not installed',
  help: 'This work needs optional packages that are not installed here. detail contains the command that installs them. If the manifest lists mode provider, a call with that mode works. Nothing was charged.',
});

export const GENERAL_PROBLEMS = [
  invalidParameters,
  malformedJson,
  malformedRequest,
  crossSiteRequest,
  prefetch,
  notFound,
  notOffered,
  methodNotAllowed,
  sunsetPassed,
  bodyTooLarge,
  unsupportedMediaType,
  unsupportedCoding,
  notImplemented,
  slowDown,
  tooManyStreams,
  headersTooLarge,
  requestTimeout,
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

export function refuseNotOffered(): Refusal {
  return new Refusal(notOffered, { detail: 'This installation serves free calls only. /openapi.json lists them.' });
}

/** More would help nobody, and a body can have a fault in every byte. */
const MAX_NAMED = 20;

export function refuseFields(errors: readonly FieldError[]): Refusal {
  const detail =
    errors.length === 1 ? '1 parameter is wrong. See errors.' : `${errors.length} parameters are wrong. See errors.`;
  return new Refusal(invalidParameters, { detail, errors: errors.slice(0, MAX_NAMED) });
}

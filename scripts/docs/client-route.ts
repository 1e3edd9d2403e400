import type { Operation } from '#kernel/operation.ts';
import type { Route } from '../../client/request.ts';

const EVENT_STREAM = 'text/event-stream';

export function clientRoute(row: Operation): Route {
  const { alsoPost, path, headerOnly = {}, headerFields = {}, effects, price, wildcardPath, mediaType } = row;
  // What a body may carry is sent there: an older service does not look for it in a header.
  const inHeaders = row.method === 'post' ? headerOnly : { ...headerFields, ...headerOnly };
  const headers = Object.entries(inHeaders).map(([header, field]) => [field, header] as const);
  const ofHeader = headers.find(([, header]) => header === 'idempotency-key')?.[0];
  const ofBody = 'idempotency_key' in row.input.shape ? 'idempotency_key' : undefined;
  const keyField = effects ? (ofHeader ?? ofBody) : undefined;
  return {
    method: alsoPost ? 'post' : row.method,
    path,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(keyField !== undefined && { keyField }),
    ...(price !== null && { paid: true }),
    ...(effects && price === null && { writes: true }),
    ...(wildcardPath === true && { rest: true }),
    ...(mediaType !== undefined && { answer: answerOf(row, mediaType) }),
  };
}

/** The output says itself whether it is binary: another binary media type needs no line here. */
function answerOf({ output }: Operation, mediaType: string): 'text' | 'bytes' | 'stream' {
  if (mediaType === EVENT_STREAM) return 'stream';
  return output.meta()?.['format'] === 'binary' ? 'bytes' : 'text';
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON body; invalid UTF-8 is refused instead of being replaced. */
export function parseJsonBody(
  _request: unknown,
  bytes: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(bytes));
  } catch {
    return done(Object.assign(new Error('malformed JSON'), { code: 'AVOUCH_MALFORMED_JSON' }));
  }
  return done(null, body);
}

// An open stream of events, read one event at a time.
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { TestService } from '../../support/service.ts';

export async function openEvents(
  { url }: TestService,
  path: string,
): Promise<{ readonly headers: IncomingHttpHeaders; next(): Promise<string> }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(new URL(path, url), resolve).on('error', reject);
  const response = await promise;
  const pieces = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let text = '';
  return {
    headers: response.headers,
    /** The next event; empty when the stream has ended. */
    async next() {
      while (!text.includes('\n\n')) {
        const piece = await pieces.next().catch(() => ({ done: true }) as const);
        if (piece.done === true) return '';
        text += String(piece.value);
      }
      const end = text.indexOf('\n\n') + 2;
      const event = text.slice(0, end);
      text = text.slice(end);
      return event;
    },
  };
}

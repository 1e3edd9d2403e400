// A register on loopback that says what a test tells it to say.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedAnswer {
  readonly status?: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Says nothing at all. */
  readonly isSilent?: boolean;
}

export interface ScriptedRegister extends AsyncDisposable {
  readonly url: string;
}

export async function startScripted(
  answer: (requestBody: string, path: string) => ScriptedAnswer,
): Promise<ScriptedRegister> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const {
        status = 200,
        body,
        headers = {},
        isSilent = false,
      } = answer(Buffer.concat(pieces).toString(), request.url ?? '');
      if (!isSilent) response.writeHead(status, headers).end(body);
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const stop = async () => {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    server.closeAllConnections();
    await closed.promise;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, [Symbol.asyncDispose]: stop };
}

// A keep-alive client that does no more than it must, so that a shared machine measures the servers.
import { connect, type Socket } from 'node:net';

export interface RawClient {
  readonly post: (path: string, body: unknown) => Promise<Record<string, unknown>>;
  close(): void;
}

/** One connection, one request at a time; answers must give their length. A server may end a connection that rests. */
export function rawClient(port: number): RawClient {
  let socket: Socket | undefined;
  let received = '';
  let settle: { resolve: (body: Record<string, unknown>) => void; reject: (error: Error) => void } | undefined;
  const fail = (error: Error) => settle?.reject(error);
  const take = (chunk: string) => {
    received += chunk;
    const head = received.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, head))?.[1];
    if (length === undefined) return fail(new Error('an answer does not give its length'));
    const body = received.slice(head + 4);
    if (body.length < Number(length)) return;
    received = '';
    const { resolve } = settle ?? {};
    settle = undefined;
    resolve?.(JSON.parse(body) as Record<string, unknown>);
  };
  const opened = () => {
    if (socket?.writable === true) return socket;
    socket = connect({ host: '127.0.0.1', port, noDelay: true }).setEncoding('latin1');
    return socket
      .on('error', fail)
      .on('data', take)
      .on('close', () => fail(new Error('the connection ended before the answer')));
  };
  return {
    post(path, body) {
      const text = JSON.stringify(body);
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
        opened().write(
          `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        );
      });
    },
    close: () => socket?.destroy(),
  };
}

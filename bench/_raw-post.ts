// A keep-alive client that does no more than it must, so that a shared machine measures the servers.
import { connect, type Socket } from 'node:net';

export interface RawClient {
  readonly post: (path: string, body: unknown) => Promise<Record<string, unknown>>;
  close(): void;
}

/** One connection, one request at a time; answers must give their length. */
export function rawClient(port: number): RawClient {
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.setEncoding('latin1');
  let received = '';
  let settle: { resolve: (body: Record<string, unknown>) => void; reject: (error: Error) => void } | undefined;
  const fail = (error: Error) => settle?.reject(error);
  socket.on('error', fail);
  socket.on('data', (chunk: string) => {
    received += chunk;
    const head = received.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, head))?.[1];
    if (length === undefined) return fail(new Error('an answer does not give its length'));
    const body = received.slice(head + 4);
    if (body.length < Number(length)) return;
    received = '';
    settle?.resolve(JSON.parse(body) as Record<string, unknown>);
  });
  return {
    post(path, body) {
      const text = JSON.stringify(body);
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        );
      });
    },
    close: () => socket.destroy(),
  };
}

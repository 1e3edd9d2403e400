// A keep-alive client that does no more than it must, so that a shared machine measures the servers.
import { connect, type Socket } from 'node:net';

type Headers = Readonly<Record<string, string>>;

export interface RawClient {
  readonly get: (path: string, headers?: Headers) => Promise<string>;
  readonly post: (path: string, body: unknown, headers?: Headers) => Promise<Record<string, unknown>>;
  close(): void;
}

/** One connection, one request at a time; answers must give their length. A server may end a connection that rests. */
export function rawClient(port: number): RawClient {
  let socket: Socket | undefined;
  let received = '';
  let settle: { resolve: (body: string) => void; reject: (error: Error) => void } | undefined;
  const fail = (error: Error) => settle?.reject(error);
  const take = (chunk: string) => {
    received += chunk;
    const head = received.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, head))?.[1];
    if (length === undefined) return fail(new Error('an answer does not give its length'));
    const body = received.slice(head + 4);
    if (body.length < Number(length)) return;
    const isGood = /^HTTP\/1.1 20\d/.test(received);
    received = '';
    if (!isGood) return fail(new Error(body));
    const { resolve } = settle ?? {};
    settle = undefined;
    resolve?.(body);
  };
  const opened = () => {
    if (socket?.writable === true) return socket;
    socket = connect({ host: '127.0.0.1', port, noDelay: true }).setEncoding('latin1');
    return socket
      .on('error', fail)
      .on('data', take)
      .on('close', () => fail(new Error('the connection ended before the answer')));
  };
  const send = (line: string, headers: Headers, body = '') =>
    new Promise<string>((resolve, reject) => {
      settle = { resolve, reject };
      const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      opened().write(`${line} HTTP/1.1\r\nhost: 127.0.0.1\r\n${named.join('')}\r\n${body}`);
    });
  return {
    get: (path, headers = {}) => send(`GET ${path}`, headers),
    async post(path, body, headers = {}) {
      const text = JSON.stringify(body);
      const length = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
      const answer = await send(`POST ${path}`, { ...length, ...headers }, text);
      return JSON.parse(answer) as Record<string, unknown>;
    },
    close: () => socket?.destroy(),
  };
}

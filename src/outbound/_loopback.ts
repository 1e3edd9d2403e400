// A name server, a TLS server with a certificate of its own and a listener that counts, all on loopback.
import { generateKeyPairSync, sign } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { addressGroups } from '#kernel/ip-prefix.ts';

export interface NameServer extends AsyncDisposable {
  readonly address: string;
  /** Names that were asked for, with the kind of record. */
  readonly questions: string[];
}

/** Answers questions with the addresses that `answer` gives for a name and the how-manieth question it is. */
export async function startNameServer(answer: (name: string, nth: number) => readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  const asked = new Map<string, number>();
  socket.on('message', (query, { address, port }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const type = query.readUInt16BE(at + 1);
    const question = `${labels.join('.')} ${type === 1 ? 'A' : 'AAAA'}`;
    questions.push(question);
    const nth = (asked.get(question) ?? 0) + 1;
    asked.set(question, nth);
    const records = answer(labels.join('.'), nth)
      .map((text) => addressGroups(text) ?? [])
      .filter((groups) => groups.length === (type === 1 ? 2 : 8))
      .map((groups) => {
        const data = Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]));
        return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
      });
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const close = () => new Promise<void>((resolve) => socket.close(resolve));
  return { address: `127.0.0.1:${socket.address().port}`, questions, [Symbol.asyncDispose]: close };
}

/** Counts the connections that reach this machine on a port: at all of its addresses, or at one. */
export async function startWatchedPort(host = '::'): Promise<{ port: number; count: () => number } & AsyncDisposable> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => {}).destroy();
  });
  server.listen(0, host);
  await once(server, 'listening');
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  const { port } = server.address() as AddressInfo;
  return { port, count: () => count, [Symbol.asyncDispose]: close };
}

export async function startTlsServer(
  name: string,
  listener: RequestListener,
): Promise<{ port: number; ca: string } & AsyncDisposable> {
  const { key, cert } = selfSigned(name);
  const server = createHttpsServer({ key, cert }, listener);
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { port, ca: cert, [Symbol.asyncDispose]: close };
}

/** DER of one value: tag, length, content (X.690). */
function der(tag: number, ...content: (Uint8Array | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const [SEQUENCE, SET, OID, UTC_TIME] = [0x30, 0x31, 0x06, 0x17];
const ECDSA_SHA256 = der(SEQUENCE, der(OID, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = der(OID, Buffer.from('550403', 'hex'));
const ALTERNATIVE_NAME = der(OID, Buffer.from('551d11', 'hex'));

/** An X.509 certificate for one name (RFC 5280), signed by its own key. */
function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(0x0c, name))));
  const names = der(0x04, der(SEQUENCE, der(0x82, name)));
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    subject,
    der(SEQUENCE, der(UTC_TIME, '200101000000Z'), der(UTC_TIME, '490101000000Z')),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, ALTERNATIVE_NAME, names))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = der(SEQUENCE, body, ECDSA_SHA256, signature).toString('base64');
  const cert = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }), cert };
}

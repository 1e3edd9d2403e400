// A TLS server with a certificate of its own and a listener that counts, both on loopback.
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';

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
  host = '127.0.0.2',
): Promise<{ port: number; ca: string; reachedAt: readonly (string | undefined)[] } & AsyncDisposable> {
  const { key, cert } = selfSigned(name);
  const reachedAt: (string | undefined)[] = [];
  const server = createHttpsServer({ key, cert }, listener);
  server.on('connection', ({ localAddress }) => void reachedAt.push(localAddress));
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { port, ca: cert, reachedAt, [Symbol.asyncDispose]: close };
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

import { createHmac, timingSafeEqual } from 'node:crypto';
import { newToken } from '#kernel/ids.ts';
import { framed } from './frames.ts';

/** How two processes of one installation know each other: both have a secret that nobody else has. */
export interface Peers {
  readonly secret: string;
  /** The process that writes, as the store names it. */
  readonly writer: string;
}

export interface Hello {
  readonly nonce: string;
  /** Absent in the first word, which proves nothing yet. */
  readonly proof?: string;
}

const HELLO_TEXT = /^[A-Za-z0-9_-]{1,100}$/;

/** In JSON, which may come from anybody. */
export function helloFrame(hello: Hello): Buffer {
  return framed(Buffer.from(JSON.stringify(hello)));
}

/** Throws for what is no word of a handshake. */
export function readHello(frame: Buffer): Hello {
  const { nonce, proof } = JSON.parse(frame.toString()) as Record<string, unknown>;
  if (typeof nonce !== 'string' || !HELLO_TEXT.test(nonce)) throw new Error('no word of a handshake');
  return typeof proof === 'string' ? { nonce, proof } : { nonce };
}

export function newNonce(): string {
  return newToken();
}

/** What only a process of the installation can say about both nonces; each side says it in its own name. */
export function proofOf({ secret, writer }: Peers, side: 'writer' | 'follower', nonces: readonly string[]): string {
  return createHmac('sha256', secret)
    .update(['writer-link', writer, side, ...nonces].join('\n'))
    .digest('hex');
}

export function isProof(given: unknown, wanted: string): boolean {
  if (typeof given !== 'string' || given.length !== wanted.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
}

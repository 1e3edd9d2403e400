import { createHmac, timingSafeEqual } from 'node:crypto';
import { newToken } from '#kernel/ids.ts';

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

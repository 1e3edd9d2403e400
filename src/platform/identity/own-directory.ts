import { type Clock, DAY_MS, HOUR_MS } from '#kernel/clock.ts';
import type { KeyRing } from '#platform/keys/key-ring.ts';
import { thumbprint } from '#protocol/http-signature/public-key.ts';
import {
  type DirectoryDocument,
  directoryDocument,
  directoryHeaders,
  type RequestSigner,
} from '#protocol/http-signature/signing.ts';

export interface OwnDirectoryOptions {
  readonly keyRing: Pick<KeyRing, 'inForce' | 'privateKey' | 'signingKey'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly baseUrl: () => string;
}

interface SignedDirectory {
  /** The headers are for its JSON, byte for byte. */
  readonly document: DirectoryDocument;
  readonly headers: Readonly<Record<string, string>>;
}

const SCOPE = 'http-signature';
/** How long a signature of the directory is good, and how soon it is made anew. */
const SIGNED_FOR_MS = 7 * DAY_MS;
const RENEWED_MS = HOUR_MS;

/** The keys by which the service signs its own requests, as others read them (Web Bot Auth). */
export class OwnDirectory {
  readonly #options: OwnDirectoryOptions;
  #kept: { readonly of: string; readonly untilMs: number; readonly signed: SignedDirectory } | undefined;

  constructor(options: OwnDirectoryOptions) {
    this.#options = options;
  }

  current(): SignedDirectory {
    const { keyRing, clock, baseUrl } = this.#options;
    const keyIds = keyRing.inForce(SCOPE).map(({ keyId }) => keyId);
    const [of, nowMs] = [`${baseUrl()} ${keyIds.join(' ')}`, clock.now()];
    if (this.#kept?.of === of && nowMs < this.#kept.untilMs) return this.#kept.signed;
    const keys = keyIds.map((keyId) => keyRing.privateKey(keyId));
    const document = directoryDocument(keys);
    const body = Buffer.from(JSON.stringify(document));
    const { host } = new URL(baseUrl());
    const headers = directoryHeaders(body, host, keys, { nowMs, seconds: SIGNED_FOR_MS / 1_000 });
    this.#kept = { of, untilMs: nowMs + RENEWED_MS, signed: { document, headers } };
    return this.#kept.signed;
  }

  /** By whom requests to others are signed. */
  signer(): RequestSigner {
    const { keyRing, baseUrl } = this.#options;
    const key = keyRing.signingKey(SCOPE);
    return { key, keyid: thumbprint(key), origin: new URL(baseUrl()).origin, label: 'avouch' };
  }
}

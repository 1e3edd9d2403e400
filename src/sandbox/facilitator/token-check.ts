import type { Clock } from '#kernel/clock.ts';
import { tokenUri } from '#protocol/payment/facilitator-token.ts';
import { verifyJws } from '#protocol/payment/jws.ts';

/** Clocks of callers may be this far from ours. */
const SKEW_SECONDS = 60;

export interface TokenCheckOptions {
  readonly keyId: string;
  /** The 32 raw bytes of an Ed25519 key. */
  readonly publicKey: Uint8Array;
  readonly clock: Pick<Clock, 'now'>;
}

type Fault = 'missing' | 'signature' | 'key' | 'issuer' | 'time' | 'uri' | 'reused';

/** Takes a token once, within its time, for the call that it names. */
export class TokenCheck {
  readonly #options: TokenCheckOptions;
  readonly #seen = new Set<string>();

  constructor(options: TokenCheckOptions) {
    this.#options = options;
  }

  fault(authorization: string | undefined, method: string, url: string): Fault | null {
    const { keyId, publicKey, clock } = this.#options;
    const [scheme, token = ''] = (authorization ?? '').split(' ');
    if (scheme !== 'Bearer') return 'missing';
    const claims = verifyJws(token, publicKey);
    if (claims === undefined) return 'signature';
    const { kid, nonce } = headerOf(token);
    if (kid !== keyId || claims['sub'] !== keyId) return 'key';
    if (claims['iss'] !== 'cdp') return 'issuer';
    const nowSeconds = clock.now() / 1000;
    const isNow = Number(claims['nbf']) <= nowSeconds + SKEW_SECONDS && Number(claims['exp']) > nowSeconds;
    if (!isNow) return 'time';
    const { uris } = claims;
    if (!Array.isArray(uris) || uris.length !== 1 || uris[0] !== tokenUri(method, url)) return 'uri';
    if (typeof nonce !== 'string' || !/^[0-9a-f]{32}$/.test(nonce) || this.#seen.has(nonce)) return 'reused';
    this.#seen.add(nonce);
    return null;
  }
}

function headerOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

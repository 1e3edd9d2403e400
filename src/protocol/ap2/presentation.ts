import { malformed } from './ap2-error.ts';
import { es256Verify, type P256Jwk } from './es256.ts';
import { type ClosedMandate, type OpenMandate, readClosedMandate, readOpenMandate } from './payment-mandate.ts';
import { MAX_DISCLOSURES, MAX_TOKEN_CHARACTERS, readSdJwt, type SdJwt, sha256Base64url } from './sd-jwt.ts';

const MAX_HOPS = 8;
const LAST_TYPES: ReadonlySet<unknown> = new Set(['kb+sd-jwt', 'kb-sd-jwt']);
const MIDDLE_TYPES: ReadonlySet<unknown> = new Set(['kb+sd-jwt+kb', 'kb-sd-jwt+kb']);

/** A chain of tokens: the open mandate of the user, further delegations, and the closed mandate of the last agent. */
export interface Presentation {
  readonly root: SdJwt;
  readonly middle: readonly { readonly token: SdJwt; readonly mandate: OpenMandate }[];
  readonly last: SdJwt;
  readonly closed: ClosedMandate;
  readonly aud: string;
  readonly nonce: string;
  /** How receipts name the closed mandate. Its signature has a second form, so one mandate can have two of these. */
  readonly reference: string;
}

/** The tokens of a chain, in order. */
export function readChain(text: string, place: string): readonly SdJwt[] {
  // attacker-controlled
  if (text.length > MAX_TOKEN_CHARACTERS) throw malformed(`${place} is too long.`);
  const parts = text.split('~~');
  if (parts.length > MAX_HOPS + 1) throw malformed(`${place} has more than ${MAX_HOPS} hops.`);
  const tokens = parts.map((part, i) => {
    return readSdJwt(i === parts.length - 1 ? part : `${part}~`, `token ${i + 1} of ${place}`);
  });
  const disclosures = tokens.reduce((sum, token) => sum + token.disclosures.length, 0);
  if (disclosures > MAX_DISCLOSURES) throw malformed(`${place} has more than ${MAX_DISCLOSURES} disclosures.`);
  return tokens;
}

export function readPresentation(text: string, place: string): Presentation {
  const tokens = readChain(text, place);
  const [root, ...hops] = tokens;
  const last = hops.at(-1);
  if (root === undefined || last === undefined) throw malformed(`${place} must have a closed mandate.`);
  const middle = hops.slice(0, -1).map((token, i) => {
    bindingOf(token, `token ${i + 2} of ${place}`);
    return { token, mandate: readOpenMandate(token, `token ${i + 2} of ${place}`) };
  });
  const { aud, nonce } = bindingOf(last, `the last token of ${place}`);
  const closed = readClosedMandate(last, `the last token of ${place}`);
  return { root, middle, last, closed, aud, nonce, reference: sha256Base64url(last.jwt) };
}

function bindingOf({ payload }: SdJwt, place: string): { readonly aud: string; readonly nonce: string } {
  const { iat, aud, nonce } = payload;
  const isWhole = typeof iat === 'number' && typeof aud === 'string' && typeof nonce === 'string';
  if (!isWhole || aud === '' || nonce === '') throw malformed(`${place} must have iat, aud and nonce.`);
  return { aud, nonce };
}

/** Whether every token is signed by the key that the one before names, and is of its type. Without a user's key, from the first hop on. */
export function isSigned(
  { root, middle, last, closed }: Presentation,
  keys: { readonly user: P256Jwk | undefined; readonly agent: P256Jwk },
): boolean {
  const signers = [keys.user, keys.agent, ...middle.map(({ mandate }) => mandate.agentJwk)];
  const tokens = [root, ...middle.map(({ token }) => token), last];
  const isTyped =
    !isHop(root) &&
    middle.every(({ token }) => MIDDLE_TYPES.has(token.header['typ'])) &&
    LAST_TYPES.has(last.header['typ']);
  const isGood = (token: SdJwt, signer: P256Jwk | undefined) => signer === undefined || isSignedBy(token, signer);
  return isTyped && !closed.hasKey && tokens.every((token, i) => isGood(token, signers[i]));
}

/** `alg` chooses nothing: it must be the one that there is. */
export function isSignedBy({ header, signed, signature }: SdJwt, key: P256Jwk): boolean {
  return header['alg'] === 'ES256' && es256Verify(key, signed, signature);
}

export function isHop({ header }: SdJwt): boolean {
  return LAST_TYPES.has(header['typ']) || MIDDLE_TYPES.has(header['typ']);
}

/** Whether every hop has exactly one hash of the token before it, and the right one. */
export function isBound({ root, middle, last }: Presentation): boolean {
  const tokens = [root, ...middle.map(({ token }) => token), last];
  return tokens.slice(1).every(({ payload }, i) => {
    const before = tokens[i] as SdJwt;
    const { sd_hash: whole, issuer_jwt_hash: bare } = payload;
    if (whole !== undefined && bare !== undefined) return false;
    return whole === sha256Base64url(before.text) || bare === sha256Base64url(before.jwt);
  });
}

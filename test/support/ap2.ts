// Users and agents of AP2: they make the tokens that a wallet would.
import { createECDH, createPrivateKey, hash, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '#kernel/clock.ts';
import type { P256Jwk } from '#protocol/ap2/es256.ts';

export type Json = Record<string, unknown>;

export const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
export const digest = (text: string) => hash('sha256', text, 'base64url');

export interface Signer {
  readonly jwk: P256Jwk;
  readonly sign: (text: string) => Buffer;
}

/** The key whose scalar has 32 times this byte. */
export function p256(fill: number): Signer {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.alloc(32, fill));
  const point = ecdh.getPublicKey();
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  } as const;
  const key = createPrivateKey({ key: { ...jwk, d: Buffer.alloc(32, fill).toString('base64url') }, format: 'jwk' });
  return { jwk, sign: (text) => sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }) };
}

export const USER = p256(0x11);
export const AGENT = p256(0x22);
const CHECKOUT = digest('open checkout mandate');

export function disclosure(...parts: readonly unknown[]): string {
  return base64url([randomBytes(16).toString('base64url'), ...parts]);
}

/** A list entry that is shown only with its disclosure. */
export function hidden(text: string): Json {
  return { '...': digest(text) };
}

export function jwt(header: Json, payload: Json, signer: Signer): string {
  const signed = `${base64url(header)}.${base64url(payload)}`;
  return `${signed}.${signer.sign(signed).toString('base64url')}`;
}

export function token(
  header: Json,
  payload: Json,
  mandate: Json,
  signer: Signer,
  more: readonly string[] = [],
): string {
  const shown = disclosure(mandate);
  const body = { _sd_alg: 'sha-256', delegate_payload: [hidden(shown)], ...payload };
  return `${[jwt({ alg: 'ES256', ...header }, body, signer), shown, ...more].join('~')}~`;
}

export const seconds = (ms: number) => Math.floor(ms / 1_000);

export function openMandate(nowMs: number, constraints: readonly Json[], more: Json = {}): Json {
  return {
    vct: 'mandate.payment.open.1',
    iat: seconds(nowMs),
    exp: seconds(nowMs + 30 * DAY_MS),
    cnf: { jwk: AGENT.jwk },
    constraints: [...constraints, { type: 'payment.reference', conditional_transaction_id: CHECKOUT }],
    ...more,
  };
}

export const RANGE = { type: 'payment.amount_range', currency: 'EUR', max: 20_000 };
export const OFTEN = { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND', max_occurrences: 10 };
export const BUDGET = { type: 'payment.budget', currency: 'EUR', max: 500 };

export function openToken(
  nowMs: number,
  constraints: readonly Json[] = [RANGE, OFTEN, BUDGET],
  more: Json = {},
): string {
  return token({ typ: 'dc+sd-jwt' }, {}, openMandate(nowMs, constraints, more), USER);
}

export const AUDIENCE = 'https://shop.example';

export interface Purchase {
  readonly amount?: number;
  readonly order?: string;
  readonly payee?: string;
  readonly nonce?: string;
  readonly nowMs: number;
  readonly more?: Json;
  readonly binding?: Json;
  readonly signer?: Signer;
  readonly header?: Json;
}

export function closedMandate({ amount = 100, order = 'order 1', payee = 'kvk:87654321', more }: Purchase): Json {
  return {
    vct: 'mandate.payment.1',
    transaction_id: digest(order),
    payee: { id: payee, name: 'Shop BV' },
    payment_amount: { amount, currency: 'EUR' },
    payment_instrument: { id: 'card-1', type: 'card' },
    ...more,
  };
}

/** The last hop after this token. */
export function closedToken(before: string, purchase: Purchase): string {
  const { nonce = 'n-1', nowMs, binding = { sd_hash: digest(before) }, signer = AGENT, header } = purchase;
  const payload = { iat: seconds(nowMs), aud: AUDIENCE, nonce, ...binding };
  return token({ typ: 'kb+sd-jwt', ...header }, payload, closedMandate(purchase), signer);
}

export function joined(...tokens: readonly string[]): string {
  return tokens.map((text, i) => (i === tokens.length - 1 ? text : text.slice(0, -1))).join('~~');
}

/** What a platform sends for a purchase. */
export function presented(mandateId: string, presentation: string, purchase: Omit<Purchase, 'nowMs'> = {}): Json {
  const { amount = 100, order = 'order 1', payee = 'kvk:87654321', nonce = 'n-1' } = purchase;
  return {
    mandate_id: mandateId,
    action: 'payment.authorize',
    amount_cents: amount,
    currency: 'EUR',
    payload_hash: `sha256:${hash('sha256', order, 'hex')}`,
    counterparty: payee,
    ap2: { presentation, aud: AUDIENCE, nonce },
  };
}

/** The other signature of the same text by the same key. */
export function otherSignature(jwtText: string): string {
  const [header, payload, tail = ''] = jwtText.split('.');
  const bytes = Buffer.from(tail, 'base64url');
  const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const s = n - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return `${header}.${payload}.${other.toString('base64url')}`;
}

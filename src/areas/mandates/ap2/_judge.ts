// What an independent reader of SD-JWTs makes of a chain, with the rules of AP2 and the mapping written a second time.
import { hash } from 'node:crypto';
import { SDJwtInstance } from '@sd-jwt/core';
import { digest as sdDigest, ES256 } from '@sd-jwt/crypto-nodejs';

type Json = Record<string, any>;

export interface Verdict {
  readonly isImported: boolean;
  readonly fields?: Json;
  readonly isAllowed: boolean;
}

export interface Call {
  readonly amount: number;
  readonly currency: string;
  readonly counterparty: string;
  readonly payloadHash: string;
}

const REFUSED: Verdict = { isImported: false, isAllowed: false };
const sha256 = (text: string) => hash('sha256', text, 'base64url');
const decoded = (part: string) => Buffer.from(part, 'base64url').toString();
const isCanonical = (part: string) => part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;

/** The payload of a token, where the judge accepts it and every disclosure has its digest. */
async function resolved(token: string, jwk: Json, nowMs: number): Promise<Json | null> {
  const [jwt = '', ...disclosures] = token.split('~').slice(0, -1);
  if (!token.endsWith('~') || ![...jwt.split('.'), ...disclosures].every(isCanonical)) return null;
  const verifier = await ES256.getVerifier(jwk);
  const reader = new SDJwtInstance({ verifier, hasher: sdDigest, hashAlg: 'sha-256' });
  const read = await reader.verify(token, { currentDate: Math.floor(nowMs / 1_000) }).catch(() => null);
  if (read === null) return null;
  // The judge takes disclosures that nothing names.
  const texts = [decoded(jwt.split('.')[1] ?? ''), ...disclosures.map(decoded)];
  const areNamed = disclosures.every((text) => texts.filter((one) => one.includes(sha256(text))).length === 1);
  if (!areNamed || new Set(disclosures).size !== disclosures.length) return null;
  return { ...(read.payload as Json), typ: read.header?.['typ'], alg: read.header?.['alg'], texts };
}

function cents(digits: string): number | null {
  const [, whole = '', part = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(digits) ?? [];
  const value = whole === '' ? null : Number(BigInt(whole) * 100n + BigInt(part.padEnd(2, '0')));
  return Number.isSafeInteger(value) ? value : null;
}

const UNITS: Json = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' };

/** The mapping table, from the constraints as the judge resolved them. Undefined where one refuses the import. */
function mapped(mandate: Json, texts: readonly string[], nowMs: number): Json | undefined {
  const of = (type: string): Json | undefined =>
    mandate['constraints'].find((one: Json) => one['type'] === `payment.${type}`);
  const [range, budget, often, payees] = ['amount_range', 'budget', 'agent_recurrence', 'allowed_payees'].map(of);
  const known = 'amount_range budget agent_recurrence allowed_payees allowed_payment_instruments reference'.split(' ');
  const areKnown = mandate['constraints'].every((one: Json) => known.includes(String(one['type']).slice(8)));
  const text = texts.find((one) => one.includes('"vct":')) ?? '';
  const areAllDisclosed = JSON.parse(text)[1].constraints.length === mandate['constraints'].length;
  const lists = [payees, of('allowed_payment_instruments')].filter((one) => one !== undefined);
  if (
    !areKnown ||
    !areAllDisclosed ||
    of('reference') === undefined ||
    lists.some((one) => one['allowed'].length === 0)
  ) {
    return undefined;
  }
  const total =
    budget === undefined
      ? undefined
      : cents(/payment\.budget","currency":"EUR","max":([^,}]+)/.exec(texts.join('\n'))?.[1] ?? '');
  const fixed = mandate['payment_amount']?.amount as number | undefined;
  const most = [range?.['max'], fixed, total].filter((one) => typeof one === 'number');
  const isTimely = mandate['exp'] !== undefined && mandate['exp'] * 1_000 > nowMs;
  const frequency = often?.['frequency'];
  const isKnownOften = often === undefined || frequency === 'ON_DEMAND' || frequency in UNITS;
  if (total === null || most.length === 0 || !isTimely || !isKnownOften) return undefined;
  const perAction = Math.min(...most);
  const times = often === undefined ? 1 : often['max_occurrences'];
  return {
    currency: 'EUR',
    max_commit_cents: total ?? perAction * (times ?? 1),
    per_action_cap_cents: perAction,
    ...(times !== undefined && { max_actions: times }),
    ...(frequency in UNITS && { period: { unit: UNITS[frequency], max_actions: 1 } }),
    ...(payees !== undefined && { counterparties: payees['allowed'].map(({ id }: Json) => id) }),
    valid_until: new Date(mandate['exp'] * 1_000).toISOString(),
  };
}

function isWithin(open: Json, closed: Json, call: Call): boolean {
  const of = (type: string): Json | undefined =>
    open['constraints'].find((one: Json) => one['type'] === `payment.${type}`);
  const { amount, currency } = closed['payment_amount'];
  const [range, payees, instruments] = ['amount_range', 'allowed_payees', 'allowed_payment_instruments'].map(of);
  const lists = [
    [payees, closed['payee'].id],
    [instruments, closed['payment_instrument'].id],
  ] as const;
  const isListed = lists.every(
    ([list, id]) => list === undefined || list['allowed'].some((one: Json) => one['id'] === id),
  );
  const isInRange =
    range === undefined || (currency === range['currency'] && amount <= range['max'] && amount >= (range['min'] ?? 0));
  const fixed = open['payment_amount'];
  const isFixed = fixed === undefined || (fixed.amount === amount && fixed.currency === currency);
  const transaction = Buffer.from(closed['transaction_id'], 'base64url').toString('hex');
  const isSame = amount === call.amount && currency === call.currency && closed['payee'].id === call.counterparty;
  return isListed && isInRange && isFixed && isSame && call.payloadHash === `sha256:${transaction}`;
}

/** @param chain both tokens of a chain, as they are before they are joined */
export async function judge(
  [root, last]: readonly [string, string],
  { userJwk, call, nowMs }: { readonly userJwk: Json; readonly call: Call; readonly nowMs: number },
): Promise<Verdict> {
  const open = await resolved(root, userJwk, nowMs);
  const [mandate, ...others] = (open?.['delegate_payload'] ?? []) as Json[];
  const isOpen = open !== null && others.length === 0 && mandate?.['vct'] === 'mandate.payment.open.1';
  if (!isOpen || open['alg'] !== 'ES256' || String(open['typ']).startsWith('kb')) return REFUSED;
  const fields = mapped(mandate, open['texts'], nowMs);
  if (fields === undefined) return REFUSED;
  const closed = await resolved(last, mandate['cnf'].jwk, nowMs);
  const [purchase] = (closed?.['delegate_payload'] ?? []) as Json[];
  const hashes = [closed?.['sd_hash'], closed?.['issuer_jwt_hash']];
  const isBound =
    hashes.filter((one) => one !== undefined).length === 1 &&
    (hashes[0] === sha256(root) || hashes[1] === sha256(root.split('~')[0] ?? ''));
  const isClosed = purchase?.['vct'] === 'mandate.payment.1' && purchase['cnf'] === undefined;
  const isTyped = closed?.['alg'] === 'ES256' && ['kb+sd-jwt', 'kb-sd-jwt'].includes(closed['typ']);
  return { isImported: true, fields, isAllowed: isBound && isClosed && isTyped && isWithin(mandate, purchase, call) };
}

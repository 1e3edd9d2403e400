import { DAY_MS } from '#kernel/clock.ts';
import { Ap2Error, malformed } from './ap2-error.ts';
import { type P256Jwk, readP256Jwk } from './es256.ts';
import { disclose, type SdJwt, sha256Base64url } from './sd-jwt.ts';
import { fromBase64url, isObject, type JsonObject, NumberText } from './token-json.ts';

const OPEN_PAYMENT = 'mandate.payment.open.1';
const CLOSED_PAYMENT = 'mandate.payment.1';
export const OPEN_CHECKOUT = 'mandate.checkout.open.1';

/** From when and until when a token and its mandate are good, in milliseconds; null where nothing says so. */
export interface Window {
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

const PISP_NAMES = ['legal_name', 'brand_name', 'domain_name'] as const;
export type Pisp = Readonly<Record<(typeof PISP_NAMES)[number], string>>;

const FREQUENCIES = ['ON_DEMAND', 'DAILY', 'WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'ANNUALLY'] as const;

/** By type; each type once. */
export interface Constraints {
  readonly 'payment.amount_range'?: { readonly currency: string; readonly max: number; readonly min: number };
  /** `max` by its digits, in the major unit of the currency. */
  readonly 'payment.budget'?: { readonly currency: string; readonly max: string };
  readonly 'payment.agent_recurrence'?: {
    readonly frequency: (typeof FREQUENCIES)[number];
    readonly max_occurrences: number | null;
  };
  /** Ids of those that are disclosed. */
  readonly 'payment.allowed_payees'?: readonly string[];
  readonly 'payment.allowed_payment_instruments'?: readonly string[];
  readonly 'payment.allowed_pisps'?: readonly Pisp[];
  readonly 'payment.execution_date'?: Window;
  readonly 'payment.reference'?: string;
}

export interface OpenMandate {
  /** The digest that the user or delegate signed for this mandate: another salt or content has another one. */
  readonly digest: string;
  readonly agentJwk: P256Jwk;
  readonly window: Window;
  readonly constraints: Constraints;
  /** Members that the closed mandate must repeat. */
  readonly preset: JsonObject;
}

export interface ClosedMandate {
  readonly window: Window;
  readonly hasKey: boolean;
  /** The 32 bytes of `transaction_id` in hex. */
  readonly transactionHex: string;
  readonly payeeId: string;
  readonly amount: number;
  readonly currency: string;
  readonly instrumentId: string;
  readonly pisp: Partial<Pisp> | null;
  readonly execution: Window;
  readonly members: JsonObject;
}

/** Members with a meaning of their own; the others of an open mandate are preset for the closed one. */
const NOT_PRESET = new Set(['vct', 'constraints', 'cnf', 'iat', 'exp', 'nbf', 'risk_data']);
/** Members of a closed mandate that may hold something back: nothing in them is compared, or it is missed. */
const MAY_HIDE = new Set(['payee', 'pisp', 'payment_instrument', 'risk_data']);

interface Delegated {
  readonly digest: string;
  readonly mandate: JsonObject;
  readonly window: Window;
  /** Paths within the mandate. */
  readonly hidden: readonly (readonly (string | number)[])[];
}

/** The one mandate that a token discloses, with its `vct` as asked for. */
export function readDelegated(token: SdJwt, vct: string, place: string): Delegated {
  const { payload, hidden } = disclose(token, place);
  const listed = token.payload['delegate_payload'];
  const { delegate_payload: shown } = payload;
  if (!Array.isArray(listed) || !Array.isArray(shown) || shown.length !== 1 || !isObject(shown[0])) {
    throw malformed(`${place} must disclose one mandate in delegate_payload.`);
  }
  const mandate = shown[0];
  const given = new Set(token.disclosures.map(sha256Base64url));
  const digest = listed
    .map((item) => (isObject(item) ? item['...'] : undefined))
    .find((one) => given.has(one as string));
  if (typeof digest !== 'string') throw malformed(`${place} must have the mandate as a disclosure.`);
  if (mandate['vct'] !== vct) throw new Ap2Error('ap2_vct', `${place} must have the vct ${vct}.`);
  const others = hidden.filter((path) => path.length !== 1 || path[0] !== 'delegate_payload');
  if (others.some(([first]) => first !== 'delegate_payload')) throw undisclosed(place);
  const window = intersection(timesOf(payload, place), timesOf(mandate, place));
  return { digest, mandate, window, hidden: others.map((path) => path.slice(2)) };
}

/** A mandate that limits what closed ones after it may say. All of it is disclosed but for entries of `allowed` lists. */
export function readOpenMandate(token: SdJwt, place: string): OpenMandate {
  const { digest, mandate, window, hidden } = readDelegated(token, OPEN_PAYMENT, place);
  if (hidden.some((path) => path[0] !== 'constraints' || path[2] !== 'allowed')) throw undisclosed(place);
  const { cnf } = mandate;
  const agentJwk = readP256Jwk(isObject(cnf) ? cnf['jwk'] : undefined, `cnf.jwk of ${place}`);
  const preset = Object.fromEntries(Object.entries(mandate).filter(([name]) => !NOT_PRESET.has(name)));
  return { digest, agentJwk, window, constraints: readConstraints(mandate['constraints'], place), preset };
}

/** A mandate for one payment. */
export function readClosedMandate(token: SdJwt, place: string): ClosedMandate {
  const { mandate, window, hidden } = readDelegated(token, CLOSED_PAYMENT, place);
  if (hidden.some(([first]) => !MAY_HIDE.has(String(first)))) throw undisclosed(place);
  const { transaction_id: transaction, payee, payment_amount: paid, payment_instrument: instrument, pisp } = mandate;
  const bytes = fromBase64url(textIn(transaction, `transaction_id of ${place}`));
  if (bytes?.length !== 32) throw malformed(`transaction_id of ${place} must be a SHA-256 in base64url.`);
  const { amount, currency } = amountIn(paid, place);
  return {
    window,
    hasKey: mandate['cnf'] !== undefined,
    transactionHex: bytes.toString('hex'),
    payeeId: idIn(payee, `payee of ${place}`),
    amount,
    currency,
    instrumentId: idIn(instrument, `payment_instrument of ${place}`),
    pisp: isObject(pisp) ? pisp : null,
    execution: daysOf(mandate['execution_date'], mandate['execution_date'], `execution_date of ${place}`),
    members: mandate,
  };
}

export function amountIn(value: unknown, place: string): { readonly amount: number; readonly currency: string } {
  const { amount, currency } = isObject(value) ? value : {};
  return {
    amount: wholeIn(amount, 0, `payment_amount of ${place}`),
    currency: currencyIn(currency, `payment_amount of ${place}`),
  };
}

type ConstraintType = keyof Constraints;
type Reader = { readonly members: readonly string[]; readonly read: (given: JsonObject, place: string) => unknown };

const READERS: Readonly<Record<ConstraintType, Reader>> = {
  'payment.amount_range': {
    members: ['currency', 'max', 'min'],
    read: ({ currency, max, min = 0 }, place) => ({
      currency: currencyIn(currency, place),
      max: wholeIn(max, 0, place),
      min: wholeIn(min, 0, place),
    }),
  },
  'payment.budget': {
    members: ['currency', 'max'],
    read: ({ currency, max }, place) => {
      const digits = max instanceof NumberText ? max.digits : String(wholeIn(max, 0, place));
      return { currency: currencyIn(currency, place), max: digits };
    },
  },
  'payment.agent_recurrence': {
    members: ['frequency', 'max_occurrences'],
    read: ({ frequency, max_occurrences: most = null }, place) => {
      const isKnown = (FREQUENCIES as readonly unknown[]).includes(frequency);
      if (!isKnown) throw new Ap2Error('ap2_frequency', `${place} has an unknown frequency.`);
      return { frequency, max_occurrences: most === null ? null : wholeIn(most, 1, place) };
    },
  },
  'payment.allowed_payees': { members: ['allowed'], read: ({ allowed }, place) => idsIn(allowed, place) },
  'payment.allowed_payment_instruments': { members: ['allowed'], read: ({ allowed }, place) => idsIn(allowed, place) },
  'payment.allowed_pisps': {
    members: ['allowed'],
    read: ({ allowed }, place) =>
      listIn(allowed, place).map((one) =>
        Object.fromEntries(PISP_NAMES.map((name) => [name, textIn(isObject(one) ? one[name] : undefined, place)])),
      ),
  },
  'payment.execution_date': {
    members: ['not_before', 'not_after'],
    read: ({ not_before: from, not_after: until }, place) => daysOf(from, until, place),
  },
  'payment.reference': {
    members: ['conditional_transaction_id'],
    read: ({ conditional_transaction_id: digest }, place) => textIn(digest, place),
  },
};

function readConstraints(list: unknown, place: string): Constraints {
  if (!Array.isArray(list)) throw malformed(`${place} must have constraints.`);
  const read: Record<string, unknown> = {};
  for (const constraint of list) {
    const { type, ...given } = isObject(constraint) ? constraint : {};
    const reader =
      typeof type === 'string' && Object.hasOwn(READERS, type) ? READERS[type as ConstraintType] : undefined;
    const isKnown = reader !== undefined && Object.keys(given).every((name) => reader.members.includes(name));
    if (!isKnown) throw new Ap2Error('ap2_constraint_unknown', `${place} has a constraint that is not known here.`);
    const name = type as ConstraintType;
    if (Object.hasOwn(read, name)) throw malformed(`${place} has ${name} twice.`);
    read[name] = reader.read(given, `${name} of ${place}`);
  }
  return read;
}

function listIn(allowed: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(allowed)) throw malformed(`${place} must have a list.`);
  if (allowed.length === 0) throw new Ap2Error('ap2_undisclosed', `${place} discloses nothing that is allowed.`);
  return allowed;
}

function idsIn(allowed: unknown, place: string): readonly string[] {
  return listIn(allowed, place).map((one) => idIn(one, place));
}

/** Only an id says who or what it is: names can be anybody's. */
function idIn(value: unknown, place: string): string {
  return textIn(isObject(value) ? value['id'] : undefined, `The id in ${place}`);
}

const MAX_TEXT = 200;

function textIn(value: unknown, place: string): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT) return value;
  throw malformed(`${place} must be a text of 1 to ${MAX_TEXT} characters.`);
}

function wholeIn(value: unknown, least: number, place: string): number {
  if (typeof value === 'number' && value >= least) return value;
  throw malformed(`${place} must be a whole number from ${least}.`);
}

function currencyIn(value: unknown, place: string): string {
  if (typeof value === 'string' && /^[A-Z]{3}$/.test(value)) return value;
  throw malformed(`${place} must have an ISO 4217 code.`);
}

/** The latest date: a number above it has no ISO form. */
const MAX_SECONDS = 253_402_300_799;

function timesOf({ iat, nbf, exp }: JsonObject, place: string): Window {
  const times = [iat, nbf, exp].map((time) => {
    if (time === undefined) return null;
    const seconds = wholeIn(time, 0, `The times of ${place}`);
    if (seconds > MAX_SECONDS) throw malformed(`The times of ${place} are too late.`);
    return seconds * 1_000;
  });
  const [issuedMs = null, notBeforeMs = null, untilMs = null] = times;
  return intersection({ fromMs: issuedMs, untilMs }, { fromMs: notBeforeMs, untilMs: null });
}

export function intersection(one: Window, other: Window): Window {
  const least = (values: readonly (number | null)[]) => {
    const given = values.filter((value) => value !== null);
    return given.length === 0 ? null : Math.min(...given);
  };
  const from = least([one.fromMs, other.fromMs].map((value) => (value === null ? null : -value)));
  return { fromMs: from === null ? null : -from, untilMs: least([one.untilMs, other.untilMs]) };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A bare date is the first moment of its UTC day at the start of a window, the last at its end. */
function daysOf(from: unknown, until: unknown, place: string): Window {
  return { fromMs: momentIn(from, 0, place), untilMs: momentIn(until, DAY_MS - 1, place) };
}

function momentIn(value: unknown, intoDayMs: number, place: string): number | null {
  if (value === undefined) return null;
  const isDay = typeof value === 'string' && DAY.test(value);
  const ms = isDay || (typeof value === 'string' && MOMENT.test(value)) ? Date.parse(value) : Number.NaN;
  // Date.parse takes the 31st of every month.
  const isReal = !Number.isNaN(ms) && (!isDay || new Date(ms).toISOString().startsWith(value));
  if (!isReal) throw malformed(`${place} must be a date, or a time with its zone.`);
  return ms + (isDay ? intoDayMs : 0);
}

function undisclosed(place: string): Ap2Error {
  return new Ap2Error('ap2_undisclosed', `${place} holds back something that could limit the mandate.`);
}

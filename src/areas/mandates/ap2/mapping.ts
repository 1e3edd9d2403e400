import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { parseScaled } from '#kernel/decimal.ts';
import { Ap2Error, malformed } from '#protocol/ap2/ap2-error.ts';
import { amountIn, type Constraints, intersection, type OpenMandate } from '#protocol/ap2/payment-mandate.ts';
import type { MandateBody } from '../mandate-body.ts';

const MAX_VALID_MS = 366 * DAY_MS;

/** Clocks of users, agents and this service may differ by so much. */
export const SKEW_MS = 60_000;

/** The members of a mandate that follow from an open payment mandate. */
export type MappedFields = Pick<
  MandateBody,
  'currency' | 'max_commit_cents' | 'per_action_cap_cents' | 'max_actions' | 'period' | 'counterparties' | 'valid_from'
> &
  Pick<MandateBody, 'valid_until'>;

/** The strictest reading: what AP2 leaves open is closed here. */
export function mappedFields({ constraints, window, preset }: OpenMandate, nowMs: number): MappedFields {
  const { 'payment.agent_recurrence': recurrence, 'payment.allowed_payees': payees } = constraints;
  const amounts = amountsOf(constraints, preset);
  const { fromMs, untilMs } = intersection(
    window,
    constraints['payment.execution_date'] ?? { fromMs: null, untilMs: null },
  );
  if (untilMs === null) throw new Ap2Error('ap2_no_expiry', 'The open payment mandate must have an expiry.');
  if (untilMs <= nowMs || (fromMs ?? 0) >= untilMs) {
    throw new Ap2Error('ap2_expired', 'The open payment mandate has expired.');
  }
  const isLater = fromMs !== null && fromMs > nowMs + SKEW_MS;
  const maxActions = recurrence === undefined ? 1 : recurrence.max_occurrences;
  const period = recurrence === undefined ? null : periodOf(recurrence.frequency);
  return {
    ...amounts,
    ...(maxActions !== null && { max_actions: maxActions }),
    ...(period !== null && { period }),
    ...(payees !== undefined && { counterparties: payees.map((id) => id.trim()) }),
    ...(isLater && { valid_from: isoTime(fromMs) }),
    valid_until: isoTime(Math.min(untilMs, nowMs + MAX_VALID_MS)),
  };
}

function amountsOf(constraints: Constraints, preset: OpenMandate['preset']) {
  const { 'payment.amount_range': range, 'payment.budget': budget } = constraints;
  const fixed =
    preset['payment_amount'] === undefined ? undefined : amountIn(preset['payment_amount'], 'the open mandate');
  const currencies = new Set([range?.currency, budget?.currency, fixed?.currency].filter((one) => one !== undefined));
  const [currency] = currencies;
  if (currency === undefined || currencies.size > 1) {
    throw malformed('The open payment mandate must limit the amount, in one currency.');
  }
  const most = [range?.max, fixed?.amount].filter((one) => one !== undefined);
  const total = budget === undefined ? null : budgetCents(budget.max, currency);
  const perAction = Math.min(...most, ...(total === null ? [] : [total]));
  const uses = constraints['payment.agent_recurrence']?.max_occurrences ?? 1;
  const cap = total ?? perAction * uses;
  if (!Number.isSafeInteger(cap)) throw malformed('The open payment mandate allows too much.');
  return { currency, max_commit_cents: cap, per_action_cap_cents: perAction };
}

/** ISO 4217: currencies with other than two decimals, and codes that are not money. */
const NOT_TWO_DECIMALS = new Set(
  (
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF BHD IQD JOD KWD LYD OMR TND CLF UYW ' +
    'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'
  ).split(' '),
);
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** A budget is in the major unit, unlike every other amount of AP2. */
function budgetCents(digits: string, currency: string): number {
  const cents = CURRENCIES.has(currency) && !NOT_TWO_DECIMALS.has(currency) ? parseScaled(digits, 2) : null;
  if (cents !== null) return cents;
  throw new Ap2Error('ap2_budget_unit', 'The budget must be a plain decimal number in a currency with two decimals.');
}

const PERIODS = {
  ON_DEMAND: null,
  DAILY: { unit: 'day', max_actions: 1 },
  WEEKLY: { unit: 'week', max_actions: 1 },
  MONTHLY: { unit: 'month', max_actions: 1 },
} as const;

function periodOf(frequency: string): MandateBody['period'] | null {
  if (Object.hasOwn(PERIODS, frequency)) return PERIODS[frequency as keyof typeof PERIODS];
  throw new Ap2Error('ap2_frequency', `The frequency ${frequency} is not supported.`);
}

/** Which checks hold a constraint, and the members of the mandate that it became. */
const MAPPED: Readonly<Record<keyof Constraints, readonly [readonly string[], ...(keyof MappedFields)[]]>> = {
  'payment.amount_range': [['M6', 'M8', 'A5'], 'currency', 'per_action_cap_cents'],
  'payment.budget': [['M6', 'M10'], 'currency', 'max_commit_cents'],
  'payment.agent_recurrence': [['M9', 'M10'], 'max_actions', 'period'],
  'payment.allowed_payees': [['M5'], 'counterparties'],
  'payment.allowed_payment_instruments': [['A5']],
  'payment.allowed_pisps': [['A5']],
  'payment.execution_date': [['M2', 'A5'], 'valid_from', 'valid_until'],
  'payment.reference': [['not_checked']],
};

export interface ShownConstraint extends Partial<MappedFields> {
  readonly type: string;
  readonly checked_by: readonly string[];
}

/** @param isReferenceChecked the open checkout mandate came with the import */
export function shownConstraints(
  constraints: Constraints,
  fields: MappedFields,
  isReferenceChecked: boolean,
): readonly ShownConstraint[] {
  return (Object.keys(constraints) as (keyof Constraints)[]).map((type) => {
    const [checks, ...names] = MAPPED[type];
    const members = names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]] as const);
    const checked_by = type === 'payment.reference' && isReferenceChecked ? ['import'] : checks;
    return { type, checked_by, ...Object.fromEntries(members) };
  });
}

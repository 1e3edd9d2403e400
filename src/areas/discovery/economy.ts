import { timeoutSecondsOf } from '#kernel/operation.ts';
import { type About, common } from './about.ts';

/** Figures that change from minute to minute. */
export interface LiveFigures {
  readonly as_of: string;
  readonly calls_24h: number;
  readonly paid_calls_total: number;
  readonly settled_usdc_total: string;
  readonly refunds_due: number;
  readonly unknown_settlements: number;
  readonly log_entries_total: number;
  readonly seals_total: number;
  readonly rejects_total: number;
  /** Texts and names that broke a usage rule; each refusal is sealed. */
  readonly refusals_total: number;
  readonly open_tasks: number;
  /** Since midnight UTC. */
  readonly seals_today: number;
}

const CHARGING_RULES = [
  'A call is charged only when its verdict exists and its settlement is confirmed.',
  'If a register is down, the call returns 503 and is not charged.',
  'A paid call with invalid parameters returns 400 and is not charged.',
  'A retry with the same Idempotency-Key or the same payment is not charged again.',
  'If a payment moved money but bought nothing, a refund is due. It is sealed as a statement, and counted in live until it is paid.',
];

/** Everything but the live figures. */
export function economy(about: About) {
  const { operations, payment, attestationFees, terms, rateClasses } = about;
  const verdicts = operations.flatMap(({ operationId, path, price }) =>
    price === null
      ? []
      : {
          operation_id: operationId,
          path,
          price_usdc: price.usdc,
          price_atomic: price.atomic,
          max_timeout_s: timeoutSecondsOf(price),
        },
  );
  return {
    ...common(about, 'economy', '/economy/manifest'),
    verdicts,
    payment,
    attestation_fees: attestationFees,
    ...terms,
    charging_rules: CHARGING_RULES,
    rate_classes: rateClasses,
  };
}

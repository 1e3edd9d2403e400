import { canonicalJson } from '#kernel/canonical-json.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { mulDiv } from '#kernel/money.ts';

export const ORDER_STATES = [
  ...(['quoted', 'placed', 'confirmed', 'refused', 'cancelled'] as const),
  ...(['shipped', 'delivered', 'returned', 'expired'] as const),
];
export type OrderState = (typeof ORDER_STATES)[number];
/** What a move does to the fee: set aside, taken, given back before or after it was taken. */
export type FeeMove = 'none' | 'hold' | 'capture' | 'void' | 'reverse';
export type FeeState = 'none' | 'held' | 'captured' | 'voided';

/** Which state may follow which, and what happens to the fee in the same transaction. */
export const ORDER_MOVES: Readonly<Record<OrderState, Readonly<Partial<Record<OrderState, FeeMove>>>>> = {
  quoted: { placed: 'hold', expired: 'none' },
  placed: { confirmed: 'capture', refused: 'void', cancelled: 'void' },
  confirmed: { shipped: 'none', cancelled: 'reverse' },
  shipped: { delivered: 'none' },
  delivered: { returned: 'reverse' },
  refused: {},
  cancelled: {},
  returned: {},
  expired: {},
};

export const FEE_AFTER: Readonly<Record<FeeMove, (before: FeeState) => FeeState>> = {
  none: (before) => before,
  hold: () => 'held',
  capture: () => 'captured',
  void: () => 'voided',
  reverse: () => 'voided',
};

/** Nothing more is to come, unless the goods go back. */
export const ENDED_STATES: ReadonlySet<OrderState> = new Set([
  'refused',
  'cancelled',
  'delivered',
  'returned',
  'expired',
]);

/** States that a mandate knows by the same name: they are sealed as outcomes of its handshake. */
export const OUTCOME_STATES: ReadonlySet<string> = new Set([
  'placed',
  'confirmed',
  'delivered',
  'cancelled',
  'refused',
]);

export interface OrderLine {
  readonly mpn: string | null;
  readonly sku: string;
  readonly qty: string;
  readonly unit_price_eur: string;
  readonly total_eur: string;
}

interface HistoryEntry {
  readonly state: OrderState;
  readonly at: string;
  /** Null until it is sealed. */
  readonly attestation_id: string | null;
  /** Of the supplier's document, where the operator entered one. */
  readonly document_sha256?: string | undefined;
}

export interface Order {
  readonly id: string;
  readonly agentId: string;
  readonly state: OrderState;
  readonly supplier: string;
  readonly channel: 'adapter' | 'manual';
  readonly calculationId: string | null;
  readonly lines: readonly OrderLine[];
  readonly goodsMicro: number;
  readonly feeMicro: number;
  readonly feeState: FeeState;
  readonly holdId: string | null;
  readonly feeTx: string | null;
  readonly country: string;
  /** Personal: never in the log, in answers or receipts, and deleted some time after the end. */
  readonly shipTo: string | null;
  readonly note: string | null;
  readonly mandateId: string | null;
  readonly verifyRef: string | null;
  readonly supplierRef: string | null;
  readonly history: readonly HistoryEntry[];
  /** JSON */
  readonly receipt: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly endedAtMs: number | null;
  /** When somebody is to be asked about it; null never. */
  readonly asksAtMs: number | null;
}

export const FEE_PCT = 1;
/** What the idempotency key of a fee's hold begins with. */
export const FEE_HOLD_KEY = 'ordfee:';
const MINIMUM_FEE_MICRO = 10_000;

/** A percentage of the goods, at least one cent. */
export function feeOf(goodsMicro: number): number {
  return Math.max(MINIMUM_FEE_MICRO, mulDiv(goodsMicro, FEE_PCT, 100, 'up'));
}

export function linesDigest(lines: readonly OrderLine[]): string {
  return sha256Hex(canonicalJson(lines));
}

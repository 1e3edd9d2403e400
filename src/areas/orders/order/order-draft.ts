import { canonicalJson } from '#kernel/canonical-json.ts';
import { type Clock, DAY_MS, isoTime } from '#kernel/clock.ts';
import { newId, sha256Hex } from '#kernel/ids.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import { signedPart } from '#protocol/payment/coverage.ts';
import type { SignReceipt } from '../bom/calculations.ts';
import { FEE_PCT, linesDigest, type Order } from './order.ts';
import type { CreateOrderInput } from './order-operations.ts';
import type { OrderQuote } from './order-quote.ts';

const QUOTE_MS = DAY_MS;
/** What was quoted; the rest of an order moves on. */
const QUOTED = [
  '/order_id',
  '/supplier',
  '/channel',
  '/calculation_id',
  '/goods_total_eur',
  '/fee/pct',
  '/fee/fee_eur',
  '/lines',
  '/ship_to',
  '/sandbox',
];

interface Drafted {
  readonly body: Pick<CreateOrderInput, 'ship_to' | 'note' | 'mandate_id' | 'calculation_id'>;
  readonly agentId: string;
}

interface DraftParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly receipt: SignReceipt;
  readonly sandbox: boolean;
}

/** A new order with the receipt of its quote. */
export function draftedOrder(
  { supplier, channel, lines, goodsMicro, feeMicro }: OrderQuote,
  { body, agentId }: Drafted,
  { clock, receipt, sandbox }: DraftParts,
): Order {
  const nowMs = clock.now();
  const id = newId('ord_');
  const shown = {
    order_id: id,
    supplier,
    channel,
    calculation_id: body.calculation_id ?? null,
    goods_total_eur: formatEur(goodsMicro),
    fee: { pct: FEE_PCT, fee_eur: formatEur(feeMicro) },
    lines,
    ship_to: { country: body.ship_to.country },
    sandbox,
  };
  const requestSha256 = sha256Hex(canonicalJson({ supplier, lines_sha256: linesDigest(lines) }));
  const signed = receipt({
    kind: 'order',
    receiptId: newId('rcp_'),
    signed: signedPart(shown, QUOTED),
    requestSha256,
    issuedAt: isoTime(nowMs),
  });
  return {
    id,
    agentId,
    state: 'quoted',
    supplier,
    channel,
    calculationId: body.calculation_id ?? null,
    lines,
    goodsMicro,
    feeMicro,
    feeState: 'none',
    holdId: null,
    feeTx: null,
    country: body.ship_to.country,
    shipTo: JSON.stringify(body.ship_to),
    note: body.note ?? null,
    mandateId: body.mandate_id ?? null,
    verifyRef: null,
    supplierRef: null,
    history: [],
    receipt: JSON.stringify(signed),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + QUOTE_MS,
    endedAtMs: null,
    asksAtMs: null,
  };
}

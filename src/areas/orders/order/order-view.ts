import { isoTime } from '#kernel/clock.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import { softRuleOf } from '#platform/usage-rules/soft-rules.ts';
import { FEE_PCT, type Order } from './order.ts';
import type { OrderView } from './order-operations.ts';

/** An order as its agent sees it; of the address only the country. */
export function orderView(
  order: Order,
  { sandbox, mandates }: { readonly sandbox: boolean; readonly mandates: { readonly platformId: string } },
): OrderView {
  const { mandateId, verifyRef } = order;
  return {
    order_id: order.id,
    state: order.state,
    supplier: order.supplier,
    channel: order.channel,
    calculation_id: order.calculationId,
    goods_total_eur: formatEur(order.goodsMicro),
    fee: { pct: FEE_PCT, fee_eur: formatEur(order.feeMicro), state: order.feeState },
    lines: [...order.lines],
    ship_to: { country: order.country },
    mandate:
      mandateId === null
        ? null
        : {
            mandate_id: mandateId,
            platform_id: mandates.platformId,
            verify_ref: verifyRef,
            ok: verifyRef === null ? null : true,
          },
    payment: { who: 'buyer to supplier by card', url: null },
    history: [...order.history],
    expires_at: order.state === 'quoted' ? isoTime(order.expiresAtMs) : null,
    receipt: JSON.parse(order.receipt) as OrderView['receipt'],
    sandbox,
    ...softRuleOf(order.note),
  };
}

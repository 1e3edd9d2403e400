import { refuseFields } from '#kernel/general-problems.ts';
import { Refusal } from '#kernel/problem.ts';
import { decode } from '#kernel/query-decoder.ts';
import { ANONYMOUS, callRoute, type Inputs, type TaskRoutes } from '#kernel/task-route.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import { linesText } from './bom/bom-job.ts';
import { bomCalculate } from './bom/bom-operations.ts';
import { CALCULATE_MICRO } from './bom/bom.ts';
import type { BomWork } from './bom/calculations.ts';
import { createOrder } from './order/order-operations.ts';
import type { Orders } from './order/orders.ts';

const FREE_LINES = 200;
/** A quote is free for an agent with a key; others have no wallet that an order could be held on. */
const ORDER_NEEDS_WALLET_MICRO = 10_000;

/** What bills of materials and orders do for tasks. */
export function taskRoutes(bills: BomWork, orders: Orders): TaskRoutes {
  return {
    bom_calculate: callRoute({
      revenue: 'revenue:bom',
      priceMicro: (inputs, agentId) => (agentId === ANONYMOUS && isSmall(inputs) ? 0 : CALCULATE_MICRO),
      from: {},
      async call(inputs, { agentId }) {
        const read = decode(bomCalculate.input, withFreeOffers(inputs, agentId));
        if (!read.ok) return refuseFields(read.errors);
        const { bom, ...terms } = read.input as ReturnType<(typeof bomCalculate)['input']['parse']>;
        const done = await bills.calculate({ type: 'decoded', bom, terms }, agentId);
        return done instanceof Refusal
          ? done
          : { ...done.head, ...(JSON.parse(linesText(done.lines)) as object), adapters: done.adapters };
      },
      isEmpty: ({ coverage }) => coverage.priced === 0,
    }),
    order_quote: callRoute({
      revenue: 'revenue:order_fee',
      priceMicro: (_inputs, agentId) => (agentId === ANONYMOUS ? ORDER_NEEDS_WALLET_MICRO : 0),
      from: {},
      async call(inputs, { agentId }) {
        const read = decode(createOrder.input, inputs);
        if (!read.ok) return refuseFields(read.errors);
        const quote = await orders.quote(read.input as ReturnType<(typeof createOrder)['input']['parse']>, agentId);
        if (quote instanceof Refusal) return quote;
        const { goodsMicro, feeMicro, ...rest } = quote;
        return { ...rest, goods_total_eur: formatEur(goodsMicro), fee_eur: formatEur(feeMicro) };
      },
    }),
  };
}

function isSmall({ bom }: Inputs): boolean {
  const { parts } = (bom ?? {}) as { parts?: unknown };
  const lines = (Array.isArray(parts) ? parts : []).flatMap((part) => {
    const { make } = (part ?? {}) as { make?: { lines?: unknown } };
    return Array.isArray(make?.lines) ? make.lines : [];
  });
  return lines.length <= FREE_LINES;
}

/** A free run asks nobody who counts calls. */
function withFreeOffers(inputs: Inputs, agentId: string): Inputs {
  return agentId === ANONYMOUS ? { ...inputs, catalogue: ['inline', 'embedded'] } : inputs;
}

import type { Components } from '#areas/data/components.ts';
import type { DataSets } from '#areas/data/datasets.ts';
import { QUERIES } from '#areas/data/operations.ts';
import { linesText } from '#areas/orders/bom-job.ts';
import { bomCalculate } from '#areas/orders/bom-operations.ts';
import { CALCULATE_MICRO } from '#areas/orders/bom.ts';
import type { BomWork } from '#areas/orders/calculations.ts';
import { createOrder } from '#areas/orders/order-operations.ts';
import type { Orders } from '#areas/orders/orders.ts';
import type { Inputs } from '#areas/tasks/route-work.ts';
import { ANONYMOUS } from '#areas/tasks/task.ts';
import type { InputSchema } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { decode } from '#kernel/query-decoder.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import { refuseFields } from '#kernel/general-problems.ts';
import type { OtherWorks } from './task-works.ts';

export interface TaskOthersOptions {
  readonly bills: Pick<BomWork, 'calculate'>;
  readonly orders: Pick<Orders, 'quote'>;
  readonly components: Pick<Components, 'ground'>;
  readonly dataSets: Pick<DataSets, 'query'>;
}

const FREE_LINES = 200;
/** A quote is free for an agent with a key; others have no wallet that an order could be held on. */
const ORDER_NEEDS_WALLET_MICRO = 10_000;

/** Work of bills, orders and open data for tasks. */
export function taskOthers({ bills, orders, components, dataSets }: TaskOthersOptions): OtherWorks {
  const query = (dataset: 'permits' | 'tenders') => ({
    revenue: 'revenue:capability' as const,
    priceMicro: () => 0,
    from: {},
    call: (inputs: Inputs) => decoded(QUERIES[dataset].input, inputs, (input) => dataSets.query(dataset, input)),
  });
  return {
    bom_calculate: {
      revenue: 'revenue:bom',
      priceMicro: (inputs, agentId) => (agentId === ANONYMOUS && isSmall(inputs) ? 0 : CALCULATE_MICRO),
      from: {},
      call: (inputs, { agentId }) =>
        decoded(bomCalculate.input, withFreeOffers(inputs, agentId), async ({ bom, ...terms }) => {
          const done = await bills.calculate({ type: 'decoded', bom, terms }, agentId);
          return done instanceof Refusal
            ? done
            : { ...done.head, ...(JSON.parse(linesText(done.lines)) as object), adapters: done.adapters };
        }),
    },
    order_quote: {
      revenue: 'revenue:order_fee',
      priceMicro: (_inputs, agentId) => (agentId === ANONYMOUS ? ORDER_NEEDS_WALLET_MICRO : 0),
      from: {},
      call: (inputs, { agentId }) =>
        decoded(createOrder.input, inputs, async (input) => {
          const quote = await orders.quote(input, agentId);
          if (quote instanceof Refusal) return quote;
          const { goodsMicro, feeMicro, ...rest } = quote;
          return { ...rest, goods_total_eur: formatEur(goodsMicro), fee_eur: formatEur(feeMicro) };
        }),
    },
    ground_component: {
      revenue: 'revenue:capability',
      priceMicro: () => 0,
      from: { mpn: 'mpn' },
      call: ({ mpn }) => components.ground(String(mpn)),
    },
    construction_permits: query('permits'),
    construction_tenders: query('tenders'),
  };
}

async function decoded<I extends InputSchema>(
  schema: I,
  inputs: Inputs,
  work: (input: ReturnType<I['parse']>) => Promise<object>,
): Promise<object> {
  const read = decode(schema, inputs);
  return read.ok ? work(read.input as ReturnType<I['parse']>) : refuseFields(read.errors);
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

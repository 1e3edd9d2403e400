import { mulDiv } from './money.ts';
import type { PaidRow } from './paid-operation.ts';
import { Refusal } from './problem.ts';
import { missingIn, type Named, parametersOf, type TaskRoute, type TaskRoutes } from './task-route.ts';

const MIN_PRICE_MICRO = 10_000;

export interface VerdictRouteOptions {
  readonly from: Named;
  /** Where the same is judged free and unsigned. */
  readonly freePath?: string;
  /** Millionths of a EUR for one USD. */
  readonly usdEurMicro: number;
}

/** The routes of those rows that a need can name; `fields` has by operation which fields the text may give. */
export function verdictRoutes(
  rows: readonly PaidRow[],
  fields: Readonly<Record<string, Named>>,
  usdEurMicro: number,
): TaskRoutes {
  const routed = rows.flatMap((row) => {
    const from = fields[row.operation.operationId];
    return from === undefined ? [] : [[row.operation.operationId, verdictRoute(row, { from, usdEurMicro })] as const];
  });
  return Object.fromEntries(routed);
}

/** The route of a verdict that is sold over x402; a wallet pays the same in EUR. */
export function verdictRoute({ operation, handler, kind }: PaidRow, options: VerdictRouteOptions): TaskRoute {
  const { from, freePath = null, usdEurMicro } = options;
  const { input: schema, path, price } = operation;
  if (price === null) throw new Error(`${operation.operationId} has no price`);
  const priceMicro = Math.max(MIN_PRICE_MICRO, mulDiv(Number(price.atomic), usdEurMicro, 1_000_000, 'up'));
  return {
    revenue: 'revenue:verdict',
    isSold: true,
    async quote(entities, inputs) {
      const parameters = parametersOf(schema, from, entities, inputs);
      const sold = {
        x402Path: addressOf(path, parameters),
        priceUsdc: price.usdc,
        freePath: freePath && addressOf(freePath, parameters),
      };
      return { priceMicro, feeMicro: 0, sold, questions: missingIn(schema, parameters) };
    },
    async run(entities, inputs, { key, agentId }) {
      const input = schema.parse(parametersOf(schema, from, entities, inputs));
      const verdict = await handler(input, { requestId: key, addressTag: '' }, { key, payer: agentId });
      return verdict instanceof Refusal ? verdict : { result: { kind, result: verdict.result } };
    },
  };
}

function addressOf(path: string, parameters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

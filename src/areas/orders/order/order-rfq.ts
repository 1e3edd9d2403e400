import { formatEur } from '#platform/ledger/steps.ts';
import type { Order } from './order.ts';

export interface RfqMail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/** The request that goes to a supplier whom no program reaches: a person there answers, or nobody does. */
export function requestForQuotation(order: Order, to: string, serviceName: string): RfqMail {
  const { country, postcode, lines } = JSON.parse(order.shipTo ?? '{}') as Record<string, unknown>;
  const rows = order.lines.map(
    ({ mpn, sku, qty, unit_price_eur, total_eur }) =>
      `  ${qty} x ${sku} (${mpn ?? 'no manufacturer number'}) at ${unit_price_eur} EUR = ${total_eur} EUR`,
  );
  const body = [
    `Order request ${order.id}`,
    '',
    `To ${order.supplier}: please confirm or refuse the following order.`,
    '',
    ...rows,
    '',
    `Goods in all: ${formatEur(order.goodsMicro)} EUR`,
    `Deliver to: ${[...(lines as string[]), postcode, country].join(', ')}`,
    ...(order.note === null ? [] : ['', `Note of the buyer: ${order.note}`]),
    '',
    'The buyer pays you directly. This service brokers the order and holds no money for the goods.',
    `Sent by ${serviceName} for the agent ${order.agentId}.`,
  ].join('\n');
  return { to, subject: `Order request ${order.id}`, body };
}

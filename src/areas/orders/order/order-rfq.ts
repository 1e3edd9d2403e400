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
      `  ${qty} x ${sku} (${mpn ?? 'no manufacturer part number'}) at €${unit_price_eur} = €${total_eur}`,
  );
  const body = [
    `Order request ${order.id}`,
    '',
    `To ${order.supplier}: please confirm or reject the following order.`,
    '',
    ...rows,
    '',
    `Total for the goods: €${formatEur(order.goodsMicro)}`,
    `Deliver to: ${[...(lines as string[]), postcode, country].join(', ')}`,
    ...(order.note === null ? [] : ['', `Note from the buyer: ${order.note}`]),
    '',
    'The buyer pays you directly. This service brokers the order and holds no money for the goods.',
    `Sent by ${serviceName} on behalf of agent ${order.agentId}.`,
  ].join('\n');
  return { to, subject: `Order request ${order.id}`, body };
}

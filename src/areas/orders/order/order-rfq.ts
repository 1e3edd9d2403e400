import { formatEur } from '#platform/ledger/steps.ts';
import type { Order } from './order.ts';

export interface SupplierMail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/** The request that goes to a supplier whom no program reaches: a person there answers, or nobody does. */
export function requestForQuotation(order: Order, to: string, serviceName: string): SupplierMail {
  const { country, postcode, lines } = JSON.parse(order.shipTo ?? '{}') as Record<string, unknown>;
  const body = [
    `Order request ${order.id}`,
    '',
    `To ${order.supplier}: please confirm or reject the following order.`,
    '',
    ...rowsOf(order),
    '',
    `Total for the goods: €${formatEur(order.goodsMicro)}`,
    `Deliver to: ${[...(lines as string[]), postcode, country].join(', ')}`,
    ...(order.note === null ? [] : ['', `Note from the buyer: ${order.note}`]),
    '',
    'The buyer pays you directly. This service brokers the order and holds no money for the goods.',
    sentBy(order, serviceName),
  ].join('\n');
  return { to, subject: `Order request ${order.id}`, body };
}

/** Tells the same person that the buyer wants the order no more. */
export function cancellation(order: Order, to: string, serviceName: string): SupplierMail {
  const body = [
    `Order ${order.id} is cancelled`,
    '',
    `To ${order.supplier}: the buyer has cancelled this order. Please deliver nothing.`,
    '',
    ...rowsOf(order),
    '',
    sentBy(order, serviceName),
  ].join('\n');
  return { to, subject: `Order ${order.id} is cancelled`, body };
}

function rowsOf({ lines }: Order): string[] {
  return lines.map(
    ({ mpn, sku, qty, unit_price_eur, total_eur }) =>
      `  ${qty} x ${sku} (${mpn ?? 'no manufacturer part number'}) at €${unit_price_eur} = €${total_eur}`,
  );
}

function sentBy({ agentId }: Order, serviceName: string): string {
  return `Sent by ${serviceName} on behalf of agent ${agentId}.`;
}

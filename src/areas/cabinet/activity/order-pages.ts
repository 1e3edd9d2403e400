import type { z } from 'zod';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { parseMicro } from '#kernel/money.ts';
import { eur, eurOfMicro } from '#web/amounts.ts';
import { callSnippets } from '#web/call-code.ts';
import {
  card,
  code,
  codeTabs,
  confirmLink,
  crumbs,
  dataTable,
  emptyState,
  heading,
  keyValues,
  linkTo,
  pill,
  segmented,
} from '#web/components.ts';
import { fullId, shortId, shortText } from '#web/short-id.ts';
import { when, whenExact } from '#web/times.ts';
import { quoted, untrustedNote, visible } from '#web/untrusted.ts';
import { questionPage } from '../confirmation.ts';
import { agentName, dashboardPage, markdownOf, otherPages } from '../frame.ts';
import type * as shapes from '../shapes.ts';
import { ORDER_FILTERS } from './filters.ts';
import type { OrdersSeen } from './owner-orders.ts';

type Output = z.output<typeof shapes.CabinetOrders>;
type Order = NonNullable<Output['order']>;
type OrderLine = Output['orders'][number];

const PATH = '/dashboard/orders';

/** What a page of orders shows beyond its JSON. */
export interface OrdersView extends Partial<Pick<OrdersSeen, 'signed'>> {
  readonly toast?: Html;
  readonly show?: keyof typeof ORDER_FILTERS | undefined;
  readonly before?: string | undefined;
  readonly agentId?: string | undefined;
  /** The question before the order that is shown is cancelled. */
  readonly asksToCancel?: boolean;
}

export const ordersDocument = {
  markdown: markdownOf('Orders'),
  html(output: Output, site: Site, view: OrdersView = {}): string {
    const { order } = output;
    const { toast = NOTHING, asksToCancel = false } = view;
    const body =
      order === null
        ? orderList(output, view, site)
        : asksToCancel
          ? cancelQuestion(output, order)
          : orderDetail(output, order, view, site);
    const query = queryOf(view, order);
    return dashboardPage(output, { title: 'Orders', path: PATH, query, body: html`${toast}${body}` }, site);
  },
};

function queryOf({ show, agentId, before }: OrdersView, order: Order | null): string {
  const query = new URLSearchParams({
    ...(order !== null && { order_id: order.order_id }),
    ...(show !== undefined && { show }),
    ...(agentId && { agent_id: agentId }),
    ...(before !== undefined && { before }),
  }).toString();
  return query === '' ? '' : `?${query}`;
}

function orderList({ agents, orders, next_before: older }: Output, view: OrdersView, site: Site): Html {
  const { show, agentId, before } = view;
  const at = (place?: string) => `${PATH}${queryOf({ show, agentId, before: place }, null)}`;
  const filter = (name?: keyof typeof ORDER_FILTERS) => ({
    label: name === undefined ? 'All' : ORDER_FILTERS[name].label,
    href: `${PATH}${queryOf({ show: name, agentId }, null)}`,
    isCurrent: name === show,
  });
  const names = Object.keys(ORDER_FILTERS) as (keyof typeof ORDER_FILTERS)[];
  const rows = orders.map((one) => [
    html`<a class="row-link" href="${PATH}?order_id=${one.order_id}"><bdi>“${one.untrusted_supplier}”</bdi></a>`,
    pill(one.state),
    eur(one.goods_total_eur),
    html`${eur(one.fee_eur)} <span class="muted">${feeWord(one)}</span>`,
    agentName(agents, one.agent_id),
    when(one.history[0]?.at ?? '', site),
  ]);
  const isFiltered = show !== undefined || before !== undefined || Boolean(agentId);
  const pages = otherPages({ next: older === null ? undefined : at(older), first: before && at() });
  const list = dataTable({
    caption: 'Orders, newest first',
    hidesCaption: true,
    rows,
    columns: [
      'Supplier',
      'State',
      { label: 'Goods', align: 'number' },
      { label: 'Fee', align: 'number' },
      'Agent',
      'Created',
    ],
  });
  const shown =
    rows.length > 0
      ? html`${card({ body: list })}${untrustedNote()}`
      : isFiltered
        ? emptyState(
            'No orders match this filter',
            'Choose another filter to see more.',
            linkTo(PATH, 'Show all orders'),
          )
        : noOrders(site);
  return html`${heading('Orders', 'Parts that your agents ordered. Every state is sealed in the public log.')}
${segmented('Show', [filter(), ...names.map((name) => filter(name))])}${shown}${pages}`;
}

const CREATE = {
  operationId: 'create_order',
  method: 'post',
  path: '/api/v1/orders',
  access: 'agent',
  headerOnly: { 'x-agent-key': 'agent_key' },
} as const;

function noOrders(site: Site): Html {
  const input = { supplier: 'OTHER', lines: [{ mpn: 'RC0603-10K', qty: 100 }], ship_to: { country: 'NL' } };
  return emptyState(
    'No orders yet',
    html`Agents create them with <code>POST /api/v1/orders</code>.`,
    codeTabs('first-order', callSnippets(CREATE, input, site)),
  );
}

const FEE_WORDS: Readonly<Record<string, string>> = {
  none: 'not charged',
  held: 'on hold',
  captured: 'charged',
  voided: 'returned',
};

function feeWord({ fee_state }: Pick<OrderLine, 'fee_state'>): string {
  return FEE_WORDS[fee_state] ?? fee_state;
}

const TRACK = ['quoted', 'placed', 'confirmed', 'shipped', 'delivered'] as const;
const LABELS: Readonly<Record<string, string>> = {
  quoted: 'Quoted',
  placed: 'Placed',
  confirmed: 'Confirmed',
  shipped: 'Shipped',
  delivered: 'Delivered',
};

/** What was reached, each with its time and seal; then what is still to come, or the end that replaced it. */
function track({ history }: Order): Html {
  const reached = history.map(({ state, at, attestation_id }) => {
    const seal =
      attestation_id === null
        ? html`<span class="muted">Not sealed yet</span>`
        : html`<a href="/log/${attestation_id}">Seal</a>`;
    const name = state in LABELS ? html`<span class="track-name">${LABELS[state] ?? ''}</span>` : pill(state);
    return html`<li class="track-done" data-state="${state}">${name}<span class="track-at">${whenExact(at)}</span>${seal}</li>`;
  });
  const last = history.at(-1)?.state ?? '';
  const place = TRACK.indexOf(last as (typeof TRACK)[number]);
  const isOnTrack = place !== -1;
  const ahead = isOnTrack
    ? TRACK.slice(place + 1).map(
        (state) => html`<li class="track-todo"><span class="track-name">${LABELS[state] ?? ''}</span></li>`,
      )
    : [];
  return html`<ol class="track-steps" aria-label="Order progress">${reached}${ahead}</ol>`;
}

function orderDetail({ agents }: Output, order: Order, { signed = null }: OrdersView, site: Site): Html {
  const address = `${PATH}?order_id=${order.order_id}`;
  const actions = order.cancellable ? [confirmLink('Cancel order…', `${address}&confirm=cancel`)] : [];
  const isLate = order.state === 'shipped' || order.state === 'delivered';
  const lines = dataTable({
    caption: 'Parts',
    hidesCaption: true,
    columns: ['Part', { label: 'Quantity', align: 'number' }, { label: 'Total', align: 'number' }],
    rows: order.lines.map(({ sku, qty, total_eur }) => [html`<bdi>“${sku}”</bdi>`, qty, eur(total_eur)]),
  });
  const mandate =
    order.mandate_id === null
      ? 'None'
      : shortId(order.mandate_id, `/dashboard/mandates?mandate_id=${order.mandate_id}`);
  return html`${crumbs([{ href: PATH, label: 'Orders' }], shortText(order.order_id))}${heading('Order', undefined, actions)}
<div class="thing-head">${pill(order.state)}${fullId(order.order_id)}</div>
<p class="request">${quoted(order.untrusted_supplier)}</p>
<p class="about">${agentName(agents, order.agent_id)} · created ${when(order.history[0]?.at ?? '', site)}</p>
${isLate ? html`<p class="muted">Shipped orders cannot be cancelled.</p>` : NOTHING}
${card({ title: 'Price', body: priceRows(order) })}
${card({ title: 'Progress', body: track(order) })}
${card({ title: 'Parts', body: lines })}
${card({
  title: 'Proof',
  body: html`${keyValues([
    ['Mandate', mandate],
    ['Sent by', order.channel === 'manual' ? 'Avouch, by email' : 'Avouch, through the supplier’s API'],
  ])}${
    signed === null
      ? NOTHING
      : html`<details><summary>Order with its signed receipt</summary>${code(visible(JSON.stringify(signed, null, 2)), 'Order with its receipt')}<p>Paste all of it at ${linkTo('/verify', 'Verify a proof')} to check that supplier, parts and prices are the ones that were signed.</p></details>`
  }`,
})}
${untrustedNote()}`;
}

/** Two payments: the goods to the supplier, the fee to Avouch. */
function priceRows(order: Order): Html {
  const [goods, fee] = [order.goods_total_eur, order.fee_eur].map((text) => parseMicro(text) ?? 0);
  return keyValues([
    ['Total', html`<strong>${eurOfMicro((goods ?? 0) + (fee ?? 0))}</strong>`],
    ['Parts', html`${eur(order.goods_total_eur)} <span class="muted">you pay the supplier directly</span>`],
    ['Avouch fee', html`${eur(order.fee_eur)} <span class="muted">from the agent’s wallet, ${feeWord(order)}</span>`],
  ]);
}

function feeSentence({ state, fee_eur }: Order): Html {
  return state === 'confirmed'
    ? html`<p>The fee of ${eur(fee_eur)} is returned.</p>`
    : html`<p>The hold of ${eur(fee_eur)} is released.</p>`;
}

function cancelQuestion({ csrf, agents }: Output, order: Order): Html {
  const { order_id, untrusted_supplier, goods_total_eur } = order;
  return questionPage({
    page: { title: 'Orders', href: PATH },
    back: `${PATH}?order_id=${order_id}`,
    title: 'Cancel this order?',
    body: html`<p>${agentName(agents, order.agent_id)} · ${shortId(order_id)}</p><p><bdi>“${untrusted_supplier}”</bdi>, goods for ${eur(goods_total_eur)}</p>${feeSentence(order)}<p>If the goods are already paid, settle that with the supplier. This cannot be undone.</p>`,
    action: PATH,
    csrf,
    fields: { order_id },
    label: 'Cancel order',
    cancelLabel: 'Keep order',
  });
}

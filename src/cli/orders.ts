import { readFile } from 'node:fs/promises';
import { type FeeState, type Order, ORDER_MOVES, type OrderState } from '#areas/orders/order/order.ts';
import { isStopped, moveSteps } from '#areas/orders/order/order-moves.ts';
import { movedOrder } from '#areas/orders/order/order-unit.ts';
import { MANUAL_ORDERS_OPEN, ORDER_OF_ANYBODY } from '#areas/orders/sql.ts';
import { runningSha256 } from '#kernel/ids.ts';
import { formatEur, isRefused } from '#platform/ledger/steps.ts';
import { columns } from './line/columns.ts';
import { InputError, type Run, UsageError } from './line/spec.ts';
import { joinLog, openStore } from './operator-store.ts';

const HEADER = ['ORDER', 'STATE', 'SINCE', 'SUPPLIER', 'GOODS', 'FEE', 'AGENT'];

export const listOrders: Run = async (_given, output) => {
  await using opened = await openStore(output);
  const orders = (await opened.foundation.store.read(MANUAL_ORDERS_OPEN)).map((order) => ({
    order_id: order.id,
    state: order.state,
    since: order.history.at(-1)?.at ?? '',
    supplier: order.supplier,
    goods_total_eur: formatEur(order.goodsMicro),
    fee_eur: formatEur(order.feeMicro),
    agent_id: order.agentId,
  }));
  const rows = orders.map((order) => Object.values(order));
  output.result({ orders }, rows.length === 0 ? '' : columns(HEADER, rows));
  if (rows.length === 0) output.note('No order waits for word of its supplier.');
  return 0;
};

const FEES: Readonly<Record<FeeState, string>> = {
  none: 'not charged',
  held: 'on hold',
  captured: 'charged',
  voided: 'returned',
};

/** Records what a supplier told the operator. Nothing becomes confirmed without the supplier's own document. */
export const recordOrder: Run = async ({ operands, values }, output) => {
  const [id, to] = operands as [string, OrderState];
  const { document } = values;
  if (to === 'confirmed' && document === undefined) {
    throw new UsageError('Missing --document <file>: the confirmation that the supplier sent.');
  }
  const documentSha256 = document === undefined ? undefined : await digestOf(document);
  await using opened = await openStore(output);
  const { foundation, isSandbox } = opened;
  const [order] = await foundation.store.read(ORDER_OF_ANYBODY, [id]);
  if (order === undefined) throw new Error(`No order has the id ${id}. \`avouch orders list\` shows them.`);
  if (order.channel !== 'manual') {
    throw new Error(`${id} was sent through the API of ${order.supplier}, which reports on it. Nothing was changed.`);
  }
  if (ORDER_MOVES[order.state][to] === undefined) throw new Error(notAllowed(order, to));
  await joinLog(foundation);
  const steps = moveSteps(order, to, { sandbox: isSandbox, documentSha256 });
  const results = await foundation.store.runAll(steps, isStopped);
  const refused = results.find(isRefused);
  if (refused !== undefined) throw new Error(`The ledger refused (${refused.code}). Nothing was changed.`);
  const moved = movedOrder(results.at(-1));
  if (moved === undefined) throw new Error(`${id} was changed meanwhile. Nothing was changed: look at it again.`);
  const { feeState } = moved;
  output.result(
    { order_id: id, state: moved.state, fee_state: feeState, document_sha256: documentSha256 ?? null },
    `${id} is ${moved.state}. The fee of €${formatEur(moved.feeMicro)} is ${FEES[feeState]}.\n`,
  );
  return 0;
};

function notAllowed({ id, state }: Order, to: OrderState): string {
  const allowed = Object.keys(ORDER_MOVES[state]);
  const next = allowed.length === 0 ? 'It is over.' : `Possible now: ${allowed.join(', ')}.`;
  return `${id} is ${state} and cannot become ${to}. ${next}`;
}

/** The document stays with the operator: only its digest is stored and sealed. */
async function digestOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => {
    throw new InputError(`Cannot read ${file}.`);
  });
  if (bytes.length === 0) throw new InputError(`${file} is empty.`);
  const digest = runningSha256();
  digest.update(bytes);
  return digest.hex();
}

import { canonicalJson } from '#kernel/canonical-json.ts';
import { isoTime } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { type DraftedEntry, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Cell, Decision, Row, Step, Unit } from '#platform/storage/store.ts';
import { ENDED, FEE_AFTER, linesDigest, MOVES, type Order, type OrderState, OUTCOME_STATES } from './order.ts';
import * as sql from '../sql.ts';

/** What a seal is made of, drawn before the lock. */
export interface Entropy {
  readonly seed: string;
  readonly nonce: string;
  readonly sandbox: boolean;
}

interface MoveCommand {
  readonly id: string;
  readonly from: OrderState;
  readonly to: OrderState;
  readonly set?: Partial<Pick<Order, 'holdId' | 'feeTx' | 'verifyRef'>>;
  readonly entropy: Entropy;
}

type OrderCommand =
  | { readonly type: 'create'; readonly order: Order; readonly entropy: Entropy }
  /** As move, and leaves nothing behind. */
  | { readonly type: 'check'; readonly id: string; readonly from: OrderState; readonly to: OrderState }
  | ({ readonly type: 'move' } & MoveCommand)
  | { readonly type: 'note'; readonly id: string; readonly set: Partial<Pick<Order, 'supplierRef' | 'asksAtMs'>> }
  | { readonly type: 'sealed'; readonly id: string; readonly state: OrderState; readonly attestationId: string }
  | { readonly type: 'forget'; readonly id: string };

export type OrderResult =
  | { readonly type: 'order'; readonly order: Order }
  | {
      readonly type: 'not_moved' /** Of the order, which is not what the command took it for. */;
      readonly state: OrderState;
    };

interface State {
  readonly orders: VersionedMap<string, Order>;
}

/** The order that a step left behind; undefined where it did not come to pass. */
export function movedOrder(result: unknown): Order | undefined {
  const { type, order } = (result ?? {}) as { type?: string; order?: Order };
  return type === 'order' ? order : undefined;
}

export function isNotMoved(result: unknown): boolean {
  return (result as Partial<OrderResult> | null)?.type === 'not_moved';
}

const orderUnit: Unit<[OrderCommand, OrderResult], State> = {
  name: 'orders',
  reads: (commands) => [
    { sql: sql.ORDERS_OF_IDS, list: [...new Set(commands.flatMap((one) => ('id' in one ? [one.id] : [])))] },
  ],
  load: ([rows = []]) => ({
    orders: VersionedMap.of(rows.map(orderOf).map((order) => [order.id, order] as const)),
  }),
  decide,
  writes(before, after) {
    const changed = [...after.orders.changesSince(before.orders).keys()];
    return [{ sql: sql.ORDER_UPSERT, rows: changed.map((id) => rowOf(after.orders.get(id) as Order)) }];
  },
};

type Decided = Decision<State, OrderResult>;

function decide(state: State, nowMs: number, _next: unknown, command: OrderCommand): Decided {
  if (command.type === 'create') {
    const entry = stateEntry(command.order, null, 'quoted', { nowMs, ...command.entropy });
    const history = [{ state: 'quoted', at: isoTime(nowMs), attestation_id: entry.leaf.id }] as const;
    return { ...kept(state, { ...command.order, history }), entries: [entry] };
  }
  const order = state.orders.get(command.id);
  if (order === undefined) throw new Error(`no order ${command.id}`);
  switch (command.type) {
    case 'check':
      return { state, result: canMove(order, command) ? { type: 'order', order } : notMoved(order) };
    case 'move':
      return canMove(order, command) ? move(state, nowMs, order, command) : { state, result: notMoved(order) };
    case 'note':
      return kept(state, { ...order, ...command.set });
    case 'sealed': {
      const { state: of, attestationId } = command;
      const history = order.history.map((one) => (one.state === of ? { ...one, attestation_id: attestationId } : one));
      return kept(state, { ...order, history });
    }
    case 'forget':
      return kept(state, { ...order, shipTo: null, note: null });
  }
}

function move(state: State, nowMs: number, order: Order, { to, set, entropy }: MoveCommand): Decided {
  const fee = MOVES[order.state][to] ?? 'none';
  const isOutcome = order.mandateId !== null && OUTCOME_STATES.has(to);
  const entry = isOutcome ? null : stateEntry(order, order.state, to, { nowMs, ...entropy });
  const isEnded = ENDED.has(to);
  const moved: Order = {
    ...order,
    ...set,
    state: to,
    feeState: FEE_AFTER[fee](order.feeState),
    history: [...order.history, { state: to, at: isoTime(nowMs), attestation_id: entry?.leaf.id ?? null }],
    endedAtMs: isEnded ? nowMs : null,
    // An open order of a supplier that answers is asked about; an outcome is looked after until it is sealed.
    asksAtMs: isOutcome || (order.channel === 'adapter' && !isEnded) ? nowMs : null,
  };
  return { ...kept(state, moved), ...(entry !== null && { entries: [entry] }) };
}

function kept(state: State, order: Order): Decided {
  return { state: { ...state, orders: state.orders.with(order.id, order) }, result: { type: 'order', order } };
}

function canMove(order: Order, { from, to }: { from: OrderState; to: OrderState }): boolean {
  return order.state === from && MOVES[from][to] !== undefined;
}

function notMoved({ state }: Order): OrderResult {
  return { type: 'not_moved', state };
}

const STATE_SCHEMA = 'coordination.state.v1';

/** The claim stands in clear, so that it names the order by a digest only; the evidence covers its lines. */
function stateEntry(
  order: Order,
  from: OrderState | null,
  to: OrderState,
  at: Entropy & { nowMs: number },
): DraftedEntry {
  const schema = schemaById(STATE_SCHEMA);
  if (schema === undefined) throw new Error(`no schema ${STATE_SCHEMA}`);
  const sealedAt = isoTime(at.nowMs);
  const facts = { order_id: order.id, from, to, at: sealedAt, lines_sha256: linesDigest(order.lines) };
  const claim = {
    case_id: sha256Hex(order.id),
    ...(from !== null && { from_state: from }),
    to_state: to,
    evidence: sha256Hex(canonicalJson(facts)),
  };
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(at.seed, 'base64url') });
  const draft = { prepared, claim, observations: [], seed: at.seed, disclosure: 'public', nonce: at.nonce } as const;
  return sealEntry(draft, { sandbox: at.sandbox, sealedAt });
}

export function orderStep(command: OrderCommand): Step {
  return { unit: orderUnit, command };
}

export function orderOf(row: Row): Order {
  const text = (name: string) => row[name] as string | null;
  return {
    id: row['id'] as string,
    agentId: row['agent_id'] as string,
    state: row['state'] as OrderState,
    supplier: row['supplier'] as string,
    channel: row['channel'] as Order['channel'],
    calculationId: text('calculation_id'),
    lines: JSON.parse(row['lines'] as string) as Order['lines'],
    goodsMicro: row['goods'] as number,
    feeMicro: row['fee'] as number,
    feeState: row['fee_state'] as Order['feeState'],
    holdId: text('hold_id'),
    feeTx: text('fee_tx'),
    country: row['country'] as string,
    shipTo: text('ship_to'),
    note: text('note'),
    mandateId: text('mandate_id'),
    verifyRef: text('verify_ref'),
    supplierRef: text('supplier_ref'),
    history: JSON.parse(row['history'] as string) as Order['history'],
    receipt: row['receipt'] as string,
    createdAtMs: row['created_at'] as number,
    expiresAtMs: row['expires_at'] as number,
    endedAtMs: row['ended_at'] as number | null,
    asksAtMs: row['asks_at'] as number | null,
  };
}

function rowOf(order: Order): Cell[] {
  return [
    ...[order.id, order.agentId, order.state, order.supplier, order.channel, order.calculationId],
    ...[JSON.stringify(order.lines), order.goodsMicro, order.feeMicro, order.feeState, order.holdId, order.feeTx],
    ...[order.country, order.shipTo, order.note, order.mandateId, order.verifyRef, order.supplierRef],
    ...[JSON.stringify(order.history), order.receipt, order.createdAtMs, order.expiresAtMs],
    ...[order.endedAtMs, order.asksAtMs],
  ];
}

import { canonicalJson } from '#kernel/canonical-json.ts';
import { isoTime } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { type DraftedEntry, sealEntry } from '#protocol/attestation/seal-entry.ts';
import { decideByType, type Decision, type Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import {
  ENDED_STATES,
  FEE_AFTER,
  linesDigest,
  type Order,
  ORDER_MOVES,
  type OrderState,
  OUTCOME_STATES,
} from './order.ts';
import * as sql from '../sql.ts';

/** What a seal is made of, drawn before the lock. */
export interface Entropy {
  readonly seed: string;
  readonly nonce: string;
  readonly sandbox: boolean;
}

interface CheckCommand {
  /** As move, and leaves nothing behind. */
  readonly type: 'check';
  readonly id: string;
  readonly from: OrderState;
  readonly to: OrderState;
}

interface MoveCommand {
  readonly type: 'move';
  readonly id: string;
  readonly from: OrderState;
  readonly to: OrderState;
  readonly set?: Partial<Pick<Order, 'holdId' | 'feeTx' | 'verifyRef'>>;
  readonly documentSha256?: string | undefined;
  readonly entropy: Entropy;
}

type ChangeCommand =
  | { readonly type: 'create'; readonly order: Order; readonly entropy: Entropy }
  | { readonly type: 'note'; readonly id: string; readonly set: Partial<Pick<Order, 'supplierRef' | 'asksAtMs'>> }
  | { readonly type: 'sealed'; readonly id: string; readonly state: OrderState; readonly attestationId: string }
  | { readonly type: 'forget'; readonly id: string };

interface Kept {
  readonly type: 'order';
  readonly order: Order;
}

/** Of the order, which is not what the command took it for. */
export interface NotMoved {
  readonly type: 'not_moved';
  readonly state: OrderState;
}

type OrderDeed = [CheckCommand | MoveCommand, Kept | NotMoved] | [ChangeCommand, Kept];

interface State {
  readonly orders: VersionedMap<string, Order>;
}

/** The order that a step left behind; undefined where it did not come to pass. */
export function movedOrder(result: unknown): Order | undefined {
  const { type, order } = (result ?? {}) as { type?: string; order?: Order };
  return type === 'order' ? order : undefined;
}

export function isNotMoved(result: unknown): boolean {
  return (result as Partial<Kept | NotMoved> | null)?.type === 'not_moved';
}

const reads = (commands: readonly OrderDeed[0][]) => ({
  orders: listed(sql.ORDERS_OF_IDS, new Set(commands.flatMap((one) => ('id' in one ? [one.id] : [])))),
});

export const orderUnit: Unit<OrderDeed, State, typeof reads> = {
  name: 'orders',
  reads,
  load: ({ orders }) => ({ orders: VersionedMap.by(orders, ({ id }) => id) }),
  decide: decideByType<OrderDeed, State>({
    create(state, nowMs, _next, { order, entropy }) {
      const entry = stateEntry(order, { from: null, to: 'quoted' }, { nowMs, ...entropy });
      const history = [{ state: 'quoted', at: isoTime(nowMs), attestation_id: entry.leaf.id }] as const;
      return { ...kept(state, { ...order, history }), entries: [entry] };
    },
    check(state, _nowMs, _next, command) {
      const order = named(state, command);
      return { state, result: canMove(order, command) ? { type: 'order', order } : notMoved(order) };
    },
    move(state, nowMs, _next, command) {
      const order = named(state, command);
      return canMove(order, command) ? move(state, nowMs, order, command) : { state, result: notMoved(order) };
    },
    note: (state, _nowMs, _next, command) => kept(state, { ...named(state, command), ...command.set }),
    sealed(state, _nowMs, _next, command) {
      const order = named(state, command);
      const { state: of, attestationId } = command;
      const history = order.history.map((one) => (one.state === of ? { ...one, attestation_id: attestationId } : one));
      return kept(state, { ...order, history });
    },
    forget: (state, _nowMs, _next, command) => kept(state, { ...named(state, command), shipTo: null, note: null }),
  }),
  writes: (before, after) => [sql.ORDER.upsert(after.orders.changedSince(before.orders))],
};

function named({ orders }: State, { id }: { readonly id: string }): Order {
  const order = orders.get(id);
  if (order === undefined) throw new Error(`no order ${id}`);
  return order;
}

function move(state: State, nowMs: number, order: Order, command: MoveCommand): Decision<State, Kept> {
  const { to, set, documentSha256, entropy } = command;
  const fee = ORDER_MOVES[order.state][to] ?? 'none';
  const isOutcome = order.mandateId !== null && OUTCOME_STATES.has(to);
  const change = { from: order.state, to, document_sha256: documentSha256 };
  const entry = isOutcome ? null : stateEntry(order, change, { nowMs, ...entropy });
  const isEnded = ENDED_STATES.has(to);
  const reached = { state: to, at: isoTime(nowMs), attestation_id: entry?.leaf.id ?? null };
  const history = [
    ...order.history,
    documentSha256 === undefined ? reached : { ...reached, document_sha256: documentSha256 },
  ];
  const isSealed = history.every(({ attestation_id }) => attestation_id !== null);
  const moved: Order = {
    ...order,
    ...set,
    state: to,
    feeState: FEE_AFTER[fee](order.feeState),
    history,
    endedAtMs: isEnded ? nowMs : null,
    // A supplier that answers is asked about an open order and told that one is cancelled; an outcome is sealed.
    asksAtMs: !isSealed || (order.channel === 'adapter' && (!isEnded || to === 'cancelled')) ? nowMs : null,
  };
  return { ...kept(state, moved), ...(entry !== null && { entries: [entry] }) };
}

function kept(state: State, order: Order): Decision<State, Kept> {
  return { state: { ...state, orders: state.orders.with(order.id, order) }, result: { type: 'order', order } };
}

function canMove(order: Order, { from, to }: { from: OrderState; to: OrderState }): boolean {
  return order.state === from && ORDER_MOVES[from][to] !== undefined;
}

function notMoved({ state }: Order): NotMoved {
  return { type: 'not_moved', state };
}

const STATE_SCHEMA = 'coordination.state.v1';

interface Change {
  readonly from: OrderState | null;
  readonly to: OrderState;
  readonly document_sha256?: string | undefined;
}

/** The claim stands in clear, so that it names the order by a digest only; the evidence covers its lines. */
function stateEntry(
  order: Order,
  { from, to, document_sha256 }: Change,
  at: Entropy & { nowMs: number },
): DraftedEntry {
  const schema = schemaById(STATE_SCHEMA);
  if (schema === undefined) throw new Error(`no schema ${STATE_SCHEMA}`);
  const sealedAt = isoTime(at.nowMs);
  const facts = {
    order_id: order.id,
    from,
    to,
    at: sealedAt,
    lines_sha256: linesDigest(order.lines),
    ...(document_sha256 !== undefined && { document_sha256 }),
  };
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

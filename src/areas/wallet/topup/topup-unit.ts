import { DAY_MS } from '#kernel/clock.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Decision, Row, Step, Unit } from '#platform/storage/store.ts';
import * as sql from './topup-sql.ts';
import type { Dispute, SeenEvent, TopUp } from './topup-state.ts';

/** More open ones than this would only have the processor asked about what nobody pays. */
const MAX_OPEN = 10;
const KEPT_EVENTS_MS = 60 * DAY_MS;

type Command =
  /** Writes the row before the processor is asked; the one that is there already is given back. */
  | { readonly type: 'open'; readonly topUp: TopUp }
  /** Goes on only while nothing has changed since the reader looked, and the event is new. */
  | {
      readonly type: 'expect';
      readonly topUp: TopUp;
      readonly disputes: number | null;
      readonly eventId: string | null;
    }
  | { readonly type: 'put'; readonly topUp: TopUp; readonly dispute: Dispute | null; readonly event: SeenEvent | null }
  /** Remembers an event that concerns no top-up. */
  | { readonly type: 'see'; readonly event: SeenEvent }
  | { readonly type: 'forget'; readonly beforeMs: number };

export type TopUpResult =
  | { readonly type: 'topup'; readonly topUp: TopUp; readonly isNew: boolean }
  | { readonly type: 'too_many' | 'same' | 'changed' | 'event_known' | 'kept' };

interface State {
  readonly topUps: VersionedMap<string, TopUp>;
  readonly openOf: VersionedMap<string, { readonly count: number }>;
  readonly disputes: VersionedMap<string, Dispute>;
  readonly events: VersionedMap<string, SeenEvent>;
  readonly old: readonly string[];
}

const unit: Unit<[Command, TopUpResult], State> = {
  name: 'topups',
  reads(commands) {
    const [ids, agents, disputed, events] = [
      new Set<string>(),
      new Set<string>(),
      new Set<string>(),
      new Set<string>(),
    ];
    const before: number[] = [];
    for (const command of commands) {
      if (command.type === 'forget') before.push(command.beforeMs);
      else if (command.type === 'see') events.add(command.event.id);
      else ids.add(command.topUp.id);
      if (command.type === 'open') agents.add(command.topUp.agentId);
      if (command.type === 'expect') disputed.add(command.topUp.agentId);
      if (command.type === 'expect' && command.eventId !== null) events.add(command.eventId);
    }
    return [
      { sql: sql.TOPUPS_OF_IDS, list: [...ids] },
      { sql: sql.OPEN_OF_AGENTS, list: [...agents] },
      { sql: sql.DISPUTES_OF_AGENTS, list: [...disputed] },
      { sql: sql.EVENTS_OF_IDS, list: [...events] },
      { sql: sql.EVENTS_BEFORE, ...(before.length === 0 ? { list: [] } : { params: [Math.max(...before)] }) },
    ];
  },
  load([byId = [], opened = [], disputes = [], events = [], old = []]) {
    const counts = Map.groupBy(opened, (row) => row['agent_id'] as string);
    return {
      topUps: VersionedMap.of([...byId, ...opened].map(topUpOf).map((one) => [one.id, one] as const)),
      openOf: VersionedMap.of([...counts].map(([agentId, rows]) => [agentId, { count: rows.length }] as const)),
      disputes: VersionedMap.of(disputes.map(disputeOf).map((one) => [one.id, one] as const)),
      events: VersionedMap.of([...events, ...old].map(eventOf).map((one) => [one.id, one] as const)),
      old: old.map((row) => row['id'] as string),
    };
  },
  decide: (state, _nowMs, _next, command) => decide(state, command),
  writes(before, after) {
    const changed = <V extends object>(was: VersionedMap<string, V>, is: VersionedMap<string, V>) =>
      [...is.changesSince(was).keys()].flatMap((id) => is.get(id) ?? []);
    const gone = [...after.events.changesSince(before.events).keys()].filter((id) => !after.events.get(id));
    return [
      { sql: sql.TOPUP_UPSERT, rows: changed(before.topUps, after.topUps).map(topUpRow) },
      { sql: sql.DISPUTE_UPSERT, rows: changed(before.disputes, after.disputes).map(disputeRow) },
      { sql: sql.EVENT_INSERT, rows: changed(before.events, after.events).map(eventRow) },
      { sql: sql.EVENT_DELETE, rows: gone.map((id) => [id]) },
    ];
  },
};

function decide(state: State, command: Command): Decision<State, TopUpResult> {
  switch (command.type) {
    case 'open':
      return open(state, command.topUp);
    case 'expect': {
      const { topUp, disputes, eventId } = command;
      const ofAgent = state.disputes.values().filter(({ agentId }) => agentId === topUp.agentId);
      const isSame = state.topUps.get(topUp.id)?.version === topUp.version;
      if (eventId !== null && state.events.get(eventId) !== undefined)
        return { state, result: { type: 'event_known' } };
      const type = isSame && (disputes === null || disputes === stampOf(ofAgent)) ? 'same' : 'changed';
      return { state, result: { type } };
    }
    case 'put': {
      const { topUp, dispute, event } = command;
      const topUps = state.topUps.with(topUp.id, { ...topUp, version: topUp.version + 1 });
      const disputes = dispute === null ? state.disputes : state.disputes.with(dispute.id, dispute);
      const events = event === null ? state.events : withEvent(state, event);
      return { state: { ...state, topUps, disputes, events }, result: { type: 'kept' } };
    }
    case 'see':
      return { state: { ...state, events: withEvent(state, command.event) }, result: { type: 'kept' } };
    case 'forget': {
      const events = state.old.reduce((left, id) => left.without(id), state.events);
      return { state: { ...state, events, old: [] }, result: { type: 'kept' } };
    }
  }
}

function withEvent({ events }: State, event: SeenEvent): State['events'] {
  return events.get(event.id) === undefined ? events.with(event.id, event) : events;
}

function open(state: State, topUp: TopUp): Decision<State, TopUpResult> {
  const there = state.topUps.get(topUp.id);
  if (there !== undefined) return { state, result: { type: 'topup', topUp: there, isNew: false } };
  const { count } = state.openOf.get(topUp.agentId) ?? { count: 0 };
  if (count >= MAX_OPEN) return { state, result: { type: 'too_many' } };
  const topUps = state.topUps.with(topUp.id, topUp);
  const openOf = state.openOf.with(topUp.agentId, { count: count + 1 });
  return { state: { ...state, topUps, openOf }, result: { type: 'topup', topUp, isNew: true } };
}

/** Rows are only added and versions only grow: the same sum is the same state. */
export function stampOf(disputes: readonly Dispute[]): number {
  return disputes.reduce((sum, { version }) => sum + version, 0);
}

const step = (command: Command): Step => ({ unit, command });

/** Steps of a transaction about top-ups; each gives a TopUpResult. */
export const topUps = {
  open: (topUp: TopUp) => step({ type: 'open', topUp }),
  expect: (of: { topUp: TopUp; disputes?: number; eventId?: string | null }) =>
    step({ type: 'expect', topUp: of.topUp, disputes: of.disputes ?? null, eventId: of.eventId ?? null }),
  put: (of: { topUp: TopUp; dispute?: Dispute | null; event?: SeenEvent | null }) =>
    step({ type: 'put', topUp: of.topUp, dispute: of.dispute ?? null, event: of.event ?? null }),
  see: (event: SeenEvent) => step({ type: 'see', event }),
  /** Up to 500 events that the processor itself has forgotten. */
  forget: (nowMs: number) => step({ type: 'forget', beforeMs: nowMs - KEPT_EVENTS_MS }),
};

export function topUpOf(row: Row): TopUp {
  const isLive = row['livemode'] as number | null;
  return {
    id: row['id'] as string,
    agentId: row['agent_id'] as string,
    tier: row['tier'] as TopUp['tier'],
    priceCents: row['price_cents'] as number,
    status: row['status'] as TopUp['status'],
    sessionId: row['session_id'] as string | null,
    paymentIntent: row['payment_intent'] as string | null,
    checkoutUrl: row['checkout_url'] as string | null,
    isLive: isLive === null ? null : isLive === 1,
    createdAtMs: row['created_at'] as number,
    openedAtMs: row['opened_at'] as number | null,
    expiresAtMs: row['expires_at'] as number | null,
    nextPollAtMs: row['next_poll_at'] as number | null,
    creditedAtMs: row['credited_at'] as number | null,
    txId: row['tx_id'] as string | null,
    review: row['review'] as string | null,
    version: row['version'] as number,
  };
}

function topUpRow(one: TopUp): Cell[] {
  const { id, agentId, tier, priceCents, status, sessionId, paymentIntent, checkoutUrl, isLive, createdAtMs } = one;
  const { openedAtMs, expiresAtMs, nextPollAtMs, creditedAtMs, txId, review, version } = one;
  const livemode = isLive === null ? null : Number(isLive);
  const session = [sessionId, paymentIntent, checkoutUrl, livemode];
  const times = [createdAtMs, openedAtMs, expiresAtMs, nextPollAtMs, creditedAtMs];
  return [id, agentId, tier, priceCents, status, ...session, ...times, txId, review, version];
}

export function disputeOf(row: Row): Dispute {
  return {
    id: row['id'] as string,
    topUpId: row['topup_id'] as string,
    agentId: row['agent_id'] as string,
    amountCents: row['amount_cents'] as number,
    holdId: row['hold_id'] as string,
    withdrawnTx: row['withdrawn_tx'] as string | null,
    isReinstated: row['reinstated'] === 1,
    closed: row['closed'] as Dispute['closed'],
    version: row['version'] as number,
  };
}

function disputeRow(one: Dispute): Cell[] {
  const { id, topUpId, agentId, amountCents, holdId, withdrawnTx, isReinstated, closed, version } = one;
  return [id, topUpId, agentId, amountCents, holdId, withdrawnTx, Number(isReinstated), closed, version];
}

function eventOf(row: Row): SeenEvent {
  return {
    id: row['id'] as string,
    type: row['type'] as string,
    createdAtMs: row['created_at'] as number,
    outcome: row['outcome'] as SeenEvent['outcome'],
    topUpId: row['topup_id'] as string | null,
  };
}

function eventRow({ id, type, createdAtMs, outcome, topUpId }: SeenEvent): Cell[] {
  return [id, type, createdAtMs, outcome, topUpId];
}

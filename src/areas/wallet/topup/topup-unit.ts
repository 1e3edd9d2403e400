import { DAY_MS } from '#kernel/clock.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import {
  decideByType,
  type Decision,
  type Found,
  type ResultOf,
  type Step,
  step,
  type Unit,
  type Write,
} from '#platform/storage/store.ts';
import { given, listed } from '#platform/storage/table.ts';
import * as sql from './topup-sql.ts';
import type { Dispute, SeenEvent, TopUp } from './topup-state.ts';

/** More open ones than this would only have the processor asked about what nobody pays. */
const MAX_OPEN = 10;
const KEPT_EVENTS_MS = 60 * DAY_MS;

/** Writes the row before the processor is asked; the one that is there already is given back. */
interface Open {
  readonly type: 'open';
  readonly topUp: TopUp;
}

/** Goes on only while nothing has changed since the reader looked, and the event is new. */
interface Expect {
  readonly type: 'expect';
  readonly topUp: TopUp;
  readonly disputes: number | null;
  readonly eventId: string | null;
}

interface Put {
  readonly type: 'put';
  readonly topUp: TopUp;
  readonly dispute: Dispute | null;
  readonly event: SeenEvent | null;
}

/** Remembers an event that concerns no top-up. */
interface See {
  readonly type: 'see';
  readonly event: SeenEvent;
}

interface Forget {
  readonly type: 'forget';
  readonly dueBeforeMs: number;
}

type OpenResult =
  | { readonly type: 'topup'; readonly topUp: TopUp; readonly isNew: boolean }
  | { readonly type: 'too_many' };

interface ExpectResult {
  readonly type: 'same' | 'changed' | 'event_known';
}

type Deed = [Open, OpenResult] | [Expect, ExpectResult] | [Put | See | Forget, { readonly type: 'kept' }];
type Command = Deed[0];
export type TopUpResult = Deed[1];

interface State {
  readonly topUps: VersionedMap<string, TopUp>;
  readonly openOf: VersionedMap<string, { readonly count: number }>;
  readonly disputes: VersionedMap<string, Dispute>;
  readonly events: VersionedMap<string, SeenEvent>;
  readonly old: readonly string[];
}

const unit: Unit<Deed, State, typeof reads> = {
  name: 'topups',
  reads,
  load,
  decide: decideByType<Deed, State>({
    open: (state, _nowMs, _next, { topUp }) => open(state, topUp),
    expect: (state, _nowMs, _next, { topUp, disputes, eventId }) => {
      const ofAgent = state.disputes.values().filter(({ agentId }) => agentId === topUp.agentId);
      const isSame = state.topUps.get(topUp.id)?.version === topUp.version;
      if (eventId !== null && state.events.get(eventId) !== undefined)
        return { state, result: { type: 'event_known' } };
      const type = isSame && (disputes === null || disputes === stampOf(ofAgent)) ? 'same' : 'changed';
      return { state, result: { type } };
    },
    put: (state, _nowMs, _next, { topUp, dispute, event }) => {
      const topUps = state.topUps.with(topUp.id, { ...topUp, version: topUp.version + 1 });
      const disputes = dispute === null ? state.disputes : state.disputes.with(dispute.id, dispute);
      const events = event === null ? state.events : withEvent(state, event);
      return { state: { ...state, topUps, disputes, events }, result: { type: 'kept' } };
    },
    see: (state, _nowMs, _next, { event }) => {
      return { state: { ...state, events: withEvent(state, event) }, result: { type: 'kept' } };
    },
    forget: (state, nowMs) => {
      const isOld = (id: string) => (state.events.get(id)?.createdAtMs ?? nowMs) + KEPT_EVENTS_MS <= nowMs;
      const events = state.old.filter(isOld).reduce((left, id) => left.without(id), state.events);
      return { state: { ...state, events }, result: { type: 'kept' } };
    },
  }),
  writes,
};

function reads(commands: readonly Command[]) {
  const [ids, agents, disputed, events] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  const before: number[] = [];
  for (const command of commands) {
    if (command.type === 'forget') before.push(command.dueBeforeMs - KEPT_EVENTS_MS);
    else if (command.type === 'see') events.add(command.event.id);
    else ids.add(command.topUp.id);
    if (command.type === 'open') agents.add(command.topUp.agentId);
    if (command.type === 'expect') disputed.add(command.topUp.agentId);
    if (command.type === 'expect' && command.eventId !== null) events.add(command.eventId);
  }
  return {
    topUps: listed(sql.TOPUPS_OF_IDS, ids),
    opened: listed(sql.OPEN_OF_AGENTS, agents),
    disputes: listed(sql.DISPUTES_OF_AGENTS, disputed),
    events: listed(sql.EVENTS_OF_IDS, events),
    old: given(sql.EVENTS_BEFORE, before.length === 0 ? null : [Math.max(...before)]),
  };
}

function load({ topUps: named, opened, disputes, events, old }: Found<typeof reads>): State {
  const byAgent = Map.groupBy(opened, ({ agentId }) => agentId);
  return {
    topUps: VersionedMap.by([...named, ...opened], ({ id }) => id),
    openOf: VersionedMap.of([...byAgent].map(([agentId, ofAgent]) => [agentId, { count: ofAgent.length }] as const)),
    disputes: VersionedMap.by(disputes, ({ id }) => id),
    events: VersionedMap.by([...events, ...old], ({ id }) => id),
    old: old.map(({ id }) => id),
  };
}

function writes(before: State, after: State): readonly Write[] {
  const gone = [...after.events.changesSince(before.events).keys()].filter((id) => !after.events.get(id));
  return [
    sql.TOPUP.upsert(after.topUps.changedSince(before.topUps)),
    sql.DISPUTE.upsert(after.disputes.changedSince(before.disputes)),
    sql.CARD_EVENT.insert(after.events.changedSince(before.events)),
    sql.CARD_EVENT.remove(gone.map((id) => [id])),
  ];
}

function withEvent({ events }: State, event: SeenEvent): State['events'] {
  return events.get(event.id) === undefined ? events.with(event.id, event) : events;
}

function open(state: State, topUp: TopUp): Decision<State, OpenResult> {
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

const topUpStep = <const C extends Command>(command: C): Step<ResultOf<Deed, C>> => step(unit, command);

/** Steps of a transaction about top-ups; each gives a TopUpResult. */
export const topUps = {
  open: (topUp: TopUp) => topUpStep({ type: 'open', topUp }),
  expect: (of: { topUp: TopUp; disputes?: number; eventId?: string | null }) =>
    topUpStep({ type: 'expect', topUp: of.topUp, disputes: of.disputes ?? null, eventId: of.eventId ?? null }),
  put: (of: { topUp: TopUp; dispute?: Dispute | null; event?: SeenEvent | null }) =>
    topUpStep({ type: 'put', topUp: of.topUp, dispute: of.dispute ?? null, event: of.event ?? null }),
  see: (event: SeenEvent) => topUpStep({ type: 'see', event }),
  /** Up to 500 events that the processor itself has forgotten. */
  forget: (dueBeforeMs: number) => topUpStep({ type: 'forget', dueBeforeMs }),
};

import { VersionedMap } from '#kernel/versioned-map.ts';
import { decideByType, type Decision, type Found, type Unit } from '#platform/storage/store.ts';
import { given, listed } from '#platform/storage/table.ts';
import type { FuseResult } from './fuse.ts';
import {
  type ForgetCommand,
  forgetPayment,
  type IntentState,
  type JudgeCommand,
  judgeIntent,
} from './intent-memory.ts';
import * as sql from './sql.ts';

interface SweepCommand {
  readonly type: 'sweep';
  readonly dueBeforeMs: number;
}

interface Judged {
  readonly type: 'judged';
  readonly result: FuseResult;
}

interface Forgotten {
  readonly type: 'forgotten';
  readonly rows: number;
}

type IntentDeed = [JudgeCommand, Judged] | [ForgetCommand | SweepCommand, Forgotten];
export type IntentCommand = IntentDeed[0];
export type IntentResult = IntentDeed[1];

/** How the fuse reads and writes its memory. A gate joins it to its own unit, so that both commit or neither. */
export const intentUnit: Unit<IntentDeed, IntentState, typeof reads> = {
  name: 'fuse-memory',
  reads,
  load,
  decide: decideByType<IntentDeed, IntentState>({
    judge(state, nowMs, _next, command) {
      const judged = judgeIntent(state, nowMs, command);
      return { state: judged.state, result: { type: 'judged', result: judged.result } };
    },
    forget: (state, _nowMs, _next, { payment }) => forgetAll(state, [payment]),
    sweep: (state, _nowMs, _next, { dueBeforeMs }) =>
      // A payment may have been judged anew since the sweep looked.
      forgetAll(
        state,
        state.due.filter((payment) => (state.byPayment.get(payment)?.atMs ?? Infinity) <= dueBeforeMs),
      ),
  }),
  writes: (before, after) => sql.MEMORY.diff(before.byPayment, after.byPayment),
};

function reads(commands: readonly IntentCommand[]) {
  const payments = new Set<string>();
  const intents = new Set<string>();
  const probers = new Set<string>();
  let dueBeforeMs = Number.NEGATIVE_INFINITY;
  for (const command of commands) {
    if (command.type === 'sweep') dueBeforeMs = Math.max(dueBeforeMs, command.dueBeforeMs);
    else payments.add(command.payment);
    if (command.type !== 'judge') continue;
    if (command.intent !== null) intents.add(command.intent);
    if (command.prober !== null) probers.add(command.prober);
  }
  return {
    ofPayments: listed(sql.OF_PAYMENTS, payments),
    ofIntents: listed(sql.OF_INTENTS, intents),
    ofProbers: listed(sql.OF_PROBERS, probers),
    due: given(sql.DUE, dueBeforeMs < 0 ? null : [dueBeforeMs]),
  };
}

function load({ ofPayments, ofIntents, ofProbers, due }: Found<typeof reads>): IntentState {
  // The newest of an intent is its live one; older ones wait for the sweep.
  const byAge = ofIntents.toSorted((a, b) => a.atMs - b.atMs);
  return {
    byPayment: VersionedMap.by([...ofPayments, ...ofIntents, ...ofProbers, ...due], ({ payment }) => payment),
    byIntent: VersionedMap.by(byAge, ({ intent }) => intent as string),
    byProber: VersionedMap.of(Map.groupBy(ofProbers, ({ prober }) => prober as string)),
    due: due.map(({ payment }) => payment),
  };
}

function forgetAll(state: IntentState, payments: readonly string[]): Decision<IntentState, Forgotten> {
  const gone = payments.filter((payment) => state.byPayment.get(payment) !== undefined);
  return { state: gone.reduce(forgetPayment, state), result: { type: 'forgotten', rows: gone.length } };
}

import { VersionedMap } from '#kernel/versioned-map.ts';
import { decideByType, type Found, type Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import type { FuseResult } from './fuse.ts';
import {
  type ForgetCommand,
  forgetPayment,
  type IntentState,
  type JudgeCommand,
  judgeIntent,
  MEMORY_MS,
} from './intent-memory.ts';
import * as sql from './sql.ts';

interface Judged {
  readonly type: 'judged';
  readonly result: FuseResult;
}

interface Forgotten {
  readonly type: 'forgotten';
  readonly rows: number;
}

type IntentDeed = [JudgeCommand, Judged] | [ForgetCommand, Forgotten];
export type IntentCommand = IntentDeed[0];
export type IntentResult = IntentDeed[1];

export const memoryExpiry = sql.MEMORY.expiring({ by: ['at'], keptMs: MEMORY_MS });

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
    forget(state, _nowMs, _next, { payment }) {
      const isKnown = state.byPayment.get(payment) !== undefined;
      return {
        state: isKnown ? forgetPayment(state, payment) : state,
        result: { type: 'forgotten', rows: Number(isKnown) },
      };
    },
  }),
  writes: (before, after) => sql.MEMORY.diff(before.byPayment, after.byPayment),
};

function reads(commands: readonly IntentCommand[]) {
  const payments = new Set<string>();
  const intents = new Set<string>();
  const probers = new Set<string>();
  for (const command of commands) {
    payments.add(command.payment);
    if (command.type !== 'judge') continue;
    if (command.intent !== null) intents.add(command.intent);
    if (command.prober !== null) probers.add(command.prober);
  }
  return {
    ofPayments: listed(sql.OF_PAYMENTS, payments),
    ofIntents: listed(sql.OF_INTENTS, intents),
    ofProbers: listed(sql.OF_PROBERS, probers),
  };
}

function load({ ofPayments, ofIntents, ofProbers }: Found<typeof reads>): IntentState {
  // The newest of an intent is its live one; older ones wait for the sweep.
  const byAge = ofIntents.toSorted((a, b) => a.atMs - b.atMs);
  return {
    byPayment: VersionedMap.by([...ofPayments, ...ofIntents, ...ofProbers], ({ payment }) => payment),
    byIntent: VersionedMap.by(byAge, ({ intent }) => intent as string),
    byProber: VersionedMap.of(Map.groupBy(ofProbers, ({ prober }) => prober as string)),
  };
}

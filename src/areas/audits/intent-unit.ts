import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Decision, Read, Row, Unit, Write } from '#platform/storage/store.ts';
import type { FuseResult } from './fuse.ts';
import {
  type ForgetCommand,
  forget,
  type IntentState,
  type JudgeCommand,
  judge,
  type Remembered,
} from './intent-memory.ts';
import * as sql from './sql.ts';

interface SweepCommand {
  readonly type: 'sweep';
  readonly dueBeforeMs: number;
}

export type IntentCommand = JudgeCommand | ForgetCommand | SweepCommand;

export type IntentResult =
  | { readonly type: 'judged'; readonly result: FuseResult }
  | { readonly type: 'forgotten'; readonly rows: number };

/** How the fuse reads and writes its memory. A gate joins it to its own unit, so that both commit or neither. */
export const intentUnit: Unit<[IntentCommand, IntentResult], IntentState> = {
  name: 'fuse-memory',
  reads,
  load,
  decide,
  writes,
};

function reads(commands: readonly IntentCommand[]): readonly Read[] {
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
  return [
    { sql: sql.OF_PAYMENTS, list: [...payments] },
    { sql: sql.OF_INTENTS, list: [...intents] },
    { sql: sql.OF_PROBERS, list: [...probers] },
    dueBeforeMs < 0 ? { sql: sql.DUE, list: [] } : { sql: sql.DUE, params: [dueBeforeMs] },
  ];
}

function load([ofPayments = [], ofIntents = [], ofProbers = [], due = []]: readonly (readonly Row[])[]): IntentState {
  const all = [...ofPayments, ...ofIntents, ...ofProbers, ...due].map(remembered);
  // The newest of an intent is its live one; older ones wait for the sweep.
  const byAge = ofIntents.map(remembered).toSorted((a, b) => a.atMs - b.atMs);
  const probes = Map.groupBy(ofProbers.map(remembered), (row) => row.prober as string);
  return {
    byPayment: VersionedMap.of(all.map((row) => [row.payment, row] as const)),
    byIntent: VersionedMap.of(byAge.map((row) => [row.intent as string, row] as const)),
    byProber: VersionedMap.of<string, readonly Remembered[]>(probes),
    due: due.map((row) => row['payment'] as string),
  };
}

function decide(
  state: IntentState,
  nowMs: number,
  _next: unknown,
  command: IntentCommand,
): Decision<IntentState, IntentResult> {
  if (command.type === 'judge') {
    const judged = judge(state, nowMs, command);
    return { state: judged.state, result: { type: 'judged', result: judged.result } };
  }
  const payments = command.type === 'forget' ? [command.payment] : state.due;
  const isGone = (payment: string) => {
    const row = state.byPayment.get(payment);
    // A payment may have been judged anew since the sweep looked.
    return row !== undefined && (command.type === 'forget' || row.atMs <= command.dueBeforeMs);
  };
  const gone = payments.filter(isGone);
  return { state: gone.reduce(forget, state), result: { type: 'forgotten', rows: gone.length } };
}

function writes(before: IntentState, after: IntentState): readonly Write[] {
  const gone: Cell[][] = [];
  const kept: Cell[][] = [];
  for (const [payment, rowBefore] of after.byPayment.changesSince(before.byPayment)) {
    const row = after.byPayment.get(payment);
    if (row !== undefined) kept.push(cellsOf(row));
    else if (rowBefore !== undefined) gone.push([payment]);
  }
  return [
    { sql: sql.DELETE, rows: gone },
    { sql: sql.UPSERT, rows: kept },
  ];
}

function remembered(row: Row): Remembered {
  return {
    payment: row['payment'] as string,
    intent: row['intent'] as string | null,
    prober: row['prober'] as string | null,
    payer: row['payer'] as string,
    amountMicro: row['amount'] as number,
    atMs: row['at'] as number,
  };
}

function cellsOf({ payment, intent, prober, payer, amountMicro, atMs }: Remembered): Cell[] {
  return [payment, intent, prober, payer, amountMicro, atMs];
}

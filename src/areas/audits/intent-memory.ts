import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import type { VersionedMap } from '#kernel/versioned-map.ts';
import { microOf } from './exact-number.ts';
import { fuse, type FuseResult } from './fuse.ts';
import type { SpendInput, SpendMemory } from './spend-facts.ts';
import { FUSE_THRESHOLDS } from './thresholds.ts';

export const MEMORY_MS = FUSE_THRESHOLDS.memory_days * DAY_MS;

/** What one paid call left behind: its intent, its probe, or both. Names and addresses only as SHA-256. */
interface Remembered {
  /** The payment that caused it: the row comes and goes with the gate's own record. */
  readonly payment: string;
  /** Agent and intent_id; null when they were not both given. */
  readonly intent: string | null;
  /** Payer and agent; null when the spend was no probe. */
  readonly prober: string | null;
  readonly payer: string;
  readonly amountMicro: number;
  readonly atMs: number;
}

/** The rows that the commands of a batch name. Only `byPayment` is written back; the others find its rows. */
export interface IntentState {
  readonly byPayment: VersionedMap<string, Remembered>;
  readonly byIntent: VersionedMap<string, Remembered>;
  readonly byProber: VersionedMap<string, readonly Remembered[]>;
}

/** The names of a call in the only form in which they are stored. */
interface SpendNames {
  readonly payment: string;
  readonly payer: string;
  readonly intent: string | null;
  readonly prober: string | null;
}

export interface JudgeCommand extends SpendNames {
  readonly type: 'judge';
  readonly input: SpendInput;
}

export interface ForgetCommand {
  readonly type: 'forget';
  readonly payment: string;
}

export interface PaidSpend {
  readonly input: SpendInput;
  /** Text that names the payment among all, such as network, asset, payer and nonce. */
  readonly paymentKey: string;
  /** Text that names the payer among all. */
  readonly payer: string;
}

/** The command by which the payment gate has a paid spend judged and remembered. */
export function judgeCommand({ input, paymentKey, payer }: PaidSpend): JudgeCommand {
  const { agent, intent_id: intentId } = input;
  return {
    type: 'judge',
    input,
    payment: nameHash(paymentKey),
    payer: nameHash(payer),
    intent: agent === undefined || intentId === undefined ? null : nameHash(agent, intentId),
    // With the payer: agent names are public, and nobody may use up the probes of another.
    prober: agent === undefined ? null : nameHash(payer, agent),
  };
}

/** The command for a payment that did not settle. */
export function forgetCommand(paymentKey: string): ForgetCommand {
  return { type: 'forget', payment: nameHash(paymentKey) };
}

function nameHash(...names: readonly string[]): string {
  return sha256Hex(JSON.stringify(names));
}

/** Judges on what other payments left: a retry of the same payment never meets its own intent. */
export function judgeIntent(
  state: IntentState,
  nowMs: number,
  command: JudgeCommand,
): { readonly state: IntentState; readonly result: FuseResult } {
  const others = forgetPayment(state, command.payment);
  const result = fuse(command.input, memoryFor(others, nowMs, command));
  return { state: remember(others, nowMs, command, result), result };
}

/** What the memory holds for a call; rows past their life do not count, swept or not. */
function memoryFor(state: IntentState, nowMs: number, names: SpendNames): SpendMemory {
  const isLive = (row: Remembered) => row.atMs > nowMs - MEMORY_MS;
  const seen = names.intent === null ? undefined : state.byIntent.get(names.intent);
  const probes = names.prober === null ? [] : (state.byProber.get(names.prober) ?? []);
  return {
    seen:
      seen === undefined || !isLive(seen)
        ? undefined
        : {
            amountMicro: BigInt(seen.amountMicro),
            at: isoTime(seen.atMs),
            byOtherPayer: seen.payer !== names.payer,
          },
    probedMicro: probes.filter(isLive).reduce((sum, row) => sum + BigInt(row.amountMicro), 0n),
  };
}

/** Keeps what was let through. A STOP leaves nothing, so that the corrected call is not a repeat. */
function remember(state: IntentState, nowMs: number, command: JudgeCommand, result: FuseResult): IntentState {
  const isProbe = result.checks.some(({ step, code }) => step === 'F4' && code === 'within_probe');
  const prober = isProbe ? command.prober : null;
  if (result.verdict === 'STOP' || (command.intent === null && prober === null)) return state;
  const { payment, payer, intent, input } = command;
  const row = { payment, payer, intent, prober, amountMicro: Number(microOf(input.amount_usd)), atMs: nowMs };
  return {
    ...state,
    byPayment: state.byPayment.with(payment, row),
    byIntent: intent === null ? state.byIntent : state.byIntent.with(intent, row),
    byProber:
      prober === null ? state.byProber : state.byProber.with(prober, [...(state.byProber.get(prober) ?? []), row]),
  };
}

/** Drops what a payment left behind. */
export function forgetPayment(state: IntentState, payment: string): IntentState {
  const row = state.byPayment.get(payment);
  if (row === undefined) return state;
  const { intent, prober } = row;
  const isKnownByIntent = intent !== null && state.byIntent.get(intent)?.payment === payment;
  const probes = prober === null ? undefined : state.byProber.get(prober);
  return {
    ...state,
    byPayment: state.byPayment.without(payment),
    byIntent: isKnownByIntent ? state.byIntent.without(intent) : state.byIntent,
    byProber:
      prober === null || probes === undefined
        ? state.byProber
        : state.byProber.with(
            prober,
            probes.filter((probe) => probe.payment !== payment),
          ),
  };
}

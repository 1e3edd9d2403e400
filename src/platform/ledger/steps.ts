import { formatMicro, mulDiv } from '#kernel/money.ts';
import type { Step } from '#platform/storage/store.ts';
import type {
  CaptureCommand,
  HoldCommand,
  LedgerAudit,
  LedgerCommand,
  LedgerRefused,
  LedgerResult,
  PostCommand,
  ReverseCommand,
} from './state.ts';
import { ledgerUnit } from './unit.ts';

export { receivableOf, walletOf } from './decide.ts';
export type { LedgerRefusal, LedgerRefused, LedgerResult, Leg } from './state.ts';

const step = (command: LedgerCommand): Step<LedgerResult> => ({ unit: ledgerUnit, command });

/**
 * Steps of a transaction that moves money, for `store.runAll([...], isRefused)`. A refused step changes nothing; steps
 * before it stay, so that those which can refuse stand first. Each gives a LedgerResult.
 */
export const ledger = {
  /** Moves money between accounts at once. */
  post: (command: PostCommand) => step({ type: 'post', ...command }),
  /** Sets money of a wallet aside before the work that it pays. */
  hold: (command: HoldCommand) => step({ type: 'hold', ...command }),
  /** Takes what a hold set aside, wholly or in part, and frees the rest. Its idempotency key is `cap:{holdId}`. */
  capture: (command: CaptureCommand) => step({ type: 'capture', ...command }),
  /** Frees a hold; harmless for one that has ended. */
  release: ({ holdId }: { readonly holdId: string }) => step({ type: 'release', holdId }),
  /** Undoes a transaction by its opposite. */
  reverse: (command: ReverseCommand) => step({ type: 'reverse', ...command }),
  /** Makes the accounts of a new agent. */
  open: ({ agentId }: { readonly agentId: string }) => step({ type: 'open', agentId }),
  /** A frozen wallet takes money in and gives none to new holds and posts. */
  freeze: (command: { readonly agentId: string; readonly frozen: boolean }) => step({ type: 'freeze', ...command }),
  /** Keeps the report of an audit, and halts the ledger or lets it go on. */
  audited: (report: LedgerAudit) => step({ type: 'audited', report }),
  /** Ends up to 500 holds that are over; `replayed` says that none was. */
  expire: ({ dueBeforeMs }: { readonly dueBeforeMs: number }) => step({ type: 'expire', dueBeforeMs }),
};

export function isRefused(result: unknown): result is LedgerRefused {
  return (result as Partial<LedgerResult> | null | undefined)?.type === 'refused';
}

const MINIMUM_CHARGE_MICRO = 10_000;
export const MARKUP_PCT = 15 as const;
/** Of what a platform sells through the service. */
export const PLATFORM_FEE_PCT = 1;

/** What a seal costs that a wallet pays for. */
export const SEAL_FEE_MICRO = 250_000;

/** Cost plus the markup, at least one cent. */
export function chargeMicro(costMicro: number): number {
  return Math.max(MINIMUM_CHARGE_MICRO, mulDiv(costMicro, 100 + MARKUP_PCT, 100, 'up'));
}

/** Two to six decimals: `10.00`, `0.003839`. */
export function formatEur(micro: number): string {
  const [units = '', fraction = ''] = formatMicro(micro).split('.');
  return `${units}.${fraction.padEnd(2, '0')}`;
}

export const MINIMUM_CHARGE_EUR = formatEur(MINIMUM_CHARGE_MICRO);
export const CHARGE_FORMULA = `max(${MINIMUM_CHARGE_EUR}, ceil_micro(provider_cost * ${1 + MARKUP_PCT / 100}))`;

import { expectedGain, type ProbabilityBasis } from './budget-exposure.ts';
import { microOf, optionalMicro, share } from './exact-number.ts';
import { FUSE_THRESHOLDS } from './thresholds.ts';

/** One spend as its caller declares it; money and probability are text. */
export interface SpendInput {
  readonly amount_usd: string;
  readonly instruction_source?: 'principal' | 'own_plan' | 'untrusted' | undefined;
  readonly per_action_cap_usd?: string | undefined;
  readonly period_budget_usd?: string | undefined;
  readonly period_spent_usd?: string | undefined;
  readonly agent?: string | undefined;
  readonly intent_id?: string | undefined;
  readonly intent_settled_before?: 'yes' | 'no' | undefined;
  readonly counterparty_verified?: 'yes' | 'no' | 'unknown' | undefined;
  readonly reference_price_usd?: string | undefined;
  readonly p_success?: string | undefined;
  readonly p_basis?: ProbabilityBasis | undefined;
  readonly value_usd?: string | undefined;
  readonly effort_cost_usd?: string | undefined;
  readonly cumulative_cost_usd?: string | undefined;
  readonly attempts_without_progress?: string | undefined;
  readonly reversible?: 'yes' | 'no' | undefined;
  readonly approved_out_of_band?: 'yes' | 'no' | undefined;
  readonly delivery?: 'escrow' | 'on_delivery' | 'prepaid' | undefined;
  readonly probe_amount_usd?: string | undefined;
}

/** What the intent memory knows at the moment of a call. */
export interface SpendMemory {
  readonly seen: { readonly amountMicro: bigint; readonly at: string; readonly byOtherPayer: boolean } | undefined;
  /** Probes of this agent and payer within the life of the memory, this one not among them. */
  readonly probedMicro: bigint;
}

/** The input with its numbers made exact and what follows from them. */
export interface SpendFacts {
  readonly input: SpendInput;
  /** Null for the free check, which remembers nothing. */
  readonly memory: SpendMemory | null;
  readonly amount: bigint;
  readonly cap: bigint | undefined;
  readonly budget: bigint | undefined;
  readonly spent: bigint | undefined;
  readonly reference: bigint | undefined;
  readonly value: bigint | undefined;
  readonly cumulative: bigint | undefined;
  readonly attempts: number | undefined;
  readonly probe: bigint | undefined;
  readonly isSmall: boolean;
  readonly isApproved: boolean;
  readonly isVerified: boolean;
  readonly expectedValueMicro: bigint | null;
}

export function spendFacts(input: SpendInput, memory: SpendMemory | null): SpendFacts {
  const amount = microOf(input.amount_usd);
  const budget = optionalMicro(input.period_budget_usd);
  const value = optionalMicro(input.value_usd);
  const ownProbe = budget === undefined ? undefined : share(budget, FUSE_THRESHOLDS.probe_budget_share);
  const probe = optionalMicro(input.probe_amount_usd) ?? ownProbe;
  const attempts = input.attempts_without_progress;
  return {
    input,
    memory,
    amount,
    cap: optionalMicro(input.per_action_cap_usd),
    budget,
    spent: optionalMicro(input.period_spent_usd),
    reference: optionalMicro(input.reference_price_usd),
    value,
    cumulative: optionalMicro(input.cumulative_cost_usd),
    attempts: attempts === undefined ? undefined : Number(attempts),
    probe,
    isSmall: probe !== undefined && amount <= probe,
    isApproved: input.approved_out_of_band === 'yes',
    isVerified: input.counterparty_verified === 'yes',
    expectedValueMicro: expectedGain({
      pPpm: optionalMicro(input.p_success),
      basis: input.p_basis,
      valueMicro: value,
      costMicro: amount + (optionalMicro(input.effort_cost_usd) ?? 0n),
    }),
  };
}

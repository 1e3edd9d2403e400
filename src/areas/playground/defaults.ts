// What each form begins with and which fields it shows first. Everything else is closed and empty.
import { newCommandId } from '#kernel/ids.ts';

type Values = Readonly<Record<string, string>>;

/** One spend that passes all ten checks: what is not declared never passes. */
const GO_SPEND: Values = {
  amount_usd: '0.05',
  instruction_source: 'principal',
  agent: 'scout-1',
  intent_id: '',
  per_action_cap_usd: '1',
  period_budget_usd: '100',
  period_spent_usd: '20',
  counterparty_verified: 'yes',
  reference_price_usd: '0.05',
  p_success: '0.9',
  p_basis: 'measured',
  value_usd: '1',
  cumulative_cost_usd: '0',
  attempts_without_progress: '0',
  reversible: 'yes',
  delivery: 'on_delivery',
};

/** A price above the cap, ordered by somebody who is not trusted. */
const STOP_SPEND: Values = { ...GO_SPEND, amount_usd: '500', instruction_source: 'untrusted' };

const SPENDS = new Set(['check', 'spend_fuse']);

const MAIN_OF_SPEND = ['amount_usd', 'instruction_source', 'agent', 'intent_id'];

/** Shown first besides the required ones. */
const MAIN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  claim: ['key', 'agent', 'mode'],
  release: ['lease', 'token', 'outcome'],
  mark: ['key', 'agent', 'kind', 'note'],
  check: MAIN_OF_SPEND,
  spend_fuse: MAIN_OF_SPEND,
};

export function mainFields(operation: string): readonly string[] {
  return MAIN_FIELDS[operation] ?? [];
}

/** Closed, and filled so that the example passes. */
export function filledFields(operation: string): readonly string[] {
  return SPENDS.has(operation) ? Object.keys(GO_SPEND).filter((name) => !MAIN_OF_SPEND.includes(name)) : [];
}

/** The intent is new each time: one that was let through is stopped when it comes again. */
function withIntent(values: Values): Values {
  return { ...values, intent_id: newCommandId() };
}

/** A work key of the visitor's own: the one of the documentation would be taken. */
function newWork(): Values {
  return { key: `demo/${newCommandId().slice(0, 8)}`, agent: 'scout-1' };
}

const WRITES: Readonly<Record<string, () => Values>> = {
  claim: newWork,
  mark: () => ({ ...newWork(), kind: 'note', note: 'Seen in the playground.' }),
  attest_seal: () => ({ schema_id: 'record.integrity.v1', claim: '{"statement":"Order 17 was delivered."}' }),
};

/** What a form holds that nobody typed into; undefined where its row's example should stand. */
export function formDefaults(operation: string): Values | undefined {
  return SPENDS.has(operation) ? withIntent(GO_SPEND) : WRITES[operation]?.();
}

/** Chosen in the form whatever else was given: whoever claims by hand wants the work for one agent. */
export function preselected(operation: string): Values {
  return operation === 'claim' ? { mode: 'exclusive' } : {};
}

/** The address of a form that ends in STOP. */
export function stopExample(operation: string): string | undefined {
  if (!SPENDS.has(operation)) return undefined;
  return `/playground?${new URLSearchParams({ operation, ...withIntent(STOP_SPEND) })}`;
}

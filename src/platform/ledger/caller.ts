import { z } from 'zod';
import { AGENT_KEY_HEADER, hashOfSecret, keyInvalid, keyMalformed, keyMissing, suspended } from '#kernel/api-key.ts';
import { idempotencyConflict } from '#kernel/idempotency.ts';
import { type ProblemType, Refusal } from '#kernel/problem.ts';
import * as problems from './problems.ts';
import { formatEur, type LedgerRefusal, type LedgerRefused } from './steps.ts';

export interface AgentCaller {
  readonly agentId: string;
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Who calls with this key. */
export type Authenticate = (agentKey: string | undefined) => Promise<AgentCaller | Refusal>;

export const agentKeyField = z
  .string()
  .max(200)
  .optional()
  .meta({ description: "The agent's key, agk_…. Shown once, at registration." });
export const BY_AGENT_KEY = { [AGENT_KEY_HEADER]: 'agent_key' };

/** What a key is found by, or why it is none. */
export function hashOfAgentKey(agentKey: string | undefined): string | Refusal {
  return hashOfSecret(agentKey, 'agk_', "Send the agent's key as X-Agent-Key.");
}

/** Of every call under an agent key. */
export const KEY_PROBLEMS: readonly ProblemType[] = [keyMissing, keyMalformed, keyInvalid, suspended];
/** Of calls that take a key and can do without. */
export const SENT_KEY_PROBLEMS = KEY_PROBLEMS.filter(({ code }) => code !== 'key_missing');
/** Of calls that a suspended agent may make too. */
export const READ_KEY_PROBLEMS = KEY_PROBLEMS.filter(({ code }) => code !== 'suspended');
/** Of every call that a wallet pays. */
export const FUND_PROBLEMS: readonly ProblemType[] = [
  problems.insufficientFunds,
  problems.walletFrozen,
  problems.ledgerHalted,
];

const TOPUP = '/api/agents/wallet/topup';

const REFUSALS: Partial<Record<LedgerRefusal, (neededMicro: number, availableMicro: number) => Refusal>> = {
  insufficient_funds: (neededMicro, availableMicro) => {
    const [needed, available] = [formatEur(neededMicro), formatEur(availableMicro)];
    return new Refusal(problems.insufficientFunds, {
      detail: `This call may cost €${needed}; €${available} is available. Top up at ${TOPUP}.`,
      members: { needed_eur: needed, available_eur: available, topup: TOPUP },
    });
  },
  wallet_frozen: () =>
    new Refusal(problems.walletFrozen, { detail: 'A card payment of this wallet is disputed. Nothing was charged.' }),
  ledger_halted: () =>
    new Refusal(problems.ledgerHalted, {
      detail: 'A ledger audit found an error, so payments from wallets are paused. Nothing was charged.',
      retryAfterSeconds: 60,
    }),
  idempotency_conflict: () =>
    new Refusal(idempotencyConflict, {
      detail: 'This Idempotency-Key was used for a different request. Use a new one.',
    }),
};

/** What the caller is told; any other refusal of the ledger is a fault of the code that asked. */
export function refuseFunds(result: LedgerRefused, neededMicro: number): Refusal {
  const refuse = REFUSALS[result.code];
  if (refuse === undefined) throw new Error(`the ledger refused with ${result.code}`);
  return refuse(neededMicro, result.availableMicro);
}

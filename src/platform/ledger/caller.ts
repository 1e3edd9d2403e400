import { z } from 'zod';
import { hashOfSecret, keyInvalid, keyMalformed, keyMissing, suspended } from '#kernel/api-key.ts';
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
  .meta({ description: 'Key of the agent, agk_…; shown once at registration' });
export const AGENT_KEY_HEADER = 'x-agent-key';
export const BY_AGENT_KEY = { [AGENT_KEY_HEADER]: 'agent_key' };

/** What a key is found by, or why it is none. */
export function hashOfAgentKey(agentKey: string | undefined): string | Refusal {
  return hashOfSecret(agentKey, 'agk_', 'send the key of the agent as X-Agent-Key');
}

/** Of every call under an agent key. */
export const KEY_PROBLEMS: readonly ProblemType[] = [keyMissing, keyMalformed, keyInvalid, suspended];
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
      detail: `this call may cost ${needed} EUR and ${available} EUR are available`,
      members: { needed_eur: needed, available_eur: available, topup: TOPUP },
    });
  },
  wallet_frozen: () => new Refusal(problems.walletFrozen, { detail: 'a payment of this wallet is disputed' }),
  ledger_halted: () =>
    new Refusal(problems.ledgerHalted, { detail: 'an audit of the ledger found a fault', retryAfterSeconds: 60 }),
  idempotency_conflict: () => new Refusal(idempotencyConflict, { detail: 'this key was used for another request' }),
};

/** What the caller is told; any other refusal of the ledger is a fault of the code that asked. */
export function refuseFunds(result: LedgerRefused, neededMicro: number): Refusal {
  const refuse = REFUSALS[result.code];
  if (refuse === undefined) throw new Error(`the ledger refused with ${result.code}`);
  return refuse(neededMicro, result.availableMicro);
}

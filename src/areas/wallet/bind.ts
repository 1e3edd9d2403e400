import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { getAgent, register, revokeKey, rotateKey } from './agent-operations.ts';
import type { Agents } from './agents.ts';
import { getWallet, getWalletLedger } from './wallet-operations.ts';
import type { Wallets } from './wallets.ts';

/** The rows of agents and wallets, in the order in which documents show them. */
export const AGENT_OPERATIONS = [register, getAgent, rotateKey, revokeKey, getWallet, getWalletLedger];

export function bindAgents(agents: Agents, wallets: Wallets): BoundOperation[] {
  return [
    bind(register, (input, call) => agents.register(input, call)),
    bind(getAgent, (input) => agents.view(input)),
    bind(rotateKey, (input) => agents.rotateKey(input)),
    bind(revokeKey, (input) => agents.revokeKey(input)),
    bind(getWallet, (input) => wallets.view(input)),
    bind(getWalletLedger, (input, call) => wallets.ledger(input, call)),
  ];
}

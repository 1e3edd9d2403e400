import { FOUNDER_NOW, NEWEST_AGENTS } from '#areas/wallet/sql.ts';
import type { Agent, Scope } from '#areas/wallet/agents/agent.ts';
import { agentStep } from '#areas/wallet/unit.ts';
import { isoTime } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { isRefused, ledger } from '#platform/ledger/steps.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import type { Step } from '#platform/storage/store.ts';
import { columns } from './line/columns.ts';
import type { Run } from './line/spec.ts';
import { joinLog, openStore } from './operator-store.ts';

const HEADER = ['AGENT', 'NAME', 'STATUS', 'OWNER', 'REGISTERED', 'NOTE'];
const LIMIT = '100';

export const listAgents: Run = async ({ values: { limit = LIMIT } }, output) => {
  await using opened = await openStore(output);
  const { store } = opened.foundation;
  // One more than is shown tells whether there are more.
  const found = await store.read(NEWEST_AGENTS, [Number(limit) + 1]);
  const [founder] = await store.read(FOUNDER_NOW);
  const agents = found.slice(0, Number(limit)).map((agent) => shown(agent, founder?.agentId === agent.id));
  const isMore = found.length > agents.length;
  const rows = agents.map(({ agent_id, name, status, owner_email, owner_verified, registered_at, founder: is }) => {
    const owner = `${owner_email}${owner_verified ? '' : ' (not verified)'}`;
    return [agent_id, name, status, owner, registered_at, is ? 'founder' : ''];
  });
  output.result({ agents, more: isMore }, agents.length === 0 ? '' : columns(HEADER, rows));
  if (agents.length === 0) output.note('No agents are registered.');
  if (isMore) output.note(`Only the newest ${limit} agents are listed. Use --limit to see more.`);
  return 0;
};

function shown({ id, name, status, ownerEmail, isOwnerVerified, createdAtMs }: Agent, founder: boolean) {
  return {
    agent_id: id,
    name,
    status,
    owner_email: ownerEmail,
    owner_verified: isOwnerVerified,
    registered_at: isoTime(createdAtMs),
    founder,
  };
}

interface AgentChange {
  readonly step: (agentId: string) => Step;
  readonly done: string;
  /** What the log says of it. */
  readonly statement?: (agentId: string) => string;
}

function changes({ step, done, statement }: AgentChange): Run {
  return async ({ operands }, output) => {
    const [agentId] = operands as [string];
    await using opened = await openStore(output);
    const { foundation, isSandbox } = opened;
    if (statement !== undefined) await joinLog(foundation);
    const sealed = statement === undefined ? [] : [statementStep(statement(agentId), isSandbox)];
    const [result] = await foundation.store.runAll([step(agentId), ...sealed], isRefused);
    if (isRefused(result)) throw new Error(`No agent has the id ${agentId}. \`avouch agents list\` shows them.`);
    output.result({ agent_id: agentId, result: done }, `${agentId} ${done}.\n`);
    return 0;
  };
}

export const designateFounder = changes({
  step: (agentId) => agentStep({ type: 'founder', agentId }),
  done: 'is the founder; the keys of the former one lost github:write',
  statement: (agentId) => `founder.designated sha256:${sha256Hex(agentId)}`,
});

export const suspendAgent = changes({
  step: (agentId) => agentStep({ type: 'status', agentId, status: 'suspended' }),
  done: 'is suspended',
});

export const resumeAgent = changes({
  step: (agentId) => agentStep({ type: 'status', agentId, status: 'active' }),
  done: 'is active again',
});

export const unfreezeWallet = changes({
  step: (agentId) => ledger.freeze({ agentId, frozen: false }),
  done: 'has a wallet that can pay again',
});

const REFUSED: Readonly<Record<string, string>> = {
  key_not_found: 'No active key has this id.',
  not_the_founder:
    "Only the founder's keys may have github:write. Designate the founder with `avouch agents founder <agent id>`.",
};

/** Gives one key of an agent a scope. */
export const grantScope: Run = async ({ operands }, output) => {
  const [keyId, scope] = operands as [string, Scope];
  await using opened = await openStore(output);
  const [result] = await opened.foundation.store.runAll([agentStep({ type: 'grant', keyId, scope })]);
  if (result?.type !== 'done') throw new Error(REFUSED[result?.code ?? ''] ?? 'The key was refused.');
  const { scopes } = result.key;
  output.result({ key_id: keyId, scopes }, `${keyId} has ${scopes.join(', ')}.\n`);
  return 0;
};

import { VersionedMap } from '#kernel/versioned-map.ts';
import { type Found, type ResultOf, type Step, step, type Unit, type Write } from '#platform/storage/store.ts';
import { given, listed } from '#platform/storage/table.ts';
import { type AgentCommand, type AgentDeed, type AgentsState, decide } from './decide.ts';
import * as sql from './sql.ts';

/** How agents and their keys are read and written. */
export const agentUnit: Unit<AgentDeed, AgentsState, typeof reads> = { name: 'agents', reads, load, decide, writes };

export function agentStep<const C extends AgentCommand>(command: C): Step<ResultOf<AgentDeed, C>> {
  return step(agentUnit, command);
}

function reads(commands: readonly AgentCommand[]) {
  const named = (of: (command: AgentCommand) => string | undefined) =>
    new Set(commands.flatMap((command) => of(command) ?? []));
  const hashes = named((command) => ('byHash' in command ? command.byHash : undefined));
  const forOperator = commands.some(({ type }) => type === 'grant' || type === 'founder') ? [] : null;
  return {
    keysOfHashes: listed(sql.KEYS_OF_HASHES, hashes),
    agentsOfHashes: listed(sql.AGENTS_OF_HASHES, hashes),
    keys: listed(
      sql.KEYS_OF_IDS,
      named((command) => (command.type === 'grant' ? command.keyId : undefined)),
    ),
    keysOfFounder: given(sql.KEYS_OF_FOUNDER, forOperator),
    founder: given(sql.FOUNDER_NOW, forOperator),
    agents: listed(
      sql.AGENTS_OF_IDS,
      named((command) => ('agentId' in command ? command.agentId : undefined)),
    ),
    registered: listed(
      sql.REGISTERED_FROM,
      named((command) => (command.type === 'register' ? command.agent.addressTag : undefined)),
    ),
    agentsOfOwners: listed(
      sql.AGENTS_OF_OWNERS,
      named((command) => ('email' in command ? command.email : undefined)),
    ),
    keysOfOwners: listed(
      sql.KEYS_OF_OWNERS,
      named((command) => (command.type === 'erase_owner' ? command.email : undefined)),
    ),
    keysOfAgents: listed(
      sql.KEYS_OF_AGENTS,
      named((command) =>
        command.type === 'owner_key' || command.type === 'expect_kept' ? command.agentId : undefined,
      ),
    ),
  };
}

function load(found: Found<typeof reads>): AgentsState {
  const byAddress = Map.groupBy(found.registered, ({ addressTag }) => addressTag);
  const keys = [
    ...found.keysOfHashes,
    ...found.keys,
    ...found.keysOfFounder,
    ...found.keysOfOwners,
    ...found.keysOfAgents,
  ];
  return {
    keys: VersionedMap.by(keys, ({ hash }) => hash),
    agents: VersionedMap.by([...found.agentsOfHashes, ...found.agents, ...found.agentsOfOwners], ({ id }) => id),
    founder: found.founder[0]?.agentId ?? null,
    registeredAt: new Map(
      [...byAddress].map(([addressTag, agents]) => [addressTag, agents.map(({ createdAtMs }) => createdAtMs)]),
    ),
  };
}

function writes(before: AgentsState, after: AgentsState): readonly Write[] {
  const { founder } = after;
  return [
    sql.AGENT.upsert(after.agents.changedSince(before.agents)),
    sql.AGENT_KEY.upsert(after.keys.changedSince(before.keys)),
    sql.FOUNDER.upsert(founder === null || founder === before.founder ? [] : [{ id: 1, agentId: founder }]),
  ];
}

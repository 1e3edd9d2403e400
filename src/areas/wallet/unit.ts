import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Read, Row, Step, Unit, Write } from '#platform/storage/store.ts';
import { agentOf, agentRow, keyOf, keyRow } from './agents/agent.ts';
import { type AgentCommand, type AgentResult, type AgentsState, decide } from './decide.ts';
import * as sql from './sql.ts';

/** How agents and their keys are read and written. */
export const agentUnit: Unit<[AgentCommand, AgentResult], AgentsState> = {
  name: 'agents',
  reads,
  load,
  decide: (state, nowMs, _next, command) => decide(state, nowMs, command),
  writes,
};

export function agentStep(command: AgentCommand): Step {
  return { unit: agentUnit, command };
}

function reads(commands: readonly AgentCommand[]): readonly Read[] {
  const listed = (text: string, of: (command: AgentCommand) => string | undefined): Read => {
    return { sql: text, list: [...new Set(commands.flatMap((command) => of(command) ?? []))] };
  };
  const isOperators = commands.some(({ type }) => type === 'grant' || type === 'founder');
  const once = (text: string): Read => (isOperators ? { sql: text } : { sql: text, list: [] });
  const byHash = (command: AgentCommand) => ('byHash' in command ? command.byHash : undefined);
  return [
    listed(sql.KEYS_OF_HASHES, byHash),
    listed(sql.AGENTS_OF_HASHES, byHash),
    listed(sql.KEYS_OF_IDS, (command) => (command.type === 'grant' ? command.keyId : undefined)),
    once(sql.KEYS_OF_FOUNDER),
    once(sql.FOUNDER),
    listed(sql.AGENTS_OF_IDS, (command) => ('agentId' in command ? command.agentId : undefined)),
    listed(sql.REGISTERED_FROM, (command) => (command.type === 'register' ? command.agent.addressTag : undefined)),
    listed(sql.AGENTS_OF_OWNERS, (command) => ('email' in command ? command.email : undefined)),
    listed(sql.KEYS_OF_OWNERS, (command) => (command.type === 'erase_owner' ? command.email : undefined)),
    listed(sql.KEYS_OF_AGENTS, (command) => (command.type === 'owner_key' ? command.agentId : undefined)),
  ];
}

function load(given: readonly (readonly Row[])[]): AgentsState {
  const at = (...places: readonly number[]) => places.flatMap((place) => given[place] ?? []);
  const byAddress = Map.groupBy(at(6), (row) => row['addr'] as string);
  const times = [...byAddress].map(([addr, rows]) => [addr, rows.map((row) => row['created_at'] as number)] as const);
  return {
    keys: VersionedMap.of(at(0, 2, 3, 8, 9).map((row) => [row['key_sha256'] as string, keyOf(row)] as const)),
    agents: VersionedMap.of(at(1, 5, 7).map((row) => [row['id'] as string, agentOf(row)] as const)),
    founder: (at(4)[0]?.['agent_id'] as string | undefined) ?? null,
    registeredAt: new Map(times),
  };
}

function writes(before: AgentsState, after: AgentsState): readonly Write[] {
  const changed = <V extends object>(was: VersionedMap<string, V>, is: VersionedMap<string, V>) =>
    [...is.changesSince(was).keys()].map((key) => is.get(key) as V);
  return [
    { sql: sql.AGENT_UPSERT, rows: changed(before.agents, after.agents).map(agentRow) },
    { sql: sql.KEY_UPSERT, rows: changed(before.keys, after.keys).map(keyRow) },
    { sql: sql.FOUNDER_UPSERT, rows: before.founder === after.founder ? [] : [[1, after.founder]] },
  ];
}

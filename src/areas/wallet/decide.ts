import { LIVE_KEYS, REGISTRATIONS_PER_HOUR } from '#kernel/api-key.ts';
import { HOUR_MS } from '#kernel/clock.ts';
import type { VersionedMap } from '#kernel/versioned-map.ts';
import type { Decision } from '#platform/storage/store.ts';
import { type Agent, type AgentKey, FOUNDER_SCOPE, ORDINARY_SCOPES, type Scope } from './agents/agent.ts';

export interface AgentsState {
  readonly agents: VersionedMap<string, Agent>;
  /** By hash. */
  readonly keys: VersionedMap<string, AgentKey>;
  /** When agents were registered from an address, by its tag. */
  readonly registeredAt: ReadonlyMap<string, readonly number[]>;
  readonly founder: string | null;
}

interface NewKey {
  readonly keyId: string;
  readonly keyHash: string;
}

export type AgentCommand =
  | {
      readonly type: 'register';
      readonly agent: Pick<Agent, 'id' | 'name' | 'ownerEmail' | 'addressTag' | 'createdAtMs'>;
      readonly key: NewKey;
    }
  | { readonly type: 'use'; readonly byHash: string }
  | { readonly type: 'add_key'; readonly byHash: string; readonly key: NewKey; readonly createdAtMs: number }
  | { readonly type: 'revoke_key'; readonly byHash: string; readonly keyId: string }
  | { readonly type: 'grant'; readonly keyId: string; readonly scope: Scope }
  | { readonly type: 'founder'; readonly agentId: string }
  /** By the owner, who needs no key: one key ends, one comes into being, or both. */
  | {
      readonly type: 'owner_key';
      readonly agentId: string;
      readonly revoke?: string;
      readonly add?: NewKey;
      readonly createdAtMs: number;
    }
  /** The owner of the mailbox says of an agent that somebody registered under it whether it is theirs. */
  | {
      readonly type: 'owner_answer';
      readonly agentId: string;
      readonly ownerEmail: string;
      readonly answer: 'accept' | 'refuse';
    }
  /** The agents of an owner end: their keys are revoked, name and mail address are forgotten. */
  | { readonly type: 'erase_owner'; readonly email: string }
  | { readonly type: 'status'; readonly agentId: string; readonly status: Agent['status'] };

export type AgentRefusal =
  | 'key_invalid'
  | 'too_many_keys'
  | 'last_key'
  | 'key_not_found'
  | 'agent_not_found'
  | 'agent_accepted'
  | 'not_the_founder'
  | 'registrations_exceeded';

export type AgentResult =
  | { readonly type: 'done'; readonly key: AgentKey | null; readonly agentId: string }
  | { readonly type: 'refused'; readonly code: AgentRefusal; readonly retryAfterMs?: number };

type Decided = Decision<AgentsState, AgentResult>;

export function decide(state: AgentsState, nowMs: number, command: AgentCommand): Decided {
  switch (command.type) {
    case 'register':
      return register(state, nowMs, command);
    case 'grant':
      return grant(state, command);
    case 'founder':
      return designate(state, command.agentId);
    case 'status': {
      const agent = state.agents.get(command.agentId);
      if (agent === undefined) return refused(state, 'agent_not_found');
      const agents = state.agents.with(agent.id, { ...agent, status: command.status });
      return done({ ...state, agents }, agent.id);
    }
    case 'owner_key':
      return ownerKey(state, nowMs, command);
    case 'owner_answer':
      return ownerAnswer(state, command);
    case 'erase_owner': {
      const ids = new Set(ofOwner(state, command.email).map(({ id }) => id));
      const live = state.keys.values().filter((key) => ids.has(key.agentId) && key.revokedAtMs === null);
      const after = live.reduce((left, key) => withKey(left, { ...key, revokedAtMs: nowMs }), state);
      return done(withAgents(after, command.email, ERASED), command.email);
    }
    case 'use':
    case 'add_key':
    case 'revoke_key': {
      const by = state.keys.get(command.byHash);
      if (by === undefined || by.revokedAtMs !== null) return refused(state, 'key_invalid');
      if (command.type === 'use') return done(withKey(state, { ...by, lastUsedAtMs: nowMs }), by.agentId);
      return command.type === 'add_key' ? addKey(state, by, command) : revokeKey(state, nowMs, by, command.keyId);
    }
  }
}

function register(
  state: AgentsState,
  nowMs: number,
  { agent, key }: Extract<AgentCommand, { type: 'register' }>,
): Decided {
  const recent = (state.registeredAt.get(agent.addressTag) ?? []).filter((atMs) => atMs > nowMs - HOUR_MS);
  if (recent.length >= REGISTRATIONS_PER_HOUR) {
    return refused(state, 'registrations_exceeded', Math.min(...recent) + HOUR_MS - nowMs);
  }
  const after = {
    ...state,
    registeredAt: new Map(state.registeredAt).set(agent.addressTag, [...recent, nowMs]),
    agents: state.agents.with(agent.id, { ...agent, isOwnerVerified: false, status: 'active' }),
  };
  return withNewKey(after, agent.id, key, agent.createdAtMs);
}

function addKey(
  state: AgentsState,
  { agentId }: AgentKey,
  { key, createdAtMs }: Extract<AgentCommand, { type: 'add_key' }>,
): Decided {
  if (liveKeys(state, agentId).length >= LIVE_KEYS) return refused(state, 'too_many_keys');
  return withNewKey(state, agentId, key, createdAtMs);
}

function withNewKey(state: AgentsState, agentId: string, { keyId, keyHash }: NewKey, createdAtMs: number): Decided {
  const ends = { lastUsedAtMs: null, revokedAtMs: null };
  const key = { hash: keyHash, keyId, agentId, scopes: ORDINARY_SCOPES, createdAtMs, ...ends };
  return done(withKey(state, key), agentId, key);
}

/** Only a key of the caller's own agent; that of another is not found. */
function revokeKey(state: AgentsState, nowMs: number, { agentId }: AgentKey, keyId: string): Decided {
  const key = state.keys.values().find((one) => one.keyId === keyId && one.agentId === agentId);
  if (key === undefined) return refused(state, 'key_not_found');
  if (key.revokedAtMs !== null) return done(state, agentId, key);
  if (liveKeys(state, agentId).length === 1) return refused(state, 'last_key');
  const revoked = { ...key, revokedAtMs: nowMs };
  return done(withKey(state, revoked), agentId, revoked);
}

function ownerKey(
  state: AgentsState,
  nowMs: number,
  { agentId, revoke, add, createdAtMs }: Extract<AgentCommand, { type: 'owner_key' }>,
): Decided {
  const key = state.keys.values().find((one) => one.keyId === revoke && one.agentId === agentId);
  if (revoke !== undefined && key === undefined) return refused(state, 'key_not_found');
  const revoked = key && { ...key, revokedAtMs: key.revokedAtMs ?? nowMs };
  const after = revoked === undefined ? state : withKey(state, revoked);
  if (add === undefined) return done(after, agentId, revoked ?? null);
  if (liveKeys(after, agentId).length >= LIVE_KEYS) return refused(state, 'too_many_keys');
  return withNewKey(after, agentId, add, createdAtMs);
}

/** A refused agent has no owner any more; one that was accepted stays, for the owner's money may be in its wallet. */
function ownerAnswer(
  state: AgentsState,
  { agentId, ownerEmail, answer }: Extract<AgentCommand, { type: 'owner_answer' }>,
): Decided {
  const agent = state.agents.get(agentId);
  if (agent === undefined || agent.ownerEmail !== ownerEmail) return refused(state, 'agent_not_found');
  if (answer === 'refuse' && agent.isOwnerVerified) return refused(state, 'agent_accepted');
  const answered = answer === 'accept' ? { ...agent, isOwnerVerified: true } : { ...agent, ownerEmail: '' };
  return done({ ...state, agents: state.agents.with(agentId, answered) }, agentId);
}

const ERASED = { name: 'erased', ownerEmail: '', isOwnerVerified: false, status: 'suspended', addressTag: '' } as const;

function ofOwner({ agents }: AgentsState, email: string): Agent[] {
  return agents.values().filter(({ ownerEmail }) => ownerEmail === email);
}

function withAgents(state: AgentsState, email: string, change: Partial<Agent>): AgentsState {
  const changed = ofOwner(state, email).reduce(
    (left, agent) => left.with(agent.id, { ...agent, ...change }),
    state.agents,
  );
  return { ...state, agents: changed };
}

function grant(state: AgentsState, { keyId, scope }: Extract<AgentCommand, { type: 'grant' }>): Decided {
  const key = state.keys.values().find((one) => one.keyId === keyId && one.revokedAtMs === null);
  if (key === undefined) return refused(state, 'key_not_found');
  if (scope === FOUNDER_SCOPE && key.agentId !== state.founder) return refused(state, 'not_the_founder');
  const granted = { ...key, scopes: [...new Set([...key.scopes, scope])] };
  return done(withKey(state, granted), key.agentId, granted);
}

/** One at a time: the keys of the former founder lose what only the founder may do. */
function designate(state: AgentsState, agentId: string): Decided {
  if (state.agents.get(agentId) === undefined) return refused(state, 'agent_not_found');
  const taken = state.keys.values().filter((key) => key.agentId !== agentId && key.scopes.includes(FOUNDER_SCOPE));
  const after = taken.reduce((left, key) => {
    return withKey(left, { ...key, scopes: key.scopes.filter((scope) => scope !== FOUNDER_SCOPE) });
  }, state);
  return done({ ...after, founder: agentId }, agentId);
}

function liveKeys({ keys }: AgentsState, agentId: string): AgentKey[] {
  return keys.values().filter((key) => key.agentId === agentId && key.revokedAtMs === null);
}

function withKey(state: AgentsState, key: AgentKey): AgentsState {
  return { ...state, keys: state.keys.with(key.hash, key) };
}

function done(state: AgentsState, agentId: string, key: AgentKey | null = null): Decided {
  return { state, result: { type: 'done', key, agentId } };
}

function refused(state: AgentsState, code: AgentRefusal, retryAfterMs?: number): Decided {
  return { state, result: { type: 'refused', code, ...(retryAfterMs !== undefined && { retryAfterMs }) } };
}

import {
  hasAllKeys,
  isCounted,
  keyInForce,
  keyOfOwner,
  newKey,
  revokedKey,
  withRegistration,
} from '#kernel/key-registry.ts';
import type { VersionedMap } from '#kernel/versioned-map.ts';
import { decideByType, type Decision } from '#platform/storage/store.ts';
import {
  type Agent,
  type AgentKey,
  ERASED,
  FOUNDER_SCOPE,
  isErased,
  ORDINARY_SCOPES,
  type Scope,
} from './agents/agent.ts';

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

/** Those that give a key. */
type KeyCommand =
  | {
      readonly type: 'register';
      readonly agent: Pick<Agent, 'id' | 'name' | 'ownerEmail' | 'addressTag' | 'createdAtMs'>;
      readonly key: NewKey;
    }
  | { readonly type: 'add_key'; readonly byHash: string; readonly key: NewKey; readonly createdAtMs: number }
  | { readonly type: 'revoke_key'; readonly byHash: string; readonly keyId: string }
  | { readonly type: 'grant'; readonly keyId: string; readonly scope: Scope };

type OtherCommand =
  | { readonly type: 'use'; readonly byHash: string }
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
  /** Goes on only while somebody can use the agent. */
  | { readonly type: 'expect_kept'; readonly agentId: string }
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
  | 'agent_erased'
  | 'not_the_founder'
  | 'registrations_exceeded';

export interface AgentRefused {
  readonly type: 'refused';
  readonly code: AgentRefusal;
  readonly retryAfterMs?: number;
}

interface Done {
  readonly type: 'done';
  readonly agentId: string;
}

interface KeyDone extends Done {
  readonly key: AgentKey;
}

export type AgentDeed = [KeyCommand, KeyDone | AgentRefused] | [OtherCommand, Done | AgentRefused];
export type AgentCommand = AgentDeed[0];

type Named<T extends AgentCommand['type']> = Extract<AgentCommand, { type: T }>;
type Decided<R = Done> = Decision<AgentsState, R | AgentRefused>;

export const decide = decideByType<AgentDeed, AgentsState>({
  register: (state, nowMs, _next, command) => register(state, nowMs, command),
  use: (state, nowMs, _next, { byHash }) => {
    const by = keyInForce(state.keys, byHash);
    if (by === undefined) return refused(state, 'key_invalid');
    return done(withKey(state, { ...by, lastUsedAtMs: nowMs }), by.ownerId);
  },
  add_key: (state, _nowMs, _next, command) => addKey(state, command),
  revoke_key: (state, nowMs, _next, command) => revokeKey(state, nowMs, command),
  grant: (state, _nowMs, _next, command) => grant(state, command),
  founder: (state, _nowMs, _next, { agentId }) => designate(state, agentId),
  owner_key: (state, nowMs, _next, command) => ownerKey(state, nowMs, command),
  owner_answer: (state, _nowMs, _next, command) => ownerAnswer(state, command),
  erase_owner: (state, nowMs, _next, { email }) => {
    const ids = new Set(ofOwner(state, email).map(({ id }) => id));
    const live = state.keys.values().filter((key) => ids.has(key.ownerId) && key.revokedAtMs === null);
    const after = live.reduce((left, key) => withKey(left, { ...key, revokedAtMs: nowMs }), state);
    return done(withErased(after, email, nowMs), email);
  },
  expect_kept: (state, _nowMs, _next, { agentId }) => {
    const isGone = isErased(state.agents.get(agentId), state.keys.values());
    return isGone ? refused(state, 'agent_erased') : done(state, agentId);
  },
  status: (state, _nowMs, _next, { agentId, status }) => {
    const agent = state.agents.get(agentId);
    if (agent === undefined) return refused(state, 'agent_not_found');
    return done({ ...state, agents: state.agents.with(agent.id, { ...agent, status }) }, agent.id);
  },
});

function register(state: AgentsState, nowMs: number, { agent, key }: Named<'register'>): Decided<KeyDone> {
  const registered = withRegistration(state.registeredAt.get(agent.addressTag), nowMs);
  if ('waitMs' in registered) return refused(state, 'registrations_exceeded', registered.waitMs);
  const after = {
    ...state,
    registeredAt: new Map(state.registeredAt).set(agent.addressTag, registered.atMs),
    agents: state.agents.with(agent.id, { ...agent, isOwnerVerified: false, status: 'active' }),
  };
  return withNewKey(after, agent.id, key, agent.createdAtMs);
}

function addKey(state: AgentsState, { byHash, key, createdAtMs }: Named<'add_key'>): Decided<KeyDone> {
  const by = keyInForce(state.keys, byHash);
  if (by === undefined) return refused(state, 'key_invalid');
  const { ownerId } = by;
  if (hasAllKeys(state.keys, ownerId)) return refused(state, 'too_many_keys');
  return withNewKey(state, ownerId, key, createdAtMs);
}

function withNewKey(
  state: AgentsState,
  ownerId: string,
  { keyId, keyHash: hash }: NewKey,
  createdAtMs: number,
): Decided<KeyDone> {
  const key = { ...newKey({ hash, keyId, ownerId }, createdAtMs), scopes: ORDINARY_SCOPES };
  return keyDone(withKey(state, key), key);
}

function revokeKey(state: AgentsState, nowMs: number, { byHash, keyId }: Named<'revoke_key'>): Decided<KeyDone> {
  const by = keyInForce(state.keys, byHash);
  if (by === undefined) return refused(state, 'key_invalid');
  const { ownerId } = by;
  const key = revokedKey(state.keys, { ownerId, keyId, nowMs });
  return typeof key === 'string' ? refused(state, key) : keyDone(withKey(state, key), key);
}

function ownerKey(
  state: AgentsState,
  nowMs: number,
  { agentId, revoke, add, createdAtMs }: Named<'owner_key'>,
): Decided {
  const key = revoke === undefined ? undefined : keyOfOwner(state.keys, agentId, revoke);
  if (revoke !== undefined && key === undefined) return refused(state, 'key_not_found');
  const revoked = key && { ...key, revokedAtMs: key.revokedAtMs ?? nowMs };
  const after = revoked === undefined ? state : withKey(state, revoked);
  if (add === undefined) return done(after, agentId);
  if (hasAllKeys(after.keys, agentId)) return refused(state, 'too_many_keys');
  return withNewKey(after, agentId, add, createdAtMs);
}

/** A refused agent has no owner any more; one that was accepted stays, for the owner's money may be in its wallet. */
function ownerAnswer(state: AgentsState, { agentId, ownerEmail, answer }: Named<'owner_answer'>): Decided {
  const agent = state.agents.get(agentId);
  if (agent === undefined || agent.ownerEmail !== ownerEmail) return refused(state, 'agent_not_found');
  if (answer === 'refuse' && agent.isOwnerVerified) return refused(state, 'agent_accepted');
  const answered = answer === 'accept' ? { ...agent, isOwnerVerified: true } : { ...agent, ownerEmail: '' };
  return done({ ...state, agents: state.agents.with(agentId, answered) }, agentId);
}

function ofOwner({ agents }: AgentsState, email: string): Agent[] {
  return agents.values().filter(({ ownerEmail }) => ownerEmail === email);
}

/** An address may not register more agents by erasing those that it has. */
function withErased(state: AgentsState, email: string, nowMs: number): AgentsState {
  const agents = ofOwner(state, email).reduce((left, agent) => {
    const addressTag = isCounted(agent.createdAtMs, nowMs) ? agent.addressTag : '';
    return left.with(agent.id, { ...agent, ...ERASED, addressTag });
  }, state.agents);
  return { ...state, agents };
}

function grant(state: AgentsState, { keyId, scope }: Named<'grant'>): Decided<KeyDone> {
  const key = state.keys.values().find((one) => one.keyId === keyId && one.revokedAtMs === null);
  if (key === undefined) return refused(state, 'key_not_found');
  if (scope === FOUNDER_SCOPE && key.ownerId !== state.founder) return refused(state, 'not_the_founder');
  const granted = { ...key, scopes: [...new Set([...key.scopes, scope])] };
  return keyDone(withKey(state, granted), granted);
}

/** One at a time: the keys of the former founder lose what only the founder may do. */
function designate(state: AgentsState, agentId: string): Decided {
  if (state.agents.get(agentId) === undefined) return refused(state, 'agent_not_found');
  const taken = state.keys.values().filter((key) => key.ownerId !== agentId && key.scopes.includes(FOUNDER_SCOPE));
  const after = taken.reduce((left, key) => {
    return withKey(left, { ...key, scopes: key.scopes.filter((scope) => scope !== FOUNDER_SCOPE) });
  }, state);
  return done({ ...after, founder: agentId }, agentId);
}

function withKey(state: AgentsState, key: AgentKey): AgentsState {
  return { ...state, keys: state.keys.with(key.hash, key) };
}

function done(state: AgentsState, agentId: string): Decided {
  return { state, result: { type: 'done', agentId } };
}

function keyDone(state: AgentsState, key: AgentKey): Decided<KeyDone> {
  return { state, result: { type: 'done', key, agentId: key.ownerId } };
}

function refused(state: AgentsState, code: AgentRefusal, retryAfterMs?: number): Decision<AgentsState, AgentRefused> {
  return { state, result: { type: 'refused', code, ...(retryAfterMs !== undefined && { retryAfterMs }) } };
}

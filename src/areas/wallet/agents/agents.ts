import type { z } from 'zod';
import * as keyProblems from '#kernel/api-key.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { newApiKey, newId, newToken, sha256Hex, tokenHash } from '#kernel/ids.ts';
import { Answer, type Call } from '#kernel/operation.ts';
import { usedKey } from '#kernel/key-registry.ts';
import { type ProblemType, Refusal } from '#kernel/problem.ts';
import { answerAgain, answers, isAnswered } from '#platform/ledger/answers.ts';
import { type AgentCaller, hashOfAgentKey } from '#platform/ledger/caller.ts';
import { formatEur, isRefused, ledger } from '#platform/ledger/steps.ts';
import type { TextPolicy } from '#platform/usage-rules/text-policy.ts';
import { REFUSED_BY_DEFAULT } from '#platform/usage-rules/version.ts';
import type { RuleStanding } from '#platform/usage-rules/standing.ts';
import type { Step, Store } from '#platform/storage/store.ts';
import { type Agent, type AgentKey, ORDINARY_SCOPES, RESTRICTED_SCOPES } from './agent.ts';
import type { getAgent, registerAgent, revokeAgentKey, rotateAgentKey } from './agent-operations.ts';
import type { AgentCommand, AgentRefusal, AgentRefused } from '../decide.ts';
import * as problems from '../problems.ts';
import * as sql from '../sql.ts';
import { agentStep, agentUnit } from '../unit.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;
type Out<O extends { output: z.ZodType }> = z.output<O['output']>;

export interface AgentsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Makes the key of a repeatable call, which can then be shown again without being kept. */
  readonly keySecret: (...parts: readonly string[]) => string;
  readonly refuseName: TextPolicy['ofName'];
  /** Where a suspended agent reaches the operator. */
  readonly contact: string;
  readonly rules: RuleWatch;
}

/** What the usage rules watch of agents. */
interface RuleWatch {
  /** Counts a registration in the transaction that makes it; `learn` is told the results. */
  registered(addressTag: string, ownerEmail: string): Step;
  learn(results: readonly unknown[]): void;
  standing(agentId: string): Promise<RuleStanding>;
}

/** An agent as its owner sees it. */
export interface OwnedAgent extends Pick<Agent, 'name' | 'status' | 'isOwnerVerified' | 'createdAtMs'> {
  readonly agentId: string;
  readonly keys: readonly AgentKey[];
}

type OwnerAnswer = Omit<Extract<AgentCommand, { type: 'owner_answer' }>, 'type'>;

const NEXT = { topup: '/api/agents/wallet/topup', capabilities: '/capabilities/manifest', cabinet: '/cabinet' };
const SCOPES = [...ORDINARY_SCOPES];
const MAX_KNOWN = 50_000;
/** How long a registration is repeatable: its caller has no key yet, and others may share its address. */
const REGISTRATION_KEPT_MS = 600_000;

const REFUSALS: Partial<Record<AgentRefusal, readonly [ProblemType, string]>> = {
  key_invalid: [keyProblems.keyInvalid, 'This key is unknown or revoked. Check the key. Nothing was changed.'],
  too_many_keys: [
    keyProblems.tooManyKeys,
    'This agent already has two active keys. Revoke one first. Nothing was created.',
  ],
  last_key: [
    keyProblems.lastKey,
    'This is the only active key. Create a second key before you revoke it. Nothing was changed.',
  ],
  key_not_found: [keyProblems.keyNotFound, 'This agent has no key with this id. Nothing was changed.'],
  registrations_exceeded: [
    keyProblems.registrationsExceeded,
    'Ten agents were registered from this address within an hour. Retry later. Nothing was created.',
  ],
};

/** Who an agent is: its registration and its keys. */
export class Agents {
  readonly #options: AgentsOptions;
  /** Hashes of keys that opened something, with their agents; any other may be made up, and as many as one likes. */
  readonly #known = new Map<string, string>();
  readonly #passes = new Map<string, AgentCaller>();

  constructor(options: AgentsOptions) {
    this.#options = options;
  }

  async register(input: In<typeof registerAgent>, call: Call): Promise<Answer<Out<typeof registerAgent>> | Refusal> {
    const { idempotency_key: key, ...body } = input;
    const restricted = RESTRICTED_SCOPES.find((scope) => body.scopes?.includes(scope));
    if (restricted !== undefined) {
      const detail = `Only the operator grants ${restricted}. Leave it out and register again. Nothing was created.`;
      return new Refusal(problems.scopeRestricted, { detail, members: REFUSED_BY_DEFAULT });
    }
    const asked = askedOf(`${call.addressTag} register_agent`, key, body);
    const ruleRefusal = (await this.#isAnswered(asked)) ? null : await this.#options.refuseName('name', body.name);
    if (ruleRefusal !== null) return ruleRefusal;
    const [id, keyId, createdAtMs] = [newId('agt_'), newId('key_'), this.#options.clock.now()];
    const secret = this.#newKey(id, key);
    const agent = { id, name: body.name, ownerEmail: body.owner_email, addressTag: call.addressTag, createdAtMs };
    const shown = {
      agent_id: id,
      name: body.name,
      key_id: keyId,
      owner_verified: false,
      scopes: SCOPES,
      wallet: { currency: 'EUR' as const, available_eur: formatEur(0) },
      created_at: isoTime(createdAtMs),
      next: NEXT,
    };
    const steps = [
      agentStep({ type: 'register', agent, key: { keyId, keyHash: tokenHash(secret) } }),
      ledger.open({ agentId: id }),
      this.#options.rules.registered(call.addressTag, body.owner_email),
    ];
    const before = await this.#once(steps, asked, shown, REGISTRATION_KEPT_MS);
    if (before === undefined) return new Answer(201, { ...shown, agent_key: secret });
    if (before instanceof Refusal) return before;
    // Who has used the key has it.
    return this.#again(before, before.body.agent_id, key as string, ({ lastUsedAtMs }) => lastUsedAtMs === null);
  }

  async rotateKey({
    agent_key,
    idempotency_key: key,
  }: In<typeof rotateAgentKey>): Promise<Answer<Out<typeof rotateAgentKey>> | Refusal> {
    const caller = await this.authenticate(agent_key);
    if (caller instanceof Refusal) return caller;
    const [keyId, createdAtMs] = [newId('key_'), this.#options.clock.now()];
    const secret = this.#newKey(keyId, key);
    const shown = { key_id: keyId, scopes: SCOPES, created_at: isoTime(createdAtMs) };
    const byHash = tokenHash(agent_key as string);
    const steps = [agentStep({ type: 'add_key', byHash, key: { keyId, keyHash: tokenHash(secret) }, createdAtMs })];
    const before = await this.#once(steps, askedOf(`${caller.agentId} rotate_key`, key, {}), shown);
    if (before === undefined) return new Answer(201, { ...shown, agent_key: secret });
    if (before instanceof Refusal) return before;
    return this.#again(before, before.body.key_id, key as string);
  }

  async revokeKey({ agent_key, key_id }: In<typeof revokeAgentKey>): Promise<Out<typeof revokeAgentKey> | Refusal> {
    const caller = await this.authenticate(agent_key);
    if (caller instanceof Refusal) return caller;
    const byHash = tokenHash(agent_key as string);
    const result = await this.#options.store.run(agentUnit, { type: 'revoke_key', byHash, keyId: key_id });
    if (result.type === 'refused') return refusalOf(result);
    const { revokedAtMs, lastUsedAtMs } = result.key;
    return { key_id, revoked_at: isoTime(revokedAtMs as number), last_used_at: isoOrNull(lastUsedAtMs) };
  }

  async view({ agent_key }: In<typeof getAgent>): Promise<Out<typeof getAgent> | Refusal> {
    const caller = await this.recognise(agent_key);
    if (caller instanceof Refusal) return caller;
    const { store } = this.#options;
    const [[agent], keys, [founder], standing] = await Promise.all([
      store.read(sql.AGENT_OF_ID, [caller.agentId]),
      store.read(sql.KEYS_OF_AGENT, [caller.agentId]),
      store.read(sql.FOUNDER_NOW),
      this.#options.rules.standing(caller.agentId),
    ]);
    if (agent === undefined) throw new Error('a key belongs to no agent');
    const { id, name, status, isOwnerVerified, createdAtMs } = agent;
    return {
      agent_id: id,
      name,
      status: standing.suspension === null ? status : 'suspended',
      ...standing,
      owner_verified: isOwnerVerified,
      founder: founder?.agentId === id,
      key_id: caller.keyId,
      keys: keys.map((key) => ({
        key_id: key.keyId,
        scopes: [...key.scopes],
        created_at: isoTime(key.createdAtMs),
        last_used_at: isoOrNull(key.lastUsedAtMs),
        revoked_at: isoOrNull(key.revokedAtMs),
      })),
      created_at: isoTime(createdAtMs),
    };
  }

  /** The agent of a key, which must not be suspended. */
  async authenticate(agentKey: string | undefined): Promise<AgentCaller | Refusal> {
    const caller = await this.recognise(agentKey);
    return caller instanceof Refusal ? caller : (this.#refuseStatus(caller.status) ?? caller);
  }

  /** The refusal of a suspended agent, for a call that is made for it under another key; undefined for all others. */
  async suspensionOf(agentId: string): Promise<Refusal | undefined> {
    return this.#refuseStatus(await this.#statusOf(agentId));
  }

  #refuseStatus(status: Agent['status']): Refusal | undefined {
    if (status === 'active') return undefined;
    const detail = 'The operator has suspended this agent. Nothing was done.';
    return keyProblems.refuseSuspended(detail, this.#options.contact);
  }

  /** The agent of a key, suspended or not. Notes the use of the key. */
  async recognise(agentKey: string | undefined): Promise<(AgentCaller & Pick<Agent, 'status'>) | Refusal> {
    const passed = agentKey === undefined ? undefined : this.#passes.get(agentKey);
    if (passed !== undefined) return { ...passed, status: await this.#statusOf(passed.agentId) };
    const byHash = hashOfAgentKey(agentKey);
    if (byHash instanceof Refusal) return byHash;
    const { store, clock } = this.#options;
    const [caller] = await store.read(sql.CALLER_OF_HASH, [byHash]);
    if (caller?.revokedAtMs !== null) return refusalOf({ type: 'refused', code: 'key_invalid' });
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const { keyId, ownerId: agentId, name, scopes, status } = caller;
    this.#known.set(byHash, agentId);
    if (usedKey(caller, clock.now()) !== caller) {
      // Not waited for: a call may read while nothing can be written.
      void store.run(agentUnit, { type: 'use', byHash }).catch(() => undefined);
    }
    return { agentId, keyId, name, scopes, status };
  }

  /** Names a key that was recognised before; undefined for any other. */
  tagOf(agentKey: unknown): string | undefined {
    const hash = typeof agentKey === 'string' ? tokenHash(agentKey) : '';
    return this.#known.has(hash) ? hash : undefined;
  }

  /** A repeated call gets its answer again, also when the rules have changed since. */
  async #isAnswered(asked: Asked | null): Promise<boolean> {
    return asked !== null && isAnswered((await this.#options.store.runAll([answers.check(asked)]))[0]);
  }

  /** The agent of a key that was recognised before, by its tag. */
  agentOfTag(tag: string): string | undefined {
    return this.#known.get(tag);
  }

  /** The agent of a key that was recognised before. */
  agentOfKey(agentKey: unknown): string | undefined {
    return typeof agentKey === 'string' ? this.#known.get(tokenHash(agentKey)) : undefined;
  }

  /** Does a call of an agent for its owner: what is handed in stands for a key until the call has ended. */
  async asOwner<T>({ agentId, name }: Pick<OwnedAgent, 'agentId' | 'name'>, work: (pass: string) => Promise<T>) {
    const pass = newToken();
    this.#passes.set(pass, { agentId, keyId: '', name, scopes: SCOPES });
    try {
      return await work(pass);
    } finally {
      this.#passes.delete(pass);
    }
  }

  /** The agents that were registered under a mail address, with their keys. */
  async ofOwner(email: string): Promise<OwnedAgent[]> {
    const { store } = this.#options;
    const [agents, keys] = await Promise.all([
      store.read(sql.AGENTS_OF_OWNER, [email]),
      store.read(sql.KEYS_OF_OWNER, [email]),
    ]);
    const byAgent = Map.groupBy(keys, ({ ownerId }) => ownerId);
    return agents.map(({ id, name, status, isOwnerVerified, createdAtMs }) => ({
      agentId: id,
      name,
      status,
      isOwnerVerified,
      createdAtMs,
      keys: byAgent.get(id) ?? [],
    }));
  }

  /** Ends a key, makes one, or both in one; what is made is shown once. */
  async changeKey(agentId: string, { revoke, isNew }: { readonly revoke?: string; readonly isNew: boolean }) {
    const secret = newApiKey('agk_');
    const add = { keyId: newId('key_'), keyHash: tokenHash(secret) };
    const createdAtMs = this.#options.clock.now();
    const change = { ...(revoke !== undefined && { revoke }), ...(isNew && { add }) };
    const result = await this.#options.store.run(agentUnit, { type: 'owner_key', agentId, ...change, createdAtMs });
    if (result.type === 'refused') return refusalOf(result);
    return isNew ? { keyId: add.keyId, secret } : null;
  }

  /** What the owner of a mailbox says of an agent that was registered under it; null where it is done. */
  async answerOwnership(answer: OwnerAnswer): Promise<'agent_accepted' | 'agent_not_found' | null> {
    const result = await this.#options.store.run(agentUnit, { type: 'owner_answer', ...answer });
    if (result.type !== 'refused') return null;
    return result.code === 'agent_accepted' ? result.code : 'agent_not_found';
  }

  async #statusOf(agentId: string): Promise<Agent['status']> {
    const [agent] = await this.#options.store.read(sql.AGENT_OF_ID, [agentId]);
    return agent?.status ?? 'suspended';
  }

  /** Runs the steps once per Idempotency-Key; undefined where they were run now. */
  async #once<O extends object>(
    steps: readonly Step[],
    asked: Asked | null,
    shown: O,
    keptMs?: number,
  ): Promise<Answer<O> | Refusal | undefined> {
    const group =
      asked === null
        ? steps
        : [
            answers.check(asked),
            ...steps,
            answers.begin(asked),
            answers.finish({ ...asked, status: 201, body: shown, ...(keptMs !== undefined && { keptMs }) }),
          ];
    const results = await this.#options.store.runAll(group, (result) => isRefused(result) || isAnswered(result));
    this.#options.rules.learn(results);
    const last = results.at(-1);
    if (isAnswered(last)) return answerAgain<O>(last);
    return isRefused(last) ? refusalOf(last as unknown as AgentRefused) : undefined;
  }

  #newKey(id: string, idempotencyKey: string | undefined): string {
    return idempotencyKey === undefined ? newApiKey('agk_') : this.#madeKey(id, idempotencyKey);
  }

  #madeKey(id: string, idempotencyKey: string): string {
    return newApiKey('agk_', () => Buffer.from(this.#options.keySecret(id, idempotencyKey), 'hex'));
  }

  async #again<O extends object>(
    before: Answer<O>,
    id: string,
    idempotencyKey: string,
    isShown: (key: AgentKey) => boolean = () => true,
  ): Promise<Answer<O & { agent_key: string | null }>> {
    const secret = this.#madeKey(id, idempotencyKey);
    const [made] = await this.#options.store.read(sql.CALLER_OF_HASH, [tokenHash(secret)]);
    const shown = made !== undefined && isShown(made) ? secret : null;
    return new Answer(before.status, { ...before.body, agent_key: shown }, undefined, true);
  }
}

type Asked = Parameters<typeof answers.check>[0];

function askedOf(scope: string, key: string | undefined, body: object): Asked | null {
  return key === undefined ? null : { scope, key, bodySha256: sha256Hex(canonicalJson(body)) };
}

function refusalOf({ code, retryAfterMs }: AgentRefused): Refusal {
  const known = REFUSALS[code];
  if (known === undefined) throw new Error(`a call was refused with ${code}`);
  const [type, detail] = known;
  return new Refusal(type, {
    detail,
    ...(retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
  });
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

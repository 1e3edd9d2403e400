import { RuleFlags } from '#platform/usage-rules/rule-flags.ts';
import type { Config } from '#platform/config/config.ts';
import { tokenHash } from '#kernel/ids.ts';
import type { Operation, RateClass } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import { addressSubject, type Subject } from '#platform/usage-rules/flag-rules.ts';
import { KeyRotation } from '#platform/usage-rules/key-rotation.ts';
import { ruleRefused } from '#platform/usage-rules/problems.ts';
import type { Trail } from '#platform/trail/trail.ts';
import type { Foundation } from '#platform/foundation.ts';
import { AGENT_KEY_HEADER, PLATFORM_KEY_HEADER } from '#kernel/api-key.ts';
import type { Logger } from '#platform/logger.ts';

const MAX_KNOWN = 50_000;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Who calls, as far as is known: nothing of the keys is believed yet. */
interface Caller {
  readonly addressTag: string;
  readonly agentKey?: unknown;
  readonly platformKey?: unknown;
}

export interface RuleGateOptions {
  readonly flags: RuleFlags;
  /** Who has the key of an agent, and whose key was seen under a tag. */
  readonly agents: { readonly recognise: Authenticate; agentOfTag(tag: string): string | undefined };
  /** Who has the key of a platform, likewise. */
  readonly mandates: {
    platformOfKey(key: string): Promise<string | undefined>;
    platformOfTag(tag: string): string | undefined;
  };
  readonly logger: Logger;
}

/** Stands before every call that changes state, and sees what callers do against the usage rules. */
export class RuleGate {
  readonly #options: RuleGateOptions;
  /** By hash of the key. */
  readonly #known = new Map<string, Subject>();
  readonly #rotations = new Map<string, KeyRotation>();

  constructor(options: RuleGateOptions) {
    this.#options = options;
  }

  /** The refusal of a suspended caller. A promise only where a key must be looked up first. */
  suspensionOf(
    { access, effects, whileSuspended }: Pick<Operation, 'access' | 'effects' | 'whileSuspended'>,
    headers: Headers,
    addressTag: string,
  ): Refusal | undefined | Promise<Refusal | undefined> {
    if (!effects || whileSuspended === 'allowed') return undefined;
    return this.suspensionOfCaller(callerOf(access, headers, addressTag));
  }

  suspensionOfCaller(caller: Caller): Refusal | undefined | Promise<Refusal | undefined> {
    const { flags } = this.#options;
    if (!flags.isAnybodySuspended) return undefined;
    const known = this.#knownSubject(caller);
    if (known !== undefined) return flags.refuse(known);
    return this.#subject(caller).then((subject) => flags.refuse(subject));
  }

  /** Flags the caller where a usage rule was broken; resolves when that is stored. */
  refused(
    refusal: Refusal,
    { access }: Pick<Operation, 'access'>,
    headers: Headers,
    addressTag: string,
  ): Promise<void> | undefined {
    return this.refusedCaller(refusal, callerOf(access, headers, addressTag));
  }

  refusedCaller({ type, details }: Refusal, caller: Caller): Promise<void> | undefined {
    if (type.code !== ruleRefused.code) return undefined;
    const { rule, attestation_id: refusalId } = details.members ?? {};
    // The refusal is answered whether or not it could be noted.
    return this.#subject(caller)
      .then((subject) => this.#options.flags.refused(subject, String(rule), (refusalId as string | undefined) ?? null))
      .catch((error: unknown) => this.#logFault(error));
  }

  /** Told of every call that was counted by its key. */
  counted(rate: RateClass | 'none', call: Parameters<KeyRotation['saw']>[0]): void {
    const rotation = this.#rotations.get(rate) ?? new KeyRotation();
    this.#rotations.set(rate, rotation);
    const keys = rotation.saw(call);
    if (keys === null) return;
    const { flags, agents, mandates } = this.#options;
    for (const id of new Set(keys.flatMap((tag) => agents.agentOfTag(tag) ?? mandates.platformOfTag(tag) ?? []))) {
      flags.rotated(id as Subject).catch((error: unknown) => this.#logFault(error));
    }
  }

  #logFault(error: unknown): void {
    this.#options.logger.error('usage rule breach not recorded', {}, error);
  }

  /** Undefined where a key must be looked up first. */
  #knownSubject({ addressTag, agentKey, platformKey }: Caller): Subject | undefined {
    const key = agentKey ?? platformKey;
    return typeof key === 'string' ? this.#known.get(tokenHash(key)) : addressSubject(addressTag);
  }

  async #subject(caller: Caller): Promise<Subject> {
    const known = this.#knownSubject(caller);
    if (known !== undefined) return known;
    const { addressTag, agentKey, platformKey } = caller;
    const { agents, mandates } = this.#options;
    const key = String(agentKey ?? platformKey);
    const agent = agentKey === undefined ? null : await agents.recognise(key);
    const agentId = agent === null || agent instanceof Refusal ? undefined : agent.agentId;
    const id = agent === null ? await mandates.platformOfKey(key) : agentId;
    if (id === undefined) return addressSubject(addressTag);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(tokenHash(key), id as Subject);
    return id as Subject;
  }
}

/** The flags of this installation. */
export function openRuleFlags(config: Config, { store, clock, serverSecret }: Foundation, trail: Trail): RuleFlags {
  const { contact } = config.operator;
  return new RuleFlags({
    store,
    clock,
    contact,
    suspends: config.suspends,
    sandbox: config.profile === 'sandbox',
    ownerTag: serverSecret.hasher('owner-registrations'),
    record: (event) => trail.record(event),
  });
}

/**
 * A key speaks for its caller, also on calls that need none: what others do at its address is not its own. Where a platform acts,
 * the key of an agent says nothing.
 */
function callerOf(access: Operation['access'], headers: Headers, addressTag: string): Caller {
  const platformKey = headers[PLATFORM_KEY_HEADER];
  return access === 'platform'
    ? { addressTag, platformKey }
    : { addressTag, agentKey: headers[AGENT_KEY_HEADER], platformKey };
}

import { refuseSuspended } from '#kernel/api-key.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import type { Job } from '#kernel/job.ts';
import { newCommandId, newId, newToken } from '#kernel/ids.ts';
import type { Refusal } from '#kernel/problem.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import {
  addressSubject,
  type CountedName,
  EVASION_RULE,
  type FlagRule,
  isAddressSubject,
  type Subject,
  TEXT_RULES,
} from '#platform/usage-rules/flag-rules.ts';
import type { RuleStanding } from '#platform/usage-rules/standing.ts';
import { type Step, step, type Store } from '#platform/storage/store.ts';
import type { Drawn, FlagFigures, FlagOrder, Noted } from './decide.ts';
import { type Flag, isSuspended, type Suspension } from './flag.ts';
import * as sql from './sql.ts';
import { type FlagUnit, flagUnit } from './unit.ts';

/** What happened to a caller, for the audit trail. */
export interface FlagEvent {
  readonly atMs: number;
  readonly op: 'rules:flag' | 'rules:suspension';
  readonly addr: string | null;
  readonly agent: string | null;
  readonly code: FlagRule;
}

export interface RuleFlagsOptions extends FlagFigures {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** Where a suspended caller reaches the operator. */
  readonly contact: string;
  /** Keyed hash, so that counting needs no address of an owner. */
  readonly ownerTag: (ownerEmail: string) => string;
  readonly record: (event: FlagEvent) => void;
}

/** Who broke the usage rules, and who may change nothing for a time. */
export class RuleFlags {
  readonly #options: RuleFlagsOptions;
  readonly #unit: FlagUnit;
  /** Whom the store holds suspended, as of the last beat and of what this process has seen since. */
  #suspended: ReadonlyMap<string, Suspension> = new Map();

  constructor(options: RuleFlagsOptions) {
    this.#options = options;
    this.#unit = flagUnit(options);
  }

  /** The refusal of a call that a suspended caller may not make; undefined for all others. Reads memory only. */
  refuse(subject: Subject): Refusal | undefined {
    const suspension = this.#suspended.get(subject);
    if (suspension === undefined || !isSuspended(suspension, this.#options.clock.now())) return undefined;
    const { untilMs, rule } = suspension;
    const detail =
      'This caller broke a usage rule and cannot change anything until the time in until. Reading still works.';
    return refuseSuspended(detail, this.#options.contact, { until: isoTime(untilMs), rule });
  }

  /** The refusal of anonymous work, whatever key is sent beside it. */
  refuseAnonymous(addressTag: string): Refusal | undefined {
    return this.refuse(addressSubject(addressTag));
  }

  get isAnybodySuspended(): boolean {
    return this.#suspended.size > 0;
  }

  /** Learns what other processes and the operator did. */
  async refresh(): Promise<void> {
    const { store, clock, suspends } = this.#options;
    if (!suspends) return;
    const suspensions = await store.read(sql.SUSPENSIONS_NOW, [clock.now()]);
    this.#suspended = new Map(suspensions.map((one) => [one.subject, one]));
  }

  /** Flags whoever a usage rule refused; rules that only concern the text flag nobody. */
  async refused(subject: Subject, rule: string, refusalId: string | null): Promise<void> {
    const broken = TEXT_RULES.find((name) => name === rule);
    if (broken !== undefined) await this.#flag({ subject, rule: broken, signal: 'rule_refusal', refusalId });
  }

  /** Flags an agent whose key was one of several under which a quota was used up. */
  async rotated(subject: Subject): Promise<void> {
    await this.#flag({ subject, rule: EVASION_RULE, signal: 'key_rotation', refusalId: null });
  }

  /** Counts an anonymous task in the transaction that makes it; `learn` must be told the results. */
  taskMade(addressTag: string): Step<Noted> {
    return this.#count(addressTag, [['anonymous_tasks', addressTag]]);
  }

  /** Counts a registration in the transaction that makes it; `learn` must be told the results. */
  registered(addressTag: string, ownerEmail: string): Step<Noted> {
    return this.#count(addressTag, [
      ['registrations_of_address', addressTag],
      ['registrations_of_owner', this.#options.ownerTag(ownerEmail)],
    ]);
  }

  learn(results: readonly unknown[]): void {
    for (const result of results) if (isNoted(result)) this.#noted(result);
  }

  /** What the owner of a key is shown. */
  async standing(subject: string): Promise<RuleStanding> {
    const { store, clock } = this.#options;
    const [flags, suspensions] = await Promise.all([
      store.read(sql.FLAGS_OF, [subject]),
      store.read(sql.SUSPENSIONS_OF, [subject]),
    ]);
    const nowMs = clock.now();
    const current = suspensions.find((one) => isSuspended(one, nowMs));
    return {
      flags: flags.map(flagView),
      suspension: current === undefined ? null : suspensionView(current),
    };
  }

  jobs(): Job[] {
    return [expiryJob('rule-sweep', this.#options, ...sql.RULE_EXPIRIES)];
  }

  async #flag(order: Omit<FlagOrder, 'drawn'>): Promise<void> {
    this.learn([await this.#options.store.run(this.#unit, { type: 'flag', ...order, drawn: drawn() })]);
  }

  #count(addressTag: string, counted: readonly (readonly [signal: CountedName, of: string])[]): Step<Noted> {
    const counts = counted.map(([signal, of]) => ({ signal, of }));
    return step(this.#unit, { type: 'count', addressTag, counts, drawn: drawn() });
  }

  #noted({ flag, suspension }: Noted): void {
    if (flag !== null) this.#record('rules:flag', flag);
    if (suspension === null) return;
    this.#record('rules:suspension', suspension);
    this.#suspended = new Map(this.#suspended).set(suspension.subject, suspension);
  }

  #record(op: FlagEvent['op'], { subject, rule, atMs }: Flag | Suspension): void {
    const isAnonymous = isAddressSubject(subject);
    const addr = isAnonymous ? subject.slice('addr:'.length) : null;
    this.#options.record({ atMs, op, addr, agent: isAnonymous ? null : subject, code: rule });
  }
}

/** For the operator: takes a flag or a suspension back, sealed. Null where there is none of this id. */
export async function lift(store: Store, id: string, sandbox: boolean): Promise<Flag | Suspension | null> {
  const unit = flagUnit({ sandbox, suspends: true });
  return (await store.run(unit, { type: 'lift', id, drawn: secrets(id) })).lifted;
}

/** For the operator's list. */
export async function everyFlag(store: Pick<Store, 'read'>) {
  return { flags: await store.read(sql.ALL_FLAGS), suspensions: await store.read(sql.ALL_SUSPENSIONS) };
}

function flagView({ id, rule, signal, atMs, attestationId, salt, refusalId, liftedAtMs }: Flag) {
  return {
    flag_id: id,
    rule,
    signal,
    at: isoTime(atMs),
    attestation_id: attestationId,
    salt,
    refusal_attestation_id: refusalId,
    lifted_at: liftedAtMs === null ? null : isoTime(liftedAtMs),
  };
}

function suspensionView({ id, rule, atMs, untilMs, attestationId, salt }: Suspension) {
  return {
    suspension_id: id,
    rule,
    at: isoTime(atMs),
    until: isoTime(untilMs),
    attestation_id: attestationId,
    salt,
  };
}

function isNoted(result: unknown): result is Noted {
  return (result as { readonly type?: unknown } | null)?.type === 'noted';
}

function drawn(): Drawn {
  return { flag: secrets(newId('flg_')), suspension: secrets(newId('sus_')) };
}

function secrets(id: string) {
  return { id, salt: newToken(), seed: newToken(), nonce: newCommandId() };
}

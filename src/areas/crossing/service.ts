import type { z } from 'zod';
import { refuseFields } from '#kernel/general-problems.ts';
import type { Clock } from '#kernel/clock.ts';
import { shownIdentity } from '#kernel/identity.ts';
import { type LeaseId, newCommandId, newLeaseSalt, newToken, tokenHash } from '#kernel/ids.ts';
import type { Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { ASKING_RULES, PUBLISHED_RULES } from '#platform/usage-rules/hard-rules.ts';
import { refuseTexts, type TextPolicy } from '#platform/usage-rules/text-policy.ts';
import type { ReceiptSigner } from '#platform/payments/receipt-signer.ts';
import type { Query, Store } from '#platform/storage/store.ts';
import { batchRefusal, leaseAnswer, markAnswer, refusal, refusedToken, releaseAnswer } from './answers.ts';
import type { GivenKey } from './fields.ts';
import { isPublicVenue } from '#protocol/work-key.ts';
import { onceIntentOf } from './lease/lease.ts';
import { leaseReceipt } from './lease/lease-receipt.ts';
import type { MarkAnswer, MarkInput } from './mark/mark-operation.ts';
import type { BatchAnswer, ClaimInput, LeaseAnswer, ReleaseAnswer, ReleaseInput } from './operations.ts';
import * as sql from './sql.ts';
import type { BriefSlots, ClaimAllResult, ClaimCommand, ClaimResult, RefreshCommand, ReleaseMark } from './state.ts';
import { type CrossingUnit, crossingUnit, crossingUnitWith } from './unit.ts';

export interface CrossingOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** Entries of the public log say so. */
  readonly sandbox: boolean;
  readonly receipts: Pick<ReceiptSigner, 'sign'>;
  /** Hosts whose addresses name public work. */
  readonly venueHosts?: ReadonlySet<string>;
  /** As `crossingUnitWith` takes it; without it nobody can name a brief. */
  readonly briefSlots?: Query<BriefSlots>;
  readonly rules: TextPolicy;
}

const OTHER_BRIEF = { pointer: '#/brief', code: 'other_brief', detail: 'This brief does not belong to this work key.' };
/** The link of a brief as a key; an id is made before its brief can be named, so that no other brief has this key for its link. */
const BRIEF_LINK = /\/v1\/brief\/(brf_[0-9a-z]{26})$/;

const OTHER_KEY = { pointer: '#/key', code: 'other_key', detail: 'This work key is not the one of this lease.' };

type ClaimAnswer = z.output<typeof LeaseAnswer> | z.output<typeof BatchAnswer>;

/** Leases on shared work: turns calls into commands and results into answers. */
export class Crossing {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #sandbox: boolean;
  readonly #rules: TextPolicy;
  readonly #receipts: Pick<ReceiptSigner, 'sign'>;
  readonly #venueHosts: ReadonlySet<string>;
  readonly #unit: CrossingUnit;

  constructor(options: CrossingOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#sandbox = options.sandbox;
    this.#rules = options.rules;
    this.#receipts = options.receipts;
    this.#venueHosts = options.venueHosts ?? new Set();
    this.#unit = options.briefSlots === undefined ? crossingUnit : crossingUnitWith(options.briefSlots);
  }

  async claim(input: ClaimInput, call: Call): Promise<ClaimAnswer | Refusal> {
    const ruleRefusal =
      (await this.#rules.ofName('agent', input.agent)) ??
      (await refuseTexts(this.#rules, { agent: input.agent, intent: input.intent }, ASKING_RULES));
    if (ruleRefusal !== null) return ruleRefusal;
    const tokens = input.key.map(() => newToken());
    const [first, ...more] = input.key.map((key, index) =>
      this.#claimCommand(input, key, call, tokens[index] as string),
    );
    if (first === undefined) throw new Error('a claim names no key');
    if (more.length > 0) {
      const result = await this.#store.run(this.#unit, { type: 'claim_all', claims: [first, ...more] });
      return this.#batchAnswer(input, call, result, tokens);
    }
    const command = input.lease === undefined ? first : refreshCommand(input, first);
    const result = await this.#store.run(this.#unit, command);
    return this.#claimAnswer(input, call, result, tokens[0] as string);
  }

  async release(input: ReleaseInput, call: Call): Promise<z.output<typeof ReleaseAnswer> | Refusal> {
    const leaseId = input.lease as LeaseId;
    const outcome = input.outcome ?? null;
    const mark = outcome === null ? null : await this.#releaseMark(input, call);
    const command = {
      type: 'release',
      ...this.#entrySecrets(),
      leaseId,
      tokenHash: tokenHash(input.token),
      outcome,
      mark,
      ruleRefused: mark !== null && (await refuseTexts(this.#rules, { note: input.note }, PUBLISHED_RULES)) !== null,
    } as const;
    return releaseAnswer(await this.#store.run(this.#unit, command), input.note);
  }

  /** Null where the lease is not live: there is nothing to release then. The key of a lease never changes. */
  async #releaseMark({ lease, note, evidence }: ReleaseInput, call: Call): Promise<ReleaseMark | null> {
    const key = (await this.#store.read(sql.KEY_OF_LEASE, [lease]))[0]?.key;
    if (key === undefined) return null;
    const { seed, nonce } = this.#entrySecrets();
    const identity = call.identity?.verdict.verified ?? null;
    const { addressTag } = call;
    return { key, note: note ?? null, evidence: evidence ?? null, addressTag, seed, nonce, identity };
  }

  async mark(input: MarkInput, call: Call): Promise<z.output<typeof MarkAnswer> | Refusal> {
    const ruleRefusal =
      (await this.#rules.ofName('agent', input.agent)) ??
      (await refuseTexts(this.#rules, { agent: input.agent, note: input.note }, PUBLISHED_RULES));
    if (ruleRefusal !== null) return ruleRefusal;
    const { lease, token } = input;
    const result = await this.#store.run(this.#unit, {
      type: 'mark',
      ...this.#entrySecrets(),
      key: input.key.key,
      kind: input.kind,
      agent: input.agent,
      note: input.note ?? null,
      evidence: input.evidence ?? null,
      addressTag: call.addressTag,
      proof:
        lease === undefined || token === undefined ? null : { leaseId: lease as LeaseId, tokenHash: tokenHash(token) },
      identity: call.identity?.verdict.verified ?? null,
    });
    if (result.outcome === 'other_key') return refuseFields([OTHER_KEY]);
    const answer = markAnswer(input, result);
    return answer instanceof Refusal ? answer : { ...answer, ...shownIdentity(call.identity) };
  }

  #entrySecrets() {
    return { commandId: newCommandId(), sandbox: this.#sandbox, seed: newToken(), nonce: newCommandId() };
  }

  /** Removes rows past their time, in portions; run under the leader until nothing is left. */
  async sweep(): Promise<number> {
    const command = { type: 'sweep', commandId: newCommandId(), dueBeforeMs: this.#clock.now() } as const;
    return (await this.#store.run(this.#unit, command)).removed;
  }

  /** Ends the leases of these keys that are past their time, without waiting for the sweep. */
  async expire(keys: readonly string[]): Promise<void> {
    await this.#store.run(this.#unit, { type: 'expire', commandId: newCommandId(), keys });
  }

  #claimAnswer(
    input: ClaimInput,
    { identity }: Pick<Call, 'identity'>,
    result: ClaimResult,
    token: string,
  ): z.output<typeof LeaseAnswer> | Refusal {
    switch (result.outcome) {
      case 'bad_token':
        return refusedToken();
      case 'other_key':
        return refuseFields([OTHER_KEY]);
      case 'other_brief':
        return refuseFields([OTHER_BRIEF]);
      case 'refused':
        return refusal(input, result);
      case 'granted':
      case 'refreshed':
      case 'repeated': {
        const answer = leaseAnswer(input, result, input.token === undefined ? token : null);
        if (input.receipt !== undefined) Object.assign(answer, leaseReceipt(result, this.#receipts));
        return identity === undefined ? answer : { ...answer, ...shownIdentity(identity) };
      }
    }
  }

  #batchAnswer(
    input: ClaimInput,
    call: Pick<Call, 'identity'>,
    result: ClaimAllResult,
    tokens: readonly string[],
  ): ClaimAnswer | Refusal {
    if (result.outcome === 'none') return batchRefusal(input, result.refused);
    const leases: z.output<typeof LeaseAnswer>[] = [];
    for (const [index, one] of result.results.entries()) {
      const answer = this.#claimAnswer(input, call, one, tokens[index] as string);
      if (answer instanceof Refusal) throw new Error('a batch was granted and a key of it refused');
      leases.push(answer);
    }
    return { batch: true, leases, at: leases[0]?.at as string };
  }

  #claimCommand(input: ClaimInput, { key }: GivenKey, call: Call, token: string): ClaimCommand {
    const givenTokenHash = input.token === undefined ? null : tokenHash(input.token);
    return {
      type: 'claim',
      commandId: newCommandId(),
      key,
      publicVenue: input.mode === 'once' && isPublicVenue(key, this.#venueHosts),
      agent: input.agent,
      mode: input.mode,
      ttlMs: input.ttl * 1_000,
      intent: input.intent ?? null,
      onceIntent: input.mode === 'once' ? onceIntentOf({ key, intent: input.intent ?? null }) : '',
      hops: input.hops ?? null,
      slots: input.slots ?? null,
      brief: briefNamed(input, key),
      addressTag: call.addressTag,
      leaseSalt: newLeaseSalt(),
      newTokenHash: tokenHash(token),
      givenTokenHash,
      hasEvidence: input.evidence !== undefined,
      queues: input.queue !== undefined,
      proof: givenTokenHash ?? call.addressTag,
      attempt: input.attempt,
      identity: call.identity?.verdict.verified ?? null,
    };
  }
}

function briefNamed({ brief }: ClaimInput, key: string): ClaimCommand['brief'] {
  if (brief !== undefined) return { id: brief, by: 'parameter' };
  const id = BRIEF_LINK.exec(key)?.[1];
  return id === undefined ? null : { id, by: 'link' };
}

function refreshCommand(
  { lease, token, ttl }: ClaimInput,
  { key, commandId, hasEvidence }: ClaimCommand,
): RefreshCommand {
  return {
    type: 'refresh',
    commandId,
    key,
    leaseId: lease as LeaseId,
    tokenHash: tokenHash(token as string),
    ttlMs: ttl * 1_000,
    hasEvidence,
  };
}

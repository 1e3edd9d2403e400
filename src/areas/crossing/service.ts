import type { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { type LeaseId, newCommandId, newLeaseSalt, newToken, tokenHash } from '#kernel/ids.ts';
import type { Call } from '#kernel/operation.ts';
import type { FieldFault, Refusal } from '#kernel/problem.ts';
import type { Store } from '#storage/store.ts';
import { badToken, leaseAnswer, markAnswer, releaseAnswer, refusal, ruleRefusal } from './answers.ts';
import { canonicalKey } from './key.ts';
import { onceIntentOf } from './lease.ts';
import type { MarkAnswer, MarkInput } from './mark-operation.ts';
import type { ClaimInput, LeaseAnswer, ReleaseAnswer, ReleaseInput } from './operations.ts';
import * as sql from './sql.ts';
import type { ClaimCommand, ClaimResult, MarkResult, ReleaseMark, ReleaseResult, SweepResult } from './state.ts';
import { crossingUnit } from './unit.ts';

export interface CrossingOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** Entries of the public log say so. */
  readonly sandbox: boolean;
  /** The usage rule that a text asks to be broken; null when none. */
  readonly ruleBrokenBy?: (text: string) => string | null;
  /** Makes the refusal of a field that only the state shows to be wrong. */
  readonly refuseField: (fault: FieldFault) => Refusal;
}

const OTHER_KEY = { pointer: '#/key', code: 'other_key', detail: 'is not the key of this lease' };

/** Leases on shared work: turns calls into commands and results into answers. */
export class Crossing {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #sandbox: boolean;
  readonly #refuseField: CrossingOptions['refuseField'];
  readonly #ruleBrokenBy: (text: string) => string | null;

  constructor(options: CrossingOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#sandbox = options.sandbox;
    this.#refuseField = options.refuseField;
    this.#ruleBrokenBy = options.ruleBrokenBy ?? (() => null);
  }

  async claim(input: ClaimInput, call: Call): Promise<z.output<typeof LeaseAnswer> | Refusal> {
    const rule = this.#brokenRule([input.agent, input.intent]);
    if (rule !== null) return ruleRefusal(rule);
    const token = newToken();
    const result =
      input.lease === undefined
        ? await this.#store.run(crossingUnit, claimCommand(input, call, token))
        : await this.#store.run(crossingUnit, {
            type: 'refresh',
            commandId: newCommandId(),
            key: input.key.key,
            leaseId: input.lease as LeaseId,
            tokenHash: tokenHash(input.token as string),
            ttlMs: input.ttl * 1_000,
          });
    return this.#claimAnswer(input, result as ClaimResult, token);
  }

  async release(input: ReleaseInput, call: Call): Promise<z.output<typeof ReleaseAnswer> | Refusal> {
    const leaseId = input.lease as LeaseId;
    const outcome = input.outcome ?? null;
    const command = {
      type: 'release',
      ...this.#entrySecrets(),
      leaseId,
      tokenHash: tokenHash(input.token),
      outcome,
      mark: outcome === null ? null : await this.#releaseMark(input, call),
      ruleRefused: this.#brokenRule([input.note]) !== null,
    } as const;
    return releaseAnswer((await this.#store.run(crossingUnit, command)) as ReleaseResult);
  }

  /** Null where the lease is not live: there is nothing to release then. The key of a lease never changes. */
  async #releaseMark({ lease, note, evidence }: ReleaseInput, { addressTag }: Call): Promise<ReleaseMark | null> {
    const key = (await this.#store.read(sql.KEY_OF_LEASE, [lease]))[0]?.['key'] as string | undefined;
    if (key === undefined) return null;
    const { seed, nonce } = this.#entrySecrets();
    return { key, note: note ?? null, evidence: evidence ?? null, addressTag, seed, nonce };
  }

  async mark(input: MarkInput, call: Call): Promise<z.output<typeof MarkAnswer> | Refusal> {
    const rule = this.#brokenRule([input.agent, input.note]);
    if (rule !== null) return ruleRefusal(rule);
    const { lease, token } = input;
    const result = (await this.#store.run(crossingUnit, {
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
    })) as MarkResult;
    return result.outcome === 'other_key' ? this.#refuseField(OTHER_KEY) : markAnswer(input, result);
  }

  #entrySecrets() {
    return { commandId: newCommandId(), sandbox: this.#sandbox, seed: newToken(), nonce: newCommandId() };
  }

  /** Removes rows past their time, in portions; run under the leader until nothing is left. */
  async sweep(): Promise<number> {
    const command = { type: 'sweep', commandId: newCommandId(), dueBeforeMs: this.#clock.now() } as const;
    return ((await this.#store.run(crossingUnit, command)) as SweepResult).removed;
  }

  #brokenRule(texts: readonly (string | undefined)[]): string | null {
    for (const text of texts) {
      const rule = text === undefined ? null : this.#ruleBrokenBy(text);
      if (rule !== null) return rule;
    }
    return null;
  }

  #claimAnswer(input: ClaimInput, result: ClaimResult, token: string): z.output<typeof LeaseAnswer> | Refusal {
    switch (result.outcome) {
      case 'bad_token':
        return badToken();
      case 'other_key':
        return this.#refuseField(OTHER_KEY);
      case 'refused':
        return refusal(input, result);
      case 'granted':
      case 'refreshed':
      case 'repeated':
        return leaseAnswer(input, result, input.token === undefined ? token : null);
    }
  }
}

function claimCommand(input: ClaimInput, call: Call, token: string): ClaimCommand {
  const { key } = input.key;
  const canonical = canonicalKey(key);
  return {
    type: 'claim',
    commandId: newCommandId(),
    key,
    publicVenue: canonical.ok && canonical.publicVenue,
    agent: input.agent,
    mode: input.mode,
    ttlMs: input.ttl * 1_000,
    intent: input.intent ?? null,
    onceIntent: input.mode === 'once' ? onceIntentOf({ key, intent: input.intent ?? null }) : '',
    hops: input.hops ?? null,
    slots: input.slots ?? null,
    addressTag: call.addressTag,
    leaseSalt: newLeaseSalt(),
    newTokenHash: tokenHash(token),
    givenTokenHash: input.token === undefined ? null : tokenHash(input.token),
  };
}

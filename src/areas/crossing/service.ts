import { type Clock, isoTime } from '#kernel/clock.ts';
import { type LeaseId, newCommandId, newLeaseSalt, newToken, sha256Hex, tokenHash } from '#kernel/ids.ts';
import type { Call } from '#kernel/operation.ts';
import { type FieldFault, Refusal } from '#kernel/problem.ts';
import type { z } from 'zod';
import type { Store } from '#storage/store.ts';
import { canonicalKey } from './key.ts';
import { type Lease } from './lease.ts';
import type { ClaimInput, LeaseAnswer, ReleaseAnswer, ReleaseInput } from './operations.ts';
import * as problems from './problems.ts';
import type { ClaimCommand, ClaimRefusalCode, ClaimResult, ReleaseResult, SweepResult } from './state.ts';
import { crossingUnit } from './unit.ts';
import { retryInSeconds } from './wait-hint.ts';

export interface CrossingOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** Entries of the public log say so. */
  readonly sandbox: boolean;
  /** Makes the refusal of a field that only the state shows to be wrong. */
  readonly refuseField: (fault: FieldFault) => Refusal;
}

const REFUSALS = {
  held: [problems.held, 'another agent holds this key'],
  in_clearance: [problems.inClearance, 'an exclusive lease on this key expired a moment ago'],
  already_yours: [problems.alreadyYours, 'a lease under this agent name is live; refresh it with its token'],
  lease_lost: [
    problems.leaseLost,
    'this lease has ended; claim anew (within 15 s of expiry with the old token and without lease)',
  ],
  slots_full: [problems.slotsFull, 'as many agents as slots allows hold this key'],
  hop_limit: [problems.hopLimit, 'the hop count is below zero; do not hand this work on'],
  once_taken: [problems.onceTaken, 'this intent was already taken'],
  public_venue: [problems.publicVenue, 'mode once is not for work of public venues'],
} as const satisfies Record<ClaimRefusalCode, readonly [{ status: number }, string]>;

/** Leases on shared work: turns calls into commands and results into answers. */
export class Crossing {
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #sandbox: boolean;
  readonly #refuseField: CrossingOptions['refuseField'];

  constructor(options: CrossingOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#sandbox = options.sandbox;
    this.#refuseField = options.refuseField;
  }

  async claim(input: ClaimInput, call: Call): Promise<z.output<typeof LeaseAnswer> | Refusal> {
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

  async release(input: ReleaseInput): Promise<z.output<typeof ReleaseAnswer> | Refusal> {
    const result = (await this.#store.run(crossingUnit, {
      type: 'release',
      commandId: newCommandId(),
      sandbox: this.#sandbox,
      seed: newToken(),
      nonce: newCommandId(),
      leaseId: input.lease as LeaseId,
      tokenHash: tokenHash(input.token),
    })) as ReleaseResult;
    switch (result.outcome) {
      case 'bad_token':
        return new Refusal(problems.badToken, { detail: 'the token does not belong to this lease' });
      case 'unknown_lease':
        return new Refusal(problems.unknownLease, { detail: 'no such lease is live or ended in the last thirty days' });
      case 'released':
        return {
          lease: result.leaseId,
          key: result.key,
          released: result.releasedAtMs !== null,
          released_at: result.releasedAtMs === null ? null : isoTime(result.releasedAtMs),
          rev: result.rev,
          log: result.seq,
          again: result.again,
        };
    }
  }

  /** Removes rows past their time, in portions; run under the leader until nothing is left. */
  async sweep(): Promise<number> {
    const command = { type: 'sweep', commandId: newCommandId(), dueBeforeMs: this.#clock.now() } as const;
    return ((await this.#store.run(crossingUnit, command)) as SweepResult).removed;
  }

  #claimAnswer(input: ClaimInput, result: ClaimResult, token: string): z.output<typeof LeaseAnswer> | Refusal {
    switch (result.outcome) {
      case 'bad_token':
        return new Refusal(problems.badToken, { detail: 'the token does not belong to this lease' });
      case 'other_key':
        return this.#refuseField({ pointer: '#/key', code: 'other_key', detail: 'is not the key of this lease' });
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
    onceIntent: input.mode === 'once' ? sha256Hex(`${key}\0${input.intent ?? ''}`) : '',
    hops: input.hops ?? null,
    slots: input.slots ?? null,
    addressTag: call.addressTag,
    leaseSalt: newLeaseSalt(),
    newTokenHash: tokenHash(token),
    givenTokenHash: input.token === undefined ? null : tokenHash(input.token),
  };
}

function leaseAnswer(
  input: ClaimInput,
  result: Extract<ClaimResult, { lease: Lease }>,
  token: string | null,
): z.output<typeof LeaseAnswer> {
  const { lease } = result;
  const leftMs = lease.expiresAtMs - result.atMs;
  return {
    key: lease.key,
    ...(input.key.given !== lease.key && { key_given: input.key.given }),
    lease: lease.id,
    token,
    fence: lease.fence,
    mode: lease.mode,
    ttl_s: input.ttl,
    expires_at: isoTime(lease.expiresAtMs),
    expires_in_s: leftMs / 1_000,
    refresh_by_s: leftMs / 2_000,
    intent: lease.intent,
    hops: lease.hops,
    position: result.position,
    others: result.otherAgents,
    repeated: result.outcome === 'repeated',
    refreshed: result.outcome === 'refreshed',
    rev: result.rev,
    at: isoTime(result.atMs),
  };
}

function refusal(input: ClaimInput, result: Extract<ClaimResult, { outcome: 'refused' }>): Refusal {
  const [type, detail] = REFUSALS[result.code];
  const { key } = input.key;
  const waitSeconds = Math.ceil(result.waitMs / 1_000);
  const retryIn = retryInSeconds({ key, agent: input.agent, attempt: input.attempt, waitSeconds });
  const newest = result.holders.toSorted((a, b) => b.fence - a.fence)[0] ?? result.own;
  return new Refusal(type, {
    detail,
    ...(waitSeconds > 0 && { retryAfterSeconds: Math.ceil(retryIn) }),
    members: {
      key,
      ...(input.key.given !== key && { key_given: input.key.given }),
      mode: input.mode,
      holders: result.holders.map((lease) => ({
        source: 'agent',
        agent: lease.agent,
        mode: lease.mode,
        expires_in_s: (lease.expiresAtMs - result.atMs) / 1_000,
      })),
      ...(result.own !== undefined && {
        lease: result.own.id,
        expires_in_s: (result.own.expiresAtMs - result.atMs) / 1_000,
      }),
      wait_s: waitSeconds,
      retry_in_s: Math.ceil(retryIn * 1_000) / 1_000,
      fence: newest?.fence ?? null,
      rev: result.rev,
      at: isoTime(result.atMs),
    },
  });
}

import type { Clock } from '#kernel/clock.ts';
import { randomUnit } from '#kernel/ids.ts';
import type { ConfiguredHost, HostRequest } from '#platform/outbound/configured-host.ts';
import { type OutboundAnswer, OutboundError } from '#platform/outbound/exchange.ts';
import {
  type Finding,
  type NotFound,
  type RegisterAnswer,
  RegisterError,
  registerFailure,
  type RegisterOutcome,
  type Unavailable,
  unavailable,
} from '../outcome.ts';
import { AnswerCache } from './answer-cache.ts';
import { admit, type Breaker, CLOSED, settle } from './breaker.ts';
import { Bulkhead } from './bulkhead.ts';
import { Hedge } from './hedge.ts';
import { HealthRecord, type RegisterHealth } from './health.ts';
import { type Policy, retryWaitMs } from './policy.ts';
import { TokenBucket } from './token-bucket.ts';

/** What an attempt is given: the only way to the wire, and what the lane remembers. */
export interface RegisterSession {
  send(host: ConfiguredHost, request: Omit<HostRequest, 'signal'>): Promise<OutboundAnswer>;
  /** Whether the register failed in this lane not longer ago. */
  failedWithin(ms: number): boolean;
  /** Nothing more is sent for so long: the register said that it would refuse. */
  hold(code: string, ms: number): void;
}

/** For whom a register is asked. */
export interface Asking {
  /** Asks the register although a fresh answer is at hand. */
  readonly live?: boolean;
  /** Nobody pays for it: it gets a part of the places and tokens, and stands behind those who pay. */
  readonly free?: boolean;
}

export interface RegisterQuestion<T> extends Asking {
  /** A part of the register that fails alone: it has a breaker and places of its own. */
  readonly lane?: string;
  /** The normalised question; only its keyed hash is kept. */
  readonly key: string;
  readonly freshMs?: (value: T) => number;
  attempt(session: RegisterSession): Promise<Finding<T>>;
}

export interface ClientDeps {
  readonly clock: Clock;
  /** Keyed, so that a dump of the memory does not show who was asked about. */
  readonly hashKey: (...parts: readonly string[]) => string;
  /** Shortens the waits between attempts where the register is a simulator. */
  readonly policy?: Partial<Policy>;
  /** Told once in a row of refusals that only the operator can end. */
  readonly alert: (register: string, code: string) => void;
}

interface Lane {
  readonly name: string;
  breaker: Breaker;
  readonly bulkhead: Bulkhead;
  lastFailureMs: number;
}

/** The time of a question, its waits for a place and for tokens included, and whether they are those of a free one. */
interface Span {
  readonly free: boolean;
  /** Nothing that has waited is sent later: the register could not answer in what is left. */
  readonly latestMs: number;
  readonly endsMs: number;
  readonly deadline: AbortSignal;
}

/** A register is asked again soon about what it did not know. */
const NOT_FOUND_FRESH_MS = 120_000;

/** Stands between a register and its callers: deadline, retries, breaker, places, limit, single flight and cache. */
export class RegisterClient {
  readonly id: string;
  readonly #policy: Policy;
  readonly #parts: ClientDeps;
  readonly #cache = new AnswerCache();
  readonly #flights = new Map<string, Promise<RegisterOutcome<unknown>>>();
  readonly #lanes = new Map<string, Lane>();
  readonly #bucket: TokenBucket | undefined;
  readonly #health = new HealthRecord();
  readonly #hedge: Hedge | undefined;
  #isAlerted = false;
  #held: { readonly code: string; readonly untilMs: number } | undefined;

  constructor(id: string, policy: Policy, parts: ClientDeps) {
    this.id = id;
    this.#policy = { ...policy, ...parts.policy };
    this.#parts = parts;
    this.#bucket = this.#policy.bucket && new TokenBucket(this.#policy.bucket);
    this.#hedge = this.#policy.isHedged ? new Hedge() : undefined;
  }

  /** Callers with the same question share one answer. */
  ask<T>(question: RegisterQuestion<T>): Promise<RegisterOutcome<T>> {
    const key = this.#parts.hashKey(this.id, question.key);
    const kept = question.live ? undefined : this.#cache.get(key, this.#nowMs());
    if (kept !== undefined) return Promise.resolve(kept as RegisterAnswer<T> | NotFound);
    // Who pays does not wait in the line of those who do not.
    const flightKey = question.free ? `free ${key}` : key;
    const underWay = this.#flights.get(flightKey);
    if (underWay !== undefined) return underWay as Promise<RegisterOutcome<T>>;
    const flight = this.#get(key, question).finally(() => this.#flights.delete(flightKey));
    this.#flights.set(flightKey, flight);
    return flight;
  }

  /** Limits of the register hold over this many processes together. */
  share(processes: number): void {
    this.#bucket?.share(processes);
  }

  health(): RegisterHealth {
    const breakers = new Map([...this.#lanes].map(([name, lane]) => [name, lane.breaker]));
    return this.#health.read(breakers, { nowMs: this.#parts.clock.now(), monotonicMs: this.#nowMs() });
  }

  #nowMs(): number {
    return this.#parts.clock.monotonicMs();
  }

  async #get<T>(key: string, question: RegisterQuestion<T>): Promise<RegisterOutcome<T>> {
    const lane = this.#lane(question.lane ?? '');
    const { free = false } = question;
    const startedMs = this.#nowMs();
    const admission = admit(lane.breaker, startedMs);
    if (!admission.admitted) {
      return unavailable(admission.code, 'unavailable', Math.max(1, Math.ceil(admission.waitMs / 1_000)));
    }
    lane.breaker = admission.breaker;
    const { deadlineMs, attemptMs } = this.#policy;
    const endsMs = startedMs + deadlineMs;
    const latestMs = endsMs - Math.min(attemptMs, deadlineMs / 2);
    const span = { free, latestMs, endsMs, deadline: AbortSignal.timeout(deadlineMs) };
    let result: 'well' | 'ill' | 'neither' = 'neither';
    try {
      if (!(await lane.bulkhead.enter(span.deadline, free))) throw queueFull();
      const finding = await this.#attempts(question, lane, span).finally(() => lane.bulkhead.leave(free));
      result = 'well';
      this.#record(lane, startedMs);
      return this.#keep(key, question, finding);
    } catch (error) {
      if (!(error instanceof RegisterError)) throw error;
      if (error.isIllness) result = 'ill';
      if (!error.isUnsent) this.#record(lane, startedMs, error.outcome);
      return error.outcome;
    } finally {
      lane.breaker = settle(lane.breaker, result, this.#nowMs());
    }
  }

  async #attempts<T>(question: RegisterQuestion<T>, lane: Lane, span: Span): Promise<Finding<T>> {
    const { latestMs, endsMs, deadline } = span;
    if (this.#nowMs() > latestMs) throw queueFull();
    let told: RegisterError | undefined;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await question.attempt(this.#session(lane, span));
      } catch (error) {
        const fault = faultOf(error, deadline);
        // What the register said to an earlier attempt stands.
        if (fault.isUnsent) throw told ?? fault;
        told = fault;
        if (fault.isIllness) lane.lastFailureMs = this.#nowMs();
        const retryAfterMs = fault.serverWaitMs;
        const waitMs = retryWaitMs(this.#policy, { attempt, random: randomUnit(), retryAfterMs });
        const isLast = attempt >= this.#policy.retries || fault.isFinal || deadline.aborted;
        if (isLast || this.#nowMs() + waitMs >= endsMs) throw fault;
        await pause(waitMs, deadline);
      }
    }
  }

  #session(lane: Lane, span: Span): RegisterSession {
    return {
      send: async (host, request) => {
        await this.#token(span);
        const ends = [span.deadline, AbortSignal.timeout(this.#policy.attemptMs)];
        const once = (...more: AbortSignal[]) => host.ask({ ...request, signal: AbortSignal.any([...ends, ...more]) });
        return this.#hedge === undefined ? once() : this.#hedge.send(once, () => this.#nowMs());
      },
      failedWithin: (ms) => this.#nowMs() - lane.lastFailureMs <= ms,
      hold: (code, ms) => {
        this.#held = { code, untilMs: this.#nowMs() + ms };
      },
    };
  }

  /** Waits for leave to send; throws where the wait would leave no time for the answer. */
  async #token({ free, latestMs, deadline }: Span): Promise<void> {
    for (;;) {
      const nowMs = this.#nowMs();
      if (this.#held !== undefined && nowMs < this.#held.untilMs) {
        const outcome = refusedHere(this.#held.code, this.#held.untilMs - nowMs);
        throw new RegisterError(outcome, { final: true, harmless: true });
      }
      const waitMs = this.#bucket?.take(nowMs, free).waitMs ?? 0;
      if (waitMs === 0) return;
      if (nowMs + waitMs > latestMs || !(await pause(waitMs, deadline))) throw queueFull(waitMs);
    }
  }

  #keep<T>(key: string, { freshMs }: RegisterQuestion<T>, finding: Finding<T>): RegisterOutcome<T> {
    const seen = {
      observedAtMs: this.#parts.clock.now(),
      source: 'live',
      registerCode: finding.registerCode ?? null,
    } as const;
    const isAnswer = finding.kind === 'answered';
    const outcome = isAnswer
      ? ({ kind: 'answered', value: finding.value, ...seen } as const)
      : ({ kind: 'not_found', ...seen } as const);
    const answerFreshMs = isAnswer ? (freshMs?.(finding.value) ?? this.#policy.freshMs) : NOT_FOUND_FRESH_MS;
    this.#cache.put(key, outcome, { nowMs: this.#nowMs(), freshMs: answerFreshMs });
    return outcome;
  }

  #record({ name: lane }: Lane, startedMs: number, failure?: Unavailable): void {
    const { clock, alert } = this.#parts;
    const isConfigFault = failure?.class === 'config';
    if (isConfigFault && !this.#isAlerted) alert(this.id, failure.code);
    this.#isAlerted = isConfigFault;
    const answered = failure === undefined;
    this.#health.record({ lane, answered, isConfigFault, latencyMs: this.#nowMs() - startedMs, nowMs: clock.now() });
  }

  #lane(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const bulkhead = new Bulkhead(this.#policy.maxRunning);
    const lane = { name, breaker: CLOSED, bulkhead, lastFailureMs: Number.NEGATIVE_INFINITY };
    this.#lanes.set(name, lane);
    return lane;
  }
}

function refusedHere(code: string, waitMs: number): Unavailable {
  return unavailable(code, 'throttled', Math.max(1, Math.ceil(waitMs / 1_000)));
}

/** Our own limits kept it back; a line moves on in seconds. */
function queueFull(waitMs = 5_000): RegisterError {
  return new RegisterError(refusedHere('LOCAL_QUEUE_FULL', waitMs), { unsent: true });
}

const OUTBOUND_CODES = {
  network: 'NETWORK',
  too_large: 'MALFORMED_RESPONSE',
  redirect: 'MALFORMED_RESPONSE',
  stopped: 'TIMEOUT',
} as const;

/** What is neither a fault of the register nor of the way to it is ours, and stays an exception. */
function faultOf(error: unknown, deadline: AbortSignal): RegisterError {
  if (error instanceof RegisterError) return error;
  if (!(error instanceof OutboundError)) throw error;
  return registerFailure(error.reason === 'stopped' && deadline.aborted ? 'DEADLINE' : OUTBOUND_CODES[error.reason]);
}

/** Returns false when the signal ended the wait. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), ms);
  const stop = () => resolve(false);
  signal.addEventListener('abort', stop, { once: true });
  const isOver = await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  return isOver;
}

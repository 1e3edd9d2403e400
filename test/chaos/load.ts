// Clients that send the same request with the same token, key or authorization until it is answered, and what came back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, CallOptions } from '../support/client.ts';
import { PROCESSES_HUNG_MS, unlessHung } from '../support/until.ts';

export type Call = (path: string, options?: CallOptions) => Promise<Answer | undefined>;

/** One request that may be sent as often as it takes, and what follows from its answer. */
export interface Job {
  readonly kind: string;
  readonly path: string;
  readonly options?: CallOptions;
  /** Judges the first answer that is one; gives the request that follows from it. */
  take(answer: Answer): Job | undefined | Promise<Job | undefined>;
}

/** A payment that a dead process had begun is waited for by the service; the client has other things to buy. */
const PAYMENT_MS = 3_000;
/** How long a client repeats before it puts the request aside. */
const PATIENCE_MS = 8_000;
const PAUSE_MS = 40;
const PACE_MS = 25;
const ENOUGH = 10;

export class Load {
  readonly calls = new Map<string, number>();
  readonly acknowledged = new Map<string, number>();
  /** Answers that say when to come again, by request and code. */
  readonly unavailable = new Map<string, number>();
  /** No answer: the process was killed, or was late. */
  readonly cut = new Map<string, number>();
  readonly otherErrors: string[] = [];
  /** Not answered yet: sent again before the end. */
  readonly parked: Job[] = [];
  lastAcknowledgedMs = 0;
  readonly #call: () => Call;
  readonly #waiting = new Set<() => void>();
  #paymentMs = PROCESSES_HUNG_MS;
  #isOver = false;
  #running: Promise<void>[] = [];

  constructor(call: () => Call) {
    this.#call = call;
  }

  /** From now on processes are killed: clients do not wait for long for a payment that a dead one may have begun. */
  expectDead(): void {
    this.#paymentMs = PAYMENT_MS;
  }

  start(sources: readonly (() => Job)[]): void {
    this.#running = sources.map((next) => this.#live(next));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  /** Resolves when so many more of each of the kinds are acknowledged. */
  async more(kinds: readonly string[], count: number): Promise<void> {
    const goals = kinds.map((kind) => ({ kind, least: (this.acknowledged.get(kind) ?? 0) + count }));
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      const isReached = goals.every(({ kind, least }) => (this.acknowledged.get(kind) ?? 0) >= least);
      // A wrong answer ends the run: it is told at its end.
      if (isReached || this.otherErrors.length > 0) resolve();
    };
    this.#waiting.add(look);
    await unlessHung(`${count} more of ${kinds.join(', ')}`, promise);
    this.#waiting.delete(look);
  }

  /** Sends again what was put aside; what is left then has no answer. */
  async finish(): Promise<void> {
    this.#paymentMs = PROCESSES_HUNG_MS;
    const untilMs = performance.now() + PROCESSES_HUNG_MS;
    await Promise.all(this.parked.splice(0).map((job) => this.complete(job, untilMs)));
  }

  count(map: Map<string, number>, name: string): void {
    map.set(name, (map.get(name) ?? 0) + 1);
  }

  acknowledge(kind: string): void {
    this.count(this.acknowledged, kind);
    this.lastAcknowledgedMs = performance.now();
    for (const look of this.#waiting) look();
  }

  /** An answer that nobody should get; nothing follows from it. */
  wrong(kind: string, { status, text }: Answer): undefined {
    if (this.otherErrors.length < ENOUGH) this.otherErrors.push(`${kind}: ${status} ${text.slice(0, 300)}`);
    for (const look of this.#waiting) look();
    return undefined;
  }

  /** Reads until there is an answer. */
  readonly read: Call = async (path, options) => {
    let found: Answer | undefined;
    const take = (answer: Answer) => void (found = answer);
    await this.complete({ kind: 'read', path, ...(options !== undefined && { options }), take }, Infinity);
    return found;
  };

  /** Repeats a request, and those that follow from it, until each is answered or the time is over. */
  async complete(job: Job, untilMs: number): Promise<void> {
    for (let next: Job | undefined = job; next !== undefined; ) {
      const answer = await this.#answerOf(next, untilMs);
      if (answer === undefined) {
        this.parked.push(next);
        return;
      }
      next = await next.take(answer);
    }
  }

  async #live(next: () => Job): Promise<void> {
    while (!this.#isOver && this.otherErrors.length < ENOUGH) {
      await this.complete(next(), performance.now() + PATIENCE_MS);
      await sleep(PACE_MS);
    }
  }

  async #answerOf({ kind, path, options }: Job, untilMs: number): Promise<Answer | undefined> {
    do {
      this.count(this.calls, kind);
      const answer = await within(
        this.#call()(path, options).catch(() => undefined),
        kind === 'pay' ? this.#paymentMs : PROCESSES_HUNG_MS,
      );
      if (answer === undefined) this.count(this.cut, kind);
      else {
        const code = codeToWait(answer);
        if (code === undefined) return answer;
        this.count(this.unavailable, `${kind} ${code}`);
      }
      await sleep(PAUSE_MS);
    } while (performance.now() < untilMs);
    return undefined;
  }
}

/** The code of an answer that says when to come again: a 503, or a call whose key is still at work. */
function codeToWait({ status, headers, json }: Answer): string | undefined {
  const tool = toolError(json);
  if (tool !== undefined) return Number(tool['retry_after_s']) > 0 ? String(tool['code']) : undefined;
  const mayWait = status === 503 || (status === 409 && json?.['code'] === 'idempotency_in_flight');
  return mayWait && Number(headers['retry-after']) > 0 ? String(json['code']) : undefined;
}

function toolError(json: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const result = json?.['result'] as { isError?: boolean; content: { text: string }[] } | undefined;
  if (result?.isError !== true) return undefined;
  return (JSON.parse(result.content[0]?.text ?? '{}') as { error?: Record<string, unknown> }).error;
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

import type { AvouchClient } from './client.ts';
import type { Input, Outcome, Problem } from './outcome.ts';
import type { Lease } from './types.ts';

export interface LeaseRequest extends Omit<Input<'claim'>, 'key' | 'lease' | 'token' | 'queue' | 'attempt'> {
  readonly key: string;
  /** How long to try for work that others hold, or for a service that asks to wait; 0 unless given. */
  readonly waitSeconds?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

type Calls = Pick<AvouchClient, 'claim' | 'release'>;
type Ending = Pick<Input<'release'>, 'outcome' | 'note' | 'evidence'>;

/** The service refused the lease, or did not say whether it granted it. */
export class LeaseNotGranted extends Error {
  override readonly name = 'LeaseNotGranted';
  /** The code of the problem; `network`, `timeout`, `aborted` or `unreadable` where no answer came. */
  readonly code: string;
  /** When the work is free at the latest; undefined where waiting does not help or nobody knows. */
  readonly waitSeconds: number | undefined;
  /** The refusal in the words of the service; undefined where no answer came. */
  readonly problem: Problem | undefined;

  constructor(key: string, { problem, unreachable }: Refused) {
    super(`${key}: ${problem?.detail ?? unreachable?.detail ?? 'no answer'}`);
    this.code = problem?.code ?? unreachable?.reason ?? 'network';
    this.problem = problem;
    const wait = problem?.['wait_s'];
    this.waitSeconds = typeof wait === 'number' && wait > 0 ? wait : undefined;
  }
}

/** The lease ended before the work did, or nobody could be asked whether it still holds. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  /** The code of the refusal; `not_renewed` where no answer came in time. */
  readonly code: string;

  constructor(key: string, code: string) {
    super(`${key}: the lease is lost (${code}). Stop the work: another agent may have it now.`);
    this.code = code;
  }
}

/** A lease that renews itself until it is released or lost. */
export interface HeldLease {
  readonly key: string;
  readonly lease: string;
  /** Grows with every grant: whoever accepts the work refuses a lower one than it has seen. */
  readonly fence: number;
  /** Aborted with `LeaseLost`, two seconds before the lease could be somebody else's. To read it looks at the clock. */
  readonly signal: AbortSignal;
  /** For requests to what the lease protects: `x-avouch-fence`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Stops the renewing and frees the work; does nothing, and gives undefined, once the lease has ended. */
  release(ending?: Ending): Promise<Outcome<'release'> | undefined>;
}

/** Runs the work while the lease is held, and releases it as `done`, or as `failed` where the work throws. */
export async function withLease<T>(
  client: Calls,
  request: LeaseRequest,
  work: (held: HeldLease) => Promise<T> | T,
  time: Time = SYSTEM_TIME,
): Promise<T> {
  const held = await holdLease(client, request, time);
  try {
    const result = await whileHeld(held, work);
    await held.release({ outcome: 'done' });
    held.signal.throwIfAborted();
    return result;
  } catch (error) {
    await held.release({ outcome: 'failed' });
    throw error;
  }
}

/** Runs the work until it is done or the lease is lost, which it then throws; the lease stays held. */
export async function whileHeld<T>(held: HeldLease, work: (held: HeldLease) => Promise<T> | T): Promise<T> {
  const { promise: lost, reject } = deferred();
  const onLoss = () => reject(held.signal.reason);
  held.signal.addEventListener('abort', onLoss, { once: true });
  try {
    // A grant whose answer came too late is lost already.
    held.signal.throwIfAborted();
    const result = await Promise.race([lost, Promise.resolve(held).then(work)]);
    held.signal.throwIfAborted();
    return result;
  } finally {
    held.signal.removeEventListener('abort', onLoss);
  }
}

/** Claims the work, exclusively unless the request says otherwise, and keeps the lease. */
export async function holdLease(client: Calls, request: LeaseRequest, time: Time = SYSTEM_TIME): Promise<HeldLease> {
  const { waitSeconds = 0, signal, ...asked } = request;
  const claim = { mode: 'exclusive', ...asked, token: newToken() } as const;
  const granted = await claimed({ client, time }, claim, { waitMs: waitSeconds * 1_000, signal });
  return new Keeper({ client, time }, claim, granted);
}

type Claim = Omit<LeaseRequest, 'waitSeconds' | 'signal'> & { readonly token: string };
type Refused = Exclude<Outcome<'claim', Lease>, { readonly ok: true }>;

interface Surroundings {
  readonly client: Calls;
  readonly time: Time;
}

interface Patience {
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
}

interface Granted {
  readonly value: Lease;
  /** Runs since before the claim was sent. */
  readonly sinceSent: Stopwatch;
}

/** Ends by itself or by a release of its holder. */
const PASSES = new Set(['held', 'in_clearance', 'slots_full', 'already_yours']);
const UNANSWERED_TRIES = 4;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/** Asks until the claim is granted, refused for good, or waited for long enough. */
async function claimed(around: Surroundings, claim: Claim, { waitMs, signal }: Patience): Promise<Granted> {
  const { client, time } = around;
  const sinceBegun = time.stopwatch();
  let unanswered = 0;
  let mayBeGranted = false;
  try {
    for (let attempt = 0; ; attempt += 1) {
      signal?.throwIfAborted();
      const sinceSent = time.stopwatch();
      // The token is ours, so a claim whose answer was lost is granted again instead of twice.
      const answer = await client.claim({ ...claim, attempt: Math.min(attempt, 20) }, signal && { signal });
      if (answer.ok) return { value: answer.value, sinceSent };
      const refused = new LeaseNotGranted(claim.key, answer);
      const leftMs = waitMs - sinceBegun();
      if (isUnsure(answer)) {
        mayBeGranted ||= answer.problem === undefined || answer.status !== 429;
        unanswered += 1;
        const shortMs = pauseMs(unanswered);
        const askedMs = secondsIn(answer.problem, 'retry_after_s') * 1_000;
        if ((unanswered >= UNANSWERED_TRIES && leftMs <= 0) || askedMs > Math.max(leftMs, shortMs)) throw refused;
        await pause(time, Math.max(askedMs, shortMs), signal);
        continue;
      }
      mayBeGranted = false;
      unanswered = 0;
      if (leftMs <= 0 || !PASSES.has(refused.code)) throw refused;
      const retryMs = secondsIn(answer.problem, 'retry_in_s') * 1_000 || LONGEST_PAUSE_MS;
      await pause(time, Math.min(leftMs, retryMs), signal);
    }
  } catch (error) {
    const givenBack = mayBeGranted ? giveBack(around, claim) : undefined;
    // Whoever calls it off does not wait for it.
    if (!signal?.aborted) await givenBack;
    throw error;
  }
}

/** Frees what was granted by an answer that was lost. With negative hops nothing is granted anew. */
async function giveBack({ client, time }: Surroundings, claim: Claim): Promise<void> {
  const soon = () => ({ signal: AbortSignal.timeout(10_000) });
  for (let tries = 1; tries < UNANSWERED_TRIES; tries += 1) {
    // The service may not have finished the claim yet.
    await pause(time, pauseMs(tries));
    const answer = await client.claim({ ...claim, hops: -1 }, soon());
    if (answer.ok) await client.release({ lease: answer.value.lease, token: claim.token }, soon());
    if (answer.ok || !isUnsure(answer)) return;
  }
}

/** Stops two seconds before the end, which is time for the work to hear of it. */
const MARGIN_MS = 2_000;
/** A machine that slept finds out after at most this. */
const LOOK_MS = 1_000;

/** Counts from before the request was sent: the service counts from later. */
class Keeper implements HeldLease {
  readonly key: string;
  readonly lease: string;
  readonly fence: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #client: Calls;
  readonly #time: Time;
  readonly #claim: Claim;
  readonly #controller = new AbortController();
  readonly #over = new AbortController();
  #sinceSent: Stopwatch;
  #lastsMs: number;
  #stopLooking = () => {};

  constructor({ client, time }: Surroundings, claim: Claim, { value, sinceSent }: Granted) {
    this.#client = client;
    this.#time = time;
    this.#claim = claim;
    this.key = value.key;
    this.lease = value.lease;
    this.fence = value.fence;
    this.headers = { 'x-avouch-fence': String(value.fence) };
    this.#sinceSent = sinceSent;
    this.#lastsMs = value.expires_in_s * 1_000;
    this.#look();
    void this.#renew();
  }

  get signal(): AbortSignal {
    this.#loseIfLate();
    return this.#controller.signal;
  }

  async release(ending: Ending = {}): Promise<Outcome<'release'> | undefined> {
    this.#loseIfLate();
    if (this.#over.signal.aborted) return undefined;
    this.#end();
    const { lease } = this;
    // Where nobody hears it the lease ends by itself.
    return this.#client.release(
      { ...ending, lease, token: this.#claim.token },
      { signal: AbortSignal.timeout(10_000) },
    );
  }

  /** On a timer of its own: a request that hangs must not delay it. */
  #look(): void {
    this.#loseIfLate();
    if (this.#over.signal.aborted) return;
    this.#stopLooking = this.#time.later(Math.min(this.#leftMs(), LOOK_MS), () => this.#look());
  }

  /** No timer may have fired yet: the machine slept, or the work kept it busy. */
  #loseIfLate(): void {
    if (!this.#over.signal.aborted && this.#leftMs() <= 0) this.#lose('not_renewed');
  }

  #leftMs(): number {
    return this.#lastsMs - MARGIN_MS - this.#sinceSent();
  }

  async #renew(): Promise<void> {
    const { signal } = this.#over;
    let unanswered = 0;
    for (;;) {
      const untilMs = unanswered === 0 ? (this.#lastsMs - this.#sinceSent()) / 3 : pauseMs(unanswered);
      await pause(this.#time, untilMs, signal).catch(() => {});
      if (signal.aborted) return;
      const sinceSent = this.#time.stopwatch();
      const answer = await this.#try();
      if (signal.aborted) return;
      if (answer.ok) {
        unanswered = 0;
        this.#sinceSent = sinceSent;
        this.#lastsMs = answer.value.expires_in_s * 1_000;
      } else if (isUnsure(answer)) unanswered += 1;
      else return this.#lose(answer.problem?.code ?? 'not_renewed');
    }
  }

  /** One that hangs leaves time for others. */
  async #try(): Promise<Outcome<'claim', Lease>> {
    const tooLong = new AbortController();
    const stop = this.#time.later(Math.max(1_000, this.#leftMs() / 3), () => tooLong.abort());
    const signal = AbortSignal.any([this.#over.signal, tooLong.signal]);
    const answer = await this.#client.claim({ ...this.#claim, lease: this.lease }, { signal });
    stop();
    return answer;
  }

  #lose(code: string): void {
    this.#end();
    this.#controller.abort(new LeaseLost(this.key, code));
  }

  #end(): void {
    this.#stopLooking();
    this.#over.abort();
  }
}

/** What says nothing about the lease: too many calls, an outage, or no answer. */
function isUnsure(answer: Refused): boolean {
  return answer.problem === undefined || answer.status === 429 || answer.status >= 500;
}

function pauseMs(unanswered: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (unanswered - 1), LONGEST_PAUSE_MS);
}

function secondsIn(problem: Problem | undefined, member: string): number {
  const seconds = problem?.[member];
  return typeof seconds === 'number' ? seconds : 0;
}

/** Milliseconds since it was started. */
type Stopwatch = () => number;

/** What a lease knows of time. */
export interface Time {
  stopwatch(): Stopwatch;
  /** Gives what calls it off. */
  later(ms: number, run: () => void): () => void;
}

const SYSTEM_TIME: Time = {
  /** The longer of two clocks: one stops while the machine sleeps, the other can be set back. */
  stopwatch() {
    const [steadyMs, wallMs] = [performance.now(), Date.now()];
    return () => Math.max(performance.now() - steadyMs, Date.now() - wallMs);
  },
  later(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

function pause(time: Time, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      callOff();
      reject(signal?.reason);
    };
    const callOff = time.later(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function deferred(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<never>((_resolve, rejectWith) => {
    reject = rejectWith;
  });
  // Nobody may be waiting for it any more.
  promise.catch(() => {});
  return { promise, reject };
}

/** 256 random bits in the form that the service takes. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

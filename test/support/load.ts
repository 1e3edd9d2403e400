// Callers that claim, refresh and release over HTTP as agents do.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '#kernel/clock.ts';
import type { Answer } from './client.ts';
import { type Held, Journal, NO_ANSWER } from './journal.ts';
import { seededRandom } from './random.ts';
import { PROCESSES_HUNG_MS, unlessHung } from './until.ts';

/** Sends a POST; undefined when no answer came or one that knows no outcome: the effect may or may not have happened. */
export type Send = (path: string, body: Record<string, unknown>) => Promise<Answer | undefined>;

/** The shortest lease there is; where leases are to be held to the end, callers are given longer ones. */
const TTL_SECONDS = 30;
const REMEMBERED_MS = 30 * DAY_MS;
/** How far the clocks of callers and service may be apart. */
const CLOCK_MARGIN_MS = 3_000;

const MARK_KINDS = ['done', 'paid', 'failed', 'unpaid', 'dead', 'blocked', 'declined', 'note'];
const OUTCOMES = [undefined, undefined, 'done', 'failed', 'declined'];

interface Wish {
  readonly key: string;
  readonly mode: string;
  readonly token: string;
  readonly slots?: number;
  readonly queues?: boolean;
  /** An earlier call with this token got no answer, or its lease may still be there. */
  readonly inDoubt: boolean;
  readonly isFresh: boolean;
}

interface CrowdOptions {
  readonly seed: number;
  readonly callers?: number;
  readonly hotKeys?: number;
  /** The time of the service, where it is not that of the machine. */
  readonly now?: () => number;
  /** Leaves also hot keys to their expiry; the others then wait, so it is for clocks that run fast. */
  readonly forgetsHotKeys?: boolean;
  /** Beside leases also marks, outcomes, lines, slots, batches and intents that happen once. */
  readonly doesEverything?: boolean;
  readonly ttlSeconds?: number;
}

interface CallerOptions {
  readonly doesEverything: boolean;
  readonly agent: string;
  readonly random: () => number;
  readonly journal: Journal;
  readonly hotKeys: readonly string[];
  readonly now: () => number;
  readonly forgetsHotKeys: boolean;
  readonly ttlSeconds: number;
}

/** One agent: claims hot and fresh keys, refreshes, releases, sometimes forgets, and repeats what got no answer. */
class Caller {
  readonly #options: CallerOptions;
  readonly #agent: string;
  readonly #random: () => number;
  readonly #journal: Journal;
  #wish: Wish | undefined;
  #held: Held | undefined;
  #isReleasing = false;
  #forgotten: Held[] = [];
  /** Hot keys of batches without an answer: it may hold them without knowing. */
  readonly #inDoubt = new Set<string>();
  #freshKeys = 0;
  #marks = 0;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#agent = options.agent;
    this.#random = options.random;
    this.#journal = options.journal;
  }

  /** Makes one call. */
  async step(send: Send): Promise<void> {
    const draw = this.#random();
    if (this.#options.doesEverything && this.#wish === undefined && !this.#isReleasing) {
      const extra = this.#random();
      if (extra < 0.12) return this.#mark(send);
      if (extra < 0.17) return this.#claimBatch(send);
    }
    // Takes up what expired as if it were still held: a refresh or a release has to find out.
    if (this.#wish === undefined && draw > 0.3 && draw < 0.7) this.#held ??= this.#takeExpired();
    if (this.#held === undefined) return this.#claim(send, this.#wish ?? this.#nextWish());
    if (this.#isReleasing || draw < 0.5) return this.#release(send, this.#held);
    const { hotKeys, forgetsHotKeys } = this.#options;
    const isKept = hotKeys.includes(this.#held.key) && !forgetsHotKeys;
    if (draw < 0.94 || isKept) return this.#refresh(send, this.#held);
    this.#forgotten.push(this.#held);
    this.#held = undefined;
    return this.#claim(send, this.#nextWish());
  }

  #takeExpired(): Held | undefined {
    const [oldest] = this.#forgotten;
    return oldest !== undefined && oldest.expiresAt <= this.#options.now() ? this.#forgotten.shift() : undefined;
  }

  #nextWish(): Wish {
    const expired = this.#takeExpired();
    // Its clearance runs: the old token brings the key back under a new fence. A refresh may have got no answer.
    if (expired !== undefined) return { ...expired, inDoubt: true, isFresh: false };
    const token = randomBytes(24).toString('base64url');
    const isFresh = this.#random() < 0.4;
    const modes = isFresh ? ['shared', 'exclusive', 'once'] : ['shared', 'exclusive'];
    const mode = modes[Math.floor(this.#random() * modes.length)] as string;
    const hot = this.#hotKey();
    if (this.#options.doesEverything && !isFresh) return this.#nextFullWish(hot, mode, token);
    const key = isFresh ? `fresh ${this.#agent} ${(this.#freshKeys += 1)}` : hot;
    return { key, mode, token, inDoubt: false, isFresh };
  }

  #hotKey(): string {
    const { hotKeys } = this.#options;
    return hotKeys[Math.floor(this.#random() * hotKeys.length)] as string;
  }

  #nextFullWish(hot: string, mode: string, token: string): Wish {
    const draw = this.#random();
    const plain = { key: hot, mode, token, inDoubt: false, isFresh: false };
    if (draw < 0.1) return { ...plain, key: `single ${Math.ceil(200 * draw)}`, mode: 'once' };
    if (mode === 'shared') return draw < 0.6 ? { ...plain, slots: 1 + Math.floor(3 * this.#random()) } : plain;
    return { ...plain, queues: draw < 0.6 };
  }

  async #claim(send: Send, wish: Wish): Promise<void> {
    const { key, mode, token, slots, queues } = wish;
    const more = { ...(slots !== undefined && { slots }), ...(queues === true && { queue: 'yes' }) };
    const { ttlSeconds: ttl } = this.#options;
    const answer = await send('/v1/claim', { key, mode, token, agent: this.#agent, ttl, ...more });
    this.#wish = undefined;
    if (answer === undefined) this.#wish = { ...wish, inDoubt: true };
    else if (answer.status === 503 && wish.inDoubt) this.#wish = wish;
    else if (answer.status === 503 && wish.isFresh) this.#journal.denied.push({ key, agent: this.#agent });
    else if (answer.status === 200) this.#take(wish, answer);
    else if (answer.status === 409) {
      this.#checkRefusal(wish, answer);
      this.#journal.refusedClaim({ key, mode, agent: this.#agent, ...(slots !== undefined && { slots }) }, answer);
      // Who stands in a line mostly asks again.
      if (answer.json['queue'] !== undefined && this.#random() < 0.9) this.#wish = wish;
    }
  }

  async #mark(send: Send): Promise<void> {
    this.#marks += 1;
    const key = this.#random() < 0.2 ? this.#hotKey() : `marked ${this.#agent} ${Math.floor(this.#marks / 4)}`;
    const kind = MARK_KINDS[this.#marks % MARK_KINDS.length] as string;
    const mark = { key, kind, agent: this.#agent, note: `mark ${this.#marks}` };
    const answer = await send('/v1/mark', mark);
    if (answer?.status !== 200) return;
    const { rev, log, repeated } = answer.json as { rev: number; log: number; repeated: boolean };
    const at = Date.parse(answer.json['at'] as string);
    this.#journal.marks.push({ key, kind, agent: this.#agent, rev, log, at });
    if (repeated) this.#wrong(`was told that its only ${mark.note} repeats another`);
  }

  /** Two keys that nobody else claims and one that many want. */
  async #claimBatch(send: Send): Promise<void> {
    const token = randomBytes(24).toString('base64url');
    const fresh = [1, 2].map(() => `fresh ${this.#agent} ${(this.#freshKeys += 1)}`);
    const hot = this.#hotKey();
    const { ttlSeconds: ttl } = this.#options;
    const wish = { key: [...fresh, hot], agent: this.#agent, mode: 'exclusive', token, ttl };
    const answer = await send('/v1/claim', wish);
    if (answer === undefined) this.#inDoubt.add(hot);
    this.#journal.batches.push({ agent: this.#agent, keys: fresh });
    if (answer?.status === 409 || answer?.status === 503) {
      for (const key of fresh) this.#journal.denied.push({ key, agent: this.#agent });
    }
    if (answer?.status !== 200) return;
    for (const lease of answer.json['leases'] as Record<string, unknown>[]) {
      this.#forgotten.push(this.#journal.granted('claim', { agent: this.#agent, token }, { json: lease }));
    }
  }

  #take(wish: Wish, answer: Answer): void {
    const { token, slots } = wish;
    const asked = { agent: this.#agent, token, ...(slots !== undefined && { slots }) };
    this.#held = this.#journal.granted('claim', asked, answer);
    const isRepeat = answer.json['repeated'] === true;
    if (isRepeat && !wish.inDoubt) this.#wrong(`was told that its first claim of ${wish.key} repeats another`);
  }

  #checkRefusal({ key, isFresh, inDoubt }: Wish, answer: Answer): void {
    const isForgotten = this.#inDoubt.has(key) || this.#forgotten.some((held) => held.key === key);
    if (answer.json['code'] === 'already_yours' && !isForgotten) this.#wrong(`was not known by its token on ${key}`);
    else if (isFresh && !inDoubt) this.#wrong(`was refused ${key}, which nobody else claims: ${outcomeOf(answer)}`);
  }

  async #refresh(send: Send, held: Held): Promise<void> {
    const { key, lease, token } = held;
    const { ttlSeconds: ttl } = this.#options;
    const answer = await send('/v1/claim', { key, lease, token, agent: this.#agent, ttl });
    if (answer === undefined || answer.status === 503) return;
    if (answer.status === 200) {
      this.#held = this.#journal.granted('refresh', { agent: this.#agent, token }, answer);
      return;
    }
    this.#held = undefined;
    const at = Date.parse(answer.json['at'] as string);
    if (answer.json['code'] !== 'lease_lost' || at < held.expiresAt) {
      this.#journal.lost.push(`${this.#agent} could not refresh fence ${held.fence} at ${at}: ${outcomeOf(answer)}`);
    }
  }

  async #release(send: Send, held: Held): Promise<void> {
    const wasInDoubt = this.#isReleasing;
    this.#isReleasing = true;
    this.#journal.releasing(held);
    const outcome = OUTCOMES[Math.floor(this.#random() * OUTCOMES.length)];
    const said = this.#options.doesEverything && outcome !== undefined ? { outcome } : {};
    const answer = await send('/v1/release', { lease: held.lease, token: held.token, ...said });
    if (answer === undefined || answer.status === 503) return;
    this.#isReleasing = false;
    this.#held = undefined;
    // The end of a lease is remembered for thirty days; a clock that jumped a month has passed them.
    const mayBeForgotten =
      this.#options.now() + CLOCK_MARGIN_MS >= held.expiresAt - 1_000 * this.#options.ttlSeconds + REMEMBERED_MS;
    if (answer.status === 404 && mayBeForgotten) return;
    if (answer.status !== 200) {
      this.#journal.lost.push(`${this.#agent} could not release fence ${held.fence}: ${outcomeOf(answer)}`);
      return;
    }
    this.#journal.released(held, answer);
    const { again, released } = answer.json;
    if (again === true && released === true && !wasInDoubt)
      this.#wrong(`released fence ${held.fence} by no call of its own`);
    const isEarly = this.#options.now() + CLOCK_MARGIN_MS < held.expiresAt;
    if (released === false && isEarly) this.#journal.lost.push(`fence ${held.fence} had expired before its time`);
  }

  #wrong(what: string): void {
    this.#journal.wrong.push(`${this.#agent} ${what}`);
  }
}

export interface Crowd {
  readonly journal: Journal;
  /** Lets every caller make calls until `isOver` says so. */
  run(send: Send, isOver: () => boolean): Promise<void>;
  /** Lets every caller make calls until it is stopped, which waits for their last answers; of several sends each has one. */
  start(...sends: readonly Send[]): RunningCrowd;
}

interface RunningCrowd extends AsyncDisposable {
  stop(): Promise<void>;
}

/** Callers who share some hot keys; the same seed makes the same wishes. */
export function crowd(options: CrowdOptions): Crowd {
  const { seed, callers = 12, hotKeys = 6, now = Date.now, ttlSeconds = TTL_SECONDS } = options;
  const { forgetsHotKeys = false, doesEverything = false } = options;
  const journal = new Journal();
  const names = Array.from({ length: hotKeys }, (_, index) => `hot ${index + 1}`);
  const agents = Array.from({ length: callers }, (_, index) => {
    const random = seededRandom(seed + 7_919 * (index + 1));
    return new Caller({
      agent: `agent-${index + 1}`,
      random,
      journal,
      hotKeys: names,
      now,
      forgetsHotKeys,
      doesEverything,
      ttlSeconds,
    });
  });
  const live = async (caller: Caller, send: Send, isOver: () => boolean) => {
    while (!isOver()) await caller.step(send);
  };
  const runAll = async (sends: readonly Send[], isOver: () => boolean) => {
    const patient = sends.map(
      (send): Send =>
        async (path, body) => {
          const answer = await send(path, body);
          if (answer === undefined || answer.status === 503) await sleep(PAUSE_MS);
          return answer;
        },
    );
    await Promise.all(agents.map((caller, index) => live(caller, patient[index % patient.length] as Send, isOver)));
  };
  return {
    journal,
    run: (send, isOver) => runAll([send], isOver),
    start(...sends) {
      let isOver = false;
      const running = runAll(sends, () => isOver);
      const stop = () => {
        isOver = true;
        return running;
      };
      return { stop, [Symbol.asyncDispose]: stop };
    },
  };
}

/** How long a caller waits after a call that got nothing; much less than Retry-After asks for, to be there at once. */
const PAUSE_MS = 20;
const UNAVAILABLE_CODES = new Set<unknown>([
  'storage_unavailable',
  'audit_trail_unavailable',
  'outcome_unknown',
  'busy',
]);

/** Status and, of a problem, its code. */
export function outcomeOf({ status, json }: Answer): string {
  const code = json?.['code'];
  return typeof code === 'string' ? `${status} ${code}` : String(status);
}

/** A Send that counts what comes back and notes what a service in trouble may not answer either. */
export function watchedSend(journal: Journal, call: Send): Send {
  return async (path, body) => {
    const sent = call(path, body).catch(() => undefined);
    const answer = await unlessHung(`an answer of ${path}`, sent).catch((error: Error) => error);
    if (answer instanceof Error) journal.wrong.push(answer.message);
    if (answer === undefined || answer instanceof Error) {
      journal.count(NO_ANSWER);
      return undefined;
    }
    journal.count(outcomeOf(answer));
    const fault = faultOf(answer);
    if (fault !== undefined) journal.wrong.push(`${path} was answered ${fault}`);
    return answer.json?.['code'] === 'outcome_unknown' ? undefined : answer;
  };
}

function faultOf({ status, headers, json, text }: Answer): string | undefined {
  // Whether a lease may be unknown or the marks of a day used up its caller knows. A call that a frozen process has not read
  // in time was not begun.
  if ([200, 408, 409].includes(status) || ['mark_limit', 'unknown_lease'].includes(String(json?.['code'])))
    return undefined;
  if (status !== 503) return `${status} ${text}`;
  if (headers['content-type'] !== 'application/problem+json') return `503 as ${headers['content-type']}`;
  if (!(Number(headers['retry-after']) > 0)) return `503 with Retry-After ${headers['retry-after']}`;
  return UNAVAILABLE_CODES.has(json['code']) && json['status'] === 503 ? undefined : `503 ${text}`;
}

/** Claims again what must be held, each with its token: the same lease must come back. Gives how many. */
export async function replayLive(journal: Journal, send: Send, now: () => number = Date.now): Promise<number> {
  const held = journal.live(now());
  const waiting = [...held];
  const deadlineMs = performance.now() + PROCESSES_HUNG_MS;
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await replay(journal, send, next, deadlineMs);
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  return held.length;
}

async function replay(journal: Journal, send: Send, held: Held, deadlineMs: number): Promise<void> {
  const { key, agent, mode, token } = held;
  const claim = () => send('/v1/claim', { key, agent, mode, token, ttl: TTL_SECONDS });
  let answer = await claim();
  // As agents do: the same again until somebody answers who knows.
  while ((answer === undefined || answer.status === 503) && performance.now() < deadlineMs) {
    await sleep(PAUSE_MS);
    answer = await claim();
  }
  const again = answer?.status === 200 ? journal.granted('claim', { agent, token }, answer) : undefined;
  const hasExpired = answer !== undefined && Date.parse(answer.json['at'] as string) >= held.expiresAt;
  const isSame = again?.lease === held.lease && again.expiresAt >= held.expiresAt && answer?.json['repeated'] === true;
  if (hasExpired || isSame) return;
  const came = answer === undefined ? 'nothing' : `${answer.status} ${answer.text}`;
  journal.lost.push(`the held fence ${held.fence} of ${key} was claimed again, and ${came} came back`);
}

// Callers that claim, refresh and release over HTTP as agents do, and the journal of what they were told.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Acknowledged, Denied, EventRow, History } from './_history.ts';
import type { Answer } from './_harness.ts';

/** Sends a POST; undefined when no answer came or one that knows no outcome: the effect may or may not have happened. */
export type Send = (path: string, body: Record<string, unknown>) => Promise<Answer | undefined>;

/** The shortest lease there is. */
export const TTL_SECONDS = 30;
/** How far the clocks of callers and service may be apart on one machine. */
const CLOCK_MARGIN_MS = 1_000;

export interface Held {
  readonly key: string;
  readonly agent: string;
  readonly mode: string;
  readonly token: string;
  readonly lease: string;
  readonly fence: number;
  readonly expiresAt: number;
}

/** A small random generator (mulberry32): the same seed draws the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function newSeed(): number {
  return randomBytes(4).readUInt32BE();
}

/** What clients were told: everything that must be found again in the events, and what was plainly wrong at once. */
export class Journal {
  readonly acknowledged: Acknowledged[] = [];
  readonly denied: Denied[] = [];
  /** Sentences about answers that show a lost write. */
  readonly lost: string[] = [];
  /** Sentences about answers that are wrong in any other way. */
  readonly wrong: string[] = [];
  /** Answers by status and code, and how many calls got none. */
  readonly counts = new Map<string, number>();
  readonly #live = new Map<string, Held>();

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Takes note of the 200 of a claim or refresh and gives the lease as it now is. */
  granted(call: 'claim' | 'refresh', wish: Pick<Held, 'agent' | 'token'>, { json }: Answer): Held {
    const { key, mode, lease, fence } = json as unknown as Held;
    const expiresAt = Date.parse(json['expires_at'] as string);
    const held = { ...wish, key, mode, lease, fence, expiresAt };
    const at = Date.parse(json['at'] as string);
    this.acknowledged.push({ ...held, call, repeats: json['repeated'] === true, rev: json['rev'] as number, at });
    this.#live.set(lease, held);
    return held;
  }

  /** From now on nobody can say whether the lease is live. */
  releasing(held: Held): void {
    this.#live.delete(held.lease);
  }

  /** Takes note of the 200 of a release; one of a lease that had expired made no event of its own. */
  released(held: Held, { json }: Answer): void {
    if (json['released'] !== true) return;
    const at = Date.parse(json['released_at'] as string);
    const rev = json['rev'] as number;
    this.acknowledged.push({ ...held, call: 'release', repeats: json['again'] === true, rev, at });
  }

  /** The leases that are certainly held now: acknowledged, not expired, and no release was ever sent. */
  live(nowMs: number): Held[] {
    for (const [lease, held] of this.#live) if (held.expiresAt <= nowMs) this.#live.delete(lease);
    return [...this.#live.values()].filter((held) => held.expiresAt > nowMs + CLOCK_MARGIN_MS);
  }
}

interface Wish {
  readonly key: string;
  readonly mode: string;
  readonly token: string;
  /** An earlier call with this token got no answer, or its lease may still be there. */
  readonly inDoubt: boolean;
  readonly isFresh: boolean;
}

export interface CallerOptions {
  readonly agent: string;
  readonly random: () => number;
  readonly journal: Journal;
  readonly hotKeys: readonly string[];
}

/** One agent: claims hot and fresh keys, refreshes, releases, sometimes forgets, and repeats what got no answer. */
export class Caller {
  readonly #agent: string;
  readonly #random: () => number;
  readonly #journal: Journal;
  readonly #hotKeys: readonly string[];
  #wish: Wish | undefined;
  #held: Held | undefined;
  #isReleasing = false;
  #forgotten: Held[] = [];
  #freshKeys = 0;

  constructor({ agent, random, journal, hotKeys }: CallerOptions) {
    this.#agent = agent;
    this.#random = random;
    this.#journal = journal;
    this.#hotKeys = hotKeys;
  }

  /** Makes one call. */
  async step(send: Send): Promise<void> {
    if (this.#held === undefined) return this.#claim(send, this.#wish ?? this.#nextWish());
    const draw = this.#random();
    if (this.#isReleasing || draw < 0.5) return this.#release(send, this.#held);
    if (draw < 0.94 || this.#hotKeys.includes(this.#held.key)) return this.#refresh(send, this.#held);
    // Hot keys are never forgotten: the others would wait for the expiry.
    this.#forgotten.push(this.#held);
    this.#held = undefined;
    return this.#claim(send, this.#nextWish());
  }

  #nextWish(): Wish {
    const [oldest] = this.#forgotten;
    if (oldest !== undefined && oldest.expiresAt <= Date.now()) {
      this.#forgotten.shift();
      // Its clearance runs: the old token brings the key back under a new fence. A refresh may have got no answer.
      return { ...oldest, inDoubt: true, isFresh: false };
    }
    const token = randomBytes(24).toString('base64url');
    const isFresh = this.#random() < 0.4;
    const modes = isFresh ? ['shared', 'exclusive', 'once'] : ['shared', 'exclusive'];
    const mode = modes[Math.floor(this.#random() * modes.length)] as string;
    const hot = this.#hotKeys[Math.floor(this.#random() * this.#hotKeys.length)] as string;
    const key = isFresh ? `fresh ${this.#agent} ${(this.#freshKeys += 1)}` : hot;
    return { key, mode, token, inDoubt: false, isFresh };
  }

  async #claim(send: Send, wish: Wish): Promise<void> {
    const { key, mode, token } = wish;
    const answer = await send('/v1/claim', { key, mode, token, agent: this.#agent, ttl: TTL_SECONDS });
    this.#wish = undefined;
    if (answer === undefined) this.#wish = { ...wish, inDoubt: true };
    else if (answer.status === 503 && wish.inDoubt) this.#wish = wish;
    else if (answer.status === 503 && wish.isFresh) this.#journal.denied.push({ key, agent: this.#agent });
    else if (answer.status === 200) this.#take(wish, answer);
    else if (answer.status === 409) this.#checkRefusal(wish, answer);
  }

  #take(wish: Wish, answer: Answer): void {
    this.#held = this.#journal.granted('claim', { agent: this.#agent, token: wish.token }, answer);
    const isRepeat = answer.json['repeated'] === true;
    if (isRepeat && !wish.inDoubt) this.#wrong(`was told that its first claim of ${wish.key} repeats another`);
  }

  #checkRefusal({ key, isFresh, inDoubt }: Wish, { json }: Answer): void {
    if (json['code'] === 'already_yours') this.#wrong(`was not known by its token on ${key}`);
    else if (isFresh && !inDoubt) this.#wrong(`was refused ${key}, which nobody else claims: ${json['code']}`);
  }

  async #refresh(send: Send, held: Held): Promise<void> {
    const { key, lease, token } = held;
    const answer = await send('/v1/claim', { key, lease, token, agent: this.#agent, ttl: TTL_SECONDS });
    if (answer === undefined || answer.status === 503) return;
    if (answer.status === 200) {
      this.#held = this.#journal.granted('refresh', { agent: this.#agent, token }, answer);
      return;
    }
    this.#held = undefined;
    const at = Date.parse(answer.json['at'] as string);
    if (answer.json['code'] !== 'lease_lost' || at < held.expiresAt) {
      this.#journal.lost.push(`${this.#agent} could not refresh fence ${held.fence} at ${at}: ${answer.json['code']}`);
    }
  }

  async #release(send: Send, held: Held): Promise<void> {
    const wasInDoubt = this.#isReleasing;
    this.#isReleasing = true;
    this.#journal.releasing(held);
    const answer = await send('/v1/release', { lease: held.lease, token: held.token });
    if (answer === undefined || answer.status === 503) return;
    this.#isReleasing = false;
    this.#held = undefined;
    if (answer.status !== 200) {
      this.#journal.lost.push(`${this.#agent} could not release fence ${held.fence}: ${answer.json['code']}`);
      return;
    }
    this.#journal.released(held, answer);
    const { again, released } = answer.json;
    if (again === true && released === true && !wasInDoubt) this.#wrong(`released fence ${held.fence} by no call of its own`);
    const isEarly = Date.now() + CLOCK_MARGIN_MS < held.expiresAt;
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
}

/** Callers who share some hot keys; the same seed makes the same wishes. */
export function crowd({ seed, callers = 12, hotKeys = 6 }: { seed: number; callers?: number; hotKeys?: number }): Crowd {
  const journal = new Journal();
  const names = Array.from({ length: hotKeys }, (_, index) => `hot ${index + 1}`);
  const agents = Array.from({ length: callers }, (_, index) => {
    const random = seededRandom(seed + 7_919 * (index + 1));
    return new Caller({ agent: `agent-${index + 1}`, random, journal, hotKeys: names });
  });
  const live = async (caller: Caller, send: Send, isOver: () => boolean) => {
    while (!isOver()) await caller.step(send);
  };
  return {
    journal,
    async run(send, isOver) {
      const patient: Send = async (path, body) => {
        const answer = await send(path, body);
        if (answer === undefined || answer.status === 503) await sleep(PAUSE_MS);
        return answer;
      };
      await Promise.all(agents.map((caller) => live(caller, patient, isOver)));
    },
  };
}

/** How long a caller waits after a call that got nothing; much less than Retry-After asks for, to be there at once. */
const PAUSE_MS = 20;
const UNAVAILABLE_CODES = new Set(['storage_unavailable', 'audit_trail_unavailable', 'outcome_unknown', 'busy']);
const NO_ANSWER_MS = 30_000;

/** A Send that counts what comes back and notes what a service in trouble may not answer either. */
export function watchedSend(journal: Journal, call: Send): Send {
  return async (path, body) => {
    const answer = await withinTime(call(path, body).catch(() => undefined));
    if (answer === 'late') journal.wrong.push(`${path} got no answer in ${NO_ANSWER_MS} ms`);
    if (answer === undefined || answer === 'late') {
      journal.count('none');
      return undefined;
    }
    const code = answer.json?.['code'];
    journal.count(code === undefined ? String(answer.status) : `${answer.status} ${String(code)}`);
    const fault = faultOf(answer);
    if (fault !== undefined) journal.wrong.push(`${path} was answered ${fault}`);
    return code === 'outcome_unknown' ? undefined : answer;
  };
}

function faultOf({ status, headers, json, text }: Answer): string | undefined {
  if (status === 200 || status === 409) return undefined;
  if (status !== 503) return `${status} ${text}`;
  if (headers['content-type'] !== 'application/problem+json') return `503 as ${headers['content-type']}`;
  if (!(Number(headers['retry-after']) > 0)) return `503 with Retry-After ${headers['retry-after']}`;
  return UNAVAILABLE_CODES.has(String(json['code'])) && json['status'] === 503 ? undefined : `503 ${text}`;
}

async function withinTime<T>(work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), NO_ANSWER_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Claims again what is certainly held, each with its token: the same lease must come back. Gives how many. */
export async function replayLive(journal: Journal, send: Send): Promise<number> {
  const held = journal.live(Date.now());
  const waiting = [...held];
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await replay(journal, send, next);
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  return held.length;
}

async function replay(journal: Journal, send: Send, held: Held): Promise<void> {
  const { key, agent, mode, token } = held;
  const answer = await send('/v1/claim', { key, agent, mode, token, ttl: TTL_SECONDS });
  if (answer === undefined || answer.status !== 200) {
    journal.lost.push(`the held fence ${held.fence} of ${key} was refused: ${answer?.json['code'] ?? 'no answer'}`);
    return;
  }
  const again = journal.granted('claim', { agent, token }, answer);
  const isSame = answer.json['repeated'] === true && again.lease === held.lease && again.expiresAt >= held.expiresAt;
  if (!isSame) journal.lost.push(`the held fence ${held.fence} of ${key} came back as ${JSON.stringify(answer.json)}`);
}

const EVENTS = 'SELECT rev, key, type, at, body FROM event ORDER BY rev';
const HEAD = 'SELECT rev, at FROM head WHERE id = 1';

/** Reads all events and the head beside the service, in one transaction: what a restart would find. */
export async function readHistory(dataDir: string, databaseUrl: string | undefined): Promise<History> {
  return databaseUrl === undefined ? readSqlite(join(dataDir, 'avouch.db')) : readPostgres(databaseUrl);
}

function readSqlite(file: string): History {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec('BEGIN');
    const head = database.prepare(HEAD).get() as unknown as History['head'];
    return { events: database.prepare(EVENTS).all() as unknown as EventRow[], head };
  } finally {
    database.close();
  }
}

async function readPostgres(url: string): Promise<History> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const head = (await client.query<Record<'rev' | 'at', string>>(HEAD)).rows[0];
    const { rows } = await client.query<Record<keyof EventRow, string>>(EVENTS);
    const events = rows.map((row) => ({ ...row, rev: Number(row.rev), at: Number(row.at) }));
    return { events, head: { rev: Number(head?.rev), at: Number(head?.at) } };
  } finally {
    await client.end();
  }
}


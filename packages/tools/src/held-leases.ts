import {
  type AvouchClient,
  type HeldLease,
  holdLease,
  type Input,
  LeaseLost,
  LeaseNotGranted,
  type LeaseRequest,
  type Time,
  whileHeld,
  withLease,
} from '../../../client/index.ts';
import { problemRefusal, type Refused } from '../../../src/areas/connect/tools/refusal.ts';
import { noAnswer, refusalOf } from './client-refusal.ts';

type Claimed = Omit<LeaseRequest, 'agent' | 'waitSeconds' | 'signal'>;
type Ending = Pick<Input<'release'>, 'outcome' | 'note' | 'evidence'>;

type Grant = {
  readonly granted: true;
  readonly key: string;
  readonly mode: string;
  /** Grows with every grant: a resource that is given it can refuse a late holder. */
  readonly fence: number;
  /** Held since an earlier claim. */
  readonly again?: true;
};

interface Lost {
  readonly key: string;
  readonly code: string;
}

interface Entry {
  readonly held: HeldLease;
  readonly given: string;
  readonly mode: string;
  /** What runs under the lease now. */
  readonly works: Set<Promise<unknown>>;
  /** Set once its release is asked for: nothing begins under it any more. */
  released?: ReturnType<HeldLease['release']>;
}

/** The leases of one agent: they renew themselves until they are released, lost or closed. */
export class HeldLeases {
  readonly #client: AvouchClient;
  readonly #agent: string;
  readonly #time: Time | undefined;
  readonly #closing = new AbortController();
  readonly #entries = new Set<Entry>();
  readonly #turns = new Map<string, Promise<unknown>>();
  #lost: Lost[] = [];

  constructor(client: AvouchClient, agent: string, time?: Time) {
    this.#client = client;
    this.#agent = agent;
    this.#time = time;
  }

  get all(): readonly HeldLease[] {
    return [...this.#entries].map(({ held }) => held).filter(({ signal }) => !signal.aborted);
  }

  holds(key: string): boolean {
    return this.#find(key)?.held.signal.aborted === false;
  }

  /** Calls for one key take turns, so that a model which claims twice at once is granted once. */
  async claim(asked: Claimed, signal?: AbortSignal): Promise<Grant | Refused> {
    const before = Promise.resolve(this.#turns.get(asked.key)).catch(() => {});
    const turn = before.then(() => this.#claim(asked, signal));
    this.#turns.set(asked.key, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(asked.key) === turn) this.#turns.delete(asked.key);
    }
  }

  async release(key: string, ending: Ending): Promise<Readonly<Record<string, unknown>>> {
    const entry = this.#find(key);
    if (entry === undefined) {
      const detail = 'You hold no lease on this work key.';
      return { refused: 'not_held', detail, held: this.all.map((held) => held.key) };
    }
    const answer = await this.#end(entry, ending);
    if (answer === undefined) return lostRefusal(entry.held);
    if (!answer.ok) return refusalOf(answer);
    const { released, outcome, log, mark_refused } = answer.value;
    return { released, key: entry.held.key, outcome, log, ...(mark_refused !== undefined && { mark_refused }) };
  }

  /** Runs the work under the lease that the agent has, or under one of its own. */
  async during<T>(request: Omit<LeaseRequest, 'agent'>, work: (held: HeldLease) => Promise<T>): Promise<T | Refused> {
    const mine = this.#find(request.key);
    try {
      if (mine?.held.signal.aborted === false) return await underLease(mine, work);
      return await withLease(this.#client, { ...request, agent: this.#agent }, work, ...this.#timed());
    } catch (error) {
      return leaseRefusal(error);
    }
  }

  /** Leases that were lost since it was last asked. */
  takeLost(): readonly Lost[] {
    const lost = this.#lost;
    this.#lost = [];
    return lost;
  }

  /** Releases what is held, without an outcome, once no work runs under it; nothing can be claimed any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#entries].map((entry) => this.#end(entry)));
  }

  async #claim({ key, mode = 'exclusive', ...asked }: Claimed, signal?: AbortSignal): Promise<Grant | Refused> {
    const before = this.#find(key);
    if (before?.held.signal.aborted === false) return { ...grantOf(before), again: true };
    const isOver = this.#closing.signal;
    const ends = signal === undefined ? isOver : AbortSignal.any([isOver, signal]);
    try {
      const held = await holdLease(
        this.#client,
        { ...asked, key, mode, agent: this.#agent, signal: ends },
        ...this.#timed(),
      );
      const entry: Entry = { held, given: key, mode, works: new Set() };
      if (before !== undefined) this.#entries.delete(before);
      this.#keep(entry);
      if (!isOver.aborted) return grantOf(entry);
      await this.#end(entry);
      return CLOSED;
    } catch (error) {
      if (isOver.aborted) return CLOSED;
      return leaseRefusal(error);
    }
  }

  #timed(): [] | [Time] {
    return this.#time === undefined ? [] : [this.#time];
  }

  #find(key: string): Entry | undefined {
    const isOf = ({ held, given }: Entry) => held.key === key || given === key;
    return [...this.#entries].find((entry) => entry.released === undefined && isOf(entry));
  }

  #keep(entry: Entry): void {
    this.#entries.add(entry);
    const { held } = entry;
    const note = () => this.#lost.push({ key: held.key, code: codeOf(held.signal.reason) });
    if (held.signal.aborted) note();
    else held.signal.addEventListener('abort', note, { once: true });
  }

  #end(entry: Entry, ending?: Ending): ReturnType<HeldLease['release']> {
    entry.released ??= Promise.allSettled(entry.works)
      .then(() => entry.held.release(ending))
      .finally(() => this.#entries.delete(entry));
    return entry.released;
  }
}

async function underLease<T>({ held, works }: Entry, work: (held: HeldLease) => Promise<T>): Promise<T> {
  const done = whileHeld(held, work);
  works.add(done);
  try {
    return await done;
  } finally {
    works.delete(done);
  }
}

const CLOSED: Refused = { refused: 'closed', detail: 'The tools were closed. Nothing is held.' };

function grantOf({ held: { key, fence }, mode }: Entry): Grant {
  return { granted: true, key, mode, fence };
}

/** What is not a refusal is thrown. */
function leaseRefusal(error: unknown): Refused {
  if (error instanceof LeaseLost) return { refused: error.code, detail: error.message };
  if (!(error instanceof LeaseNotGranted)) throw error;
  return error.problem === undefined ? noAnswer(error.code) : problemRefusal(error.problem);
}

function lostRefusal({ key, signal }: HeldLease): Refused {
  return {
    refused: codeOf(signal.reason),
    detail: `${key}: the lease was lost before. Another agent may have it now.`,
  };
}

function codeOf(reason: unknown): string {
  return reason instanceof LeaseLost ? reason.code : 'lease_lost';
}

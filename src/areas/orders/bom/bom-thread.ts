import { ownMemory, Thread } from '#platform/thread.ts';
import { READ_HERE_BYTES, READ_HERE_LINES } from './bom.ts';
import type { OffersByMpn } from './bom-choice.ts';
import { type BomMoment, type BomRequest, type Faulty, finish, type Finished, prepareBom } from './bom-job.ts';
import type { BomReply, BomTask } from './bom-worker.ts';

/** A bill that was read, here or in the thread, and waits for its offers. */
export interface ReadyBom {
  readonly requestSha256: string;
  readonly mpns: readonly string[];
  readonly sources: ReadonlySet<string>;
  finish(offers: OffersByMpn, nowMs: number): Promise<Finished | Faulty>;
  /** Forgets a bill that is not finished. */
  drop(): void;
}

/** So many large bills may be under way, and so many of one agent: each may be tens of megabytes. */
const MAX_UNDER_WAY = 8;
const MAX_OF_AGENT = 2;
const IDLE_MS = 5_000;
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** Computes bills: large ones, which are still bytes, in a thread of its own. */
export class BomThread implements AsyncDisposable {
  readonly #thread = new Thread<BomTask, BomReply>({
    of: 'large bills',
    program: new URL('./bom-worker.ts', import.meta.url),
    idleMs: IDLE_MS,
    holdsWork: () => this.#open.size > 0,
  });
  /** Whose bill it is, by its number. */
  readonly #open = new Map<number, string>();
  #lastId = 0;

  /** Null when too many large bills are under way, of all or of this agent. */
  async prepare(request: BomRequest, moment: BomMoment, agentId: string): Promise<ReadyBom | Faulty | null> {
    if (request.type === 'decoded' || isSmallCsv(request)) return prepareHere(request, moment);
    const ofAgent = [...this.#open.values()].filter((one) => one === agentId).length;
    if (this.#open.size >= MAX_UNDER_WAY || ofAgent >= MAX_OF_AGENT) return null;
    const id = (this.#lastId += 1);
    this.#open.set(id, agentId);
    try {
      const reply = await this.#ask({ id, type: 'prepare', request, moment });
      if (reply === null || !('prepared' in reply)) return this.#open.delete(id), reply as Faulty;
      const finishThere = async (offers: OffersByMpn, nowMs: number) => {
        const done = await this.#ask({ id, type: 'finish', offers, nowMs }).finally(() => this.#open.delete(id));
        return (done as Extract<BomReply, { finished: unknown }>).finished;
      };
      return { ...reply.prepared, finish: finishThere, drop: () => this.#drop(id) };
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]();
  }

  #drop(id: number): void {
    // One that the thread does not know any more is dropped.
    if (this.#open.delete(id)) void this.#ask({ id, type: 'drop' }).catch(() => {});
  }

  #ask(task: BomTask): Promise<BomReply> {
    const isLong = task.type === 'prepare' && 'bytes' in task.request;
    return this.#thread.ask(task, isLong ? ownMemory(task.request.bytes) : []);
  }
}

function isSmallCsv({ type, bytes }: Exclude<BomRequest, { type: 'decoded' }>): boolean {
  if (type !== 'csv' || bytes.length > READ_HERE_BYTES) return false;
  let lines = 0;
  for (const byte of bytes) if (byte === LINE_FEED || byte === CARRIAGE_RETURN) lines += 1;
  return lines <= READ_HERE_LINES;
}

function prepareHere(request: BomRequest, moment: BomMoment): ReadyBom | Faulty {
  const prepared = prepareBom(request, moment);
  if ('faults' in prepared) return prepared;
  const { requestSha256, mpns, terms } = prepared;
  const finishHere = async (offers: OffersByMpn, nowMs: number) => finish(prepared, offers, nowMs);
  return { requestSha256, mpns, sources: terms.sources, finish: finishHere, drop: () => {} };
}

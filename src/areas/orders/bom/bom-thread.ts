import { Worker } from 'node:worker_threads';
import type { OffersByMpn } from './bom-choice.ts';
import { type BomMoment, type BomRequest, type Faulty, type Finished, finish, prepare } from './bom-job.ts';
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

interface Waiting {
  readonly resolve: (reply: BomReply) => void;
  readonly reject: (reason: Error) => void;
}

/** Computes bills: those that are still bytes in a thread of its own, which starts with the first of them. */
export class BomThread implements AsyncDisposable {
  readonly #waiting = new Map<number, Waiting>();
  /** Whose bill it is, by its number. */
  readonly #open = new Map<number, string>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** Null when too many large bills are under way, of all or of this agent. */
  async prepare(request: BomRequest, moment: BomMoment, agentId: string): Promise<ReadyBom | Faulty | null> {
    if (request.type === 'decoded') return prepareHere(request, moment);
    const ofAgent = [...this.#open.values()].filter((one) => one === agentId).length;
    if (this.#open.size >= MAX_UNDER_WAY || ofAgent >= MAX_OF_AGENT) return null;
    const id = (this.#lastId += 1);
    this.#open.set(id, agentId);
    try {
      const reply = await this.#ask({ id, type: 'prepare', request, moment });
      if (!('prepared' in reply)) return this.#open.delete(id), reply as Faulty;
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }

  #drop(id: number): void {
    if (this.#open.delete(id)) this.#worker?.postMessage({ id, type: 'drop' } satisfies BomTask);
  }

  #ask(task: BomTask): Promise<BomReply> {
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve, reject) => {
      this.#waiting.set(task.id, { resolve, reject });
      worker.postMessage(task, handedOver(task));
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./bom-worker.ts', import.meta.url), { env: {} });
    worker.unref();
    worker.on('message', (reply: BomReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      waiting?.resolve(reply);
    });
    let cause = 'the thread of large bills ended';
    worker.on('error', (error: Error) => {
      cause = error.message;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(new Error(cause));
      this.#waiting.clear();
      this.#open.clear();
    });
    return worker;
  }
}

/** A body is handed over, not copied, where it has its memory for itself. */
function handedOver(task: BomTask): ArrayBuffer[] {
  const bytes = task.type === 'prepare' && 'bytes' in task.request ? task.request.bytes : undefined;
  return bytes?.byteLength === bytes?.buffer.byteLength && bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}

function prepareHere(request: BomRequest, moment: BomMoment): ReadyBom | Faulty {
  const prepared = prepare(request, moment);
  if ('faults' in prepared) return prepared;
  const { requestSha256, mpns, terms } = prepared;
  const finishHere = async (offers: OffersByMpn, nowMs: number) => finish(prepared, offers, nowMs);
  return { requestSha256, mpns, sources: terms.sources, finish: finishHere, drop: () => {} };
}

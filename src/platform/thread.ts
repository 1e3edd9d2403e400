import { parentPort, Worker } from 'node:worker_threads';

interface ThreadOptions {
  /** Whose thread it is, for the error that tells of its end. */
  readonly of: string;
  /** A file that calls `answerRequests`. */
  readonly program: URL;
  readonly workerData?: unknown;
  /** A thread of which nothing was asked for so long is ended: at rest it keeps the memory that it had. */
  readonly idleMs?: number;
  /** Whether it keeps something from one request for a later one: then it does not end meanwhile. */
  readonly holdsWork?: () => boolean;
  /** So long a thread may take to close what it has open before it is ended; without it, it is ended at once. */
  readonly stopMs?: number;
}

/** What those are told who wait for a thread that ends. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError';
  /** False for a thread that died. */
  readonly isStopped: boolean;

  constructor(of: string, isStopped: boolean, cause: unknown) {
    super(`the thread of ${of} ended`, { cause });
    this.isStopped = isStopped;
  }
}

type Question<Request> = { readonly id: number; readonly request: Request } | 'stop';
type Reply<Answer> = { readonly id: number } & ({ readonly answer: Answer } | { readonly fault: unknown });

/**
 * Answers requests in a thread of its own, which starts with the first one and keeps the process alive only while somebody
 * waits. A thread that dies is replaced at the next request.
 */
export class Thread<Request, Answer> implements AsyncDisposable {
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #worker: Worker | undefined;
  #exited: Promise<void> | undefined;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Rejects with the fault of the program, or when the thread ends before it has answered. What is handed over is the thread's. */
  async ask(request: Request, handedOver: readonly ArrayBuffer[] = []): Promise<Answer> {
    if (this.#isStopped) throw new ThreadEndedError(this.#options.of, true, undefined);
    const worker = (this.#worker ??= this.#start());
    const id = (this.#lastId += 1);
    worker.postMessage({ id, request } satisfies Question<Request>, handedOver);
    clearTimeout(this.#idle);
    worker.ref();
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.set(id, waiting);
    return waiting.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    this.#end(worker);
    await this.#exited;
  }

  #start(): Worker {
    const { program, workerData } = this.#options;
    const worker = new Worker(program, { workerData, env: {} });
    worker.unref();
    worker.on('message', (reply: Reply<Answer>) => this.#settle(reply, worker));
    let cause: unknown;
    // An uncaught fault ends the thread.
    worker.on('error', (error) => {
      cause = error;
    });
    this.#exited = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#lost(worker, cause);
        resolve();
      });
    });
    return worker;
  }

  #settle(reply: Reply<Answer>, worker: Worker): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('answer' in reply) waiting?.resolve(reply.answer);
    else waiting?.reject(reply.fault);
    if (this.#waiting.size > 0 || this.#isStopped) return;
    worker.unref();
    this.#restLater(worker);
  }

  #restLater(worker: Worker): void {
    const { idleMs } = this.#options;
    if (idleMs !== undefined) this.#idle = setTimeout(() => this.#rest(worker), idleMs).unref();
  }

  #rest(worker: Worker): void {
    if (this.#options.holdsWork?.() === true) return this.#restLater(worker);
    // The next request begins a new one, also while this one is on its way out.
    this.#worker = undefined;
    this.#end(worker);
  }

  #end(worker: Worker): void {
    const { stopMs = 0 } = this.#options;
    if (stopMs === 0) {
      void worker.terminate();
      return;
    }
    worker.postMessage('stop' satisfies Question<Request>);
    if (!Number.isFinite(stopMs)) return;
    const forced = setTimeout(() => void worker.terminate(), stopMs).unref();
    worker.once('exit', () => clearTimeout(forced));
  }

  #lost(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new ThreadEndedError(this.#options.of, this.#isStopped, cause));
  }
}

/** What is handed over of bytes instead of copied: their memory, where they have it for themselves. */
export function ownMemory({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/** Gives memory back at once that is not needed any more: collected later, a flood of long bodies would fill the machine. */
export function giveBack(bytes: Uint8Array): void {
  for (const memory of ownMemory(bytes)) memory.transfer(0);
}

interface Program<Request, Answer> {
  answer(request: Request): Promise<Answer> | Answer;
  /** Memory of an answer that is handed over instead of copied. */
  handedOver?(answer: Answer): ArrayBuffer[];
  /** Closes what the program has open, when the thread is stopped. */
  close?(): Promise<void> | void;
}

/** Makes the file that calls it the program of a thread. Whoever asked what it cannot answer is told the fault. */
export function answerRequests<Request, Answer>(program: Program<Request, Answer>): void {
  const port = parentPort;
  if (port === null) throw new Error('this file is run as a thread');
  const reply = async (id: number, request: Request) => {
    try {
      const answer = await program.answer(request);
      port.postMessage({ id, answer } satisfies Reply<Answer>, program.handedOver?.(answer) ?? []);
    } catch (fault) {
      port.postMessage({ id, fault } satisfies Reply<Answer>);
    }
  };
  const stop = async () => {
    await program.close?.();
    port.close();
  };
  port.on('message', (question: Question<Request>) => {
    void (question === 'stop' ? stop() : reply(question.id, question.request));
  });
}

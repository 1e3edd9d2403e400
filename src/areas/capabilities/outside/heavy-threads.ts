import { Worker } from 'node:worker_threads';
import { Unworkable } from '../capability.ts';
import type { HeavyResults, HeavyTasks } from '../heavy-tasks.ts';
import type { HeavyAnswer, HeavyData, HeavyRequest } from './heavy-worker.ts';

export const LIMIT_MS = 30_000;
const MAX_THREADS = 2;
const MAX_WAITING = 64;
/** What a hostile file can blow up to is ended with its thread. */
const MAX_HEAP_MB = 512;

interface Thread {
  readonly worker: Worker;
  task: Task | undefined;
  /** Ends the watch over its task. */
  unwatch: () => void;
}

interface Task {
  readonly request: HeavyRequest;
  readonly signal: AbortSignal;
  readonly settle: (answer: unknown) => void;
}

export interface HeavyThreadsOptions extends Partial<HeavyData> {
  readonly limitMs?: number | undefined;
}

/**
 * Threads for heavy work, started when first needed and kept warm. A task that passes its limit, or whose caller gives
 * up, is ended together with its thread; the next task gets a new one.
 */
export class HeavyThreads implements AsyncDisposable {
  readonly #limitMs: number;
  readonly #data: HeavyData;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Task[] = [];
  #lastId = 0;
  #isStopped = false;

  constructor({ limitMs = LIMIT_MS, ocrFolder = null }: HeavyThreadsOptions = {}) {
    this.#limitMs = limitMs;
    this.#data = { ocrFolder };
  }

  run<K extends keyof HeavyTasks>(
    kind: K,
    task: HeavyTasks[K],
    signal: AbortSignal,
  ): Promise<HeavyResults[K] | Unworkable> {
    if (this.#isStopped || this.#waiting.length >= MAX_WAITING) {
      return Promise.resolve(failed('too much work waits; repeat later'));
    }
    const { promise, resolve } = Promise.withResolvers<HeavyResults[K] | Unworkable>();
    const request = { id: (this.#lastId += 1), kind, task };
    const giveUp = () => resolve(failed('the time of the execution was up'));
    signal.addEventListener('abort', giveUp, { once: true });
    this.#waiting.push({ request, signal, settle: (answer) => resolve(answer as HeavyResults[K] | Unworkable) });
    this.#next();
    return promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    for (const { settle } of this.#waiting.splice(0)) settle(failed('the service is stopping'));
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #next(): void {
    const given = this.#waiting.findIndex(({ signal }) => !signal.aborted);
    // Whoever gave up was told when it did.
    this.#waiting.splice(0, given < 0 ? this.#waiting.length : given);
    const [task] = this.#waiting;
    if (task === undefined) return;
    const free = [...this.#threads].find((thread) => thread.task === undefined);
    const thread = free ?? (this.#threads.size < MAX_THREADS ? this.#start() : undefined);
    if (thread === undefined) return;
    this.#waiting.shift();
    thread.task = task;
    this.#watch(thread, task);
    thread.worker.postMessage(task.request);
  }

  #watch(thread: Thread, { settle, signal }: Task): void {
    const end = () => {
      settle(failed('the work took longer than it may'));
      void thread.worker.terminate();
    };
    const timer = setTimeout(end, this.#limitMs);
    signal.addEventListener('abort', end, { once: true });
    thread.unwatch = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    };
  }

  #start(): Thread {
    const worker = new Worker(new URL('./heavy-worker.ts', import.meta.url), {
      env: {},
      workerData: this.#data,
      // Readers of files write to it what they think of them.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const thread: Thread = { worker, task: undefined, unwatch: () => {} };
    this.#threads.add(thread);
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (answer: HeavyAnswer) => {
      const { task } = thread;
      thread.unwatch();
      thread.task = undefined;
      task?.settle(
        'value' in answer ? answer.value : new Unworkable('input', answer.impossible.code, answer.impossible.detail),
      );
      this.#next();
    });
    // Out of memory, mostly; 'exit' follows and tells whoever waits.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#threads.delete(thread);
      thread.unwatch();
      thread.task?.settle(failed('the work ended before its time'));
      this.#next();
    });
    return thread;
  }
}

function failed(detail: string): Unworkable {
  return new Unworkable('work', 'provider_failed', detail);
}

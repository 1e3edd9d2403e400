import type { Clock } from '#kernel/clock.ts';
import { Unworkable } from '../capability.ts';
import { FairQueue } from '../heavy/fair-queue.ts';
import { HeavyAdmission } from '../heavy/heavy-admission.ts';
import { HEAVY_LIMITS, type ProcessClass, usuallyReservedBytes } from '../heavy/heavy-limits.ts';
import type { HeavyResults, HeavyTasks } from '../heavy/heavy-tasks.ts';
import { type HeavyOutcome, HeavyProcess, type HeavyRequest } from './heavy-process.ts';

export interface HeavyWorkOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly ocrFolder?: string | null;
  readonly limitMs?: number;
  /** What a thread of Node reserves, as far as one knows. */
  readonly reservedBytes?: number;
}

/** Heavy work of one execution. */
export interface HeavyTurn extends Disposable {
  run<K extends keyof HeavyTasks>(kind: K, task: HeavyTasks[K]): Promise<HeavyResults[K] | Unworkable>;
}

interface Task {
  readonly agentId: string;
  readonly request: HeavyRequest;
  readonly signal: AbortSignal;
  readonly settle: (outcome: HeavyOutcome | 'stopping') => void;
}

/**
 * Does heavy work in processes of its own, started when first needed. A task that passes a limit, or whose caller gives up,
 * is ended together with its process; what waits or runs elsewhere does not notice. Agents take turns.
 */
export class HeavyWork implements AsyncDisposable {
  readonly #options: Required<Omit<HeavyWorkOptions, 'reservedBytes'>>;
  readonly #admission: HeavyAdmission;
  readonly #queue = new FairQueue<Task>(HEAVY_LIMITS.runningPerAgent);
  readonly #processes = new Set<HeavyProcess>();
  /** Null where the kernel is not asked to hold a process to its memory: it counts memory by this limit on Linux alone. */
  #reservedBytes: number | null;
  #isStopped = false;

  constructor({ clock, ocrFolder = null, limitMs = HEAVY_LIMITS.taskMs, reservedBytes }: HeavyWorkOptions) {
    this.#options = { clock, ocrFolder, limitMs };
    this.#reservedBytes = process.platform === 'linux' ? (reservedBytes ?? usuallyReservedBytes()) : null;
    this.#admission = new HeavyAdmission(clock);
  }

  /** Ids of the processes that are there now. */
  get pids(): number[] {
    return [...this.#processes].flatMap(({ pid }) => pid ?? []);
  }

  /** A place for the execution of an agent, taken with its first task and kept until it is disposed of. */
  turn(agentId: string, signal: AbortSignal): HeavyTurn {
    let isIn = false;
    return {
      run: async (kind, task) => {
        const refused = this.#admission.restOf(agentId) ?? (isIn ? undefined : this.#admission.enter(agentId));
        if (refused !== undefined) return refused;
        isIn = true;
        return this.#run(agentId, { kind, task }, signal) as Promise<Unworkable>;
      },
      [Symbol.dispose]: () => {
        if (isIn) this.#admission.leave(agentId);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    for (const { settle } of this.#queue.clear()) settle('stopping');
    await Promise.all([...this.#processes].map((process) => process.stop()));
  }

  async #run(agentId: string, request: HeavyRequest, signal: AbortSignal): Promise<unknown> {
    if (this.#isStopped) return failed('The service is shutting down. Retry the call.');
    if (signal.aborted) return failed('The execution timed out.');
    const { promise, resolve } = Promise.withResolvers<HeavyOutcome | 'stopping'>();
    const task = { agentId, request, signal, settle: resolve };
    const giveUp = () => {
      this.#queue.remove(agentId, task);
      resolve({ cut: 'abandoned' });
    };
    signal.addEventListener('abort', giveUp, { once: true });
    this.#queue.push(agentId, task);
    this.#next();
    const outcome = await promise.finally(() => signal.removeEventListener('abort', giveUp));
    return this.#resultOf(agentId, outcome);
  }

  #resultOf(agentId: string, outcome: HeavyOutcome | 'stopping'): unknown {
    if (outcome === 'stopping') return failed('The service is shutting down. Retry the call.');
    if ('json' in outcome) return JSON.parse(outcome.json);
    if ('impossible' in outcome) {
      const { kind, code, detail } = outcome.impossible;
      return new Unworkable(kind, code, detail);
    }
    const cut = 'cut' in outcome ? outcome.cut : 'memory';
    if (cut === 'memory' || cut === 'time') this.#admission.failed(agentId);
    if (cut === 'memory')
      return new Unworkable('size', 'work_too_large', 'The work needs more memory than one execution may use.');
    if (cut === 'time') return failed('The work took longer than allowed.');
    return failed(cut === 'ended' ? 'The worker process stopped early. Retry the call.' : 'The execution timed out.');
  }

  /** Starts what may run now. */
  #next(): void {
    if (this.#isStopped) return;
    while (this.#active().filter(({ isIdle }) => !isIdle).length < HEAVY_LIMITS.processes) {
      const task = this.#queue.take();
      if (task === undefined) return;
      void this.#perform(task);
    }
  }

  async #perform(task: Task): Promise<void> {
    let process = this.#processFor(task.request.kind);
    let outcome = await process.run(task.request, task.signal);
    if (process.isFalseStart && 'cut' in outcome && outcome.cut === 'ended') {
      // It never came to the task; what it told is known to the next.
      process = this.#processFor(task.request.kind);
      outcome = await process.run(task.request, task.signal);
    }
    this.#queue.finished(task.agentId);
    task.settle(outcome);
    this.#next();
  }

  #active(): HeavyProcess[] {
    return [...this.#processes].filter(({ isEnding }) => !isEnding);
  }

  /** An idle process that fits, or a new one in the place of one that does not. */
  #processFor(kind: keyof HeavyTasks): HeavyProcess {
    const processClass: ProcessClass = kind === 'ocr' ? 'ocr' : 'general';
    const active = this.#active();
    const idle = active.filter(({ isIdle }) => isIdle);
    const fitting = idle.find((one) => one.class === processClass && one.fits(kind));
    if (fitting !== undefined) return fitting;
    if (active.length >= HEAVY_LIMITS.processes) void idle[0]?.stop();
    const process = new HeavyProcess({
      class: processClass,
      ...this.#options,
      reservedBytes: this.#reservedBytes,
      onExit: (one) => {
        this.#processes.delete(one);
        // Where not even a start fits into the limit, the limit is not ours to set.
        if (one.isFalseStart) this.#reservedBytes = one.reservedBytes;
      },
    });
    this.#processes.add(process);
    return process;
  }
}

function failed(detail: string): Unworkable {
  return new Unworkable('work', 'provider_failed', detail);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { HeavyTasks, Impossible } from '../heavy/heavy-tasks.ts';
import { HEAVY_LIMITS, isReusable, PROCESS_LIMITS, type ProcessClass, residentLimit } from '../heavy/heavy-limits.ts';
import { PACKAGES_FOLDER } from '#kernel/packages-folder.ts';

export interface HeavyRequest {
  readonly kind: keyof HeavyTasks;
  readonly task: unknown;
}
/** What a process answers: a result as JSON, a fault of the input, or that memory was refused to it. */
export type HeavyAnswer =
  | { readonly json: string }
  | { readonly impossible: Impossible }
  | { readonly isStarved: true };
/** `memory` and `time` were ended at a limit, `abandoned` by its caller; `ended` by nobody that we know of. */
export type HeavyOutcome = HeavyAnswer | { readonly cut: 'memory' | 'time' | 'abandoned' | 'ended' };

export interface HeavyProcessOptions {
  readonly class: ProcessClass;
  /** Where the packages that read images lie; null where they are not installed, and then nothing asks for them. */
  readonly ocrFolder: string | null;
  readonly limitMs: number;
  /** What a thread of Node reserves here, for the limit that the kernel is asked to hold; null where it is asked for none. */
  readonly reservedBytes: number | null;
  readonly onExit: (process: HeavyProcess) => void;
}

interface Running {
  readonly kind: keyof HeavyTasks;
  readonly settle: (outcome: HeavyOutcome) => void;
  readonly stopWatching: () => void;
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const CHILD = fileURLToPath(new URL('./heavy-child.ts', import.meta.url));
/** Behind the process that answers callers. */
const NICENESS = 5;
/** So much more than the usual does no harm: the limits leave it. */
const SPARE_BYTES = 64 * 1024 * 1024;
const OUT_OF_MEMORY = /out of memory|allocation failed/i;

/** A process for one heavy task at a time. It has no environment, reads no files but the program's, and ends with its parent. */
export class HeavyProcess {
  readonly class: ProcessClass;
  readonly #options: HeavyProcessOptions;
  readonly #child: ChildProcess;
  readonly #exited = Promise.withResolvers<void>();
  #running: Running | undefined;
  #cut: 'memory' | 'time' | 'abandoned' | undefined;
  #lastKind: keyof HeavyTasks | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastWords = '';
  #isReady = false;
  #crampedBytes: number | undefined;

  constructor(options: HeavyProcessOptions) {
    this.class = options.class;
    this.#options = options;
    this.#child = start(options);
    const child = this.#child;
    child.stderr?.on('data', (text: Buffer) => {
      this.#lastWords = (this.#lastWords + text.toString('latin1')).slice(-4_000);
    });
    child.on('message', (answer: HeavyAnswer | 'ready') => {
      if (answer === 'ready') this.#started();
      else this.#answered(answer);
    });
    // 'close' follows once nothing more can come, also where it could not be started.
    child.on('error', () => {});
    child.on('close', () => this.#closed());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isIdle(): boolean {
    return this.#running === undefined && !this.isEnding;
  }

  /** On its way out: nothing more is to be asked of it. */
  get isEnding(): boolean {
    return this.#child.killed || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** It ended by itself before it could be asked anything, or has too little room below the limit of the kernel. */
  get isFalseStart(): boolean {
    const hasFailed = !this.#isReady && !this.#child.killed && this.#child.signalCode !== 'SIGKILL';
    return this.#crampedBytes !== undefined || hasFailed;
  }

  /** What a thread of Node reserves, where that was more than was thought; null where not even a start fitted. */
  get reservedBytes(): number | null {
    return this.#crampedBytes ?? null;
  }

  /** Whether a task of the kind finds the memory here that it may take. */
  fits(kind: keyof HeavyTasks): boolean {
    return isReusable(this.#memory().resident, kind, this.#lastKind ?? kind);
  }

  run(request: HeavyRequest, signal: AbortSignal): Promise<HeavyOutcome> {
    clearTimeout(this.#idleTimer);
    this.#keepParent(true);
    this.#lastKind = request.kind;
    const { promise, resolve } = Promise.withResolvers<HeavyOutcome>();
    const abandon = () => this.#end('abandoned');
    const limit = setTimeout(() => this.#end('time'), this.#options.limitMs);
    const watch = setInterval(() => {
      if (this.#memory().resident > residentLimit(request.kind, this.class)) this.#end('memory');
    }, HEAVY_LIMITS.watchMs);
    signal.addEventListener('abort', abandon, { once: true });
    const stopWatching = () => {
      clearTimeout(limit);
      clearInterval(watch);
      signal.removeEventListener('abort', abandon);
    };
    this.#running = { kind: request.kind, settle: resolve, stopWatching };
    if (signal.aborted) abandon();
    // What cannot be sent has nobody to answer it; 'close' tells.
    else this.#child.send(request, () => {});
    return promise;
  }

  /** Ends it; resolves when it is gone. */
  stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#keepParent(true);
    this.#child.kill('SIGKILL');
    return this.#exited.promise;
  }

  /** A process at work, or one that is waited for, keeps its parent from ending; one that is idle does not. */
  #keepParent(isKept: boolean): void {
    const handles = [this.#child, this.#child.channel, ...(this.#child.stdio as (Socket | null | undefined)[])];
    for (const handle of handles) {
      if (isKept) handle?.ref();
      else handle?.unref();
    }
  }

  #end(cut: 'memory' | 'time' | 'abandoned'): void {
    this.#cut ??= cut;
    this.#running?.stopWatching();
    this.#child.kill('SIGKILL');
  }

  /** What a Node that does nothing reserves differs between machines: a limit that leaves no room is not kept to. */
  #started(): void {
    this.#isReady = true;
    const { reservedBytes } = this.#options;
    const { resident, data } = this.#memory();
    if (reservedBytes === null || data - resident <= reservedBytes + SPARE_BYTES) return;
    this.#crampedBytes = data - resident;
    this.#child.kill('SIGKILL');
  }

  #answered(answer: HeavyAnswer): void {
    const running = this.#running;
    // It was ended while the answer was under way: the limit was passed.
    if (running === undefined || this.#child.killed) return;
    this.#running = undefined;
    running.stopWatching();
    this.#keepParent(false);
    const isUsedUp = 'isStarved' in answer || !this.fits(running.kind);
    if (isUsedUp) this.#child.kill('SIGKILL');
    else this.#idleTimer = setTimeout(() => this.#child.kill('SIGKILL'), HEAVY_LIMITS.idleMs).unref();
    running.settle(answer);
  }

  #closed(): void {
    clearTimeout(this.#idleTimer);
    const running = this.#running;
    this.#running = undefined;
    running?.stopWatching();
    this.#options.onExit(this);
    const isStarved = !this.isFalseStart && OUT_OF_MEMORY.test(this.#lastWords);
    running?.settle({ cut: this.#cut ?? (isStarved ? 'memory' : 'ended') });
    this.#exited.resolve();
  }

  /** In bytes; zero where the system does not tell: then its heap and its time alone are limited. */
  #memory(): { resident: number; data: number } {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'latin1');
      const bytesOf = (row: RegExp) => Number(row.exec(status)?.[1] ?? 0) * 1_024;
      return { resident: bytesOf(/^VmRSS:\s+(\d+) kB$/m), data: bytesOf(/^VmData:\s+(\d+) kB$/m) };
    } catch {
      return { resident: 0, data: 0 };
    }
  }
}

/**
 * Limits its memory, and leaves somebody behind who waits on a pipe to the parent and ends the process where the parent is
 * gone without a word: it may be busy and not notice by itself.
 */
const CONFINED = (dataKib: number) =>
  `ulimit -d ${dataKib}; (read -r word <&4 || kill -9 $$) 2>/dev/null 3>&- & exec "$0" "$@" 4<&-`;

function start({ class: processClass, ocrFolder, reservedBytes }: HeavyProcessOptions): ChildProcess {
  const { dataBytes, threads, heapMb } = PROCESS_LIMITS[processClass];
  const folders = [`${ROOT}src`, PACKAGES_FOLDER, ...(ocrFolder === null ? [] : [ocrFolder])];
  // Packages may lie elsewhere, behind a link.
  const readable = new Set([
    `${ROOT}package.json`,
    ...folders.flatMap((path) => [`${path}/`, `${realpathSync(path)}/`]),
  ]);
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMb}`,
    '--max-semi-space-size=4',
    '--v8-pool-size=1',
    '--disable-warning=SecurityWarning',
    '--permission',
    ...readable.values().map((path) => `--allow-fs-read=${path}`),
    // OCR has threads of its own.
    ...(processClass === 'ocr' ? ['--allow-worker'] : []),
    CHILD,
    ocrFolder ?? '',
  ];
  const limitKib = reservedBytes === null ? undefined : Math.ceil((dataBytes + threads * reservedBytes) / 1_024);
  const [command = '', ...args] = limitKib === undefined ? node : ['/bin/sh', '-c', CONFINED(limitKib), ...node];
  const child = spawn(command, args, {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    serialization: 'advanced',
  });
  const guard = child.stdio[4] as Socket | null | undefined;
  guard?.on('error', () => {});
  child.on('exit', () => guard?.end('gone\n'));
  if (child.pid !== undefined) lowerPriority(child.pid);
  return child;
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It is gone already, or may not be changed: it works all the same.
  }
}

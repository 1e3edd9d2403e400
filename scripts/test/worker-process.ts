import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.ts';
import type { Message, TestResult } from './messages.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));
const REPORTER = new URL('./reporter.ts', import.meta.url).href;
/** No test is silent for so long unless it hangs. */
const HUNG_MS = 10 * 60_000;
const STOP_MS = 30_000;

/** What came of one file. */
export interface FileResult {
  readonly file: string;
  readonly results: readonly TestResult[];
  /** What the file printed. */
  readonly output: string;
  /** Why it did not come to its end. */
  readonly fault?: string;
  readonly ms: number;
  readonly cpuMs: number;
}

/** A process that runs test files one after the other. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #output = '';
  #lastTest = 'no test';
  rssBytes = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, 'exit');
    child.stdout?.on('data', (chunk) => (this.#output += String(chunk)));
    child.stderr?.on('data', (chunk) => (this.#output += String(chunk)));
  }

  static async start(): Promise<WorkerProcess> {
    const child = fork(WORKER, {
      cwd: ROOT,
      execArgv: [`--test-reporter=${REPORTER}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const worker = new WorkerProcess(child);
    await Promise.race([once(child, 'message'), worker.#exited]);
    return worker;
  }

  get isAlive(): boolean {
    return this.#child.connected && !this.#child.killed;
  }

  async run(file: string): Promise<FileResult> {
    this.#output = '';
    this.#lastTest = 'no test';
    const startedMs = performance.now();
    const results: TestResult[] = [];
    const { promise, resolve } = Promise.withResolvers<{ fault?: string; ms: number; cpuMs: number }>();
    const fail = (fault: string) => resolve({ fault, ms: performance.now() - startedMs, cpuMs: 0 });
    const watchdog = setTimeout(() => {
      fail(`hung: nothing was heard for ${HUNG_MS / 60_000} minutes after "${this.#lastTest}" began`);
      this.#child.kill('SIGKILL');
    }, HUNG_MS);
    const onMessage = (message: Message) => {
      watchdog.refresh();
      if (message.kind === 'started') this.#lastTest = message.name;
      if (message.kind === 'result') results.push(message.result);
      if (message.kind !== 'done') return;
      this.rssBytes = message.rssBytes;
      resolve(message);
    };
    const onExit = () =>
      fail(`the process ended (${this.#child.exitCode ?? this.#child.signalCode}) in "${this.#lastTest}"`);
    this.#child.on('message', onMessage);
    this.#child.once('exit', onExit);
    this.#child.send({ file });
    const { ms, cpuMs, ...ended } = await promise;
    clearTimeout(watchdog);
    this.#child.off('message', onMessage);
    this.#child.off('exit', onExit);
    const fault = ended.fault ?? (results.length === 0 ? 'no test of it was run' : undefined);
    return { file, results, output: this.#output, ms, cpuMs, ...(fault !== undefined && { fault }) };
  }

  /** Ends the process; what it still has open does not keep it. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    if (this.#child.connected) this.#child.disconnect();
    const forced = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    await this.#exited;
    clearTimeout(forced);
  }
}

// A service of its own process that is watched from outside: memory, open files, and how long light calls take.
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { ChildService, ROOT } from './child-service.ts';
import { Client } from './client.ts';
import { temporaryDirectory } from './temporary.ts';
import { serviceEnv } from './service.ts';

export class WatchedService implements AsyncDisposable {
  readonly url: string;
  readonly readyMs: number;
  readonly #child: ChildService;
  readonly #dataDir: string;
  readonly #client = new Client();

  private constructor(child: ChildService, dataDir: string) {
    this.#child = child;
    this.#dataDir = dataDir;
    this.url = child.url;
    this.readyMs = child.readyMs;
  }

  /** @param root of another checkout than this one */
  static async start(env: Record<string, string> = {}, root = ROOT): Promise<WatchedService> {
    const dataDir = await temporaryDirectory();
    return new WatchedService(
      await ChildService.start(serviceEnv(dataDir, undefined, env), ['serve'], join(root, 'bin/avouch.mjs')),
      dataDir,
    );
  }

  call: Client['call'] extends (base: string, ...rest: infer R) => infer A ? (...rest: R) => A : never = (...rest) =>
    this.#client.call(this.url, ...rest);

  get pid(): number {
    return this.#child.process.pid as number;
  }

  rssMib(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
  }

  /** Without the pages of files that are mapped, such as the database, which the system takes back as it likes. */
  ownMib(): number {
    return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]) / 1_024;
  }

  openFiles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** Looks at a steady rate until it is over; gives the time of each in milliseconds. */
  async looks(perSecond: number, isOver: () => boolean): Promise<number[]> {
    const times: number[] = [];
    const calls: Promise<void>[] = [];
    const startedMs = performance.now();
    const look = async (n: number) => {
      const sentMs = performance.now();
      const { status, text } = await this.call(`/v1/look?key=beside-${n % 100}&agent=watcher`);
      if (status !== 200) throw new Error(`a look beside was answered ${status} ${text}`);
      times.push(performance.now() - sentMs);
    };
    for (let n = 0; !isOver(); n += 1) {
      await sleep(Math.max(0, startedMs + (n * 1_000) / perSecond - performance.now()));
      calls.push(look(n));
    }
    await Promise.all(calls);
    return times;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    await this.#child.end('SIGKILL');
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

/** The value at a share of the sorted figures, to a tenth. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
}

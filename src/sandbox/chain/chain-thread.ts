import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ChainNews } from './chain-worker.ts';
import type { ServedChainOptions } from './served-chain.ts';

/** A thread that is in the middle of a block is not waited for longer. */
const STOP_MS = 5_000;

/** An embedded chain in a thread of its own: loading and running it keeps nobody else from answering. */
export class ChainThread implements AsyncDisposable {
  readonly rpcUrl: string;
  readonly #worker: Worker;

  private constructor(worker: Worker, rpcUrl: string) {
    this.#worker = worker;
    this.rpcUrl = rpcUrl;
  }

  static async start({
    onFault,
    ...workerData
  }: Pick<ServedChainOptions, 'path' | 'blockTimeMs' | 'onFault'>): Promise<ChainThread> {
    const worker = new Worker(new URL('./chain-worker.ts', import.meta.url), { workerData, env: {} });
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    worker.on('message', (news: ChainNews) => {
      if ('rpcUrl' in news) resolve(news.rpcUrl);
      else onFault?.(new Error(news.fault));
    });
    worker.on('error', (error) => {
      reject(error);
      onFault?.(error);
    });
    worker.once('exit', () => reject(new Error('the thread of the chain ended')));
    const rpcUrl = await promise;
    worker.unref();
    return new ChainThread(worker, rpcUrl);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#worker.threadId === -1) return;
    const exited = once(this.#worker, 'exit');
    this.#worker.ref();
    this.#worker.postMessage('stop');
    const forced = setTimeout(() => void this.#worker.terminate(), STOP_MS);
    await exited;
    clearTimeout(forced);
  }
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { ChainFile } from './chain-file.ts';
import { CHAIN_FILE, chainInstanceIn, forgetPromise } from './chain-instance.ts';
import { type Base, type ChainLine, type Change, isBase, make, replayed, stateSince } from './chain-lines.ts';
import type { ChainAnswer, Edr } from './edr.ts';
import { serveRpc } from './rpc-server.ts';
import { sandboxGenesis } from './sandbox-contracts.ts';

const READS = /^(?:eth|net|web3)_(?!sendTransaction$)/;
/** Run in the block that would come now: the newest one may be of yesterday. */
const RUNS = /^eth_(?:call|estimateGas)$/;
const NEWEST: ReadonlySet<unknown> = new Set(['latest', 'safe', 'finalized', undefined, null]);
/** At most one transaction in 25 ms is sent here: the receipts of the last 50 seconds stay, and a payment is decided in 40. */
const CUT_AFTER = 2_000;

export interface SandboxChainOptions {
  /** Holds the state of the chain. */
  readonly directory: string;
  readonly clock?: Clock;
  /** Blocks at this interval; without it a block is made as soon as a transaction comes. */
  readonly blockTimeMs?: number | undefined;
  /** The file is cut whenever so many changes have come. */
  readonly cutAfter?: number;
  /** Told when a change could not be stored. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/** The local chain of the sandbox, as JSON-RPC that only this machine reaches. */
export interface SandboxChain extends AsyncDisposable {
  readonly rpcUrl: string;
  /** Other than before when the state of the chain was lost. */
  readonly chainInstance: string;
}

export async function startSandboxChain(options: SandboxChainOptions): Promise<SandboxChain> {
  const { directory } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await using stack = new AsyncDisposableStack();
  const instance = chainInstanceIn(directory);
  const node = stack.use(await StoredChain.open(options, instance));
  forgetPromise(directory);
  const { url: rpcUrl } = stack.use(await serveRpc((method, params) => node.ask(method, params)));
  const kept = stack.move();
  return { rpcUrl, chainInstance: instance, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** A chain of edr, and a file of all that it was told. */
class StoredChain implements AsyncDisposable {
  readonly #options: SandboxChainOptions;
  readonly #clock: Clock;
  readonly #waiting: { readonly change: Change; readonly resolve: (answer: ChainAnswer) => void }[] = [];
  readonly #file: ChainFile<ChainLine>;
  readonly #timer: NodeJS.Timeout | undefined;
  #edr: Edr;
  #seconds: number;
  #turn: Promise<void> = Promise.resolve();

  private constructor(options: SandboxChainOptions, clock: Clock, file: ChainFile<ChainLine>, edr: Edr) {
    this.#options = options;
    this.#clock = clock;
    this.#file = file;
    this.#edr = edr;
    this.#seconds = file.lines.reduce((latest, { seconds = 0 }) => Math.max(latest, seconds), 0);
    const { blockTimeMs } = options;
    if (blockTimeMs !== undefined) this.#timer = setInterval(() => void this.#tell(true), blockTimeMs);
  }

  static async open(options: SandboxChainOptions, instance: string): Promise<StoredChain> {
    const { directory, clock = systemClock() } = options;
    const file = await ChainFile.open<ChainLine>(join(directory, CHAIN_FILE));
    const first = () => ({ instance, number: 0, seconds: secondsOf(clock), accounts: sandboxGenesis() });
    if (file.lines.length === 0) await file.append(first());
    return new StoredChain(options, clock, file, await replayed(file.lines));
  }

  /** Answers a call of JSON-RPC. */
  async ask(method: string, params: unknown): Promise<ChainAnswer> {
    const [first, tag, ...others]: readonly unknown[] = Array.isArray(params) ? params : [];
    if (method === 'eth_sendRawTransaction') return this.#tell(this.#timer === undefined, first ?? null);
    if (method === 'evm_mine') return this.#tell(true);
    if (!READS.test(method)) return { error: { code: -32601, message: `there is no method ${method}` } };
    if (!RUNS.test(method) || !NEWEST.has(tag)) return this.#edr(method, params);
    const seconds = secondsOf(this.#clock);
    if (seconds > this.#seconds) await this.#edr('evm_setNextBlockTimestamp', [(this.#seconds = seconds)]);
    return this.#edr(method, [first, 'pending', ...others]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#turn;
  }

  #tell(isMined: boolean, raw?: unknown): Promise<ChainAnswer> {
    const { promise, resolve } = Promise.withResolvers<ChainAnswer>();
    this.#seconds = Math.max(this.#seconds, secondsOf(this.#clock));
    this.#waiting.push({ change: { raw, ...(isMined && { seconds: this.#seconds }) }, resolve });
    this.#turn = this.#turn.then(() => this.#changeAll());
    return promise;
  }

  /** Stored before it is made: what anybody has seen is there after any kill. */
  async #changeAll(): Promise<void> {
    const taken = this.#waiting.splice(0);
    try {
      if (taken.length > 0) await this.#file.append(...taken.map(({ change }) => change));
      for (const { change, resolve } of taken) resolve(await make(this.#edr, change));
      await this.#cutIfLong();
    } catch (error) {
      this.#options.onFault?.(error);
      for (const { resolve } of taken) resolve({ error: { code: -32603, message: 'this could not be stored' } });
    }
  }

  /**
   * Ends a long file with the state of now, and takes away what lies before the state that ended it last time: a start
   * has at most twice as much to make again, memory is bounded, and the newest receipts stay.
   */
  async #cutIfLong(): Promise<void> {
    const { lines } = this.#file;
    const kept = lines.slice(lines.findLastIndex(isBase));
    if (kept.length <= (this.#options.cutAfter ?? CUT_AFTER)) return;
    await this.#file.replace([...kept, await stateSince(this.#edr, kept[0] as Base)]);
    this.#edr = await replayed(kept);
  }
}

function secondsOf(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

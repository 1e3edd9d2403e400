import { type RpcCall, type RpcClient, resultOf } from './rpc.ts';

/** Public nodes refuse a batch of more. */
const MAX_CALLS = 10;

interface Asked {
  readonly calls: readonly RpcCall[];
  readonly resolve: (results: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Answers with one request what many ask for in the same turn of the event loop. Each has its own refusal. */
export class GatheredCalls {
  readonly #rpc: RpcClient;
  #asked: Asked[] = [];

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  /** The results of all calls; throws the first refusal of them. */
  all(calls: readonly RpcCall[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) setImmediate(() => this.#send());
      this.#asked.push({ calls, resolve, reject });
    });
  }

  #send(): void {
    let group: Asked[] = [];
    let size = 0;
    for (const asked of this.#asked) {
      if (group.length > 0 && size + asked.calls.length > MAX_CALLS) {
        void this.#ask(group);
        group = [];
        size = 0;
      }
      group.push(asked);
      size += asked.calls.length;
    }
    this.#asked = [];
    void this.#ask(group);
  }

  async #ask(group: readonly Asked[]): Promise<void> {
    try {
      const answers = await this.#rpc.batch(group.flatMap(({ calls }) => calls));
      for (const { calls, resolve, reject } of group) {
        const own = answers.splice(0, calls.length);
        const refused = own.find((answer) => !answer.ok);
        if (refused === undefined) resolve(own.map(resultOf));
        else reject(refused.refusal);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

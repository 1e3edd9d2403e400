import { askBounded } from '#platform/outbound/bounded-ask.ts';
import { ChainUnavailableError } from './settlement.ts';

export const RPC_TIMEOUT_MS = 10_000;
/** The receipt of a full batch is about half a megabyte. */
const MAX_BYTES = 16_000_000;

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly refusal: RpcRefusedError };

/** The node understood the call and refused it. */
export class RpcRefusedError extends Error {
  override readonly name = 'RpcRefusedError';
  /** What a reverted call returned, where the node says it. */
  readonly data: string | undefined;

  constructor(method: string, message: string, data: string | undefined) {
    super(`${method}: ${message}`);
    this.data = data;
  }
}

export interface RpcOptions {
  readonly url: string;
  readonly timeoutMs?: number;
}

/** JSON-RPC over HTTP. Throws ChainUnavailableError when there is no answer that can be read. */
export class RpcClient {
  readonly #url: string;
  readonly #timeoutMs: number;
  #lastFault: string | null = null;

  constructor({ url, timeoutMs = RPC_TIMEOUT_MS }: RpcOptions) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
  }

  /** Why the newest call had no answer; null when it had one. */
  get lastFault(): string | null {
    return this.#lastFault;
  }

  /** The result of one call; throws RpcRefusedError for what the node says against it. */
  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    return resultOf((await this.batch([{ method, params }]))[0] as RpcAnswer);
  }

  /** The results of all calls, made in one round trip; throws the first refusal. */
  async all(calls: readonly RpcCall[]): Promise<unknown[]> {
    return (await this.batch(calls)).map(resultOf);
  }

  /** The answers of all calls in their order, made in one round trip. */
  async batch(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const body = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    try {
      const answers = answersIn(await this.#post(body.length === 1 ? body[0] : body));
      const found = calls.map(({ method }, id) => answerOf(method, answers.get(id)));
      this.#lastFault = null;
      return found;
    } catch (error) {
      this.#lastFault = 'the chain does not respond';
      throw new ChainUnavailableError(this.#lastFault, { cause: error });
    }
  }

  async #post(body: unknown): Promise<unknown> {
    const request = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), mayRepeat: true };
    const { text } = await askBounded(this.#url, request, { timeoutMs: this.#timeoutMs, maxBytes: MAX_BYTES });
    return JSON.parse(text) as unknown;
  }
}

/** What was answered; throws what the node says against the call. */
export function resultOf(answer: RpcAnswer): unknown {
  if (answer.ok) return answer.result;
  throw answer.refusal;
}

interface Answered {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message?: unknown; readonly data?: unknown };
}

function answersIn(body: unknown): Map<unknown, Answered> {
  const list = (Array.isArray(body) ? body : [body]) as (Answered | null)[];
  return new Map(
    list.flatMap((answer) => (typeof answer === 'object' && answer !== null ? [[answer.id, answer]] : [])),
  );
}

function answerOf(method: string, answer: Answered | undefined): RpcAnswer {
  if (answer === undefined) throw new Error(`no answer to ${method}`);
  const { result, error } = answer;
  if (error !== undefined && error !== null) {
    const data = typeof error.data === 'string' ? error.data : undefined;
    return { ok: false, refusal: new RpcRefusedError(method, String(error.message), data) };
  }
  if (result === undefined) throw new Error(`neither result nor error of ${method}`);
  return { ok: true, result };
}

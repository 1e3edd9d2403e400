import type { EmbeddingModel, LanguageModel } from 'ai';
import { type Connections, exchange, openConnections, OutboundError } from '#platform/outbound/exchange.ts';
import { type ModelQuestion, Unworkable } from '../capability.ts';
import type { Usage } from '../price-arithmetic.ts';

export interface ProviderSettings {
  readonly name: string;
  readonly kind: 'openai_compatible' | 'anthropic';
  readonly baseUrl: string;
  readonly apiKey: { reveal(): string } | null;
  readonly models: readonly { readonly id: string; readonly does: readonly ModelQuestion['does'][] }[];
  /** False: not chosen by itself where there is an embedded mode. */
  readonly auto: boolean;
}

export interface ModelChoice {
  readonly provider: ProviderSettings;
  readonly model: string;
}

export interface ModelAnswer {
  /** Text, an object, or vectors. */
  readonly answer: unknown;
  readonly usage: Usage;
}

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Statuses with which a provider says that it did nothing, and so charged nothing. */
const NOT_BILLED = new Set([429, 503]);
/** Why a response is not whole, by what its provider says; part of one is never sold. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  length: 'The response was cut off at its maximum length. Raise max_output_tokens or shorten the input.',
  'content-filter': 'The response was cut off or withheld by a content filter.',
};
const RETRY_MS = { least: 200, most: 2_000 };

/** Asks models of configured providers: one call, one answer with its usage, nothing twice that may have been billed. */
export class ModelClient implements Disposable {
  readonly providers: readonly ProviderSettings[];
  readonly #timeoutMs: () => number;
  readonly #connections: Connections = openConnections();

  /** @param timeoutMs looked up for every question */
  constructor(providers: readonly ProviderSettings[], timeoutMs: () => number | undefined = () => undefined) {
    this.providers = providers;
    this.#timeoutMs = () => timeoutMs() ?? TIMEOUT_MS;
  }

  /** The first model that does it, or the one that is named. */
  choose(does: ModelQuestion['does'], named: string | null): ModelChoice | undefined {
    const all = this.providers.flatMap((provider) => provider.models.map((model) => ({ provider, ...model })));
    const found = all.find((model) => model.does.includes(does) && (named === null || model.id === named));
    return found && { provider: found.provider, model: found.id };
  }

  async ask(
    choice: ModelChoice,
    question: ModelQuestion,
    { maxOutputTokens, signal }: { readonly maxOutputTokens: number; readonly signal: AbortSignal },
  ): Promise<ModelAnswer | Unworkable> {
    await sdk();
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs())]);
    try {
      const asked = { maxRetries: 0, abortSignal } as const;
      if (question.does === 'embedding') return await this.#embed(choice, question.texts, asked);
      return await this.#generate(choice, question, { ...asked, maxOutputTokens });
    } catch (error) {
      return failed(abortSignal.aborted ? 'The provider timed out.' : reasonOf(error));
    }
  }

  async #generate(
    choice: ModelChoice,
    { instructions, prompt, schema, image }: Exclude<ModelQuestion, { does: 'embedding' }>,
    settings: { maxRetries: 0; abortSignal: AbortSignal; maxOutputTokens: number },
  ): Promise<ModelAnswer | Unworkable> {
    const { generateText, jsonSchema, Output } = await sdk();
    const text = { type: 'text', text: prompt } as const;
    const content = image === undefined ? [text] : [text, { type: 'image', image } as const];
    const result = await generateText({
      ...settings,
      model: await this.#model(choice),
      instructions,
      messages: [{ role: 'user', content }],
      ...(schema !== undefined && { output: Output.object({ schema: jsonSchema(schema) }) }),
    });
    if (result.finishReason !== 'stop') return failed(unfinished(result.finishReason));
    const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = result.usage;
    if (inputTokens === undefined || outputTokens === undefined)
      return failed('The provider did not report its usage.');
    const answer: unknown = schema === undefined ? result.text.toWellFormed() : result.output;
    if (answer === '') return failed('The model returned an empty response.');
    const cachedTokens = Math.min(inputTokens, inputTokenDetails.cacheReadTokens ?? 0);
    const cacheWriteTokens = Math.min(inputTokens - cachedTokens, inputTokenDetails.cacheWriteTokens ?? 0);
    const reasoningTokens = Math.min(outputTokens, outputTokenDetails.reasoningTokens ?? 0);
    const images = image === undefined ? 0 : 1;
    return { answer, usage: { inputTokens, cachedTokens, cacheWriteTokens, outputTokens, reasoningTokens, images } };
  }

  async #embed(
    choice: ModelChoice,
    texts: readonly string[],
    settings: { maxRetries: 0; abortSignal: AbortSignal },
  ): Promise<ModelAnswer | Unworkable> {
    const { embedMany } = await sdk();
    const model = await this.#embeddingModel(choice);
    const { embeddings, usage } = await embedMany({ ...settings, model, values: [...texts] });
    // Not a number where the provider said nothing.
    if (!Number.isSafeInteger(usage.tokens)) return failed('The provider did not report its usage.');
    return { answer: embeddings, usage: { inputTokens: usage.tokens, cachedTokens: 0, outputTokens: 0 } };
  }

  async #model({ provider, model }: ModelChoice): Promise<LanguageModel> {
    if (provider.kind === 'anthropic') {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic(this.#settings(provider))(model);
    }
    return (await this.#compatible(provider)).chatModel(model);
  }

  async #embeddingModel({ provider, model }: ModelChoice): Promise<EmbeddingModel> {
    return (await this.#compatible(provider)).embeddingModel(model);
  }

  async #compatible(provider: ProviderSettings) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const { name } = provider;
    return createOpenAICompatible({ ...this.#settings(provider), name, supportsStructuredOutputs: true });
  }

  #settings({ baseUrl, apiKey }: ProviderSettings) {
    return {
      baseURL: baseUrl,
      fetch: (url: string | URL | Request, init: RequestInit = {}) =>
        this.#fetch(url instanceof Request ? url.url : url.toString(), init),
      ...(apiKey !== null && { apiKey: apiKey.reveal() }),
    };
  }

  /** The client's own way out: bounded, without redirects, and never through a proxy of the environment. */
  async #fetch(url: string, init: RequestInit, isRetry = false): Promise<Response> {
    const pieces: Buffer[] = [];
    const signal = init.signal ?? AbortSignal.timeout(this.#timeoutMs());
    const headers = Object.fromEntries(new Headers(init.headers));
    const request = { method: 'POST' as const, url: new URL(url), headers, body: init.body as string, signal };
    const sink = (piece: Buffer) => void pieces.push(piece);
    const { status, header } = await exchange(request, this.#connections, { maxBytes: MAX_ANSWER_BYTES, sink });
    if (NOT_BILLED.has(status) && !isRetry) {
      const asked = Number(header('retry-after') ?? 0) * 1_000 || RETRY_MS.least;
      await pause(Math.min(asked, RETRY_MS.most), signal);
      return this.#fetch(url, init, true);
    }
    const type = header('content-type') ?? 'application/json';
    return new Response(Buffer.concat(pieces), { status, headers: { 'content-type': type } });
  }

  [Symbol.dispose](): void {
    this.#connections[Symbol.dispose]();
  }
}

/** Loaded when a model is first asked: a service without providers never pays for it. */
async function sdk() {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  return import('ai');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

/** What went wrong without a word of what was asked or answered. */
function reasonOf(error: unknown): string {
  const { name, statusCode, finishReason } = error as { name?: string; statusCode?: number; finishReason?: string };
  if (error instanceof OutboundError) return `The provider could not be reached (${error.reason}).`;
  if (statusCode !== undefined && statusCode !== 200) return `The provider returned status ${statusCode}.`;
  if (finishReason !== undefined && finishReason !== 'stop') return unfinished(finishReason);
  if (name === 'AI_NoObjectGeneratedError') return 'The response of the model does not match the schema.';
  return 'The provider did not return a usable response.';
}

function unfinished(finishReason: string): string {
  return INCOMPLETE[finishReason] ?? 'The model did not finish its response.';
}

function failed(detail: string): Unworkable {
  return new Unworkable('work', 'provider_failed', detail);
}

import { parseMicro } from '#kernel/money.ts';
import type { ModelQuestion } from './capability.ts';
import type { ModelPrice } from './prices.ts';

/** Tokens that a provider counted; those read from its cache are among the input. */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** Among the input too: kept by the provider for later calls. */
  readonly cacheWriteTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens?: number;
  readonly images?: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    cacheWriteTokens: (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0),
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: (a.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0),
    images: (a.images ?? 0) + (b.images ?? 0),
  };
}

const PICO_USD_TO_MICRO_EUR = 10n ** 12n;
const PICO_PER_MICRO = 10n ** 6n;

/** USD for a million tokens has the same digits as pico-USD for one in millionths. */
function pico(text: string): bigint {
  return BigInt(parseMicro(text) ?? 0);
}

/** What the tokens cost, in micro-EUR, rounded up once; `fxMicro` is EUR for a million USD. */
export function tokenCostMicro(usage: Usage, price: ModelPrice, fxMicro: number): number {
  const input = pico(price.input_usd_per_mtok);
  const cached = price.cached_read === undefined ? input : pico(price.cached_read);
  const written = price.cache_write === undefined ? input : pico(price.cache_write);
  const output = price.output === undefined ? 0n : pico(price.output);
  const reasoning = price.reasoning === undefined ? output : pico(price.reasoning);
  const { inputTokens, cachedTokens, cacheWriteTokens = 0, outputTokens, reasoningTokens = 0, images = 0 } = usage;
  const picoUsd =
    BigInt(inputTokens - cachedTokens - cacheWriteTokens) * input +
    BigInt(cacheWriteTokens) * written +
    BigInt(cachedTokens) * cached +
    BigInt(outputTokens - reasoningTokens) * output +
    BigInt(reasoningTokens) * reasoning +
    BigInt(images) * pico(price.per_image ?? '0') * PICO_PER_MICRO;
  const scaled = picoUsd * BigInt(fxMicro);
  const cost = Number((scaled + PICO_USD_TO_MICRO_EUR - 1n) / PICO_USD_TO_MICRO_EUR);
  if (!Number.isSafeInteger(cost)) throw new RangeError('a cost beyond 2^53');
  return cost;
}

/** No tokeniser makes more of a text than a token from two bytes, nor of an image than this. */
const BYTES_PER_TOKEN = 2;
const IMAGE_TOKENS = 6_000;

/** The most that a question may use. */
export function worstUsage(question: ModelQuestion, maxOutputTokens: number): Usage {
  const tokens = (text: string) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
  if (question.does === 'embedding') {
    return { ...NO_USAGE, inputTokens: question.texts.reduce((sum, text) => sum + tokens(text), 0) };
  }
  const { instructions, prompt, schema, image } = question;
  const asked = `${instructions}${prompt}${schema === undefined ? '' : JSON.stringify(schema)}`;
  const images = image === undefined ? 0 : 1;
  return { ...NO_USAGE, inputTokens: tokens(asked) + images * IMAGE_TOKENS, outputTokens: maxOutputTokens, images };
}

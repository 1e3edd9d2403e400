import { z } from 'zod';
import { sha256Hex } from '#kernel/ids.ts';
import { formatMicro, parseMicro } from '#kernel/money.ts';

const decimal = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,5})(?:\.\d{1,6})?$/, 'Must be decimal text with at most six decimals.');
const perMillion = decimal.meta({ description: 'USD per million tokens.' });

const ModelRow = z.object({
  provider: z.string().min(1),
  model: z.string().min(1),
  input_usd_per_mtok: perMillion,
  cached_read: perMillion.optional(),
  cache_write: perMillion.optional(),
  output: perMillion.optional(),
  reasoning: perMillion.optional(),
  per_image: decimal.optional(),
});
const EmbeddedRow = z.object({
  provider: z.literal('embedded'),
  capability: z.string(),
  unit: z.string(),
  unit_cost_eur: decimal,
});
const PriceFile = z.object({ version: z.string(), prices: z.array(z.union([EmbeddedRow, ModelRow])) });
const LiteLlmRow = z.object({
  litellm_provider: z.string(),
  input_cost_per_token: z.number(),
  output_cost_per_token: z.number().optional(),
  cache_read_input_token_cost: z.number().optional(),
  cache_creation_input_token_cost: z.number().optional(),
  output_cost_per_reasoning_token: z.number().optional(),
});

export type ModelPrice = z.output<typeof ModelRow>;

/** Prices by which work is charged; the digest of the file stands on every receipt. */
export interface PriceTable {
  readonly sha256: string;
  modelPrice(provider: string, model: string): ModelPrice | undefined;
  /** Cost of one unit of embedded work, in micro-EUR. */
  unitCostMicro(capability: string): number;
}

/** Reads prices.json, or LiteLLM's model_prices_and_context_window.json; a text says what is wrong with the file. */
export function readPriceTable(text: string, more: readonly ModelPrice[] = []): PriceTable | string {
  const rows = readRows(text);
  if (typeof rows === 'string') return rows;
  const all = [...more, ...rows];
  return {
    sha256: sha256Hex(more.length === 0 ? text : `${text}${JSON.stringify(more)}`),
    modelPrice: (provider, model) =>
      all.find((row): row is ModelPrice => 'model' in row && row.provider === provider && row.model === model),
    unitCostMicro: (capability) => {
      const row = all.find((one) => 'capability' in one && one.capability === capability);
      return row !== undefined && 'capability' in row ? (parseMicro(row.unit_cost_eur) ?? 0) : 0;
    },
  };
}

type PriceRow = z.output<typeof PriceFile>['prices'][number];

function readRows(text: string): readonly PriceRow[] | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'is not a JSON object';
  if (!('prices' in json)) return liteLlmRows(json as Record<string, unknown>);
  const read = PriceFile.safeParse(json);
  if (read.success) return read.data.prices;
  const [issue] = read.error.issues;
  return `is invalid at ${issue?.path.join('/')}: ${issue?.message}`;
}

/** Rows whose prices are not whole millionths of a dollar for a million tokens are left out, not rounded. */
function liteLlmRows(json: Record<string, unknown>): readonly PriceRow[] | string {
  const rows = Object.entries(json).flatMap(([name, given]): PriceRow[] => {
    const read = LiteLlmRow.safeParse(given);
    if (!read.success) return [];
    const { litellm_provider: provider, ...costs } = read.data;
    const model = name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name;
    const row = ModelRow.safeParse({
      provider,
      model,
      input_usd_per_mtok: perMillionText(costs.input_cost_per_token),
      output: perMillionText(costs.output_cost_per_token),
      cached_read: perMillionText(costs.cache_read_input_token_cost),
      cache_write: perMillionText(costs.cache_creation_input_token_cost),
      reasoning: perMillionText(costs.output_cost_per_reasoning_token),
    });
    return row.success ? [row.data] : [];
  });
  return rows.length > 0 ? rows : 'contains neither prices nor LiteLLM models';
}

/** A cost per token as text per million: the decimal point is moved in the digits, since 7.5e-8 * 1e6 is not 0.075. */
function perMillionText(cost: number | undefined): string | undefined {
  if (cost === undefined) return undefined;
  const [digits = '', exponent = '0'] = cost.toExponential().split('e');
  const [units = '', fraction = ''] = digits.split('.');
  const places = fraction.length - Number(exponent) - 6;
  if (places > 6 || cost < 0) return 'not exact';
  return formatMicro(Number(`${units}${fraction}`) * 10 ** (6 - places));
}

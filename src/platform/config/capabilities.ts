import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseMicro } from '#kernel/money.ts';
import { isLoopbackHost } from './loopback.ts';
import type { SettingsReading } from './registers.ts';
import { Secret } from './secret.ts';

const DOES = ['text', 'image', 'embedding'] as const;

interface ProviderConfig {
  readonly name: string;
  readonly kind: 'openai_compatible' | 'anthropic';
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly models: readonly { readonly id: string; readonly does: readonly (typeof DOES)[number][] }[];
  readonly auto: boolean;
}

export interface CapabilityConfig {
  /** Null where no file is named: the sandbox then has its simulator, production embedded modes only. */
  readonly providers: readonly ProviderConfig[] | null;
  /** Text of the price file; null is the shipped one. */
  readonly prices: string | null;
  /** EUR for one USD, and of which day. */
  readonly fx: { readonly rate: string; readonly rateMicro: number; readonly asOf: string };
}

const ProviderFile = z.array(
  z.strictObject({
    name: z.string().regex(/^[\w.-]{1,60}$/),
    kind: z.enum(['openai_compatible', 'anthropic']),
    base_url: z.url({ protocol: /^https?$/ }),
    api_key_env: z
      .string()
      .regex(/^\w{1,100}$/)
      .optional(),
    models: z
      .array(
        z.union([
          z.string().min(1).max(200),
          z.strictObject({ id: z.string().min(1).max(200), does: z.array(z.enum(DOES)).min(1) }),
        ]),
      )
      .min(1),
    auto: z.boolean().default(true),
  }),
);
type ProviderRow = z.output<typeof ProviderFile>[number];

export function readCapabilities(reading: SettingsReading): CapabilityConfig {
  const { faults, text } = reading;
  const rate = text('AVOUCH_FX_USD_EUR');
  const rateMicro = parseMicro(rate) ?? 0;
  const asOf = text('AVOUCH_FX_AS_OF');
  if (rate !== '' && (rateMicro <= 0 || rateMicro > 100_000_000)) {
    faults.push('AVOUCH_FX_USD_EUR must be EUR for one USD, such as 0.925, with at most six decimals');
  }
  if (asOf !== '' && !z.iso.date().safeParse(asOf).success)
    faults.push('AVOUCH_FX_AS_OF must be a date such as 2026-11-15');
  const prices = fileText('AVOUCH_PRICES_FILE', reading);
  return { providers: providersOf(reading), prices, fx: { rate, rateMicro, asOf } };
}

function providersOf(reading: SettingsReading): readonly ProviderConfig[] | null {
  const { faults } = reading;
  const name = 'AVOUCH_CAPABILITY_PROVIDERS';
  const content = fileText(name, reading);
  if (content === null) return null;
  const refuse = (what: string) => {
    faults.push(`the file that ${name} names ${what}`);
    return null;
  };
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    return refuse('is not JSON');
  }
  const read = ProviderFile.safeParse(json);
  if (!read.success)
    return refuse(`is wrong at ${read.error.issues[0]?.path.join('/')}: ${read.error.issues[0]?.message}`);
  for (const row of read.data) {
    const fault = providerFault(row, reading);
    if (fault !== undefined) return refuse(fault);
  }
  return read.data.map((row) => providerOf(row, reading));
}

function providerFault(
  { name, base_url: url, api_key_env: key }: ProviderRow,
  { env, isProduction }: SettingsReading,
): string | undefined {
  const { protocol, hostname } = new URL(url);
  if (isProduction && protocol === 'http:' && !isLoopbackHost(hostname)) {
    return `has an address of ${name} without https that is not on this machine`;
  }
  return key !== undefined && (env[key] ?? '') === ''
    ? `needs the variable ${key} for ${name}, which is not set`
    : undefined;
}

function providerOf(row: ProviderRow, { env }: SettingsReading): ProviderConfig {
  const { name, kind, base_url: url, api_key_env: key, models, auto } = row;
  return {
    name,
    kind,
    baseUrl: url.replace(/\/$/, ''),
    apiKey: key === undefined ? null : new Secret(env[key] ?? ''),
    models: models.map((model) => (typeof model === 'string' ? { id: model, does: ['text'] as const } : model)),
    auto,
  };
}

function fileText(name: string, { env, faults }: SettingsReading): string | null {
  const file = env[name];
  if (file === undefined || file === '') return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    faults.push(
      `the file that ${name} names cannot be read (${(error as NodeJS.ErrnoException).code}): check its path and rights`,
    );
    return null;
  }
}

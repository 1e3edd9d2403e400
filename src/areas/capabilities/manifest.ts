import { z } from 'zod';
import { type Clock, DAY_MS } from '#kernel/clock.ts';
import { CHARGE_FORMULA, formatEur, MARKUP_PCT, MINIMUM_CHARGE_EUR } from '#platform/ledger/steps.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Capability } from './capability.ts';
import type { ManifestShape } from './manifest-shape.ts';
import type { PriceTable } from './prices.ts';
import * as sql from './sql.ts';
import type { CapabilityWork } from './work.ts';

export interface ManifestOptions {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly work: Pick<CapabilityWork, 'modesOf'>;
  readonly prices: PriceTable;
  readonly service: string;
  readonly baseUrl: () => string;
  readonly sandbox: boolean;
}

const WINDOW_MS = 7 * DAY_MS;
const RENEWED_MS = 300_000;

type Schemas = Pick<ManifestShape['capabilities'][number], 'input_schema' | 'output_schema'>;

/** The manifest: one object until its figures are renewed, so that it is rendered once. */
export class CapabilityManifest {
  readonly #options: ManifestOptions;
  /** Made once: together they take longer than answering a hundred calls. */
  readonly #schemas = new Map<Capability, Schemas>();
  #kept: { readonly manifest: ManifestShape; readonly untilMs: number } | undefined;

  constructor(options: ManifestOptions) {
    this.#options = options;
  }

  async manifest(): Promise<ManifestShape> {
    const nowMs = this.#options.clock.now();
    if (this.#kept === undefined || this.#kept.untilMs <= nowMs) {
      // What can be executed is said also while nothing is known of how long it takes.
      const latest = await this.#options.store.read(sql.LATEST_DURATIONS, [nowMs - WINDOW_MS]).catch(() => []);
      const durations = Map.groupBy(latest, ({ capability }) => capability);
      const latencies = (id: string) => latencyOf((durations.get(id) ?? []).map(({ ms }) => ms));
      const { CAPABILITIES } = await import('./table.ts');
      this.#kept = { manifest: this.#made(CAPABILITIES, latencies), untilMs: nowMs + RENEWED_MS };
    }
    return this.#kept.manifest;
  }

  /** The manifest without its figures, which differ from hour to hour. */
  async lasting(): Promise<ManifestShape> {
    const { CAPABILITIES } = await import('./table.ts');
    return this.#made(CAPABILITIES, () => null);
  }

  #made(
    all: readonly Capability[],
    latencyOfId: (id: string) => ManifestShape['capabilities'][number]['latency'],
  ): ManifestShape {
    const { prices, service, baseUrl, sandbox } = this.#options;
    const base = baseUrl();
    return {
      manifest: 'capabilities',
      manifest_version: '1.0',
      service,
      base_url: base,
      sandbox,
      links: {
        self: `${base}/capabilities/manifest`,
        entry: `${base}/entry`,
        openapi: `${base}/openapi.json`,
        llms: `${base}/llms.txt`,
        rules: `${base}/api/rules-of-engagement`,
        status: `${base}/system/status`,
      },
      count: all.length,
      currency: 'EUR',
      price_formula: CHARGE_FORMULA,
      minimum_charge_eur: Number(MINIMUM_CHARGE_EUR),
      price_table_sha256: prices.sha256,
      auth: 'x_agent_key',
      execute: { method: 'POST', path: '/capabilities/execute' },
      capabilities: all.map((capability) => this.#entry(capability, latencyOfId(capability.id))),
    };
  }

  #entry(capability: Capability, latency: ManifestShape['capabilities'][number]['latency']) {
    const { work, prices } = this.#options;
    const { id, title, what, unit, example } = capability;
    const modes = work.modesOf(capability);
    const perUnit = prices.unitCostMicro(id);
    const embedded =
      perUnit === 0 ? MINIMUM_CHARGE_EUR : `${formatEur(perUnit)} per ${unit}, computed with the formula`;
    return {
      id,
      title,
      what,
      modes,
      unit,
      latency,
      ...this.#schemasOf(capability),
      price: {
        embedded_eur: modes.includes('embedded') ? embedded : null,
        provider: modes.includes('provider')
          ? `model cost plus ${MARKUP_PCT} percent, at least ${MINIMUM_CHARGE_EUR} EUR`
          : null,
      },
      status: modes.length > 0 ? ('live' as const) : ('provider_required' as const),
      example: example as { input: Record<string, unknown>; output: Record<string, unknown> },
    };
  }

  #schemasOf(capability: Capability): Schemas {
    const known = this.#schemas.get(capability);
    if (known !== undefined) return known;
    const made = {
      input_schema: z.toJSONSchema(capability.input, { io: 'input' }) as Record<string, unknown>,
      output_schema: z.toJSONSchema(capability.output, { io: 'output' }) as Record<string, unknown>,
    };
    this.#schemas.set(capability, made);
    return made;
  }
}

function latencyOf(durations: readonly number[]): ManifestShape['capabilities'][number]['latency'] {
  if (durations.length === 0) return null;
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] as number;
  return { p50_ms: at(0.5), p95_ms: at(0.95), n: sorted.length };
}

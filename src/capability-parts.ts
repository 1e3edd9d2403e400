import { readFileSync } from 'node:fs';
import { Executions, type ExecutionsOptions } from '#areas/capabilities/executions.ts';
import { CapabilityManifest } from '#areas/capabilities/manifest.ts';
import { HEAVY_LIMITS } from '#areas/capabilities/heavy-limits.ts';
import { HeavyWork } from '#areas/capabilities/outside/heavy-work.ts';
import { ModelClient, type ProviderSettings } from '#areas/capabilities/outside/model-client.ts';
import { PAGE_LIMITS, pageFetch } from '#areas/capabilities/outside/page-fetch.ts';
import { type ModelPrice, readPriceTable } from '#areas/capabilities/prices.ts';
import { CapabilityWork } from '#areas/capabilities/work.ts';
import { type Config, ConfigError } from '#config/config.ts';
import { extraFolder } from '#config/extras.ts';
import { GuardedClient, type GuardedClientOptions } from '#outbound/guarded-client.ts';
import { MODEL_STAND_IN, ModelStandIn } from '#sandbox/model-provider/stand-in.ts';
import { shopPage } from '#sandbox/shop-page.ts';
import type { Foundation, ModelStandInOptions } from './foundation.ts';
import { VERSION } from '#platform/version.ts';

export interface CapabilityOptions {
  readonly config: Config;
  readonly foundation: Pick<Foundation, 'store' | 'clock' | 'processId'>;
  readonly baseUrl: () => string;
  readonly probing: GuardedClientOptions['testing'];
  readonly given: ModelStandInOptions | undefined;
  /** How many times longer than usual work may take. */
  readonly patience?: number;
  readonly callers: Pick<ExecutionsOptions, 'authenticate' | 'recognise'>;
  readonly receipt: ExecutionsOptions['notary']['receipt'];
}

export interface CapabilityParts extends AsyncDisposable {
  readonly work: CapabilityWork;
  readonly executions: Executions;
  readonly manifest: CapabilityManifest;
}

const SHIPPED_PRICES = new URL('./areas/capabilities/prices.json', import.meta.url);

/** Capabilities with their providers; in the sandbox, unless it names some, a stand-in that lives and ends with them. */
export async function openCapabilities(options: CapabilityOptions): Promise<CapabilityParts> {
  const { config, foundation, probing, given, baseUrl, callers, receipt, patience = 1 } = options;
  const { store, clock, processId } = foundation;
  const { fx } = config.capabilities;
  await using stack = new AsyncDisposableStack();
  const sandbox = config.profile === 'sandbox';
  const needsStandIn = sandbox && config.capabilities.providers === null;
  const standIn = needsStandIn ? (given?.standIn ?? stack.use(await ModelStandIn.start())) : null;
  const providers = standIn === null ? (config.capabilities.providers ?? []) : [standInProvider(standIn.url)];
  const prices = pricesOf(config, standIn === null ? [] : [MODEL_STAND_IN.price]);
  const userAgent = `avouch/${VERSION}`;
  const guarded = new GuardedClient({
    userAgent,
    monotonicMs: () => clock.monotonicMs(),
    limits: { ...PAGE_LIMITS, timeoutMs: patience * PAGE_LIMITS.timeoutMs },
    ...(probing !== undefined && { testing: probing }),
  });
  const fetchPage = pageFetch(guarded);
  // Looked for once: what is installed while the service runs is used after its next start.
  const ocrFolder = extraFolder('ocr');
  const work = new CapabilityWork({
    clock,
    prices,
    fxMicro: fx.rateMicro,
    hasExtra: (name) => name === 'ocr' && ocrFolder !== null,
    heavy: stack.use(new HeavyWork({ clock, ocrFolder, limitMs: patience * HEAVY_LIMITS.taskMs })),
    models: stack.use(new ModelClient(providers, () => given?.timeoutMs)),
    fetch: async (url) => (sandbox ? shopPage(url) : undefined) ?? fetchPage(url),
  });
  const executions = new Executions({
    store,
    clock,
    work,
    prices,
    fx,
    process: processId,
    ...callers,
    notary: { sandbox, receipt },
  });
  const manifest = new CapabilityManifest({
    store,
    clock,
    work,
    prices,
    service: config.serviceName,
    baseUrl,
    sandbox,
  });
  const kept = stack.move();
  return { work, executions, manifest, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function pricesOf({ capabilities }: Config, more: readonly ModelPrice[]) {
  const text = capabilities.prices ?? readFileSync(SHIPPED_PRICES, 'utf8');
  const table = readPriceTable(text, more);
  if (typeof table === 'string') throw new ConfigError([`the file that AVOUCH_PRICES_FILE names ${table}`]);
  return table;
}

/** Where an embedded mode does the same, the stand-in is not taken by itself: its answers are fictional. */
function standInProvider(url: string): ProviderSettings {
  const { provider, model } = MODEL_STAND_IN.price;
  const does = ['text', 'image', 'embedding'] as const;
  return {
    name: provider,
    kind: 'openai_compatible',
    baseUrl: `${url}/v1`,
    apiKey: null,
    models: [{ id: model, does }],
    auto: false,
  };
}

import { ConfigError } from '#platform/config/config-error.ts';
import { extraFolder } from '#platform/config/extras.ts';
import { readPackageExtras } from '#platform/config/packages.ts';
import type { PaidFees } from '#areas/attestation/port.ts';
import { type OpenArea, on } from '#kernel/area.ts';
import { type Job, sweepJob } from '#kernel/job.ts';
import { CHARGE_FORMULA, MARKUP_PCT } from '#platform/ledger/steps.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import type { ModelProviderSimulator } from '#platform/simulators.ts';
import { Executions, type ExecutionsOptions } from './executions.ts';
import { HEAVY_LIMITS } from './heavy/heavy-limits.ts';
import { CapabilityManifest } from './manifest.ts';
import { capabilitiesManifest, executeCapability, getExecution } from './operations.ts';
import { HeavyWork } from './outside/heavy-work.ts';
import { ModelClient, type ProviderSettings } from './outside/model-client.ts';
import { pageFetch } from './outside/page-fetch.ts';
import { shippedPrices } from './outside/shipped-prices.ts';
import { readPriceTable } from './prices.ts';
import { taskRoutes } from './task-routes.ts';
import { CapabilityWork } from './work.ts';

const EXECUTIONS_END_MS = 10_000;

export interface CapabilityNeeds {
  /** Who has the key of an agent. */
  readonly callers: Pick<ExecutionsOptions, 'authenticate' | 'recognise'>;
  readonly paidFees: PaidFees;
}

export interface OpenCapabilities extends OpenArea, AsyncDisposable {
  readonly work: CapabilityWork;
  readonly executions: Executions;
  readonly manifest: CapabilityManifest;
  readonly jobs: readonly Job[];
}

export const capabilitiesArea = {
  name: 'capabilities',
  services: 'all',
  open: openCapabilities,
  operations: [
    on(capabilitiesManifest, ({ manifest }) => manifest.manifest()),
    on(executeCapability, ({ executions }, input) => executions.execute(input)),
    on(getExecution, ({ executions }, input) => executions.show(input)),
  ],
  published: {
    terms: (url) => ({ markup_pct: MARKUP_PCT, formula: CHARGE_FORMULA, url: `${url}${capabilitiesManifest.path}` }),
  },
} satisfies PlatformArea<OpenCapabilities, CapabilityNeeds>;

/** Capabilities with their providers; in the sandbox, unless its settings name some, a simulator. */
function openCapabilities(platform: Platform, { callers, paidFees }: CapabilityNeeds): OpenCapabilities {
  const { config, store, clock, sandbox, simulators, processId, receipts, baseUrl, patience } = platform;
  const { fx } = config.capabilities;
  const stack = new AsyncDisposableStack();
  const played = simulators?.models;
  const providers = played === undefined ? (config.capabilities.providers ?? []) : [simulatorProvider(played)];
  const prices = pricesOf(platform);
  const fetchPage = pageFetch(platform);
  // Looked for once: what is installed while the service runs is used after its next start.
  const ocrFolder = extraFolder('ocr');
  const extras = new Set(readPackageExtras().flatMap(({ name, state }) => (state === 'installed' ? [name] : [])));
  const work = new CapabilityWork({
    clock,
    prices,
    fxMicro: fx.rateMicro,
    hasExtra: (name) => (name === 'ocr' ? ocrFolder !== null : extras.has(name)),
    heavy: stack.use(new HeavyWork({ clock, ocrFolder, limitMs: patience * HEAVY_LIMITS.taskMs })),
    models: stack.use(new ModelClient(providers, () => played?.timeoutMs())),
    fetch: async (url) => simulators?.page(url) ?? fetchPage(url),
  });
  const executions = new Executions({
    store,
    clock,
    work,
    prices,
    fx,
    process: processId,
    ...callers,
    paidFees,
    seedOf: (attestationId) => platform.log.log.seedOf(attestationId),
    notary: { sandbox, receipt: (of) => receipts.sign({ type: 'avouch.wallet-receipt.v1', ...of }) },
  });
  return {
    work,
    executions,
    manifest: new CapabilityManifest({
      store,
      clock,
      work,
      prices,
      service: config.serviceName,
      baseUrl,
      sandbox,
    }),
    taskRoutes: taskRoutes({ work, clock, sandbox }),
    jobs: [sweepJob('execution-sweep', () => executions.recover(false))],
    async onListening() {
      // On SQLite no other process can be at what a crash left open.
      await executions.recover(config.databaseUrl === null);
    },
    onStop() {
      // A provider that hangs must not hold up the end; what is short is finished, and not refused to who still has a connection.
      const end = setTimeout(() => executions.stop(), patience * EXECUTIONS_END_MS).unref();
      stack.defer(() => clearTimeout(end));
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function pricesOf({ config, simulators }: Platform) {
  const played = simulators?.models;
  const table = readPriceTable(
    config.capabilities.prices ?? shippedPrices(),
    played === undefined ? [] : [played.price],
  );
  if (typeof table === 'string') throw new ConfigError([`AVOUCH_PRICES_FILE: the file ${table}`]);
  return table;
}

/** Where an embedded mode does the same, the simulator is not taken by itself: its answers are fictional. */
function simulatorProvider({ url, price: { provider, model } }: ModelProviderSimulator): ProviderSettings {
  return {
    name: provider,
    kind: 'openai_compatible',
    baseUrl: `${url}/v1`,
    apiKey: null,
    models: [{ id: model, does: ['text', 'image', 'embedding'] }],
    auto: false,
  };
}

import { playedChain } from '#sandbox/chain/played-chain.ts';
import { openSimulators } from '#sandbox/open-simulators.ts';
import type { Clock } from '#kernel/clock.ts';
import { ConfigError } from '#platform/config/config-error.ts';
import { packageFaults } from '#platform/config/packages.ts';
import type { ServiceOptions } from '#platform/foundation.ts';
import type { JobRunner } from '#platform/jobs/job-runner.ts';
import { type OpenPlatform, openPlatform } from '#platform/open-platform.ts';
import type { Store } from '#platform/storage/store.ts';
import { openTransport, type Transport } from '#transport/open-transport.ts';
import {
  boundOperations,
  boundTools,
  contributed,
  forgetEntries,
  LEDGER_CHECKS,
  OFFERS,
  type OpenAreas,
  openAreas,
  openOnes,
} from './areas.ts';

const CHAIN_AFTER_MS = 1_500;

/** The running service. Disposing it stops accepting, finishes what was accepted and closes in reverse order. */
export interface Service extends AsyncDisposable {
  /** The public address. */
  readonly url: string;
  /** Where it really listens. */
  readonly listening: string;
  /** Where figures and probes are, if not where callers are. */
  readonly operatorPort: number | null;
  /** The name of the public log. */
  readonly logOrigin: string;
  readonly store: Store;
  /** What else happens by timers, for who cannot wait for them. */
  readonly background: Pick<JobRunner, 'heartbeatNow' | 'runNow'>;
  /** The account with test money that `pay` pays from, once there is a chain; null where there is none. */
  buyer(): Promise<string | null>;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config } = options;
  const faults = packageFaults(config);
  if (faults.length > 0) throw new ConfigError(faults);
  await using stack = new AsyncDisposableStack();
  const platform = await openPlatform(
    options,
    {
      table: OFFERS[config.services].table,
      ledgerChecks: LEDGER_CHECKS,
      forget: forgetEntries,
      playOthers: ({ clock }) => playOthers(options, clock),
      playedChain: playedChain(config),
    },
    stack,
  );
  const areas = await openAreas(platform, stack);
  setToWork(platform, areas);
  const transport = openTransport(platform, transportParts(platform, areas), stack);
  await platform.jobs.start();
  stack.use(platform.jobs);
  // Tells that the service stops until it has stopped.
  if (transport.operatorServer !== undefined) stack.use(transport.operatorServer);
  stack.use(transport.server);
  stack.defer(() => openOnes(areas).forEach((area) => area.onStop?.()));
  const listening = await listen(platform, transport);
  const operatorPort = await transport.operatorServer?.listen(config.host, config.opsPort ?? 0);
  const chainSoon = openChainSoon(platform, stack);
  for (const area of openOnes(areas)) await area.onListening?.(listening);
  // The first step of a stop.
  stack.defer(() => transport.drain());
  const kept = stack.move();
  return {
    url: platform.baseUrl(),
    listening,
    operatorPort: operatorPort ?? null,
    logOrigin: platform.log.log.origin,
    store: platform.store,
    background: platform.jobs,
    buyer: () => chainSoon.then(async () => (await platform.payments.testMoney?.opened())?.sandbox?.buyer ?? null),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** What the sandbox plays, or what a test plays in its place. */
function playOthers({ config, registerSimulators, modelSimulator }: ServiceOptions, clock: Clock) {
  return openSimulators({
    clock,
    registers: registerSimulators?.simulators,
    models: modelSimulator,
    playsModels: config.capabilities.providers === null,
  });
}

/** What areas do by themselves. */
function setToWork({ jobs, health }: OpenPlatform, areas: OpenAreas): void {
  for (const area of openOnes(areas)) {
    const { probe } = area;
    jobs.add(area.jobs ?? []);
    jobs.onHeartbeat((processes) => area.onHeartbeat?.(processes));
    if (probe !== undefined) health.watch(probe.id, () => probe.ask());
  }
}

function transportParts(platform: OpenPlatform, areas: OpenAreas): Parameters<typeof openTransport>[1] {
  const { wallet, mandates, cabinet, tasks, discovery } = areas;
  const { agents } = wallet;
  const offer = OFFERS[platform.config.services];
  return {
    operations: boundOperations(areas, platform),
    leftOut: offer.leftOut,
    mcpPlaces: offer.mcpPlaces,
    tools: boundTools(areas, platform),
    coordination: areas.connect.coordination,
    rowTools: offer.rowTools,
    judges: contributed(areas, ({ keyJudge }) => keyJudge && [keyJudge]),
    redirects: Object.assign({}, ...contributed(areas, ({ redirects }) => redirects && [redirects])),
    pagePaths: contributed(areas, ({ pagePaths }) => pagePaths),
    missingPaths: contributed(areas, ({ missingPaths }) => missingPaths),
    agents,
    mandates: mandates.mandates,
    sessions: cabinet.sessions,
    freeTriesOf: (request, nowMs) => tasks.freeTriesOf(request, nowMs),
    note(call, agentKey) {
      discovery.figures.count(call);
      cabinet.calls.note(agents.agentOfKey(agentKey), call);
    },
  };
}

/** Resolves with the address where callers reach it. */
async function listen(platform: OpenPlatform, { server }: Transport): Promise<string> {
  const { host, port } = platform.config;
  const taken = await server.listen(host, port);
  const listening = `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
  platform.listenAt(listening);
  return listening;
}

/** First come the callers, unless one needs the chain. */
function openChainSoon({ payments }: OpenPlatform, stack: AsyncDisposableStack): Promise<void> {
  const soon = Promise.withResolvers<void>();
  const timer = setTimeout(soon.resolve, CHAIN_AFTER_MS);
  stack.defer(() => clearTimeout(timer));
  void soon.promise.then(() => payments.testMoney?.opened()).catch(() => undefined);
  return soon.promise;
}

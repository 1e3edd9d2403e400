// One case: a fresh cluster and two services, callers that go on whatever happens, and everything checked afterwards.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { clients, nothingTold } from '../chaos/clients.ts';
import { Load } from '../chaos/load.ts';
import { Inspector } from '../chaos/log-kills.ts';
import { introduce } from '../chaos/mixed-load.ts';
import { crowd, replayLive, type Send, watchedSend } from '../support/load.ts';
import { seededRandom } from '../support/random.ts';
import { checkAfterwards, sumOf } from './afterwards.ts';
import { CASES, type Case, type CaseName } from './cases.ts';
import { Laboratory } from './laboratory.ts';
import { seconds, type ServiceFigures } from './meter.ts';
import { type Api, DatabaseNodes } from './patroni.ts';
import { Pauses } from './pauses.ts';
import { Probe, type ProbeFigures } from './probe.ts';
import { startProxy } from './proxy.ts';
import { type ServiceNode, startServices } from './services.ts';

export interface ExperimentOptions {
  readonly name: CaseName;
  /** How long callers go on at least. */
  readonly seconds: number;
  readonly seed: number;
  readonly api: Api;
  /** Whether answered writes can be lost with this Patroni and this API. */
  readonly isUnsafe: boolean;
}

export interface ClusterReport {
  readonly case: CaseName;
  readonly seed: number;
  readonly seconds: number;
  readonly api: Api;
  readonly is_unsafe: boolean;
  readonly load_average: readonly [number, number];
  /** How often the lead changed. */
  readonly changes: number;
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly pauses_s: Readonly<Record<string, number>>;
  readonly services: readonly ServiceFigures[];
  readonly probe: ProbeFigures;
  readonly entries: number;
  readonly checkpoints: number;
  readonly violations: readonly string[];
}

/** Callers of leases on both services together. */
const CALLERS = 6;
const HOT_KEYS = 3;
/** The machine also has to run the cluster. */
const PACE_MS = 25;
const LEAD_MS = 5_000;
const KINDS = ['seal', 'mandate verify', 'execute', 'mcp create_task'] as const;
const QUICK_KINDS = ['seal', 'execute'] as const;
const SOME = 3;

export async function experiment({ name, seed, isUnsafe, ...options }: ExperimentOptions): Promise<ClusterReport> {
  const say = teller(name);
  const loadBefore = loadavg()[0] as number;
  const { strike, isFirstIdle = false, usesProxy = false }: Case = CASES[name];
  await using stack = new AsyncDisposableStack();
  const laboratory = stack.use(await Laboratory.open());
  const nodes = await DatabaseNodes.start(laboratory, options.api);
  say('the cluster runs');
  const proxyUrl = usesProxy ? await startProxy(laboratory, nodes) : undefined;
  const databaseUrl = proxyUrl ?? nodes.url();
  const services = await startServices(laboratory, databaseUrl);
  say('the services run');
  stack.defer(() => services.forEach((service) => service.close()));

  const told = nothingTold();
  const loads = services.map((service) => new Load(() => service.call));
  const [firstLoad, secondLoad] = loads as [Load, Load];
  const inspector = await Inspector.start({ call: secondLoad.read }, told.journal);
  const parties = await introduce(services[1].env(databaseUrl), secondLoad, inspector.vkeys);
  const sources = loads.map((load, n) => clients(load, told, parties, seededRandom(seed + n), `s${n + 1}-`));
  const agents = crowd({ seed, callers: CALLERS, hotKeys: HOT_KEYS, doesEverything: true });
  const sends = services.map((service) => watchedSend(agents.journal, sendTo(service)));
  const probe = new Probe(services, told.journal, agents.journal, sends[1] as Send);
  const timeline = await nodes.timeline();

  const busy = isFirstIdle ? [1] : [0, 1];
  const busyLoads = busy.map((n) => loads[n] as Load);
  for (const n of busy) {
    const { seal, verify, execute, tool } = sources[n] as (typeof sources)[number];
    loads[n]?.start([seal, seal, verify, execute, tool]);
  }
  const running = agents.start(...busy.map((n) => sends[n] as Send));
  probe.start();
  await Promise.all([...busyLoads.map((load) => load.more(KINDS, 1)), agents.journal.moreAnswers(SOME)]);
  const startedMs = performance.now();
  const endMs = startedMs + 1_000 * options.seconds;
  await sleep(LEAD_MS);
  say('the fault begins');

  const pauses = new Pauses();
  const sealOnFirst = () => firstLoad.complete((sources[0] as (typeof sources)[number]).seal(), Infinity);
  const found: string[] = [];
  await strike({ laboratory, nodes, services, probe, pauses, isUnsafe, endMs, sealOnFirst }).catch((error: Error) =>
    found.push(`the case did not come to its end: ${error.message}`),
  );
  say('the fault is over');
  await sleep(Math.max(0, endMs - performance.now()));
  if (found.length === 0 && !isUnsafe) await Promise.all(busyLoads.map((load) => load.more(QUICK_KINDS, SOME)));
  await Promise.all([...loads.map((load) => load.stop()), running.stop(), probe.stop()]);
  if (found.length === 0 && !isUnsafe) await replayLive(agents.journal, sends[1] as Send);
  say('the callers have ended');
  const ranSeconds = seconds(performance.now() - startedMs);
  const figures = services.map(({ name: service, meter }) => meter.figures(service));
  const late = services.flatMap(({ name: service, meter }) => meter.violations(service));

  const [standby] = await nodes.primaryLast();
  const restartUrl =
    proxyUrl ??
    nodes.url([standby, ...nodes.machines.filter((machine) => machine !== standby)].filter((one) => one !== undefined));
  const primaryUrl = nodes.url([await nodes.primary()]);
  const after = {
    services,
    loads,
    told,
    journal: agents.journal,
    inspector,
    parties,
    databaseUrl: restartUrl,
    primaryUrl,
  };
  found.push(...(await checkAfterwards(after)));
  say('everything is checked');
  const errors = loads.flatMap(({ otherErrors }) => otherErrors.map((error) => `wrong answer: ${error}`));
  return {
    case: name,
    seed,
    seconds: ranSeconds,
    api: options.api,
    is_unsafe: isUnsafe,
    load_average: [loadBefore, loadavg()[0] as number],
    changes: (await nodes.timeline()) - timeline,
    acknowledged: {
      ...Object.fromEntries(sumOf(loads)),
      crossing: agents.journal.acknowledged.length + agents.journal.marks.length,
    },
    pauses_s: pauses.figures,
    services: figures,
    probe: probe.figures,
    entries: inspector.size,
    checkpoints: told.journal.checkpoints.size,
    violations: [...found, ...errors, ...late, ...pauses.violations, ...probe.violations()],
  };
}

/** Calls of one service, at a pace that leaves the machine time for the cluster. */
function sendTo(service: ServiceNode): Send {
  return async (path, body) => {
    await sleep(PACE_MS);
    return service.call(path, { method: 'POST', body });
  };
}

/** What happens meanwhile, for who watches. */
function teller(name: string): (what: string) => void {
  const startedMs = performance.now();
  return (what) => console.error(`${name}, ${Math.round((performance.now() - startedMs) / 1_000)} s: ${what}`);
}

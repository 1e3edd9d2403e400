// One case: a fresh cluster and two services, callers that go on whatever happens, and everything checked afterwards.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessHung } from '../support/until.ts';
import { checkAfterwards, sumOf } from './afterwards.ts';
import { Callers } from './callers.ts';
import { CASES, type Case, type CaseName } from './cases.ts';
import { Laboratory, type Machine } from './laboratory.ts';
import { seconds, type ServiceFigures } from './meter.ts';
import { type Api, DatabaseNodes } from './patroni.ts';
import { Pauses } from './pauses.ts';
import type { ProbeFigures } from './probe.ts';
import { startProxy } from './proxy.ts';
import { startServices, type Writer } from './services.ts';

export interface ExperimentOptions {
  readonly name: CaseName;
  /** How long callers go on at least. */
  readonly seconds: number;
  readonly seed: number;
  readonly writer: Writer;
  readonly api: Api;
  /** Whether answered writes can be lost with this Patroni and this API. */
  readonly isUnsafe: boolean;
  /** Where the logs of the daemons are kept. */
  readonly logs: string | undefined;
}

export interface ClusterReport {
  readonly case: CaseName;
  readonly seed: number;
  readonly seconds: number;
  readonly writer: Writer;
  /** How often each fault came, where one followed another. */
  readonly faults: Readonly<Record<string, number>>;
  readonly api: Api;
  readonly is_unsafe: boolean;
  readonly load_average: readonly [number, number];
  /** How often the lead changed. */
  readonly changes: number;
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly pauses_s: Readonly<Record<string, number>>;
  readonly write_p50_ms: Readonly<Record<string, number>>;
  readonly services: readonly ServiceFigures[];
  readonly probe: ProbeFigures;
  readonly entries: number;
  readonly checkpoints: number;
  /** Lost, doubled, forked or stale, or a wrong answer: never, however slow the machine is. */
  readonly violations: readonly string[];
  /** What took longer than promised; on a busy machine that may be the machine. */
  readonly late: readonly string[];
}

const LEAD_MS = 5_000;
/** Longer than a round of all faults. */
const HUNG_MS = 900_000;
const SHOWN = 50;

type Say = (what: string) => void;

export async function experiment(options: ExperimentOptions): Promise<ClusterReport> {
  const { name, seed, writer, api, isUnsafe } = options;
  const say = teller(name);
  const loadBefore = loadavg()[0] as number;
  const { strike, isFirstIdle = false, usesProxy = false }: Case = CASES[name];
  await using stack = new AsyncDisposableStack();
  const laboratory = stack.use(await Laboratory.open());
  if (options.logs !== undefined) stack.defer(() => laboratory.keepLogs(join(options.logs ?? '', name)));
  const nodes = await DatabaseNodes.start(laboratory, api);
  say('the cluster runs');
  const proxyUrl = usesProxy ? await startProxy(laboratory) : undefined;
  const services = await startServices(laboratory, proxyUrl ?? nodes.url(), writer);
  stack.defer(() => services.forEach((service) => service.close()));
  say('the services run');
  const callers = await Callers.introduce(services, proxyUrl ?? nodes.url(), seed);
  const timeline = await nodes.timeline();

  await callers.start(isFirstIdle);
  const startedMs = performance.now();
  const endMs = startedMs + 1_000 * options.seconds;
  await sleep(LEAD_MS);
  say('the fault begins');
  const pauses = new Pauses();
  const found: string[] = [];
  const { probe, sealOnFirst } = callers;
  const faults: Record<string, number> = {};
  const struck = (fault: string) => {
    faults[fault] = (faults[fault] ?? 0) + 1;
    say(`${fault} is over`);
  };
  const over = strike({ laboratory, nodes, services, probe, pauses, isUnsafe, seed, endMs, struck, sealOnFirst });
  const hungMs = 1_000 * options.seconds + HUNG_MS;
  await unlessHung('the end of the case', over, hungMs).catch((error: Error) => found.push(error.message));
  say('the fault is over');
  await sleep(Math.max(0, endMs - performance.now()));
  await callers.stop(found.length === 0 && !isUnsafe);
  const ranSeconds = seconds(performance.now() - startedMs);
  const figures = services.map(({ name: service, meter }) => meter.figures(service));
  const late = services.flatMap(({ name: service, meter }) => meter.late(service));
  found.push(...services.flatMap(({ name: service, meter }) => meter.violations(service)));
  say('the callers have ended');

  const [standby, ...rest] = (await nodes.primaryLast()) as [Machine, ...Machine[]];
  const databaseUrl = proxyUrl ?? nodes.url([standby, ...rest]);
  const primaryUrl = nodes.url([await nodes.primary()]);
  found.push(...(await checkAfterwards({ callers, services, databaseUrl, primaryUrl, say })));
  say('everything is checked');
  const { loads, journal, told, inspector } = callers;
  return {
    case: name,
    seed,
    seconds: ranSeconds,
    writer,
    faults,
    api,
    is_unsafe: isUnsafe,
    load_average: [loadBefore, loadavg()[0] as number],
    changes: (await nodes.timeline()) - timeline,
    acknowledged: {
      ...Object.fromEntries(sumOf(loads)),
      crossing: journal.acknowledged.length + journal.marks.length,
    },
    pauses_s: pauses.figures,
    write_p50_ms: pauses.writeMs,
    services: figures,
    probe: probe.figures,
    entries: inspector.size,
    checkpoints: told.journal.checkpoints.size,
    violations: shortened([...found, ...callers.wrongAnswers, ...probe.violations()]),
    late: [...late, ...pauses.late],
  };
}

function shortened(violations: readonly string[]): string[] {
  const more = violations.length - SHOWN;
  return more > 0 ? [...violations.slice(0, SHOWN), `and ${more} more violations`] : [...violations];
}

/** What happens meanwhile, for who watches. */
function teller(name: string): Say {
  const startedMs = performance.now();
  return (what) => console.error(`${name}, ${Math.round((performance.now() - startedMs) / 1_000)} s: ${what}`);
}

// The cases: what happens to the machines while the callers go on.
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../support/random.ts';
import { until } from '../support/until.ts';
import { freeze, moveAway, partition } from './faults.ts';
import type { Laboratory } from './laboratory.ts';
import type { DatabaseNodes } from './patroni.ts';
import type { Pauses } from './pauses.ts';
import type { Probe } from './probe.ts';
import type { ServiceNode } from './services.ts';

/** Beyond the time after which a leader that says nothing has lost its place. */
const FAILOVER_SECONDS = 10;
const STANDBY_SECONDS = 10;
const SWITCHOVER_SECONDS = 5;

const PARTITION_MS = 55_000;
const FORK_MS = 40_000;
const FREEZE_MS = 30_000;
const UNSAFE_ROUNDS = 6;
const LED_BY_ANOTHER_MS = 10_000;
const STANDBY_MS = 20_000;
const AFTER_UNSAFE_MS = 15_000;
/** How long a path is late where that is one fault among others. */
const LATE_MS = 20_000;
/** So often each fault comes at least where one follows another. */
const LEAST_ROUNDS = 2;
const LATE_PATH = { delayMs: 100, lossPercent: 5 };

export interface Stage {
  readonly laboratory: Laboratory;
  readonly nodes: DatabaseNodes;
  /** The first may be cut off, the second is always on the side of the majority. */
  readonly services: readonly [ServiceNode, ServiceNode];
  readonly probe: Probe;
  readonly pauses: Pauses;
  readonly isUnsafe: boolean;
  /** Decides the order where one fault follows another. */
  readonly seed: number;
  readonly endMs: number;
  /** Counts a fault that is over. */
  readonly struck: (fault: string) => void;
  /** Sends one seal to the first service, again and again until it is answered. */
  sealOnFirst(): Promise<void>;
}

export interface Case {
  readonly strike: (stage: Stage) => Promise<void>;
  /** No callers on the first service. */
  readonly isFirstIdle?: boolean;
  readonly usesProxy?: boolean;
}

export const CASES = {
  kill: { strike: kill },
  partition: { strike: cutOffPrimary },
  alone: { strike: cutOffService },
  standby: { strike: cutOffStandby },
  freeze: { strike: freezePrimary },
  latency: { strike: slowDown },
  rolling: { strike: roll },
  fork: { strike: tryToFork, isFirstIdle: true },
  proxy: { strike: kill, usesProxy: true },
  mixed: { strike: oneAfterAnother },
} as const satisfies Record<string, Case>;
export type CaseName = keyof typeof CASES;
export const CASE_NAMES = Object.keys(CASES) as readonly CaseName[];

async function failoverSeconds(nodes: DatabaseNodes): Promise<number> {
  return (await nodes.ttlSeconds()) + FAILOVER_SECONDS;
}

/** Every process on the machine of the primary ends at once. */
async function kill({ laboratory, nodes, services, pauses }: Stage): Promise<void> {
  const maxSeconds = await failoverSeconds(nodes);
  const victim = await nodes.primary();
  await pauses.during('kill', { services, maxSeconds }, async () => {
    await laboratory.signal(victim, 'SIGKILL');
    await nodes.untilAnotherLeads(victim);
  });
  nodes.startNode(victim);
  await nodes.untilHealthy();
}

/** The primary and the first service on one side, everything else on the other. */
async function cutOff({ laboratory, nodes, services: [first, second] }: Stage) {
  const primary = await nodes.primary();
  const others = [...nodes.machines.filter((machine) => machine !== primary), second.machine];
  return { primary, fault: await partition(laboratory, [primary, first.machine], others) };
}

async function cutOffPrimary(stage: Stage): Promise<void> {
  const { nodes, services, pauses } = stage;
  const maxSeconds = await failoverSeconds(nodes);
  const [first, second] = services;
  const healAtMs = performance.now() + PARTITION_MS;
  let fault: Awaited<ReturnType<typeof cutOff>> | undefined;
  await pauses.during('partition', { services: [second], maxSeconds }, async () => {
    fault = await cutOff(stage);
    await nodes.untilAnotherLeads(fault.primary);
  });
  await sleep(Math.max(0, healAtMs - performance.now()));
  await pauses.during('after the heal', { services: [second], maxSeconds }, async () => {
    await pauses.until('back after the heal', first, maxSeconds, async () => fault?.fault.heal());
    await nodes.untilHealthy();
  });
}

/** Every server swallows what the first service sends. */
async function cutOffService({ laboratory, nodes, services, pauses }: Stage): Promise<void> {
  const maxSeconds = await failoverSeconds(nodes);
  const [first, second] = services;
  const healAtMs = performance.now() + PARTITION_MS;
  const fault = await partition(laboratory, [first.machine], [...nodes.machines, second.machine]);
  await sleep(Math.max(0, healAtMs - performance.now()));
  await pauses.until('back after the heal', first, maxSeconds, () => fault.heal());
}

async function cutOffStandby({ laboratory, nodes, services, pauses }: Stage): Promise<void> {
  const standby = await nodes.synchronousStandby();
  const rest = nodes.machines.filter((machine) => machine !== standby);
  const others = [...rest, ...services.map(({ machine }) => machine)];
  const healAtMs = performance.now() + STANDBY_MS;
  const limit = { services, maxSeconds: STANDBY_SECONDS };
  let fault: Awaited<ReturnType<typeof partition>> | undefined;
  await pauses.during('standby cut off', limit, async () => {
    fault = await partition(laboratory, [standby], others);
    await until('another synchronous standby', async () => (await nodes.synchronousStandby(rest)) !== standby);
  });
  await sleep(Math.max(0, healAtMs - performance.now()));
  await pauses.during('after the heal', limit, async () => {
    await fault?.heal();
    await nodes.untilHealthy();
  });
}

/** A machine that stands still and goes on as if nothing had been. */
async function freezePrimary(stage: Stage): Promise<void> {
  if (stage.isUnsafe) return freezeUntilLost(stage);
  const { laboratory, nodes, services, pauses } = stage;
  const primary = await nodes.primary();
  const thawAtMs = performance.now() + FREEZE_MS;
  let fault: Awaited<ReturnType<typeof freeze>> | undefined;
  const limit = { services, maxSeconds: await failoverSeconds(nodes) };
  await pauses.during('freeze', limit, async () => {
    fault = await freeze(laboratory, primary);
    await nodes.untilAnotherLeads(primary);
  });
  await sleep(Math.max(0, thawAtMs - performance.now()));
  await pauses.during('after the thaw', limit, async () => {
    await fault?.heal();
    await nodes.untilHealthy();
  });
}

/** Whether the one that was frozen takes the lead back hangs on where it stood still: it is frozen until it does. */
async function freezeUntilLost({ laboratory, nodes }: Stage): Promise<void> {
  for (let round = 0; round < UNSAFE_ROUNDS; round += 1) {
    const primary = await nodes.primary();
    const fault = await freeze(laboratory, primary);
    await nodes.untilAnotherLeads(primary);
    await sleep(LED_BY_ANOTHER_MS);
    await fault.heal();
    await sleep(AFTER_UNSAFE_MS);
    if ((await nodes.primary()) === primary) return;
    await nodes.untilHealthy();
  }
}

/** The first service is far from the database. */
async function slowDown({ laboratory, nodes, services, pauses, endMs }: Stage): Promise<void> {
  const [first] = services;
  const fault = await moveAway(laboratory, first.machine, nodes.machines, LATE_PATH);
  await pauses.during('far away', { services }, () => sleep(Math.max(0, endMs - performance.now())));
  await pauses.during('near again', { services }, () => fault.heal());
}

/** As an operator upgrades: standbys first, then the lead is handed over; then each machine is stopped and started. */
async function roll({ nodes, services, pauses }: Stage): Promise<void> {
  const maxSeconds = await failoverSeconds(nodes);
  const [one, other] = await nodes.primaryLast();
  for (const standby of [one, other]) {
    if (standby === undefined) continue;
    await pauses.during(`restart of ${standby.name}`, { services, maxSeconds: STANDBY_SECONDS }, async () => {
      await nodes.restart(standby);
      await nodes.untilHealthy();
    });
  }
  await pauses.during('switchover', { services, maxSeconds: SWITCHOVER_SECONDS }, async () => {
    await nodes.switchOver();
    await nodes.untilHealthy();
  });
  for (const machine of nodes.machines) {
    await pauses.during(`stop of ${machine.name}`, { services, maxSeconds }, async () => {
      await nodes.stopNode(machine);
      await nodes.primary();
    });
    nodes.startNode(machine);
    await nodes.untilHealthy();
  }
}

/** One seal on the wrong side of a partition, and a lease that is released on the right one. */
async function tryToFork(stage: Stage): Promise<void> {
  const { nodes, services, pauses, probe } = stage;
  const maxSeconds = await failoverSeconds(nodes);
  const [first, second] = services;
  const lease = await probe.claim();
  const healAtMs = performance.now() + FORK_MS;
  let fault: Awaited<ReturnType<typeof cutOff>> | undefined;
  let sealed: Promise<void> | undefined;
  await pauses.during('partition', { services: [second], maxSeconds }, async () => {
    fault = await cutOff(stage);
    sealed = stage.sealOnFirst();
    await nodes.untilAnotherLeads(fault.primary);
  });
  if (lease !== undefined) await probe.release(lease);
  await sleep(Math.max(0, healAtMs - performance.now()));
  await fault?.fault.heal();
  await sealed;
  await pauses.during('after the heal', { services: [second], maxSeconds }, async () => {
    const size = await sizeOf(second);
    await until('the head of both services', async () => ((await sizeOf(first)) ?? 0) >= (size ?? Infinity));
    await nodes.untilHealthy();
  });
}

/** The faults that a cluster in use can be given at any time. */
const FAULTS: Readonly<Record<string, Case['strike']>> = {
  kill,
  partition: cutOffPrimary,
  alone: cutOffService,
  standby: cutOffStandby,
  freeze: freezePrimary,
  latency: slowDown,
  rolling: roll,
};

/** Every fault on one cluster that must live with what the ones before have left, each time in another order. */
async function oneAfterAnother(stage: Stage): Promise<void> {
  const random = seededRandom(stage.seed);
  for (let round = 0; round < LEAST_ROUNDS || performance.now() < stage.endMs; round += 1) {
    for (const name of shuffled(Object.keys(FAULTS), random)) {
      await FAULTS[name]?.({ ...stage, endMs: performance.now() + LATE_MS });
      await stage.nodes.untilHealthy();
      stage.struck(name);
    }
  }
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

async function sizeOf(service: ServiceNode): Promise<number | undefined> {
  const answer = await service.call('/api/astralock/sth');
  return answer?.status === 200 ? Number(answer.json['tree_size']) : undefined;
}

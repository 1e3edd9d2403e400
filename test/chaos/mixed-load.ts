// Mixed load on three processes and one database, all of which are killed and restarted meanwhile; then the books are read.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { DataLock } from '#platform/storage/data-lock.ts';
import { openFoundation } from '../../src/platform/foundation.ts';
import { CHAIN_FOLDER, publishChainUrl } from '../../src/sandbox/chain-place.ts';
import { startSandboxChain } from '../../src/sandbox/chain/sandbox-chain.ts';
import { SandboxMoney } from '../../src/sandbox/chain/sandbox-money.ts';
import { Backups } from './backup.ts';
import { checkAll } from './checks.ts';
import { clients, nothingTold, type Parties, type Told } from './clients.ts';
import { type Call, Load } from './load.ts';
import { ChildService } from '../support/child-service.ts';
import { Client } from '../support/client.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv } from '../support/service.ts';
import { Fleet } from './kills.ts';
import { type Journal } from '../support/journal.ts';
import { crowd, replayLive, watchedSend } from '../support/load.ts';
import { seededRandom } from '../support/random.ts';
import { PROCESSES_HUNG_MS, until } from '../support/until.ts';
import { Inspector } from './log-kills.ts';
import { mandateBody } from '../support/mandates.ts';
import { type PostgresCluster, type Standby, startPostgres } from '../support/postgres.ts';
import { fund, OWNER } from '../support/wallet.ts';

export type Phase = 'kills' | 'restarts' | 'rolling' | 'failover' | 'backup' | 'upgrade';

export interface ChaosOptions {
  readonly phase: Phase;
  readonly seconds: number;
  readonly seed: number;
  readonly kills: number;
  readonly databaseRestarts: number;
  readonly processes?: number;
  /** The checkout of an earlier release, whose processes are replaced by those of this one. */
  readonly from?: string;
  /** Services in this process beside them: they cost less and are not killed. */
  readonly servicesHere?: number;
  /** Clients of each kind. */
  readonly clientsOfEach?: number;
}

export interface ChaosReport {
  readonly phase: Phase;
  readonly seed: number;
  readonly seconds: number;
  readonly calls: Readonly<Record<string, number>>;
  readonly acknowledged: Readonly<Record<string, number>>;
  /** 503 with Retry-After by request and code, and calls whose key is still at work. */
  readonly unavailable: Readonly<Record<string, number>>;
  /** Calls without an answer. */
  readonly cut: Readonly<Record<string, number>>;
  readonly other_errors: readonly string[];
  readonly checkpoints: number;
  readonly entries: number;
  readonly kills: number;
  /** Starts that met a database that was down. */
  readonly failed_starts: number;
  readonly database_restarts: number;
  readonly rolls: number;
  readonly backups: number;
  /** Of a killed process: from its start until it listens. */
  readonly ready_ms: { readonly p50: number; readonly max: number };
  /** From the moment the database is up again, or the primary is gone, to the next acknowledged write. */
  readonly recovery_ms: { readonly p50: number; readonly max: number };
  readonly violations: readonly string[];
}

/** Nothing that a client could notice is done. */
const UNHARMED: readonly Phase[] = ['rolling', 'backup', 'upgrade'];
const PROCESSES = 3;
const KILL_EVERY_MS = 2_000;
const LOOK_EVERY_MS = 10_000;
const START_AGAIN_MS = 1_000;
/** Longer than any process may keep what it has begun. */
const AHEAD_MS = 130_000;
/** What a process had begun that is gone is taken over at once by one whose clock is ahead. */
export const CLOCK_AHEAD = { now: () => Date.now() + AHEAD_MS, monotonicMs: () => performance.now() };
export const FUNDED_MICRO = 10_000_000_000;
const TOP_UPS = 5;
const TOP_UP_MICRO = 100_000_000;
const BUYER_ATOMIC = 1_000_000_000n;
const CLIENTS_OF_EACH = 3;
const CAPS = [20_000, 2_000_000, 20_000_000];
/** What the clients are answered; only the last is paid, and only after a challenge. */
const UNPAID_KINDS = ['seal', 'mandate verify', 'execute', 'mcp create_task'] as const;
const KINDS = [...UNPAID_KINDS, 'pay'] as const;
/** What is soon answered again after a strike. */
const QUICK_KINDS = ['seal', 'execute'] as const;
const SOME = 3;

interface Stage {
  readonly cluster: PostgresCluster;
  readonly standby: Standby | undefined;
  readonly dataDir: string;
  readonly env: Record<string, string>;
  /** The server that takes writes at the end. */
  readonly lastUrl: string;
  readonly money: SandboxMoney;
}

/** Database, chain and data directory, which go with the stack. */
async function setStage(phase: Phase, stack: AsyncDisposableStack): Promise<Stage | undefined> {
  const dataDir = stack.adopt(await temporaryDirectory(), (path) => rm(path, { recursive: true, force: true }));
  const cluster = await startPostgres();
  if (cluster === undefined) return undefined;
  stack.defer(() => cluster.stop());
  const url = await cluster.createDatabase();
  const standby = phase === 'failover' ? await cluster.addStandby() : undefined;
  if (phase === 'failover' && standby === undefined) return undefined;
  stack.defer(async () => standby?.stop());
  const databaseUrl = standby?.url(new URL(url).pathname.slice(1)) ?? url;
  // The chain outlives the processes: this one is the first on the data directory, so none of them runs it.
  stack.use(DataLock.take(dataDir, 'process-1', process.pid));
  const directory = join(dataDir, CHAIN_FOLDER);
  const chain = stack.use(await startSandboxChain({ directory }));
  stack.use(publishChainUrl(directory, chain.rpcUrl));
  const env = serviceEnv(dataDir, databaseUrl, { AVOUCH_EVENT_DAYS: '0', AVOUCH_LOG_LEVEL: 'info' });
  const lastUrl = databaseUrl.replace(/@[^/]*,/, '@');
  return { cluster, standby, dataDir, env, lastUrl, money: new SandboxMoney(chain.rpcUrl) };
}

/** Undefined where there is no PostgreSQL, or for a failover none that can be copied. */
export async function chaos(options: ChaosOptions): Promise<ChaosReport | undefined> {
  const { phase, seconds, seed, ...strikes } = options;
  const { processes = PROCESSES, servicesHere = 0, clientsOfEach = CLIENTS_OF_EACH } = options;
  await using stack = new AsyncDisposableStack();
  const stage = await setStage(phase, stack);
  if (stage === undefined) return undefined;
  const { env, money, dataDir, lastUrl: databaseUrl } = stage;
  const told = nothingTold();
  await money.mint(told.buyer.address, BUYER_ATOMIC);
  const random = seededRandom(seed);
  const program = options.from === undefined ? [] : [join(options.from, 'bin/avouch.mjs'), 'serve'];
  const target = phase === 'rolling' ? await Workers.start(env) : new Fleet(env, random, program);
  stack.defer(() => target.kill());
  if (target instanceof Fleet) {
    for (let n = 0; n < processes; n += 1) await target.start();
    for (let n = 0; n < servicesHere; n += 1) await target.startHere({ opensSettlement: true });
  }
  let call: Call = target.call;
  const load = new Load(() => call);
  const inspector = await Inspector.start({ call: load.read }, told.journal);
  const parties = await introduce(load, inspector.vkeys);
  const fundedMicro = await (phase === 'upgrade' ? topUp(load, parties) : fundDirectly(env, parties));
  const agents = crowd({ seed, callers: 2 * clientsOfEach, hotKeys: clientsOfEach, doesEverything: true });
  const send = watchedSend(agents.journal, (path, body) => call(path, { method: 'POST', body }));

  const { pay, ...unpaid } = clients(load, told, parties, seededRandom(seed + 1));
  // An earlier release looks for the chain elsewhere.
  const isPaid = phase !== 'upgrade';
  const sources = isPaid ? { ...unpaid, pay } : unpaid;
  load.start(Object.values(sources).flatMap((source) => Array<typeof source>(clientsOfEach).fill(source)));
  const running = agents.start(send);
  await Promise.all([load.more(isPaid ? KINDS : UNPAID_KINDS, 1), agents.journal.moreAnswers(SOME)]);
  if (!UNHARMED.includes(phase)) load.expectDead();
  const endMs = performance.now() + 1_000 * seconds;
  const looking = lookOn(inspector, endMs);
  const backups = phase === 'backup' ? new Backups({ dataDir, databaseUrl }, join(dataDir, 'backups')) : undefined;
  const [struck] = await Promise.all([
    strike(target, { ...stage, ...strikes, load, endMs, upgrades: options.from === undefined ? 0 : processes }),
    backups?.makeUntil(endMs),
  ]);
  await load.more(QUICK_KINDS, SOME);
  await Promise.all([load.stop(), running.stop(), looking]);
  await replayLive(agents.journal, send);
  await target.stop();

  const last = new Fleet(env, random);
  stack.defer(() => last.kill());
  await last.startHere({ clock: CLOCK_AHEAD, opensSettlement: true });
  call = last.call;
  await load.finish();
  await payAgain(told, load);
  await inspector.lookAtAll(true);
  await last.stop();
  const config = readConfig({ ...env, DATABASE_URL: databaseUrl });
  await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
  const movedAtomic = BUYER_ATOMIC - (await money.balance(told.buyer.address));
  const found = await checkAll(told, load, agents.journal, {
    store: foundation.store,
    dataDir,
    databaseUrl,
    fundedMicro,
    movedAtomic,
    parties,
  });
  if (backups !== undefined) found.push(...(await backups.restored(await stage.cluster.createDatabase(), told)));
  const answers = answersOf(load, agents.journal);
  return {
    phase,
    seed,
    seconds,
    ...answers,
    ...struck,
    backups: backups?.made ?? 0,
    other_errors: load.otherErrors,
    checkpoints: told.journal.checkpoints.size,
    entries: inspector.size,
    ready_ms: spread(target instanceof Fleet ? target.readyMs : []),
    violations: [...found, ...failuresOf(phase, answers)],
  };
}

/** The chaos as a test. */
export async function testChaos(t: TestContext, options: ChaosOptions): Promise<void> {
  const report = await chaos(options);
  if (report === undefined) return t.skip('no PostgreSQL here that can do this');
  t.diagnostic(JSON.stringify(report));
  assert.deepEqual([report.violations, report.other_errors], [[], []]);
  assert.deepEqual([report.kills, report.database_restarts], [options.kills, options.databaseRestarts]);
  for (const kind of ['crossing', ...KINDS]) {
    assert.ok((report.acknowledged[kind] ?? 0) > 0, `nothing of ${kind} was answered`);
  }
}

type Answers = Pick<ChaosReport, 'calls' | 'acknowledged' | 'unavailable' | 'cut'>;

function answersOf(load: Load, { counts, acknowledged, marks }: Journal): Answers {
  const all = counts.values().reduce((sum, count) => sum + count, 0);
  return {
    calls: { ...Object.fromEntries(load.calls), crossing: all },
    acknowledged: { ...Object.fromEntries(load.acknowledged), crossing: acknowledged.length + marks.length },
    unavailable: { ...Object.fromEntries(load.unavailable), ...named(counts, (name) => name.startsWith('503')) },
    cut: { ...Object.fromEntries(load.cut), ...named(counts, (name) => name === 'none') },
  };
}

function failuresOf(phase: Phase, { unavailable, cut }: Answers): string[] {
  if (!UNHARMED.includes(phase)) return [];
  return Object.entries({ ...unavailable, ...cut }).map(([what, count]) => `${count} calls failed: ${what}`);
}

/** An agent with money, a platform and mandates. */
export async function introduce(load: Load, vkeys: readonly string[]): Promise<Parties> {
  const make = async (path: string, body: Record<string, unknown>) => {
    const answer = await load.read(path, { method: 'POST', body });
    assert.ok(answer?.status === 201, answer?.text ?? 'no answer');
    return answer.json as Record<string, string>;
  };
  const agent = await make('/api/agents/register', OWNER);
  const platform = { name: 'Chaos', mcp_url: 'https://chaos.example', contact: 'https://chaos.example' };
  const { api_key: platformKey = '' } = await make('/api/amh/register', platform);
  const mandates: string[] = [];
  for (const max_commit_cents of CAPS) {
    const made = await make('/api/amh/mandate', mandateBody(Date.now(), { max_commit_cents }));
    mandates.push(String(made['mandate_id']));
  }
  return {
    agentId: String(agent['agent_id']),
    agentKey: String(agent['agent_key']),
    platformKey,
    mandates,
    vkeys,
  };
}

export async function fundDirectly(env: Record<string, string>, { agentId }: Parties): Promise<number> {
  const config = readConfig(env);
  await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
  await fund(foundation.store, agentId, FUNDED_MICRO);
  return FUNDED_MICRO;
}

/** By cards of the sandbox: what opens the database itself would bring its schema up to date. */
async function topUp(load: Load, { agentKey }: Parties): Promise<number> {
  const headers = { 'x-agent-key': agentKey };
  for (let n = 0; n < TOP_UPS; n += 1) {
    const asked = await load.read('/api/agents/wallet/topup', { method: 'POST', body: { tier: 'fleet' }, headers });
    const { pathname } = new URL(String(asked?.json['checkout_url']));
    await load.read(`${pathname}/pay`, { method: 'POST', body: {} });
  }
  const fundedMicro = TOP_UPS * TOP_UP_MICRO;
  await until('the money of all cards', async () => {
    const wallet = await load.read('/api/agents/wallet', { headers });
    return Number(wallet?.json['posted_eur']) * 1_000_000 >= fundedMicro;
  });
  return fundedMicro;
}

async function lookOn(inspector: Inspector, endMs: number): Promise<void> {
  while (performance.now() < endMs) {
    await inspector.lookOn();
    await sleep(Math.max(0, Math.min(LOOK_EVERY_MS, endMs - performance.now())));
  }
}

interface Strikes {
  readonly cluster: PostgresCluster;
  readonly standby: Standby | undefined;
  readonly load: Load;
  readonly endMs: number;
  readonly kills: number;
  readonly databaseRestarts: number;
  readonly upgrades: number;
}

type Struck = Pick<ChaosReport, 'kills' | 'failed_starts' | 'database_restarts' | 'rolls' | 'recovery_ms'>;

/** Strikes until the time is over, and longer where what was asked for has not happened yet. */
async function strike(target: Fleet | Workers, strikes: Strikes): Promise<Struck> {
  const { cluster, standby, load, endMs, kills, databaseRestarts, upgrades } = strikes;
  const startedMs = performance.now();
  const recoveryMs: number[] = [];
  const done = { kills: 0, failed_starts: 0, database_restarts: 0, rolls: 0 };
  const pauseUntil = (ms: number) => sleep(Math.max(50, Math.min(ms, endMs) - performance.now()));
  const recovered = async (sinceMs: number) => {
    await until('a write that is acknowledged', () => load.lastAcknowledgedMs > sinceMs, PROCESSES_HUNG_MS);
    recoveryMs.push(load.lastAcknowledgedMs - sinceMs);
  };
  const strikeDatabase = async () => {
    const strikeMs = performance.now();
    // In turn without a checkpoint, as a crash, and in order.
    if (standby !== undefined || done.database_restarts % 2 === 0) await cluster.kill();
    await (standby === undefined ? cluster.restart() : standby.promote());
    done.database_restarts += 1;
    await recovered(standby === undefined ? performance.now() : strikeMs);
  };
  const strikeProcesses = async (fleet: Fleet) => {
    const starts: Promise<void>[] = [];
    const isOver = () => (Number.isFinite(kills) ? done.kills === kills : performance.now() >= endMs);
    while (!isOver()) {
      const nextMs = performance.now() + KILL_EVERY_MS;
      // On a slow machine a start takes longer than the time between kills: one is left to answer.
      if (fleet.size > 1) {
        await fleet.killOne();
        done.kills += 1;
        starts.push(startAgain(fleet, done, done.kills === kills));
      }
      await pauseUntil(nextMs);
    }
    await Promise.all(starts);
  };
  const roll = async (workers: Workers) => {
    for (; performance.now() < endMs; done.rolls += 1) await workers.roll();
  };
  const spreadOut = async (times: number, act: () => Promise<void>) => {
    for (let count = 0; count < times; count += 1) {
      await pauseUntil(startedMs + ((count + 0.5) * (endMs - startedMs)) / times);
      await act();
    }
  };
  const upgrade = async (fleet: Fleet) => {
    await fleet.upgradeOldest();
    done.rolls += 1;
  };
  await Promise.all([
    target instanceof Fleet ? strikeProcesses(target) : roll(target),
    spreadOut(databaseRestarts, strikeDatabase),
    target instanceof Fleet ? spreadOut(upgrades, () => upgrade(target)) : undefined,
  ]);
  await pauseUntil(endMs);
  return { ...done, recovery_ms: spread(recoveryMs) };
}

/** As a supervisor does: a process that meets a database that is down ends, and is started again. */
async function startAgain(fleet: Fleet, done: { failed_starts: number }, isLast: boolean): Promise<void> {
  const hungMs = performance.now() + PROCESSES_HUNG_MS;
  for (;;) {
    try {
      return await (isLast ? fleet.startHere({ opensSettlement: true }) : fleet.start());
    } catch (error) {
      if (performance.now() > hungMs) throw error;
      done.failed_starts += 1;
      await sleep(START_AGAIN_MS);
    }
  }
}

/** Processes on one port that replace each other. */
class Workers {
  readonly #child: ChildService;
  readonly #client = new Client();
  #rolls = 0;

  private constructor(child: ChildService) {
    this.#child = child;
  }

  static async start(env: Record<string, string>): Promise<Workers> {
    return new Workers(await ChildService.start(env, ['serve', '--workers', String(PROCESSES)]));
  }

  readonly call: Call = (path, options) => this.#client.call(this.#child.url, path, options);

  async roll(): Promise<void> {
    this.#child.process.kill('SIGHUP');
    this.#rolls += 1;
    const rolled = () => this.#child.output.stderr.split('"msg":"workers replaced"').length - 1;
    await until('the workers that are replaced', () => rolled() >= this.#rolls, PROCESSES_HUNG_MS);
  }

  async stop(): Promise<void> {
    assert.equal(await this.#child.end('SIGTERM'), 0);
  }

  async kill(): Promise<void> {
    this.#client.close();
    await this.#child.end('SIGTERM');
  }
}

/** Whoever pays with an authorization again gets the body that it bought. */
async function payAgain({ paid, violations }: Told, load: Load): Promise<void> {
  for (const { path, options, text } of paid) {
    const again = await load.read(path, options);
    if (again?.text !== text) violations.push(`${path} has two bodies: ${again?.status} ${again?.text.slice(0, 200)}`);
  }
}

function named(counts: ReadonlyMap<string, number>, isOne: (name: string) => boolean): Record<string, number> {
  const chosen = counts.entries().filter(([name]) => isOne(name));
  return Object.fromEntries(chosen.map(([name, count]) => [`crossing ${name}`, count]));
}

function spread(values: readonly number[]): { p50: number; max: number } {
  const sorted = values.toSorted((a, b) => a - b).map(Math.round);
  return { p50: sorted[Math.ceil(sorted.length / 2) - 1] ?? 0, max: sorted.at(-1) ?? 0 };
}

// Kills the service with SIGKILL under load, again and again, and looks for anything lost or done twice.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setImmediate as turnOfEventLoop, setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { newToken } from '#kernel/ids.ts';
import { verifyTrail } from '#platform/trail/verify.ts';
import { startService } from '../../src/service.ts';
import { readHistory } from '../support/events.ts';
import { type Findings, inspectHistory } from './history.ts';
import { KILL_TARGETS } from './kill-targets.ts';
import { ChildService } from '../support/child-service.ts';
import { type Answer, type CallOptions, Client } from '../support/client.ts';
import { copySqliteTemplate, freshDatabase, PATIENCE } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv } from '../support/service.ts';
import { type Journal } from '../support/journal.ts';
import { type Crowd, crowd, replayLive, type Send, watchedSend } from '../support/load.ts';
import { newSeed, seededRandom } from '../support/random.ts';
import { unlessHung, until } from '../support/until.ts';

/**
 * The engine, and with `-3` three processes of which one is killed while the others go on; with `-forward` the oldest of
 * them, which writes for the others.
 */
export type KillTarget = (typeof KILL_TARGETS)[number];

export interface KillLoopOptions {
  readonly target: KillTarget;
  readonly rounds: number;
  readonly seed: number;
  /** How long leases last that nobody refreshes. */
  readonly ttlSeconds?: number;
  /** After so many rounds the whole history is checked; at the end it always is. */
  readonly checkEvery?: number;
}

export interface KillLoopReport extends Findings {
  readonly target: KillTarget;
  readonly seed: number;
  readonly rounds: number;
  readonly acknowledged: number;
  readonly replayed: number;
  readonly events: number;
  /** Answers by status and code; `none` are the calls that a kill cut off. */
  readonly answers: Readonly<Record<string, number>>;
  /** From the start of the process to the line that says it listens. */
  readonly readyMs: { readonly p50: number; readonly max: number };
}

const ANSWERS_BEFORE_A_KILL = [40, 160] as const;
const STARTING_PAUSE_MS = 25;
/** The longest lease there is: on a slow machine others are over before the process is back. */
const LONG_TTL_SECONDS = 3_600;

export async function killLoop(options: KillLoopOptions): Promise<KillLoopReport> {
  const { target, rounds, seed, ttlSeconds, checkEvery = 250 } = options;
  const { dataDir, databaseUrl } = await placeFor(target);
  const settings = { AVOUCH_EVENT_DAYS: '0', ...settingsOf(target) };
  const env = serviceEnv(dataDir, databaseUrl, settings);
  const fleet = new Fleet(env, seededRandom(seed), [], target === 'postgres-forward');
  const agents = crowd({ seed, ...(ttlSeconds !== undefined && { ttlSeconds }) });
  const inspect = () => inspectAll(agents.journal, dataDir, databaseUrl);
  try {
    for (let started = 0; started < processesOf(target); started += 1) await fleet.start();
    await holdOne(agents.journal, fleet.send);
    let replayed = 0;
    let round = 0;
    while (round < rounds) {
      round += 1;
      replayed += await killOnce(fleet, agents, round === rounds);
      if (round % checkEvery === 0 && countOf(await inspect()) > 0) break;
    }
    await fleet.stop();
    const found = await inspect();
    const { acknowledged, counts } = agents.journal;
    const readyMs = { p50: percentile(fleet.readyMs, 0.5), max: percentile(fleet.readyMs, 1) };
    const figures = { acknowledged: acknowledged.length, replayed, answers: Object.fromEntries(counts), readyMs };
    return { target, seed, rounds: round, ...figures, ...found };
  } finally {
    await fleet.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export function settingsOf(target: KillTarget): Record<string, string> {
  return { AVOUCH_WRITER: target === 'postgres-forward' ? 'forward' : 'direct' };
}

export function processesOf(target: KillTarget): number {
  return target === 'postgres-3' || target === 'postgres-forward' ? 3 : 1;
}

/** The loop as a test. */
export async function testKillLoop(t: TestContext, options: Omit<KillLoopOptions, 'seed'>): Promise<void> {
  const seed = newSeed();
  const { lost, duplicated, violations, ...report } = await killLoop({
    ...options,
    seed,
    ttlSeconds: LONG_TTL_SECONDS,
  });
  t.diagnostic(JSON.stringify(report));
  assert.deepEqual({ lost, duplicated, violations }, { lost: [], duplicated: [], violations: [] }, `seed ${seed}`);
  assert.equal(report.rounds, options.rounds);
  assert.ok(report.replayed > 0 && report.events > options.rounds, `seed ${seed} made too little load`);
  assert.ok((report.answers['none'] ?? 0) >= options.rounds, `seed ${seed}: a kill cut no call off`);
}

/** A directory and a database for the processes, which go when the test file does. */
export async function placeFor(target: KillTarget): Promise<{ dataDir: string; databaseUrl: string | undefined }> {
  const dataDir = await temporaryDirectory();
  if (target === 'sqlite') await copySqliteTemplate(dataDir);
  return { dataDir, databaseUrl: await freshDatabase(target === 'sqlite' ? 'sqlite' : 'postgres') };
}

/** A lease that nobody ends, whatever the callers wish: there is always one to be claimed again. */
async function holdOne(journal: Journal, send: Send): Promise<void> {
  const asked = { agent: 'bystander', token: newToken() };
  const answer = await send('/v1/claim', { ...asked, key: 'held', mode: 'exclusive', ttl: LONG_TTL_SECONDS });
  assert.ok(answer?.status === 200, answer?.text ?? 'no answer');
  journal.granted('claim', asked, answer);
}

/** One round: load, a kill in the middle of it, the restart, and every held lease claimed again. */
async function killOnce(fleet: Fleet, agents: Crowd, isLast: boolean): Promise<number> {
  const send = watchedSend(agents.journal, fleet.send);
  let isOver = false;
  const load = agents.run(send, () => isOver || fleet.isEmpty);
  try {
    await agents.journal.moreAnswers(anyBetween(ANSWERS_BEFORE_A_KILL, fleet.random));
    await fleet.killOne();
    await (isLast ? fleet.startHere() : fleet.start());
  } finally {
    isOver = true;
  }
  await load;
  return replayLive(agents.journal, send);
}

/** Kills come after so many answers, not after a time: on a busy machine nobody would have reached the service yet. */
export function anyBetween([fewest, most]: readonly [number, number], random: () => number): number {
  return fewest + Math.floor(random() * (most - fewest));
}

/** Everything that can be told from outside: the events, the journal, the chain of the audit trail. */
async function inspectAll(
  journal: Journal,
  dataDir: string,
  databaseUrl: string | undefined,
): Promise<Findings & { events: number }> {
  const history = await readHistory(dataDir, databaseUrl);
  const { lost, duplicated, violations } = inspectHistory(history, journal.acknowledged, journal.denied);
  const { faults } = await verifyTrail(join(dataDir, 'trail'));
  const trail = faults.map(({ file, line, detail }) => `audit trail, ${file} line ${line}: ${detail}`);
  return {
    events: history.events.length,
    lost: [...journal.lost, ...lost],
    duplicated,
    violations: [...journal.wrong, ...violations, ...trail],
  };
}

function countOf({ lost, duplicated, violations }: Findings): number {
  return lost.length + duplicated.length + violations.length;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
}

type ServiceOptions = Parameters<typeof startService>[0];

/** A process, or a service in this one. */
interface Member {
  readonly url: string;
  readonly process?: ChildProcess;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** The processes on one set of data, as many as were started and not yet killed. */
export class Fleet {
  readonly readyMs: number[] = [];
  readonly random: () => number;
  readonly #env: Record<string, string>;
  readonly #client = new Client();
  readonly #program: readonly string[];
  readonly #frozen = new Set<Member>();
  readonly #underWay = new CallsUnderWay();
  #running: Member[] = [];
  #isStarting = false;

  readonly #killsOldest: boolean;

  /** @param program what each process runs, where it is not `serve` */
  constructor(
    env: Record<string, string>,
    random: () => number,
    program: readonly string[] = [],
    killsOldest: boolean = false,
  ) {
    this.#killsOldest = killsOldest;
    this.#env = env;
    this.random = random;
    this.#program = program;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  get size(): number {
    return this.#running.length;
  }

  async start(program = this.#program): Promise<void> {
    this.#isStarting = true;
    const [script, ...args] = program;
    const child = await ChildService.start(this.#env, script === undefined ? undefined : args, script);
    this.#isStarting = false;
    this.readyMs.push(child.readyMs);
    this.#running.push(child);
  }

  /** Starts a service in this process, for the last of all that nobody kills: it costs a tenth of a process. */
  async startHere(options: Pick<ServiceOptions, 'clock' | 'opensSettlement'> = {}): Promise<void> {
    this.#isStarting = true;
    const config = readConfig(this.#env);
    const service = await startService({ config, secrets: readSecrets(config), patience: PATIENCE, ...options });
    this.#isStarting = false;
    const end = async () => {
      await service[Symbol.asyncDispose]();
      return 0;
    };
    this.#running.push({ url: service.listening, end });
  }

  /** Calls any process that runs; undefined when none does. */
  readonly call = async (path: string, options?: CallOptions): Promise<Answer | undefined> => {
    const child = this.#running[Math.floor(this.random() * this.#running.length)];
    if (child === undefined) return undefined;
    // The others go on, but at a pace that leaves the starting process its share of the machine.
    if (this.#isStarting) await sleep(STARTING_PAUSE_MS);
    const answer = await this.#underWay.count(child, () => this.#client.call(child.url, path, options));
    return isTooSlow(answer) ? undefined : answer;
  };

  readonly send: Send = (path, body) => this.call(path, { method: 'POST', body });

  /** Kills one process at whatever it does; at least one call to it gets no answer, so callers must not stop. */
  async killOne(): Promise<void> {
    const victim = this.#anyProcess();
    if (victim === undefined) return;
    victim.process?.kill('SIGSTOP');
    await until('the process stands still', () => standsStill(victim.process));
    await unlessHung('a call to the process that is killed', this.#underWay.atLeastOne(victim));
    this.#running = this.#running.filter((child) => child !== victim);
    await victim.end('SIGKILL');
  }

  /** As an upgrade does: a process of this checkout begins, then the oldest is asked nothing more and ends in order. */
  async upgradeOldest(): Promise<void> {
    await this.start([]);
    const [oldest, ...others] = this.#running;
    this.#running = others;
    const code = await oldest?.end('SIGTERM');
    if (code !== 0) throw new Error(`exit code ${code} after SIGTERM`);
  }

  /** Stops one process where it stands and lets it go on after the time; nothing new is sent to it meanwhile. */
  async freezeOne(ms: number): Promise<void> {
    const child = this.#anyProcess();
    if (child === undefined) return;
    this.#running = this.#running.filter((one) => one !== child);
    this.#frozen.add(child);
    child.process?.kill('SIGSTOP');
    await sleep(ms);
    child.process?.kill('SIGCONT');
    this.#frozen.delete(child);
    this.#running.push(child);
  }

  #anyProcess(): Member | undefined {
    const processes = this.#running.filter((member) => member.process !== undefined);
    return processes[this.#killsOldest ? 0 : Math.floor(this.random() * processes.length)];
  }

  /** Ends all processes in order, when what is under way has its answer: a payment may wait as long as a stop may take. */
  async stop(): Promise<void> {
    await unlessHung('the answers under way', this.#underWay.none());
    const codes = await Promise.all(this.#running.map((child) => child.end('SIGTERM')));
    this.#running = [];
    if (codes.some((code) => code !== 0)) throw new Error(`exit codes ${codes.join(', ')} after SIGTERM`);
  }

  async kill(): Promise<void> {
    this.#client.close();
    await Promise.all([...this.#running.splice(0), ...this.#frozen].map((child) => child.end('SIGKILL')));
  }
}

/** A signal only asks: on a busy machine the process may go on for a moment, and answer. */
async function standsStill(process: ChildProcess | undefined): Promise<boolean> {
  const stat = await readFile(`/proc/${process?.pid}/stat`, 'utf8').catch(() => ') T');
  return /\) [TZ]/.test(stat);
}

/** On a machine that is busy enough a caller misses the time that the server gives it to send its request. */
function isTooSlow({ status, json }: Answer): boolean {
  return status === 400 && json?.['code'] === 'malformed_request';
}

/** How many calls to each process have no answer yet. */
class CallsUnderWay {
  readonly #count = new Map<Member, number>();
  readonly #waiting = new Map<Member, () => void>();
  readonly #all = new Set<Promise<unknown>>();

  count<T>(child: Member, call: () => Promise<T>): Promise<T> {
    const change = (by: number) => this.#count.set(child, (this.#count.get(child) ?? 0) + by);
    change(1);
    this.#waiting.get(child)?.();
    const answer = call();
    const ended = answer.then(
      () => change(-1),
      () => change(-1),
    );
    this.#all.add(ended);
    void ended.then(() => this.#all.delete(ended));
    return answer;
  }

  /** Resolves when every call has ended. */
  async none(): Promise<void> {
    await Promise.all(this.#all);
  }

  /** Resolves when a call is under way to a process that stands still. */
  async atLeastOne(child: Member): Promise<void> {
    // What it has answered lies in the buffers of our sockets: two turns of the event loop read it.
    await turnOfEventLoop();
    await turnOfEventLoop();
    if ((this.#count.get(child) ?? 0) > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(child, resolve);
    await promise;
  }
}

/** What the commands that kill in a loop take: --rounds, --engine and --seed. */
export function killLoopArguments(): { targets: readonly KillTarget[]; rounds: number; seed: number } {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '100' },
      engine: { type: 'string', default: 'all' },
      seed: { type: 'string', default: String(newSeed()) },
    },
  });
  const [rounds, seed] = [wholeNumber('rounds', values.rounds), wholeNumber('seed', values.seed)];
  return { targets: targetsOf(values.engine), rounds, seed };
}

function targetsOf(engine: string): readonly KillTarget[] {
  if (engine === 'all') return KILL_TARGETS;
  const found = KILL_TARGETS.filter((target) => target === engine);
  if (found.length === 0) throw new Error(`--engine is one of ${KILL_TARGETS.join(', ')}, all`);
  return found;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} is a whole number`);
  return Number(text);
}

// The callers of the two services, each bound to one of them, and what they were told.
import { setTimeout as sleep } from 'node:timers/promises';
import { clients, nothingTold, type Parties, type Told } from '../chaos/clients.ts';
import { type Call, Load } from '../chaos/load.ts';
import { Inspector } from '../chaos/log-kills.ts';
import { fundDirectly, introduce } from '../chaos/mixed-load.ts';
import type { Journal } from '../support/journal.ts';
import { type Crowd, crowd, replayLive, type Send, watchedSend } from '../support/load.ts';
import { seededRandom } from '../support/random.ts';
import { Probe } from './probe.ts';
import type { ServiceNode } from './services.ts';

/** Callers of leases on both services together. */
const CALLERS = 6;
const HOT_KEYS = 3;
/** The machine also has to run the cluster. */
const PACE_MS = 25;
const KINDS = ['seal', 'mandate verify', 'execute', 'mcp create_task'] as const;
const QUICK_KINDS = ['seal', 'execute'] as const;
const SOME = 3;
/** A seal that is not answered by then is sent again when the case is over. */
const SEAL_MS = 120_000;

type Pair<T> = readonly [T, T];
type Sources = ReturnType<typeof clients>;

export class Callers {
  readonly told: Told;
  readonly journal: Journal;
  readonly loads: Pair<Load>;
  /** From now on all calls go there. */
  readonly answerBy: (call: Call) => void;
  readonly inspector: Inspector;
  readonly parties: Parties;
  readonly probe: Probe;
  readonly #sources: Pair<Sources>;
  readonly #sends: Pair<Send>;
  readonly #crowd: Crowd;
  #busy: readonly Load[] = [];
  #running: ReturnType<Crowd['start']> | undefined;

  private constructor(
    services: Pair<ServiceNode>,
    seed: number,
    known: Pick<Callers, 'told' | 'loads' | 'answerBy' | 'inspector' | 'parties'>,
  ) {
    const { told, loads, answerBy, inspector, parties } = known;
    this.told = told;
    this.loads = loads;
    this.answerBy = answerBy;
    this.inspector = inspector;
    this.parties = parties;
    const sourcesOf = (load: Load, group: string) => clients(load, told, parties, seededRandom(seed), group);
    this.#sources = [sourcesOf(loads[0], 's1-'), sourcesOf(loads[1], 's2-')];
    this.#crowd = crowd({ seed, callers: CALLERS, hotKeys: HOT_KEYS, doesEverything: true });
    this.journal = this.#crowd.journal;
    const sendTo = (service: ServiceNode) => watchedSend(this.journal, paced(service));
    this.#sends = [sendTo(services[0]), sendTo(services[1])];
    this.probe = new Probe(services, told.journal, this.journal, this.#sends[1]);
  }

  /** An agent with money, a platform and mandates, through the service that is never cut off. */
  static async introduce(services: Pair<ServiceNode>, databaseUrl: string, seed: number): Promise<Callers> {
    const [first, second] = services;
    const told = nothingTold();
    const calls: [Call, Call] = [first.call, second.call];
    const loads = [new Load(() => calls[0]), new Load(() => calls[1])] as const;
    const answerBy = (call: Call) => calls.fill(call);
    const inspector = await Inspector.start({ call: loads[1].read }, told.journal);
    const parties = await introduce(loads[1], inspector.vkeys);
    await fundDirectly(second.env(databaseUrl), parties);
    return new Callers(services, seed, { told, loads, answerBy, inspector, parties });
  }

  /** Answers that nobody should get. */
  get wrongAnswers(): string[] {
    return this.loads.flatMap(({ otherErrors }) => otherErrors.map((error) => `wrong answer: ${error}`));
  }

  /** Resolves when each kind of call was answered. */
  async start(isFirstIdle: boolean): Promise<void> {
    const busy = isFirstIdle ? ([1] as const) : ([0, 1] as const);
    this.#busy = busy.map((n) => this.loads[n]);
    for (const n of busy) {
      const { seal, verify, execute, tool } = this.#sources[n];
      this.loads[n].start([seal, seal, verify, execute, tool]);
    }
    this.#running = this.#crowd.start(...busy.map((n) => this.#sends[n]));
    this.probe.start();
    await Promise.all([...this.#busy.map((load) => load.more(KINDS, 1)), this.journal.moreAnswers(SOME)]);
  }

  /** Sends one seal to the first service until it is answered. */
  readonly sealOnFirst = (): Promise<void> =>
    this.loads[0].complete(this.#sources[0].seal(), performance.now() + SEAL_MS);

  /** @param isSound writes are answered, and every lease that is held is claimed again */
  async stop(isSound: boolean): Promise<void> {
    if (isSound) await Promise.all(this.#busy.map((load) => load.more(QUICK_KINDS, SOME)));
    await Promise.all([...this.loads.map((load) => load.stop()), this.#running?.stop(), this.probe.stop()]);
    if (isSound) await replayLive(this.journal, this.#sends[1]);
  }
}

/** Calls of one service, at a pace that leaves the machine time for the cluster. */
function paced(service: ServiceNode): Send {
  return async (path, body) => {
    await sleep(PACE_MS);
    return service.call(path, { method: 'POST', body });
  };
}

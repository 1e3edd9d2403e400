// Asks every service all the time for what must never be old: the signed checkpoint, the newest ledger page, and leases.
import { setTimeout as sleep } from 'node:timers/promises';
import { newToken } from '#kernel/ids.ts';
import type { LogJournal } from '../chaos/log-journal.ts';
import type { Answer } from '../support/client.ts';
import type { Held, Journal } from '../support/journal.ts';
import type { Send } from '../support/load.ts';
import type { ServiceNode } from './services.ts';

const EVERY_MS = 150;
const PAUSE_MS = 250;
/** A lease that nobody lets expire during a run. */
const LEASE_SECONDS = 3_600;
const SHOWN = 3;

type State = 'held' | 'releasing' | 'released';

interface WatchedLease {
  readonly held: Held;
  state: State;
}

export interface ProbeFigures {
  readonly asked: number;
  readonly answered: number;
  readonly stale_heads: number;
  readonly stale_fences: number;
  readonly released_but_current: number;
}

/** One for all services: what one of them has answered binds the others. */
export class Probe {
  readonly #services: readonly ServiceNode[];
  readonly #log: LogJournal;
  readonly #journal: Journal;
  readonly #send: Send;
  readonly #leases: WatchedLease[] = [];
  readonly #wrong: string[] = [];
  readonly #count = { asked: 0, answered: 0, stale_heads: 0, stale_fences: 0, released_but_current: 0, refused: 0 };
  readonly #largest = { sth: 0, ledger: 0 };
  #keys = 0;
  #isOver = false;
  #running: Promise<void>[] = [];

  /** @param send goes to the service that keeps its database, and claims and releases the leases that are asked for */
  constructor(services: readonly ServiceNode[], log: LogJournal, journal: Journal, send: Send) {
    this.#services = services;
    this.#log = log;
    this.#journal = journal;
    this.#send = send;
  }

  start(): void {
    const asked = this.#services.flatMap((service) => [
      this.#repeat(() => this.#askHead(service)),
      this.#repeat(() => this.#askLedger(service)),
      this.#repeat(() => this.#askFence(service)),
    ]);
    this.#running = [...asked, this.#repeat(() => this.#takeTurns())];
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  get figures(): ProbeFigures {
    const { refused: _refused, ...figures } = this.#count;
    return figures;
  }

  /** Sentences, the first few of each kind. */
  violations(): string[] {
    return this.#wrong;
  }

  /** Claims a lease that is asked for from now on; undefined when the run is over first. */
  async claim(): Promise<WatchedLease | undefined> {
    const asked = { agent: 'probe', token: newToken() };
    const body = { ...asked, key: `probe ${(this.#keys += 1)}`, mode: 'exclusive', ttl: LEASE_SECONDS };
    const answer = await this.#untilAnswered('/v1/claim', body);
    if (answer === undefined) return undefined;
    const lease: WatchedLease = { held: this.#journal.granted('claim', asked, answer), state: 'held' };
    this.#leases.push(lease);
    return lease;
  }

  async release(lease: WatchedLease): Promise<void> {
    const { held } = lease;
    lease.state = 'releasing';
    this.#journal.releasing(held);
    const answer = await this.#untilAnswered('/v1/release', { lease: held.lease, token: held.token });
    if (answer === undefined) return;
    this.#journal.released(held, answer);
    lease.state = 'released';
  }

  async #takeTurns(): Promise<void> {
    const lease = await this.claim();
    await sleep(PAUSE_MS);
    if (lease === undefined) return;
    await this.release(lease);
    await sleep(PAUSE_MS);
    this.#leases.splice(this.#leases.indexOf(lease), 1);
  }

  async #untilAnswered(path: string, body: Record<string, unknown>): Promise<Answer | undefined> {
    for (;;) {
      const answer = await this.#send(path, body);
      if (answer?.status === 200) return answer;
      if (this.#isOver) return undefined;
      await sleep(PAUSE_MS);
    }
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      const nextMs = performance.now() + EVERY_MS;
      await work();
      await sleep(Math.max(0, nextMs - performance.now()));
    }
  }

  async #askHead(service: ServiceNode): Promise<void> {
    await this.#askSize(service, 'sth', '/api/astralock/sth');
  }

  async #askLedger(service: ServiceNode): Promise<void> {
    const from = Math.max(0, this.#largest.ledger - 2);
    await this.#askSize(service, 'ledger', `/api/attest/ledger?from_seq=${from}&limit=8`);
  }

  /** An answer may not be older than one that any service gave before it was asked for. */
  async #askSize(service: ServiceNode, what: 'sth' | 'ledger', path: string): Promise<void> {
    const before = this.#largest[what];
    const answer = await this.#ask(service, path);
    if (answer === undefined) return;
    const size = this.#log.answered(String(answer.json['checkpoint']));
    this.#largest[what] = Math.max(this.#largest[what], size);
    if (size < before)
      this.#note('stale_heads', `${service.name} answered ${what} of ${size} after ${before} was answered`);
  }

  async #askFence(service: ServiceNode): Promise<void> {
    for (const lease of [...this.#leases]) {
      const { key, fence } = lease.held;
      const before = lease.state;
      const answer = await this.#ask(service, `/v1/fence?key=${encodeURIComponent(key)}&fence=${fence}`);
      const current = answer?.json['current'];
      const told = `${service.name} answered ${answer?.text} of a lease`;
      if (before === 'released' && current === true) this.#note('released_but_current', `${told} that was released`);
      if (lease.state === 'held' && current === false) this.#note('stale_fences', `${told} that is held`);
    }
  }

  /** Undefined for a refusal that says when to come again, and for one that is noted. */
  async #ask(service: ServiceNode, path: string): Promise<Answer | undefined> {
    this.#count.asked += 1;
    const answer = await service.call(path);
    if (answer === undefined) return undefined;
    if (answer.status === 200) {
      this.#count.answered += 1;
      return answer;
    }
    const isUnavailable = answer.status === 503 && Number(answer.headers['retry-after']) > 0;
    if (!isUnavailable || answer.json['code'] === 'log_unsound') {
      this.#note('refused', `${service.name} refused ${path} with ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    return undefined;
  }

  #note(kind: keyof ProbeFigures | 'refused', sentence: string): void {
    this.#count[kind] += 1;
    if (this.#count[kind] <= SHOWN) this.#wrong.push(sentence);
  }
}

// A service with a chain in memory, a clock that is moved by hand and a buyer.
import { rm } from 'node:fs/promises';
import { ManualClock } from '#kernel/clock.ts';
import type { PaymentRecord } from '#platform/payments/payment-record.ts';
import { Buyer, challengeOf, type SignedPayment, type SignOptions } from './buyer.ts';
import { type Answer } from './client.ts';
import { type EngineName } from './databases.ts';
import { temporaryDirectory } from './temporary.ts';
import { TestService, type TestServiceOptions } from './service.ts';
import { MemoryChain, type Transfer } from './memory-chain.ts';
import { REGISTRY_KEY, type SharedService, sharedServiceOn } from './shared-service.ts';
import { until } from './until.ts';

export const AUDIT = '/v1/agent-coordination-audit?system=demo&claim_before_work=yes';
export const OTHER_AUDIT = '/v1/agent-coordination-audit?system=other';
export const START_MS = Date.UTC(2026, 10, 15, 10);

export type PaidOptions = Pick<TestServiceOptions, 'dataDir' | 'databaseUrl' | 'env' | 'registerSimulators'> & {
  readonly engine?: EngineName;
  readonly clock?: ManualClock;
  readonly chain?: MemoryChain;
  readonly buyer?: Buyer;
};

export class PaidService implements AsyncDisposable {
  readonly clock: ManualClock;
  readonly chain: MemoryChain;
  readonly buyer: Buyer;
  readonly #ownsData: boolean;
  #service: TestService;

  private constructor(
    service: TestService,
    parts: Required<Pick<PaidOptions, 'clock' | 'chain' | 'buyer'>>,
    ownsData: boolean,
  ) {
    this.#service = service;
    this.clock = parts.clock;
    this.chain = parts.chain;
    this.buyer = parts.buyer;
    this.#ownsData = ownsData;
  }

  /** A new buyer at the service that this process shares. */
  static async on(engine: EngineName): Promise<PaidService> {
    return PaidService.at(await sharedServiceOn(engine));
  }

  /** A new buyer at a service that somebody else ends. */
  static at({ service, clock, chain }: Pick<SharedService, 'service' | 'clock' | 'chain'>): PaidService {
    return new PaidService(service, { clock, chain, buyer: new Buyer() }, false);
  }

  static async start(options: PaidOptions = {}): Promise<PaidService> {
    const { clock = new ManualClock(START_MS), buyer = new Buyer(), ...rest } = options;
    const chain = options.chain ?? new MemoryChain(() => Math.floor(clock.now() / 1000));
    const dataDir = options.dataDir ?? (await temporaryDirectory());
    const env = { ...REGISTRY_KEY, ...options.env };
    const service = await TestService.start({ ...rest, env, dataDir, clock, settlement: chain });
    return new PaidService(service, { clock, chain, buyer }, options.dataDir === undefined);
  }

  get service(): TestService {
    return this.#service;
  }

  /** Stops it in order and starts it on the same data, which decides at once what is due. */
  async restart(): Promise<void> {
    const { dataDir, databaseUrl } = this.#service;
    await this.#service[Symbol.asyncDispose]();
    this.#service = await TestService.start({ dataDir, databaseUrl, clock: this.clock, settlement: this.chain });
  }

  get nowSeconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  call(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
    return this.#service.call(path, { headers, method });
  }

  /** Signs what an unpaid call asks for. */
  async sign(path: string, options: Partial<SignOptions> = {}, buyer: Buyer = this.buyer): Promise<SignedPayment> {
    return buyer.sign(challengeOf(await this.call(path)), { nowSeconds: this.nowSeconds, ...options });
  }

  pay(path: string, { header }: SignedPayment, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call(path, { 'payment-signature': header, ...headers });
  }

  async buy(path: string, options: Partial<SignOptions> = {}): Promise<Answer> {
    return this.pay(path, await this.sign(path, options));
  }

  /** The states of all rows. */
  async states(): Promise<PaymentRecord['state'][]> {
    const rows = await this.#service.service.store.read('SELECT state FROM payment ORDER BY created_at, id');
    return rows.map((row) => row['state'] as PaymentRecord['state']);
  }

  /** What this buyer has paid. */
  transfers(): Transfer[] {
    return [...this.chain.transfers.values()].filter(({ from }) => from === this.buyer.address);
  }

  /** Repeats a call until background work has brought about this status. */
  async callUntil(status: number, call: () => Promise<Answer>): Promise<Answer> {
    let answer = await call();
    await until(`an answer with ${status}`, async () => {
      if (answer.status === status) return true;
      await this.#service.heartbeat();
      answer = await call();
      return false;
    });
    return answer;
  }

  /** Waits until background work has brought all rows into this state. */
  async until(state: string): Promise<void> {
    await until(`rows that are ${state}`, async () => {
      await this.#service.heartbeat();
      return (await this.states()).every((one) => one === state);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    if (this.#ownsData) await rm(this.#service.dataDir, { recursive: true, force: true });
  }
}

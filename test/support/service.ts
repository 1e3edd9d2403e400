// Boots the real service in this process, on a free port with a temporary data directory.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConfig } from '#platform/config/config.ts';
import { rateSetting } from '#platform/config/env.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import type { Clock } from '#kernel/clock.ts';
import { RATE_CLASSES } from '#kernel/operation.ts';
import type { AskWitness } from '#platform/log/witnessing.ts';
import type { GuardedClientOptions } from '#platform/outbound/guarded-client.ts';
import type { SettlementBackend } from '#platform/payments/settlement.ts';
import type { ServiceOptions } from '#platform/foundation.ts';
import type { SimulatorFigures } from '#platform/registers/open-registers.ts';
import type { GivenModels } from '#platform/simulators.ts';
import { type Service, startService } from '../../src/service.ts';
import { type Answer, type CallOptions, Client } from './client.ts';
import { temporaryDirectory } from './temporary.ts';
import { copySqliteTemplate, dropDatabase, type EngineName, freshDatabase, PATIENCE } from './databases.ts';

export type Env = Record<string, string>;

/** Load and races must not be slowed by limits; tests of the limits set their own figures. */
const HIGH_RATES: Env = Object.fromEntries(RATE_CLASSES.map((name) => [rateSetting(name), '1000000/s,1000000']));

/** Tests of outages set their own figures. */
const PATIENT: SimulatorFigures = { policy: { deadlineMs: 60_000, attemptMs: 60_000 }, listMs: 60_000 };

export interface TestServiceOptions {
  readonly engine?: EngineName;
  readonly clock?: Clock;
  readonly askWitness?: AskWitness;
  readonly env?: Env;
  /** Data of an earlier service, to start on it again; it is then not removed at the end. */
  readonly dataDir?: string;
  readonly databaseUrl?: string | undefined;
  /** Starts the chain too. */
  readonly opensSettlement?: boolean;
  readonly sealsRules?: boolean;
  readonly settlement?: SettlementBackend;
  /** Simulators of registers whose faults the test switches. */
  readonly registerSimulators?: ServiceOptions['registerSimulators'];
  /** A model provider whose faults the test switches. */
  readonly modelSimulator?: GivenModels;
  /** How many times longer than usual it waits for others; without it a busy machine is no outage. */
  readonly patience?: number;
  /** What probes take for public addresses. */
  readonly probing?: GuardedClientOptions['testing'];
}

type Place = Pick<TestService, 'dataDir' | 'databaseUrl' | 'now'>;

interface Owned {
  readonly data: boolean;
  readonly database: boolean;
}

interface Caller {
  readonly client: Client;
  readonly owns?: Owned;
  readonly headers?: Record<string, string>;
}

export class TestService implements AsyncDisposable {
  readonly url: string;
  readonly service: Service;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly #client: Client;
  /** Undefined for a view, which ends nothing. */
  readonly #owns: Owned | undefined;
  readonly #headers: Record<string, string>;

  /** The time that it goes by. */
  readonly now: () => number;

  private constructor(service: Service, place: Place, caller: Caller) {
    this.service = service;
    this.url = service.url;
    this.dataDir = place.dataDir;
    this.databaseUrl = place.databaseUrl;
    this.now = place.now;
    this.#client = caller.client;
    this.#owns = caller.owns;
    this.#headers = caller.headers ?? {};
  }

  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const dataDir = options.dataDir ?? (await temporaryDirectory());
    const databaseUrl = options.databaseUrl ?? (await freshDatabase(options.engine ?? 'sqlite'));
    if (options.dataDir === undefined && databaseUrl === undefined) await copySqliteTemplate(dataDir);
    const config = readConfig(serviceEnv(dataDir, databaseUrl, options.env));
    const { clock, askWitness, settlement, opensSettlement = false, sealsRules = false } = options;
    const { registerSimulators: simulators } = options;
    const given = {
      ...(clock !== undefined && { clock }),
      ...(askWitness !== undefined && { askWitness }),
      ...(settlement !== undefined && { settlement }),
      patience: options.patience ?? PATIENCE,
      registerSimulators: { ...PATIENT, ...simulators, policy: { ...PATIENT.policy, ...simulators?.policy } },
      ...(options.modelSimulator !== undefined && { modelSimulator: options.modelSimulator }),
      ...(options.probing !== undefined && { probing: options.probing }),
    };
    const service = await startService({ config, secrets: readSecrets(config), opensSettlement, sealsRules, ...given });
    const owns = { data: options.dataDir === undefined, database: options.databaseUrl === undefined };
    const now = () => clock?.now() ?? Date.now();
    return new TestService(service, { dataDir, databaseUrl, now }, { client: new Client(), owns });
  }

  /** The same service for a caller of another address, which it must take from the headers of a proxy. */
  from(address: string): TestService {
    return new TestService(this.service, this, { client: this.#client, headers: { 'x-forwarded-for': address } });
  }

  call(path: string, { headers = {}, ...options }: CallOptions = {}): Promise<Answer> {
    return this.#client.call(this.url, path, { ...options, headers: { ...this.#headers, ...headers } });
  }

  /** Does at once what a heartbeat does every few seconds. */
  heartbeat(): Promise<void> {
    return this.service.background.heartbeatNow();
  }

  /** Runs a job with a timer of its own at once, unless another process leads it. */
  async runNow(job: string): Promise<void> {
    await this.heartbeat();
    await this.service.background.runNow(job);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#owns === undefined) return;
    this.#client.close();
    await this.service[Symbol.asyncDispose]();
    // Who brought the directory may start again on what lies in it and in its database.
    if (!this.#owns.data) return;
    await rm(this.dataDir, { recursive: true, force: true });
    if (this.#owns.database && this.databaseUrl !== undefined) await dropDatabase(this.databaseUrl);
  }
}

export function serviceEnv(dataDir: string, databaseUrl: string | undefined, env: Env = {}): Env {
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  // Most tests do from one address what no honest caller does; those of suspension switch it on.
  const quiet = { PORT: '0', AVOUCH_LOG_LEVEL: 'silent', AVOUCH_SUSPENSION: 'off' };
  return { DATA_DIR: dataDir, ...quiet, ...HIGH_RATES, ...database, ...env };
}

/** Holds the write lock of a SQLite service's database, as a hanging second writer would. */
export function lockDatabase(dataDir: string): Disposable {
  const database = new DatabaseSync(join(dataDir, 'avouch.db'));
  database.exec('BEGIN IMMEDIATE');
  return { [Symbol.dispose]: () => database.close() };
}

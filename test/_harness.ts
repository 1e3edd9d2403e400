// Boots the real service, in this process or as a child, on a free port with a temporary data directory.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Problem } from '#areas/discovery/operations.ts';
import { readConfig } from '#config/config.ts';
import { readSecrets } from '#config/secrets.ts';
import { suspended } from '#kernel/api-key.ts';
import type { Clock } from '#kernel/clock.ts';
import type { AskWitness } from '#log/witnessing.ts';
import { RATE_CLASSES } from '#kernel/operation.ts';
import { rateSetting } from '#config/env.ts';
import type { GuardedClientOptions } from '#outbound/guarded-client.ts';
import type { SettlementBackend } from '#payments/settlement.ts';
import { OPERATIONS, promisedProblems } from '../src/operations.ts';
import type { ModelStandInOptions } from '../src/capability-parts.ts';
import type { StandInOptions } from '../src/register-parts.ts';
import { logUnsound, storageUnavailable, streamsFull } from '../src/problems.ts';
import { type Service, startService } from '../src/context.ts';
import { sharedPostgres } from './_postgres.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof ENGINES)[number];
type Env = Record<string, string>;

/** Load and races must not be slowed by limits; tests of the limits set their own figures. */
const HIGH_RATES: Env = Object.fromEntries(RATE_CLASSES.map((name) => [rateSetting(name), '1000000/s,1000000']));

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: Record<string, unknown>;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array | Record<string, unknown>;
}

/** A connection url of a fresh database, or undefined for SQLite. */
export async function freshDatabase(engine: EngineName): Promise<string | undefined> {
  if (engine === 'sqlite') return undefined;
  const server = await sharedPostgres();
  if (server === undefined) throw new Error('no PostgreSQL here; guard the test with hasPostgres()');
  return server.createDatabase();
}

export async function hasPostgres(): Promise<boolean> {
  return (await sharedPostgres()) !== undefined;
}

export async function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'avouch-test-'));
}

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
  /** Stand-ins of registers whose faults the test switches. */
  readonly registerStandIns?: StandInOptions;
  /** A model provider whose faults the test switches. */
  readonly modelStandIn?: ModelStandInOptions;
  /** What probes take for public addresses. */
  readonly probing?: GuardedClientOptions['testing'];
}

export class TestService implements AsyncDisposable {
  readonly url: string;
  readonly service: Service;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly #client = new Client();
  readonly #ownsData: boolean;

  private constructor(service: Service, dataDir: string, databaseUrl: string | undefined, ownsData: boolean) {
    this.service = service;
    this.url = service.url;
    this.dataDir = dataDir;
    this.databaseUrl = databaseUrl;
    this.#ownsData = ownsData;
  }

  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const dataDir = options.dataDir ?? (await temporaryDirectory());
    const databaseUrl = options.databaseUrl ?? (await freshDatabase(options.engine ?? 'sqlite'));
    const config = readConfig(serviceEnv(dataDir, databaseUrl, options.env));
    const { clock, askWitness, settlement, registerStandIns, opensSettlement = false, sealsRules = false } = options;
    const given = {
      ...(clock !== undefined && { clock }),
      ...(askWitness !== undefined && { askWitness }),
      ...(settlement !== undefined && { settlement }),
      ...(registerStandIns !== undefined && { registerStandIns }),
      ...(options.modelStandIn !== undefined && { modelStandIn: options.modelStandIn }),
      ...(options.probing !== undefined && { probing: options.probing }),
    };
    const service = await startService({ config, secrets: readSecrets(config), opensSettlement, sealsRules, ...given });
    return new TestService(service, dataDir, databaseUrl, options.dataDir === undefined);
  }

  call(path: string, options?: CallOptions): Promise<Answer> {
    return this.#client.call(this.url, path, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    await this.service[Symbol.asyncDispose]();
    if (this.#ownsData) await rm(this.dataDir, { recursive: true, force: true });
  }
}

export function serviceEnv(dataDir: string, databaseUrl: string | undefined, env: Env = {}): Env {
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  // Most tests do from one address what no honest caller does; those of suspension switch it on.
  const quiet = { PORT: '0', AVOUCH_LOG_LEVEL: 'silent', AVOUCH_SUSPENSION: 'off' };
  return { DATA_DIR: dataDir, ...quiet, ...HIGH_RATES, ...database, ...env };
}

/** A keep-alive HTTP client that shows exactly what came back. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });

  call(base: string, path: string, { method = 'GET', headers = {}, body }: CallOptions = {}): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
    const bytes = isRaw ? body : JSON.stringify(body);
    const type = isRaw ? {} : { 'content-type': 'application/json' };
    const length = bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) };
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: { ...type, ...length, ...headers } };
      // The path goes out as given: the URL class would tidy what tests send on purpose.
      const { hostname, port } = new URL(base);
      const call = request({ hostname, port, path, ...options }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
        });
      });
      call.on('error', reject);
      call.end(bytes);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined as unknown as Record<string, unknown>;
  }
}

export const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DOOR = join(ROOT, 'bin/avouch.mjs');

/** The service as a process of its own, for kills and signals. */
export class ChildService {
  readonly process: ChildProcess;
  readonly url: string;
  readonly readyMs: number;
  /** What it has written so far. */
  readonly output: Readonly<Output>;

  private constructor(child: ChildProcess, output: Output, url: string, readyMs: number) {
    this.process = child;
    this.output = output;
    this.url = url;
    this.readyMs = readyMs;
  }

  static async start(env: Env, args: readonly string[] = ['serve'], script = DOOR): Promise<ChildService> {
    const startedMs = performance.now();
    const { child, output } = spawnAvouch(args, env, script);
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', () => {
        const found = /listens on (\S+)/.exec(output.stdout)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', (code) => reject(new Error(`exit ${code} before it was ready: ${output.stderr}`)));
    });
    return new ChildService(child, output, url, performance.now() - startedMs);
  }

  /** Ends the process with the signal and gives its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const exited = once(this.process, 'exit');
    this.process.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }
}

interface Output {
  stdout: string;
  stderr: string;
}

function spawnAvouch(args: readonly string[], env: Env, script = DOOR): { child: ChildProcess; output: Output } {
  const path = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (output.stderr += String(chunk)));
  return { child, output };
}

/** Runs one command of the CLI to its end. */
export async function runAvouch(args: readonly string[], env: Env = {}): Promise<Output & { code: number | null }> {
  const { child, output } = spawnAvouch(args, env);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** Collects the statuses that a test file saw of an operation, and names those that its row promises beside them. */
export class PromisedStatuses {
  readonly #operationId: string;
  readonly #seen = new Set<number>();

  constructor(operationId: string) {
    this.#operationId = operationId;
  }

  saw(answer: Answer): Answer {
    this.#seen.add(answer.status);
    return answer;
  }

  missing(): number[] {
    const operation = OPERATIONS.find((row) => row.operationId === this.#operationId);
    if (operation === undefined) throw new Error(`no operation ${this.#operationId}`);
    const { successStatus: success = 200, repeatStatus = success } = operation;
    // Tested for all reads at once: a lost store in database-faults.test.ts, full streams in attest_stream.test.ts.
    // Suspension of every row is in suspension.test.ts.
    const elsewhere: readonly string[] = [storageUnavailable, logUnsound, streamsFull].map(({ code }) => code);
    const problems = promisedProblems(operation).filter(
      (problem) =>
        (operation.effects || !elsewhere.includes(problem.code)) &&
        (problem !== suspended || operation.problems.includes(suspended)),
    );
    const promised = new Set<number>([success, repeatStatus, ...problems.map((problem) => problem.status)]);
    return [...promised.difference(this.#seen)];
  }
}

/** Asserts a problem document with this status and code, and gives its body. */
export function expectProblem(answer: Answer, status: number, code: string): Record<string, unknown> {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['content-type'], 'application/problem+json');
  const body = Problem.parse(answer.json);
  assert.equal(body.code, code, answer.text);
  assert.equal(body.status, status);
  assert.equal(new URL(body.type).pathname, `/problems/${code}`);
  const wait = answer.headers['retry-after'];
  assert.equal(wait, body.retry_after_s === undefined ? undefined : String(body.retry_after_s));
  return body;
}

/** Holds the write lock of a SQLite service's database, as a hanging second writer would. */
export function lockDatabase(dataDir: string): Disposable {
  const database = new DatabaseSync(join(dataDir, 'avouch.db'));
  database.exec('BEGIN IMMEDIATE');
  return { [Symbol.dispose]: () => database.close() };
}

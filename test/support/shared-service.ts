// Services that all files of a process share. Their tests leave each other alone: they use keys and names of their own
// and ask for no totals. Each caller comes from an address of its own.
import { after } from 'node:test';
import { rateSetting } from '#platform/config/env.ts';
import { ManualClock, utcDay } from '#kernel/clock.ts';
import { RATE_CLASSES } from '#kernel/operation.ts';
import { ModelSimulator } from '#sandbox/model-provider/simulator.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import { type EngineName, keepDatabase } from './databases.ts';
import { MemoryChain } from './memory-chain.ts';
import { type Env, TestService, type TestServiceOptions } from './service.ts';

export interface SharedService {
  readonly service: TestService;
  /** Moved on by whoever needs it, never back. */
  readonly clock: ManualClock;
  readonly chain: MemoryChain;
  readonly simulators: RegisterSimulators;
  readonly models: ModelSimulator;
}

/** How many calls of a class a service with small limits takes of one caller. */
export const SMALL_BURST = 8;

/** Without it one public document is not there. */
export const REGISTRY_KEY: Env = { AVOUCH_MCP_REGISTRY_KEY: 'GlzZBxQ8OExB6DDFvOEqqIF+xWSaqr8sMTiLNbLXRNY=' };

/** With which a processor of cards signs its events. */
export const WEBHOOK_SECRET = `whsec_${'a'.repeat(32)}`;

const START_MS = Date.UTC(2026, 10, 15, 10);
const PROXIED: Env = { AVOUCH_TRUSTED_PROXIES: '127.0.0.1', AVOUCH_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET };
const SMALL_LIMITS: Env = Object.fromEntries(RATE_CLASSES.map((name) => [rateSetting(name), `1/min,${SMALL_BURST}`]));
/** Patient with an answer, quick to ask again. */
const POLICY = { deadlineMs: 60_000, attemptMs: 60_000, retries: 1, backoffMs: { base: 1, cap: 2 } };
const ALL_OFF: Env = {
  AVOUCH_REGISTERS: 'off',
  AVOUCH_WALLET_TOPUP: 'off',
  AVOUCH_MAIL: 'off',
  AVOUCH_DATA_INGEST: 'off',
};

const started = new Map<string, Promise<SharedService>>();
/** When the callers of each got their names. */
const days = new Map<string, string>();
const left = new AsyncDisposableStack();
let callers = 0;

// A test file that runs alone has nobody who ends its process; a program starts nothing here.
if (process.send === undefined && /\.(?:test|more)\.ts$/.test(process.argv[1] ?? '')) after(() => left.disposeAsync());

/** The service of this process on that engine, for a new caller. It ends with the process. */
export function sharedServiceOn(engine: EngineName): Promise<SharedService> {
  return forNewCaller(`usual on ${engine}`, { engine, env: REGISTRY_KEY });
}

export async function sharedService(): Promise<TestService> {
  return (await sharedServiceOn('sqlite')).service;
}

/** A service on which no time passes, for a new caller: its log grows by what tests seal, and by nothing else. */
export async function sharedLogOn(engine: EngineName): Promise<TestService> {
  return (await forNewCaller(`still on ${engine}`, { engine })).service;
}

/** A service that has soon had enough of a caller, in every class of calls. */
export function limitedService(): Promise<SharedService> {
  return forNewCaller('small limits', { env: SMALL_LIMITS });
}

/** A service with everything switched off that can be: registers, cards, mail, the reading of open data. */
export function bareService(): Promise<SharedService> {
  return forNewCaller('all off', { env: ALL_OFF });
}

/** A service with a chain of its own, whose money the faucet mints. */
export async function chainService(): Promise<TestService> {
  return (await forNewCaller('own chain', { opensSettlement: true })).service;
}

/** An address that no other caller of this process has. */
export function newAddress(): string {
  callers += 1;
  return `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`;
}

type Options = Pick<TestServiceOptions, 'engine' | 'env' | 'opensSettlement'>;

async function forNewCaller(name: string, options: Options): Promise<SharedService> {
  const running = started.get(name) ?? start(options);
  started.set(name, running);
  const shared = await running;
  // After a day that a test let pass, callers get other names with the next beat: not while somebody counts.
  const day = utcDay(shared.clock.now());
  if (days.get(name) !== day) await shared.service.heartbeat();
  days.set(name, day);
  return { ...shared, service: shared.service.from(newAddress()) };
}

async function start({ env, ...options }: Options): Promise<SharedService> {
  const clock = new ManualClock(START_MS);
  const chain = new MemoryChain(() => Math.floor(clock.now() / 1_000));
  const simulators = await RegisterSimulators.start(() => clock.now());
  const models = await ModelSimulator.start();
  const service = await TestService.start({
    ...options,
    clock,
    env: { ...PROXIED, ...env },
    ...(options.opensSettlement !== true && { settlement: chain }),
    registerSimulators: { simulators, policy: POLICY },
    modelSimulator: { simulator: models },
  });
  if (service.databaseUrl !== undefined) keepDatabase(service.databaseUrl);
  left.defer(() => models[Symbol.asyncDispose]());
  left.defer(() => simulators[Symbol.asyncDispose]());
  left.defer(() => service[Symbol.asyncDispose]());
  return { service, clock, chain, simulators, models };
}

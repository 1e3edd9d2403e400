import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AddressTagger } from '#transport/http/address.ts';
import { HttpServer } from '#transport/http/server.ts';
import { RateLimiter } from '#transport/http/rate-limit.ts';
import { Crossing } from '#areas/crossing/service.ts';
import * as attestation from '#areas/attestation/operations.ts';
import { Attestation } from '#areas/attestation/service.ts';
import * as crossing from '#areas/crossing/operations.ts';
import * as discovery from '#areas/discovery/operations.ts';
import { type Component, Discovery } from '#areas/discovery/service.ts';
import type { Config } from '#config/config.ts';
import type { Secrets } from '#config/secrets.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { newCommandId, sha256Hex } from '#kernel/ids.ts';
import { openApiDocument } from '#kernel/openapi.ts';
import { type BoundOperation, bind, type Operation, RATE_CLASSES, type RateClass } from '#kernel/operation.ts';
import { DayKeys } from '#keys/day-key.ts';
import { KeyRing } from '#keys/key-ring.ts';
import { LogAudit } from '#log/audit.ts';
import { erasureUnit, statementDraft } from '#log/erasure.ts';
import { PublicLog } from '#log/public-log.ts';
import { noRegisters } from '#registers/registers.ts';
import { sampleRegisters } from './sandbox/sample-registers.ts';
import { GroupCommitter } from '#storage/committer.ts';
import { DataLock, LockedError } from '#storage/data-lock.ts';
import type { Engine } from '#storage/engine.ts';
import { loadMigrations, migrate } from '#storage/migrate.ts';
import { retentionUnit } from '#storage/retention.ts';
import { SqliteEngine } from '#storage/sqlite.ts';
import type { Store } from '#storage/store.ts';
import { Trail } from '#trail/trail.ts';
import { Background, type Job } from './background.ts';
import { TrailAnchors } from './trail-anchors.ts';
import { explainStorageFault } from './fault-problems.ts';
import { createLogger, type Logger } from './logger.ts';
import { allProblems, checkTable, OPERATIONS, promisedProblems } from './operations.ts';
import { refuseFields } from './problems.ts';
import { VERSION } from './version.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly secrets: Secrets;
  /** Another clock for tests; it then also replaces the database's. */
  readonly clock?: Clock;
}

const DAY_MS = 86_400_000;
const MAX_PROCESSES = 64;

/** The running service. Disposing it stops accepting, finishes what was accepted and closes in reverse order. */
export interface Service extends AsyncDisposable {
  /** The public address. */
  readonly url: string;
  /** Where it really listens. */
  readonly listening: string;
  readonly store: Store;
}

/** What a command-line tool or the service stands on: the migrated store and the keys that belong to it. */
export interface Foundation extends AsyncDisposable {
  readonly clock: Clock;
  readonly store: GroupCommitter;
  readonly keyRing: KeyRing;
  /** Names the chain of the audit trail that this process continues. */
  readonly processName: string;
  /** Names this start of the process among all, in the store. */
  readonly processId: string;
}

/** Opens store and keys. `owns` takes the data directory for a server; a tool beside it does without. */
export async function openFoundation(options: ServiceOptions, owns: boolean): Promise<Foundation> {
  const { config, secrets } = options;
  const clock = options.clock ?? systemClock();
  await using stack = new AsyncDisposableStack();
  if (!owns && config.databaseUrl === null && !existsSync(join(config.dataDir, 'avouch.db'))) {
    throw new Error(`there is no database in ${config.dataDir}: start the service first, or set DATA_DIR`);
  }
  const processName = owns ? ownDataDir(config, stack) : 'tool';
  const processId = newCommandId();
  const engine = stack.adopt(await openEngine(config, clock, processId), () => {});
  const store = stack.adopt(
    new GroupCommitter({
      engine,
      clock,
      ...(options.clock !== undefined && { injectedClock: options.clock }),
      ...config.commit,
    }),
    (opened) => opened.close(),
  );
  await migrate(engine, [
    ...(await loadMigrations('storage', new URL('./storage/migrations/', import.meta.url))),
    ...(await loadMigrations('keys', new URL('./keys/migrations/', import.meta.url))),
    ...(await loadMigrations('log', new URL('./log/migrations/', import.meta.url))),
    ...(await loadMigrations('attestation', new URL('./areas/attestation/migrations/', import.meta.url))),
    ...(await loadMigrations('crossing', new URL('./areas/crossing/migrations/', import.meta.url))),
  ]);
  const directory = join(config.dataDir, 'keys');
  const keyRing = await KeyRing.open({ store, directory, passphrase: secrets.keyPassphrase?.reveal() });
  const kept = stack.move();
  return { clock, store, keyRing, processName, processId, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config } = options;
  await using stack = new AsyncDisposableStack();
  const foundation = stack.use(await openFoundation(options, true));
  const { clock, store, keyRing, processName, processId } = foundation;
  const logger = createLogger(config.logLevel, clock);
  for (const warning of config.warnings) logger.warn(warning);
  const trail = stack.use(await Trail.open({ dir: join(config.dataDir, 'trail'), process: processName, clock }));
  const sandbox = config.profile === 'sandbox';
  const log = await PublicLog.open({
    store,
    attach: (sequencer) => store.attachLog(sequencer),
    signingKey: keyRing.signingKey('log-checkpoint'),
    newOrigin: newLogOrigin(config),
    sandbox,
  });
  const anchors = new TrailAnchors({ trail, store, clock, sandbox });
  stack.defer(() => anchors.anchor());
  const dayKeys = new DayKeys(store, clock);
  const limiters = makeLimiters(config);
  const areas = new Crossing({ store, clock, sandbox, refuseField: (fault) => refuseFields([fault]) });
  const background = new Background({
    store,
    clock,
    process: processId,
    jobs: backgroundJobs(config, store, clock, areas),
    logger,
    onBeat: async (liveProcesses) => {
      await dayKeys.refresh();
      await anchors.anchorIfDue();
      for (const limiter of limiters.values()) limiter.share(liveProcesses);
    },
  });
  let url = config.baseUrl ?? '';
  const logAudit = new LogAudit(log);
  const seals = new Attestation({
    store,
    log,
    audit: () => logAudit.run(),
    erase: (seq, seedSha256, statement) =>
      store.run(erasureUnit, { seq, seedSha256, sandbox, draft: statementDraft(statement) }),
    clock,
    baseUrl: () => url,
    sandbox,
    observe: (query) => (sandbox ? sampleRegisters : noRegisters).observe(query),
    refuseFields,
  });
  const bound = bindAreas({
    config,
    foundation,
    trail,
    anchors,
    background,
    log,
    crossing: areas,
    seals,
    baseUrl: () => url,
  });
  const tagger = new AddressTagger({ dayKey: (day) => dayKeys.current(day), ...config });
  const server = new HttpServer({
    operations: bound,
    baseUrl: () => url,
    nowMs: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    record: (call) => trail.record(call),
    limiterOf: ({ rate }) => (rate === 'none' ? undefined : limiters.get(rate)),
    tagOf: (request, nowMs) => tagger.tagOf(request, nowMs),
    isTrailFailing: () => trail.failing,
    explainFault: explainStorageFault,
    logFault: faultLogger(logger),
    requestIdPrefix: processId.slice(0, 10),
    maxConnections: config.maxConnections,
  });
  await background.start();
  stack.use(background);
  stack.use(server);
  const port = await server.listen(config.host, config.port);
  const listening = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  if (config.baseUrl === null) url = listening;
  const kept = stack.move();
  return { url, listening, store, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** One server process owns a SQLite data directory; beside PostgreSQL each takes the first free name. */
function ownDataDir(config: Config, stack: AsyncDisposableStack): string {
  if (config.databaseUrl === null) {
    stack.use(DataLock.take(config.dataDir, 'lock', process.pid));
    return 'p1';
  }
  for (let number = 1; ; number += 1) {
    try {
      stack.use(DataLock.take(config.dataDir, `process-${number}`, process.pid));
      return `p${number}`;
    } catch (error) {
      if (!(error instanceof LockedError) || number === MAX_PROCESSES) throw error;
    }
  }
}

async function openEngine(config: Config, clock: Clock, processId: string): Promise<Engine> {
  if (config.databaseUrl === null) return new SqliteEngine(join(config.dataDir, 'avouch.db'), clock);
  // Loaded only when it is used: the embedded form starts without it.
  const { PostgresEngine } = await import('#storage/postgres.ts');
  return PostgresEngine.open({ url: config.databaseUrl.reveal(), process: processId, clock });
}

/** Sandbox logs say so in their name, which every signed checkpoint carries. */
function newLogOrigin(config: Config): string {
  if (config.profile === 'sandbox') return `sandbox.invalid/${sha256Hex(newCommandId()).slice(0, 16)}/astralock`;
  return `${new URL(config.baseUrl ?? '').host}/astralock`;
}

function makeLimiters(config: Config): Map<RateClass, RateLimiter> {
  return new Map(RATE_CLASSES.map((name) => [name, new RateLimiter(name, config.rates[name])]));
}

function backgroundJobs(config: Config, store: Store, clock: Clock, areas: Crossing): Job[] {
  const untilNone = async (portion: () => Promise<number>) => {
    while ((await portion()) > 0);
  };
  const dropOldEvents: Job = {
    name: 'retention',
    everyMs: 60_000,
    run: () => untilNone(() => store.run(retentionUnit, { beforeMs: clock.now() - config.eventDays * DAY_MS })),
  };
  return [
    { name: 'crossing-sweep', everyMs: 30_000, run: () => untilNone(() => areas.sweep()) },
    ...(config.eventDays === 0 ? [] : [dropOldEvents]),
    { name: 'scrub', everyMs: 3_600_000, run: () => store.scrub() },
  ];
}

interface Parts {
  readonly config: Config;
  readonly foundation: Foundation;
  readonly trail: Trail;
  readonly anchors: TrailAnchors;
  readonly background: Background;
  readonly log: PublicLog;
  readonly crossing: Crossing;
  readonly seals: Attestation;
  readonly baseUrl: () => string;
}

/** Binds every row of the table to the service that answers it. */
function bindAreas(parts: Parts): BoundOperation[] {
  checkTable(OPERATIONS);
  const { config, foundation, trail, baseUrl } = parts;
  const { clock, store, keyRing } = foundation;
  const startedAtMs = clock.now();
  const about = new Discovery({
    clock,
    startedAtMs,
    identity: { name: config.serviceName, version: VERSION, sandbox: config.profile === 'sandbox' },
    baseUrl,
    endpoints: OPERATIONS.flatMap(endpointsOf),
    problems: allProblems().map((problem) => ({ ...problem, operations: operationsWith(problem.code) })),
    components: () => components(parts, startedAtMs),
    storage: store.status(),
    linesLost: () => trail.status().linesLost,
    lastAnchorMs: () => parts.anchors.lastAnchorMs(),
    keys: () => keyRing.records(),
    log: { origin: parts.log.origin, vkey: parts.log.vkey },
    openApi: () => openApi(config, baseUrl()),
  });
  const bound = [
    bind(crossing.claim, (input, call) => parts.crossing.claim(input, call)),
    bind(crossing.release, (input) => parts.crossing.release(input)),
    bind(attestation.seal, (input) => parts.seals.seal(input)),
    bind(attestation.erase, (input) => parts.seals.erase(input.attestation_id, input.disclosure_seed)),
    bind(attestation.verify, (input) => parts.seals.verify(input.attestation_id)),
    bind(attestation.ledger, (input) => parts.seals.ledger(input.from_seq, input.limit)),
    bind(attestation.treeHead, (input) => parts.seals.treeHead(input.first)),
    bind(attestation.audit, () => parts.seals.audit()),
    bind(attestation.schemas, () => parts.seals.schemas()),
    bind(attestation.checkpoint, () => parts.seals.checkpoint()),
    bind(attestation.tile, (input) => parts.seals.tile(input.tile)),
    bind(discovery.health, () => about.health()),
    bind(discovery.status, () => about.status()),
    bind(discovery.keyDocument, () => about.keyDocument()),
    bind(discovery.openApi, () => about.openApi()),
    bind(discovery.problemPage, ({ code }) => about.problem(code)),
  ];
  const unbound = OPERATIONS.filter((row) => !bound.some(({ operation }) => operation === row));
  if (unbound.length > 0) throw new Error(`no handler for ${unbound.map((row) => row.operationId).join(', ')}`);
  return bound;
}

function endpointsOf({ method, path, alsoPost }: Operation): { method: string; path: string }[] {
  const methods = [method, ...(alsoPost ? ['post'] : [])];
  return methods.map((name) => ({ method: name.toUpperCase(), path }));
}

function operationsWith(code: string): string[] {
  const rows = OPERATIONS.filter((row) => promisedProblems(row).some((problem) => problem.code === code));
  return rows.map((row) => row.operationId);
}

function components({ foundation, trail, background }: Parts, startedAtMs: number): Component[] {
  const { state, sinceMs } = foundation.store.status();
  const beat = background.lastBeat();
  const up = { status: 'up', sinceMs: startedAtMs, lastCheckMs: null, latencyMs: null, detail: null } as const;
  return [
    { ...up, id: 'http', required: true },
    {
      id: 'storage',
      required: true,
      status: state,
      sinceMs,
      lastCheckMs: beat?.okAtMs ?? null,
      latencyMs: beat === undefined ? null : Math.round(beat.latencyMs * 100) / 100,
      detail: state === 'up' ? null : 'writes cannot be committed',
    },
    { ...up, id: 'signer', required: true },
    {
      ...up,
      id: 'audit_trail',
      required: true,
      ...(trail.failing && { status: 'down', detail: 'calls cannot be recorded, writes are refused' }),
    },
  ];
}

function openApi(config: Config, baseUrl: string): Record<string, unknown> {
  return openApiDocument(
    {
      title: config.serviceName,
      version: '1.1.0',
      description: 'Verification, coordination and attestation for AI agents.',
      contactName: config.operator.name,
      contactUrl: config.operator.contact,
      baseUrl,
      tags: [
        { name: 'crossing', description: 'Leases on shared work' },
        { name: 'attestation', description: 'Seals in a public log that anyone can verify' },
        { name: 'discovery', description: 'What the service is and how it is' },
      ],
    },
    OPERATIONS.map((operation) => ({ operation, problems: promisedProblems(operation) })),
  );
}

function faultLogger(logger: Logger): (requestId: string, operation: string, error: unknown) => void {
  return (requestId, operation, cause) => logger.error('call failed', { request_id: requestId, operation }, cause);
}

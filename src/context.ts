import { join } from 'node:path';
import { Ledger } from '#areas/attestation/ledger.ts';
import { LogReads } from '#areas/attestation/log-reads.ts';
import { Seals } from '#areas/attestation/seals.ts';
import { forgetRejects } from '#areas/attestation/unit.ts';
import { Verifications } from '#areas/attestation/verifications.ts';
import { Crossing } from '#areas/crossing/service.ts';
import type { Config } from '#config/config.ts';
import type { Clock } from '#kernel/clock.ts';
import { RATE_CLASSES, type RateClass } from '#kernel/operation.ts';
import { DayKeys } from '#keys/day-key.ts';
import { checkpointKeys, publishedKeys } from '#keys/key-view.ts';
import { declareKeys, retireDueKeys } from '#keys/rotation.ts';
import { AuditThread } from '#log/audit-thread.ts';
import { erasureUnit, statementDraft } from '#log/erasure.ts';
import { LogAudit } from '#log/log-audit.ts';
import { PublicLog } from '#log/public-log.ts';
import { Publisher } from '#log/publisher.ts';
import { askWitness, type WitnessOutcome } from '#log/witness-client.ts';
import { postToWitness } from '#log/witness-http.ts';
import { Witnessing, type WitnessingOptions, type WitnessQuestion } from '#log/witnessing.ts';
import { mlDsa44Cosigner } from '#protocol/cosignature.ts';
import type { WitnessPolicy } from '#protocol/witness-policy.ts';
import { observedRegisters } from '#registers/registers.ts';
import { retentionUnit } from '#storage/retention.ts';
import type { Store } from '#storage/store.ts';
import { Trail } from '#trail/trail.ts';
import { AddressTagger } from '#transport/http/address.ts';
import { RateLimiter } from '#transport/http/rate-limit.ts';
import { HttpServer } from '#transport/http/server.ts';
import { Background, type Job } from './background.ts';
import { bindAreas } from './bindings.ts';
import { explainFault } from './fault-problems.ts';
import { openFoundation, type ServiceOptions } from './foundation.ts';
import { HighWater, newLogOrigin, requireConfiguredOrigin } from './log-guards.ts';
import { auditJob, tileJob } from './log-jobs.ts';
import { createLogger, type Logger } from './logger.ts';
import { refuseFields } from './problems.ts';
import { openRegisters } from './register-parts.ts';
import { TrailAnchors } from './trail-anchors.ts';
import { readWitnessPolicy } from './witness-policy-file.ts';

const DAY_MS = 86_400_000;

/** The running service. Disposing it stops accepting, finishes what was accepted and closes in reverse order. */
export interface Service extends AsyncDisposable {
  /** The public address. */
  readonly url: string;
  /** Where it really listens. */
  readonly listening: string;
  readonly store: Store;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config } = options;
  const witnesses = readWitnessPolicy(config);
  await using stack = new AsyncDisposableStack();
  const foundation = stack.use(await openFoundation(options, true));
  const { clock, store, keyRing, serverSecret, processName, processId } = foundation;
  const logger = createLogger(config.logLevel, clock);
  for (const warning of config.warnings) logger.warn(warning);
  const hashKey = serverSecret.hasher('register-cache');
  const { set: registers } = stack.use(await openRegisters({ config, clock, logger, hashKey }));
  const trail = stack.use(await Trail.open({ dir: join(config.dataDir, 'trail'), process: processName, clock }));
  const sandbox = config.profile === 'sandbox';
  const highWater = new HighWater(config.dataDir);
  const log = await PublicLog.open({
    store,
    attach: (sequencer) => store.attachLog(sequencer),
    keys: checkpointKeys(keyRing),
    newOrigin: newLogOrigin(config),
    requireOrigin: (origin) => requireConfiguredOrigin(config, origin),
    highWater: highWater.checkpoint,
    sandbox,
  });
  const declaring = { origin: log.origin, sandbox };
  await declareKeys(keyRing, store, { log: declaring, inception: await declaredAtInception(log) });
  const publisher = new Publisher({
    store,
    log,
    clock,
    policy: witnesses?.policy ?? null,
    cosigner: (origin) => mlDsa44Cosigner(origin, keyRing.signingKey('log-cosign')),
  });
  await publisher.publish();
  highWater.raise(log.head());
  const rememberHead = async () => {
    try {
      highWater.raise(await log.follow());
    } catch (error) {
      logger.warn('the newest checkpoint could not be remembered', { cause: (error as Error).message });
    }
  };
  stack.defer(rememberHead);
  const auditThread = stack.use(new AuditThread(foundation.location()));
  const logAudit = new LogAudit({ log, run: (request) => auditThread.run(request) });
  const anchors = new TrailAnchors({ trail, store, clock, sandbox });
  stack.defer(() => anchors.anchor());
  const dayKeys = new DayKeys(store, clock);
  const limiters = makeLimiters(config);
  const areas = new Crossing({ store, clock, sandbox, refuseField: (fault) => refuseFields([fault]) });
  const background = new Background({
    store,
    clock,
    process: processId,
    jobs: [
      ...backgroundJobs(config, store, clock, [
        ['crossing-sweep', () => areas.sweep()],
        ['seal-sweep', () => seals.sweep()],
      ]),
      ...logJobs(options, { store, log, publisher, clock, policy: witnesses?.policy ?? null }),
      {
        name: 'key-retirement',
        everyMs: 60_000,
        run: async () => void (await retireDueKeys(keyRing, store, declaring)),
      },
      tileJob(log),
      auditJob(logAudit, clock, logger),
    ],
    logger,
    onBeat: async (liveProcesses) => {
      await dayKeys.refresh();
      await keyRing.refresh();
      await publisher.refreshStatus();
      await anchors.anchorIfDue();
      await rememberHead();
      for (const limiter of limiters.values()) limiter.share(liveProcesses);
      registers.share(liveProcesses);
    },
  });
  let url = config.baseUrl ?? '';
  const baseUrl = () => url;
  const eraseUnit = erasureUnit(forgetRejects);
  const seals = new Seals({
    store,
    log,
    erase: (seq, seedSha256, statement) =>
      store.run(eraseUnit, { seq, by: { seedSha256 }, sandbox, draft: statementDraft(statement) }),
    clock,
    baseUrl,
    sandbox,
    rejectHash: serverSecret.hasher('reject-index'),
    keyHash: serverSecret.hasher('seal-idempotency'),
    ...observedRegisters(registers),
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
    verifications: new Verifications({
      log,
      clock,
      witnessed: () => publisher.witnessed(),
      logVkeys: () => log.allVkeys(),
      refuseFields,
    }),
    ledger: new Ledger({ log, refuseFields }),
    logReads: new LogReads({
      log,
      clock,
      publisher,
      keys: () => publishedKeys(keyRing, log.origin),
      audit: logAudit,
      baseUrl,
      refuseFields,
    }),
    publisher,
    registers,
    witnessLines: witnesses?.lines ?? 'quorum none\n',
    baseUrl,
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
    explainFault,
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

function makeLimiters(config: Config): Map<RateClass, RateLimiter> {
  return new Map(RATE_CLASSES.map((name) => [name, new RateLimiter(name, config.rates[name])]));
}

type Sweep = readonly [name: string, portion: () => Promise<number>];

function backgroundJobs(config: Config, store: Store, clock: Clock, sweeps: readonly Sweep[]): Job[] {
  const untilNone = async (portion: () => Promise<number>) => {
    while ((await portion()) > 0);
  };
  const dropOldEvents: Job = {
    name: 'retention',
    everyMs: 60_000,
    run: () => untilNone(() => store.run(retentionUnit, { beforeMs: clock.now() - config.eventDays * DAY_MS })),
  };
  return [
    ...sweeps.map(([name, portion]) => ({ name, everyMs: 30_000, run: () => untilNone(portion) })),
    ...(config.eventDays === 0 ? [] : [dropOldEvents]),
    { name: 'scrub', everyMs: 3_600_000, run: () => store.scrub() },
  ];
}

interface Publishing extends Omit<WitnessingOptions, 'ask' | 'policy'> {
  readonly policy: WitnessPolicy | null;
}

const PUBLISH_EVERY_MS = 1_000;

function logJobs({ config, askWitness: ask = askOverHttp }: ServiceOptions, { policy, ...parts }: Publishing): Job[] {
  const publish: Job = {
    name: 'publish',
    everyMs: PUBLISH_EVERY_MS,
    ownTimer: true,
    run: () => parts.publisher.publish(),
  };
  if (policy === null) return [publish];
  const witnessing = new Witnessing({ ...parts, policy, ask });
  const everyMs = config.witnessEverySeconds * 1_000;
  return [publish, { name: 'witness', everyMs, ownTimer: true, run: () => witnessing.collect() }];
}

function askOverHttp(question: WitnessQuestion): Promise<WitnessOutcome> {
  return askWitness({ ...question, post: postToWitness });
}

/** What entry 0 declares: the first key of the log. */
async function declaredAtInception(log: PublicLog): Promise<{ publicKey: unknown; entry: string }> {
  const [first] = await log.entries(0, 1);
  if (first === undefined) throw new Error('the log has no entry 0');
  const { claim } = JSON.parse(first.leaf) as { claim?: { public_key?: unknown } };
  return { publicKey: claim?.public_key, entry: first.attestationId };
}

function faultLogger(logger: Logger): (requestId: string, operation: string, error: unknown) => void {
  return (requestId, operation, cause) => logger.error('call failed', { request_id: requestId, operation }, cause);
}

import { join } from 'node:path';
import { Ledger } from '#areas/attestation/ledger.ts';
import { LogReads } from '#areas/attestation/log-reads.ts';
import { Verifications } from '#areas/attestation/verifications.ts';
import { auditsArea, type OpenAudits } from '#areas/audits/area.ts';
import { bountiesArea } from '#areas/bounties/area.ts';
import { briefsArea } from '#areas/briefs/area.ts';
import { SLOTS_OF_BRIEFS } from '#areas/briefs/sql.ts';
import { capabilitiesArea } from '#areas/capabilities/area.ts';
import { crossingArea } from '#areas/crossing/area.ts';
import { HOLDER_READ } from '#areas/crossing/holder-read.ts';
import { mandatesArea } from '#areas/mandates/area.ts';
import { Checkouts } from '#sandbox/pages/checkouts.ts';
import { Faucet } from '#sandbox/pages/service.ts';
import { type OpenVerdicts, verdictsArea } from '#areas/verdicts/area.ts';
import { walletArea } from '#areas/wallet/area.ts';
import { paidRows } from '#kernel/area.ts';
import { sweepJob } from '#kernel/job.ts';
import { DayKeys } from '#platform/keys/day-key.ts';
import { publishedKeys } from '#platform/keys/key-view.ts';
import { AGENT_KEY_HEADER } from '#platform/ledger/caller.ts';
import type { Platform } from '#platform/platform.ts';
import type { Clock } from '#kernel/clock.ts';
import { openStandIns } from '#sandbox/open-stand-ins.ts';
import type { Step, Store } from '#platform/storage/store.ts';
import { StoredEvents } from '#platform/storage/stored-events.ts';
import type { TrailEntry } from '#platform/trail/call-line.ts';
import { Trail } from '#platform/trail/trail.ts';
import { AddressTagger } from '#transport/http/address.ts';
import type { RateLimiter } from '#transport/http/rate-limit.ts';
import { HttpServer } from '#transport/http/server.ts';
import { Background } from './background.ts';
import { openCabinet, openMail } from './cabinet-parts.ts';
import { bindAreas, type Parts } from './bindings.ts';
import { openComponents } from './component-parts.ts';
import { openData } from './data-parts.ts';
import { faultExplainer } from './fault-problems.ts';
import { Figures } from './figures.ts';
import { Pulse } from './pulse.ts';
import { openFoundation, type ServiceOptions } from './foundation.ts';
import { openLogService } from './log-service.ts';
import { createLogger, faultLogger } from '#platform/logger.ts';
import { keyJudge } from './key-judge.ts';
import { LateSettlement } from './late-settlement.ts';
import { openMcp } from './mcp-parts.ts';
import { LedgerService } from './ledger-service.ts';
import { Observability } from './observe.ts';
import { openOrders } from './order-parts.ts';
import { openPaidCalls } from './paid-calls.ts';
import { sandboxBuyer } from './playground.ts';
import { askedRegisters, listQuality, openRegisters } from './register-parts.ts';
import { openTasks } from './task-parts.ts';
import { taskOthers } from './task-others.ts';
import { taskWorks } from './task-works.ts';
import { callerTagger, makeLimiters } from './rate-limiters.ts';
import { ruleRefusals } from './rule-refusals.ts';
import { openRuleFlags, RuleGate } from './rule-gate.ts';
import { openSeals } from './seal-parts.ts';
import { housekeeping, paymentJobs, rulesSealJob } from './service-jobs.ts';
import { TrailAnchors } from './trail-anchors.ts';

const DAY_MS = 86_400_000;
const CHAIN_AFTER_MS = 1_500;
const EXECUTIONS_END_MS = 10_000;

/** The running service. Disposing it stops accepting, finishes what was accepted and closes in reverse order. */
export interface Service extends AsyncDisposable {
  /** The public address. */
  readonly url: string;
  /** Where it really listens. */
  readonly listening: string;
  readonly store: Store;
  /** What else happens by timers, for who cannot wait for them. */
  readonly background: Pick<Background, 'beatNow' | 'kick'>;
  /** The account with test money that `pay` pays from, once there is a chain; null where there is none. */
  buyer(): Promise<string | null>;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, patience = 1, registerStandIns: given } = options;
  await using stack = new AsyncDisposableStack();
  const foundation = stack.use(await openFoundation(options, true));
  const { clock, store, keyRing, serverSecret, processName, processId } = foundation;
  const logger = createLogger(config.logLevel, clock);
  for (const warning of config.warnings) logger.warn(warning);
  let url = config.baseUrl ?? '';
  const hashKey = serverSecret.hasher('register-cache');
  const sandbox = config.profile === 'sandbox';
  const standIns = sandbox ? stack.use(await openPlayed(options, clock)) : undefined;
  const standInUrl = standIns?.url;
  const { set: registers, sanctions } = stack.use(
    await openRegisters({ config, clock, logger, hashKey, processName, given, standInUrl, patience }),
  );
  const rules = ruleRefusals(store, sandbox);
  const platform: Platform = {
    config,
    store,
    events: new StoredEvents(store),
    onRevision: (listener) => store.onRevision(listener),
    clock,
    logger,
    sandbox,
    baseUrl: () => url,
    rules,
    serverSecret,
    standIns,
    processId,
    runNow: (job) => background.kick(job),
    patience,
    ...(options.probing !== undefined && { testing: options.probing }),
  };
  const bounties = stack.use(bountiesArea.open(platform));
  const data = stack.use(
    openData({
      config,
      store,
      clock,
      logger,
      standInUrl,
      rules,
      baseUrl: () => url,
      patience,
      component: (partNumber) => orders.component(partNumber),
      kick: (job) => background.kick(job),
    }),
  );
  const asked = askedRegisters(registers, sanctions, sandbox);
  const trail = stack.use(await Trail.open({ dir: join(config.dataDir, 'trail'), process: processName, clock }));
  const logService = stack.use(await openLogService(options, foundation, logger));
  const { log, publisher } = logService;
  const figures = stack.use(new Figures(store, log, clock));
  const pulse = new Pulse(store, clock);
  const registerHealth = (): ReturnType<Parts['registerHealth']> => [
    ...registers.health(),
    ['eu_fsf', sanctions?.health() ?? null],
  ];
  const anchors = new TrailAnchors({ trail, store, clock, sandbox });
  stack.defer(() => anchors.anchor());
  const late = options.opensSettlement ? stack.use(new LateSettlement(options, foundation)) : undefined;
  // Production must not start on a wrong chain; the sandbox need not wait for its own.
  if (!sandbox) await late?.opened();
  const ruleFlags = openRuleFlags(config, foundation, trail);
  const dayKeys = new DayKeys(store, clock);
  const limiters = makeLimiters(config);
  const baseUrl = () => url;
  const briefs = briefsArea.open(platform, {
    holders: HOLDER_READ,
    lightOf: (key, slots) => crossing.lightOf(key, slots),
  });
  const crossing = stack.use(
    crossingArea.open(platform, {
      venues: bounties.venues,
      briefs: briefs.briefs,
      briefSlots: SLOTS_OF_BRIEFS,
      receiptKey: () => paidCalls.receiptKey(),
    }),
  );
  const settlement = options.settlement === undefined ? late : stack.use(options.settlement);
  const verdicts = verdictsArea.open(platform, { registers: asked, quality: listQuality(sanctions, sandbox) });
  const audits = auditsArea.open(platform);
  const priced = [
    ...paidRows<Step, OpenVerdicts>(verdictsArea, verdicts),
    ...paidRows<Step, OpenAudits>(auditsArea, audits),
  ];
  const paidCalls = await openPaidCalls({
    config,
    foundation,
    rows: priced,
    backend: settlement,
    chainInstance: options.chainInstance ?? late?.chainInstance ?? null,
    settlementFault: () => components.faultOf('settlement'),
    baseUrl,
    logger,
    patience,
  });
  const { reconciler } = paidCalls;
  const mandates = mandatesArea.open(platform, {
    receipt: (of) => paidCalls.unpaidReceipt({ type: 'avouch.amh-receipt.v1', ...of }),
    standing: (id) => ruleFlags.standing(id),
  });
  const ledger = stack.use(new LedgerService({ foundation, sandbox, logger }));
  await ledger.start();
  const wallet = walletArea.open(platform, { watch: ruleFlags });
  const { agents, topUps } = wallet;
  const capabilities = stack.use(
    capabilitiesArea.open(platform, {
      callers: { authenticate: (key) => agents.authenticate(key), recognise: (key) => agents.recognise(key) },
      receipt: (of) => paidCalls.unpaidReceipt({ type: 'avouch.wallet-receipt.v1', ...of }),
    }),
  );
  const { outbox, calls, ...mail } = stack.use(await openMail(config, foundation, logger));
  const orders = stack.use(
    await openOrders({
      config,
      store,
      clock,
      logger,
      hashKey,
      standInUrl,
      agents,
      mandates: mandates.mandates,
      paidCalls,
      rules,
      outbox,
      patience,
      platformSecret: serverSecret.hasher('own-platform'),
    }),
  );
  if (reconciler !== undefined) stack.use(reconciler);
  const background = new Background({
    store,
    clock,
    process: processId,
    jobs: [
      ...housekeeping(config, store, clock),
      sweepJob('seal-sweep', () => seals.sweep()),
      sweepJob('free-check-sweep', () => mcp.sweep()),
      sweepJob('task-sweep', () => taskParts.sweep()),
      sweepJob('answer-sweep', () => ledger.sweepAnswers()),
      sweepJob('order-sweep', orders.sweep),
      sweepJob('rule-sweep', () => ruleFlags.sweep()),
      ...mail.sweeps.map(([name, portion]) => sweepJob(name, portion)),
      ...bounties.jobs,
      ...briefs.jobs,
      ...crossing.jobs,
      ...mandates.jobs,
      ...wallet.jobs,
      ...capabilities.jobs,
      ...audits.jobs,
      ...logService.jobs,
      ...ledger.jobs(),
      ...orders.jobs,
      mail.job,
      { name: 'task-resume', everyMs: 30_000, run: () => taskParts.resume() },
      ...(options.sealsRules ? [rulesSealJob(store, sandbox)] : []),
      { name: 'lessons-digest', everyMs: DAY_MS, run: () => taskParts.lessons.consolidate() },
      data.job,
      ...paymentJobs(reconciler, () => url !== ''),
    ],
    logger,
    onBeat: async (liveProcesses) => {
      await dayKeys.refresh();
      await ruleFlags.refresh();
      await taskParts.tryKeys.refresh();
      await logService.beat();
      await ledger.refresh();
      await figures.readLessons();
      await anchors.anchorIfDue();
      await calls.flush();
      void figures.refreshIfDue();
      void pulse.takeIfDue(background.lastBeat()?.latencyMs, registerHealth());
      for (const limiter of limiters.values()) limiter.share(liveProcesses);
      registers.share(liveProcesses);
      orders.share(liveProcesses);
    },
    afterBeat: () => components.beat(),
  });
  const seals = openSeals({ store, log, clock, baseUrl, sandbox, serverSecret, asked });
  const verifications = new Verifications({
    log,
    clock,
    witnessed: () => publisher.witnessed(),
    logVkeys: () => log.allVkeys(),
  });
  const taskParts = openTasks({
    config,
    foundation,
    logger,
    log,
    agents,
    paidCalls,
    baseUrl,
    rules,
    ruleFlags,
    patience,
    works: taskWorks({
      paidRows: priced,
      bounties: bounties.list,
      verifications,
      seals,
      capabilities: capabilities.work,
      usdEurMicro: config.capabilities.fx.rateMicro,
      others: taskOthers({ ...data, bills: orders.work, orders: orders.orders }),
    }),
  });
  stack.use(taskParts.tasks.runs);
  const components = openComponents({
    foundation,
    trail,
    background,
    publisher,
    settlement,
    figures,
    walletLedger: ledger,
    audit: logService.audit,
    continuity: logService.continuity,
    ask: { mcp: () => mcp.ping(), search: () => data.retrieval.search('seal') },
    mail: () => outbox.status(),
    logger,
  });
  const cabinet = openCabinet({
    config,
    store,
    clock,
    logger,
    serverSecret,
    baseUrl,
    outbox,
    agents,
    topUps,
    tasks: taskParts.tasks,
    orders: orders.orders,
    ledger,
    calls,
    mandates,
  });
  const bound = bindAreas({
    config,
    foundation,
    trail,
    anchors,
    components,
    log,
    mandates,
    orders,
    crossing,
    wallet,
    cabinet,
    outbox,
    checkouts: new Checkouts(standIns?.cards),
    walletLedger: ledger,
    capabilities,
    bounties,
    data,
    briefs,
    seals,
    verifications,
    tasks: taskParts.tasks,
    lessons: taskParts.lessons,
    ledger: new Ledger({ log }),
    findReference: (text) => mcp.find(text),
    logReads: new LogReads({
      log,
      clock,
      publisher,
      baseUrl,
      keys: () => publishedKeys(keyRing, log.origin),
      audit: logService.audit,
    }),
    publisher,
    registerHealth,
    verdicts,
    audits,
    witnessLines: logService.witnessLines,
    faucet: new Faucet(late ?? null),
    buyer: sandboxBuyer(config, clock, late),
    paidCalls,
    settlement,
    figures,
    pulse,
    baseUrl,
    audit: logService.audit,
    continuity: logService.continuity,
  });
  const tagger = new AddressTagger({ dayKey: (day) => dayKeys.current(day), ...config });
  const shared = {
    record: (call: TrailEntry, headers: Readonly<Record<string, unknown>> = {}) => {
      trail.record(call);
      figures.count(call);
      calls.note(agents.agentOfKey(headers[AGENT_KEY_HEADER]), call);
    },
    tagOf: (...of: Parameters<AddressTagger['tagOf']>) => tagger.tagOf(...of),
    isTrailFailing: () => trail.failing,
    rules: new RuleGate({ flags: ruleFlags, agents, mandates: mandates.mandates, logger }),
    explainFault: faultExplainer((error) => logger.error('the database had to refuse an overdraft', {}, error)),
    logFault: faultLogger(logger),
  };
  const mcp = openMcp({
    ...shared,
    config,
    foundation,
    log,
    asked,
    verifications,
    mandateReadings: mandates.readings,
    paidCalls,
    baseUrl,
    stack,
    patience,
    dataTools: data.tools,
    tasks: taskParts.tasks,
    topUps,
    orders: orders.orders,
    hostOf: (request) => tagger.hostOf(request),
    limiter: limiters.get('mcp') as RateLimiter,
    operations: bound,
    authenticate: (key) => agents.authenticate(key),
  });
  const observability = stack.use(
    new Observability({
      config,
      foundation,
      background,
      trail,
      figures,
      tagger,
      logger,
      registerHealth,
      patience,
      logSize: () => log.head().size,
      components: components.view,
      connections: () => server.connections(),
    }),
  );
  const server = new HttpServer({
    ...shared,
    answered: observability.answered,
    operations: bound,
    routes: [...mcp.routes, ...observability.routes()],
    baseUrl: () => url,
    nowMs: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    limiterOf: ({ rate }) => (rate === 'none' ? undefined : limiters.get(rate)),
    freeTriesOf: taskParts.freeTriesOf,
    keyTagOf: callerTagger(agents, cabinet.sessions),
    unauthorized: keyJudge({ agents, mandates: mandates.mandates }),
    site: { service: config.serviceName, sandbox, baseUrl },
    redirects: { '/status': '/system/status' },
    contentSignal: config.contentSignal,
    requestIdPrefix: processId.slice(0, 10),
    maxConnections: config.maxConnections,
    patience,
  });
  await background.start();
  stack.use(background);
  let executionsEnd: NodeJS.Timeout | undefined;
  stack.defer(() => clearTimeout(executionsEnd));
  stack.use(server);
  // Before the server waits for calls under way.
  stack.defer(() => crossing.stop());
  // A provider that hangs must not hold up the end; what is short is finished, and not refused to who still has a connection.
  stack.defer(() => {
    executionsEnd = setTimeout(() => capabilities.executions.stop(), patience * EXECUTIONS_END_MS).unref();
  });
  const port = await server.listen(config.host, config.port);
  const listening = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  if (config.baseUrl === null) url = listening;
  wallet.connect(listening);
  // First come the callers, unless one needs the chain.
  const chainSoon = Promise.withResolvers<void>();
  const timer = setTimeout(chainSoon.resolve, CHAIN_AFTER_MS);
  stack.defer(() => clearTimeout(timer));
  void chainSoon.promise.then(() => late?.opened()).catch(() => undefined);
  // On SQLite no other process can be at what a crash left open.
  await capabilities.executions.recover(config.databaseUrl === null);
  void reconciler?.kick(config.databaseUrl === null);
  void taskParts.resume();
  // The first step of a stop.
  stack.defer(() => observability.drain());
  const kept = stack.move();
  const buyer = () => chainSoon.promise.then(async () => (await late?.opened())?.sandbox?.buyer ?? null);
  return { url, listening, store, background, buyer, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** What the sandbox plays, or what a test plays in its place. */
function openPlayed({ config, registerStandIns, modelStandIn }: ServiceOptions, clock: Clock) {
  return openStandIns({
    clock,
    registers: registerStandIns?.standIns,
    models: modelStandIn,
    playsModels: config.capabilities.providers === null,
  });
}

import { join } from 'node:path';
import type { OperationTable } from '#kernel/operation-table.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';
import { type Foundation, openFoundation, type ServiceOptions } from './foundation.ts';
import { openHealth } from './health/components.ts';
import { openIdentities } from './identity/open-identities.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { DayKeys } from './keys/day-key.ts';
import { SignerError } from './keys/key-ring.ts';
import { publishedKeys } from './keys/key-view.ts';
import type { AuditCheck } from './ledger/audit.ts';
import { LedgerKeeper } from './ledger/ledger-keeper.ts';
import { type EntryToErase, erasureUnit, type Forget } from './log/erasure.ts';
import { openLog } from './log/open-log.ts';
import { SealCount } from './log/seal-count.ts';
import { sealDraft } from './log/statement-unit.ts';
import { createLogger, type Logger } from './logger.ts';
import { openMail } from './mail/open-mail.ts';
import type { PlayedChain } from './payments/late-settlement.ts';
import { openPaymentGround } from './payments/payment-ground.ts';
import { ReceiptSigner } from './payments/receipt-signer.ts';
import type { Platform } from './platform.ts';
import { openRegisters } from './registers/open-registers.ts';
import type { Simulators } from './simulators.ts';
import { WriterForwarding } from './storage/forward/writer-forwarding.ts';
import { StoredEvents } from './storage/stored-events.ts';
import { TextIndex } from './storage/text-index.ts';
import { TrailAnchors } from './trail/anchors.ts';
import { Trail } from './trail/trail.ts';
import { takeTrailId } from './trail/trail-id.ts';
import { openRuleFlags } from './usage-rules/rule-gate.ts';
import { sealedRefusals } from './usage-rules/sealed-refusals.ts';
import { buildId } from './version.ts';

/** What the platform is told by those who know areas and sandbox. */
export interface PlatformDeps {
  readonly table: OperationTable;
  readonly ledgerChecks: readonly AuditCheck[];
  readonly forget: Forget;
  /** Opens what the sandbox plays, but its chain. */
  readonly playOthers: (foundation: Foundation) => Promise<Simulators & AsyncDisposable>;
  readonly playedChain: PlayedChain;
}

/** The platform as whoever starts the service has it. */
export interface OpenPlatform extends Platform {
  readonly jobs: JobRunner;
  readonly foundation: Foundation;
  /** The keys of the day, by which addresses of callers are tagged. */
  readonly dayKeys: DayKeys;
  /** Says where the service listens, which is its public address unless the settings name one. */
  listenAt(address: string): void;
}

/** Opens what every area stands on, from the database up; it closes with the stack. */
export async function openPlatform(
  options: ServiceOptions,
  parts: PlatformDeps,
  stack: AsyncDisposableStack,
): Promise<OpenPlatform> {
  const { config } = options;
  const sandbox = config.profile === 'sandbox';
  let address = config.baseUrl ?? '';
  const baseUrl = () => address;
  const foundation = stack.use(await openFoundation(options, true));
  const { clock, store, keyRing, processName } = foundation;
  const logger = createLogger(config.logLevel, clock);
  for (const warning of config.warnings) logger.warn('unknown setting', { cause: warning });
  const simulators = sandbox ? stack.use(await parts.playOthers(foundation)) : undefined;
  const registers = stack.use(await registersOf(options, foundation, { logger, simulatorUrl: simulators?.url }));
  const trailDir = join(config.dataDir, 'trail');
  const trail = stack.use(await Trail.open({ dir: trailDir, process: processName, clock }));
  const log = stack.use(await openLog(options, foundation, logger));
  const anchors = new TrailAnchors({ trail, trailId: takeTrailId(trailDir), store, clock, sandbox });
  stack.defer(() => anchors.anchor());
  const receipts = new ReceiptSigner({ keyRing, baseUrl, sandbox });
  const payments = await openPaymentGround(options, { foundation, receipts, played: parts.playedChain }, stack);
  const ledger = stack.use(new LedgerKeeper({ foundation, sandbox, checks: parts.ledgerChecks, logger }));
  await ledger.start();
  const mail = stack.use(await openMail(config, foundation, logger));
  const ruleFlags = openRuleFlags(config, foundation, trail);
  const dayKeys = new DayKeys(store, clock);
  const jobs = await openJobs(options, foundation, logger, stack);
  const { identityJobs, ...identity } = openIdentities(options, foundation, { baseUrl, logger });
  jobs.add([...housekeeping(config, store), ...ruleFlags.jobs(), ...mail.jobs, ...log.jobs, ...ledger.jobs()]);
  jobs.add(identityJobs);
  jobs.onHeartbeat(async (processes) => {
    await dayKeys.refresh();
    await ruleFlags.refresh();
    await log.beat();
    await ledger.refresh();
    await anchors.anchorIfDue();
    registers.share(processes);
  });
  const health = openHealth({
    foundation,
    trail,
    jobs,
    ledger,
    log,
    payments,
    mail: () => mail.outbox.status(),
    logger,
    services: config.services,
  });
  jobs.afterHeartbeat(() => health.beat());
  return {
    ...fixed(options, foundation),
    ...ofStore(foundation, parts, sandbox),
    ...identity,
    table: parts.table,
    baseUrl,
    logger,
    publishedKeys: () => publishedKeys(keyRing, log.log.origin),
    receipts,
    log,
    trail,
    anchors,
    ledger,
    payments,
    ruleFlags,
    outbox: mail.outbox,
    registers,
    simulators,
    jobs,
    health,
    foundation,
    dayKeys,
    listenAt(listening) {
      if (config.baseUrl === null) address = listening;
    },
  };
}

function registersOf(
  { config, patience = 1, registerSimulators: given }: ServiceOptions,
  { clock, serverSecret, processName }: Foundation,
  { logger, simulatorUrl }: { readonly logger: Logger; readonly simulatorUrl: string | undefined },
) {
  const hashKey = serverSecret.hasher('register-cache');
  return openRegisters({ config, clock, logger, hashKey, processName, given, simulatorUrl, patience });
}

async function openJobs(
  options: ServiceOptions,
  foundation: Foundation,
  logger: Logger,
  stack: AsyncDisposableStack,
): Promise<JobRunner> {
  const { store, clock, processId, keyRing } = foundation;
  const forwarding = await openForwarding(options, foundation, logger);
  if (forwarding !== undefined) stack.use(forwarding);
  return new JobRunner({
    store,
    clock,
    process: processId,
    logger,
    // Whoever lacks a key would leave every entry of the log to those that hand on.
    address: () => (keyRing.missing().length > 0 ? null : (forwarding?.address ?? null)),
    onWriter: (writer) => forwarding?.follow(writer),
  });
}

/** One process of several commits for all, where that is set; a SQLite file has one process anyway. */
async function openForwarding(
  { config, patience = 1 }: ServiceOptions,
  { store, clock, processId, serverSecret, location }: Foundation,
  logger: Logger,
): Promise<WriterForwarding | undefined> {
  if (config.writer.mode === 'direct' || !('url' in location())) return undefined;
  return WriterForwarding.open({
    store,
    clock,
    process: processId,
    // Commands are plain data between processes of the same program: one of another build writes for itself.
    secret: serverSecret.hasher('writer-link')(buildId()),
    host: config.writer.host,
    maxQueue: config.commit.maxQueue,
    patience,
    isLackOfKey: (error) => error instanceof SignerError,
    warn: (text, details) => logger.warn(text, details),
  });
}

/** What does not change while the service runs. */
function fixed(options: ServiceOptions, { clock, processId, serverSecret, keyRing }: Foundation) {
  const { config, patience = 1, sealsRules, probing } = options;
  return {
    config,
    clock,
    sandbox: config.profile === 'sandbox',
    processId,
    patience,
    sealsRules: sealsRules === true,
    serverSecret,
    keyRing,
    ...(probing !== undefined && { testing: probing }),
  };
}

/** What is done on the store in the name of all. */
function ofStore({ store }: Foundation, { forget }: PlatformDeps, sandbox: boolean) {
  const erasing = erasureUnit(forget);
  return {
    store,
    events: new StoredEvents(store),
    onRevision: (listener: () => void) => store.onRevision(listener),
    newSealCount: () => new SealCount(store),
    newTextIndex: () => new TextIndex(),
    rules: sealedRefusals(store, sandbox),
    sealDraft: (draft: Parameters<typeof sealDraft>[1]) => sealDraft(store, draft, sandbox),
    erase: ({ seedSha256, statement, ...entry }: EntryToErase) =>
      store.run(erasing, { ...entry, by: { seedSha256 }, sandbox, draft: statementDraft(statement) }),
  };
}

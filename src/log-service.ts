import type { Clock } from '#kernel/clock.ts';
import { checkpointKeys } from '#keys/key-view.ts';
import { declareKeys, retireDueKeys } from '#keys/rotation.ts';
import { AuditThread } from '#log/audit-thread.ts';
import { LogAudit } from '#log/log-audit.ts';
import { LogFault } from '#log/log-fault.ts';
import { PublicLog, storedHead } from '#log/public-log.ts';
import { Publisher } from '#log/publisher.ts';
import { askWitness, latestKnownSize } from '#log/witness-client.ts';
import { getFromWitness, postToWitness, TIMEOUT_MS } from '#log/witness-http.ts';
import { type AskWitness, Witnessing } from '#log/witnessing.ts';
import { mlDsa44Cosigner } from '#protocol/cosignature.ts';
import type { WitnessPolicy } from '#protocol/witness-policy.ts';
import type { Store } from '#storage/store.ts';
import type { Job } from './background.ts';
import type { Foundation, ServiceOptions } from './foundation.ts';
import { HighWater, newLogOrigin, requireConfiguredOrigin } from './log-guards.ts';
import { auditJob, publishJob, tileJob, witnessJob } from './log-jobs.ts';
import type { Logger } from './logger.ts';
import { readWitnessPolicy } from './witness-policy-file.ts';

/** The public log with everything that keeps it: publisher, witnesses, audit, and what remembers it. */
export interface LogService extends AsyncDisposable {
  readonly log: PublicLog;
  readonly publisher: Publisher;
  readonly audit: LogAudit;
  /** The witnesses and their quorum, as lines of a C2SP tlog-policy. */
  readonly witnessLines: string;
  readonly jobs: readonly Job[];
  /** Run with every beat. */
  beat(): Promise<void>;
}

export async function openLogService(
  options: ServiceOptions,
  foundation: Foundation,
  logger: Logger,
): Promise<LogService> {
  const { config, patience = 1 } = options;
  const { clock, store, keyRing } = foundation;
  const sandbox = config.profile === 'sandbox';
  const witnesses = readWitnessPolicy(config);
  const policy = witnesses?.policy ?? null;
  const highWater = new HighWater(config.dataDir);
  const newOrigin = newLogOrigin(config);
  if (policy !== null) await requireWitnessed(policy, { store, newOrigin, logger, timeoutMs: patience * TIMEOUT_MS });
  const log = await PublicLog.open({
    store,
    attach: (sequencer) => store.attachLog(sequencer),
    keys: checkpointKeys(keyRing),
    newOrigin,
    requireOrigin: (origin) => requireConfiguredOrigin(config, origin),
    highWater: highWater.checkpoint,
    sandbox,
  });
  const declaring = { origin: log.origin, sandbox };
  await declareKeys(keyRing, store, { log: declaring, inception: await declaredAtInception(log) });
  const cosigner = (origin: string) => mlDsa44Cosigner(origin, keyRing.signingKey('log-cosign'));
  const publisher = new Publisher({ store, log, clock, policy, cosigner });
  await publisher.publish();
  highWater.raise(log.head());
  const rememberHead = async () => {
    try {
      highWater.raise(await log.follow());
    } catch (error) {
      logger.warn('the newest checkpoint could not be remembered', { cause: (error as Error).message });
    }
  };
  const thread = new AuditThread(foundation.location());
  const audit = new LogAudit({ log, run: (request) => thread.run(request), nowMs: () => clock.now() });
  return {
    log,
    publisher,
    audit,
    witnessLines: witnesses?.lines ?? 'quorum none\n',
    jobs: [
      publishJob(publisher),
      ...witnessJobs(options, { store, log, publisher, clock }, policy),
      {
        name: 'key-retirement',
        everyMs: 60_000,
        run: async () => void (await retireDueKeys(keyRing, store, declaring)),
      },
      tileJob(log),
      auditJob(audit, clock, logger),
    ],
    async beat() {
      await keyRing.refresh();
      await publisher.refreshStatus();
      await rememberHead();
    },
    async [Symbol.asyncDispose]() {
      await thread[Symbol.asyncDispose]();
      await rememberHead();
    },
  };
}

interface Witnessed {
  readonly store: Store;
  readonly log: PublicLog;
  readonly publisher: Publisher;
  readonly clock: Clock;
}

function witnessJobs(options: ServiceOptions, parts: Witnessed, policy: WitnessPolicy | null): Job[] {
  if (policy === null) return [];
  const { patience = 1 } = options;
  const post = (url: string, body: string) => postToWitness(url, body, patience * TIMEOUT_MS);
  const ask: AskWitness = options.askWitness ?? ((question) => askWitness({ ...question, post }));
  return [witnessJob(new Witnessing({ ...parts, policy, ask }), options.config.witnessEverySeconds)];
}

/** A witness that has cosigned more than the database holds has seen entries that were lost: to go on would be a fork. */
async function requireWitnessed(
  policy: WitnessPolicy,
  { store, newOrigin, logger, timeoutMs }: { store: Store; newOrigin: string; logger: Logger; timeoutMs: number },
): Promise<void> {
  const head = await storedHead(store);
  const { origin = newOrigin, size = 0 } = head ?? {};
  const targets = policy.witnesses.flatMap(({ name, key, url }) => (url === null ? [] : [{ name, key, url }]));
  const get = (url: string) => getFromWitness(url, timeoutMs);
  const answers = await Promise.all(targets.map((target) => latestKnownSize(target, origin, get)));
  answers.forEach((answer, index) => {
    const name = targets[index]?.name;
    if (answer === 'unreachable') logger.warn('a witness could not be asked about the log', { witness: name ?? '' });
    if (typeof answer !== 'object' || answer.known <= size) return;
    throw new LogFault(
      `witness ${name} has cosigned ${answer.known} entries of ${origin}, the database holds ${size}: restore the newest database`,
    );
  });
}

/** What entry 0 declares: the first key of the log. */
async function declaredAtInception(log: PublicLog): Promise<{ publicKey: unknown; entry: string }> {
  const [first] = await log.entries(0, 1);
  if (first === undefined) throw new Error('the log has no entry 0');
  const { claim } = JSON.parse(first.leaf) as { claim?: { public_key?: unknown } };
  return { publicKey: claim?.public_key, entry: first.attestationId };
}

import { ConfigError } from '#config/config.ts';
import type { Clock } from '#kernel/clock.ts';
import type { KeyRing } from '#keys/key-ring.ts';
import { checkpointKeys } from '#keys/key-view.ts';
import { declareKeys, retireDueKeys } from '#keys/rotation.ts';
import { AuditThread } from '#log/audit-thread.ts';
import { LogAudit } from '#log/log-audit.ts';
import { LogFault } from '#log/log-fault.ts';
import { noteKeysOf } from '#log/log-keys.ts';
import { PublicLog, storedHead } from '#log/public-log.ts';
import { Publisher } from '#log/publisher.ts';
import { askWitness, latestKnownSize } from '#log/witness-client.ts';
import { getFromWitness, postToWitness, TIMEOUT_MS } from '#log/witness-http.ts';
import { type AskWitness, Witnessing } from '#log/witnessing.ts';
import { mlDsa44Cosigner } from '#protocol/cosignature.ts';
import type { NoteKey } from '#protocol/note-key.ts';
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
  const keys = checkpointKeys(keyRing);
  if (policy !== null) {
    const { origin = newOrigin, size = 0 } = (await storedHead(store)) ?? {};
    requireForeign(policy, keyRing, origin);
    const known = { origin, keys: noteKeysOf(keys.all(), origin), size };
    await requireWitnessed(policy, known, { logger, timeoutMs: patience * TIMEOUT_MS });
  }
  const log = await PublicLog.open({
    store,
    attach: (sequencer) => store.attachLog(sequencer),
    keys,
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
  const audit = new LogAudit({ log, run: (request) => thread.run(request), clock });
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

/** What the log signs itself would otherwise count as a witness of it. */
function requireForeign({ witnesses }: WitnessPolicy, keyRing: Pick<KeyRing, 'records'>, origin: string): void {
  const own = new Set(keyRing.records().map(({ publicKey }) => publicKey));
  const ours = witnesses.filter(
    ({ key }) => key.name === origin || own.has(Buffer.from(key.publicKey).toString('base64')),
  );
  if (ours.length === 0) return;
  const names = ours.map(({ name }) => name).join(', ');
  throw new ConfigError([
    `AVOUCH_WITNESS_POLICY_FILE names a key of this log, or one in its name, as a witness (${names}): only others can be its witnesses`,
  ]);
}

interface StoredLog {
  readonly origin: string;
  readonly keys: readonly NoteKey[];
  readonly size: number;
}

/**
 * A witness that has cosigned more than the database holds has seen entries that were lost: to go on would be a fork. One
 * that shows more than the log ever signed stops the start too, since a newer key may have been lost with the entries.
 */
async function requireWitnessed(
  policy: WitnessPolicy,
  stored: StoredLog,
  { logger, timeoutMs }: { readonly logger: Logger; readonly timeoutMs: number },
): Promise<void> {
  const { origin, size } = stored;
  const targets = policy.witnesses.flatMap(({ name, key, url }) => (url === null ? [] : [{ name, key, url }]));
  const get = (url: string) => getFromWitness(url, timeoutMs);
  const answers = await Promise.all(targets.map((target) => latestKnownSize(target, stored, get)));
  answers.forEach((answer, index) => {
    const name = targets[index]?.name;
    if (answer === 'unreachable') logger.warn('a witness could not be asked about the log', { witness: name ?? '' });
    if (typeof answer !== 'object' || answer.known <= size) return;
    const doubt = answer.isSigned
      ? ''
      : '. No key that is known here signed them: if this database is the newest, the witness is not honest, and its line in AVOUCH_WITNESS_POLICY_FILE has to go';
    throw new LogFault(
      `witness ${name} has cosigned ${answer.known} entries of ${origin}, the database holds ${size}: restore the newest database${doubt}`,
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

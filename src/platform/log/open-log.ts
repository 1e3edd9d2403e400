import { ConfigError } from '#platform/config/config-error.ts';
import type { Clock } from '#kernel/clock.ts';
import { type KeyRing, SignerError } from '#platform/keys/key-ring.ts';
import type { ReceiptSigningKey } from '#protocol/cose-receipt.ts';
import { checkpointKeys } from '#platform/keys/key-view.ts';
import { declareKeys, retireDueKeys } from '#platform/keys/rotation.ts';
import { AuditThread } from '#platform/log/audit-thread.ts';
import { WITNESS_STATES } from '#platform/log/cosign-unit.ts';
import {
  type Continuity,
  type Contradiction,
  contradictionOf,
  rememberedBy,
  witnessMemories,
  type WitnessMemory,
} from '#platform/log/continuity.ts';
import { LogAudit } from '#platform/log/log-audit.ts';
import { LogError } from '#platform/log/log-error.ts';
import { noteKeysOf } from '#platform/log/log-keys.ts';
import { PublicLog, storedHead } from '#platform/log/public-log.ts';
import { Publisher } from '#platform/log/publisher.ts';
import { askWitness, type KnownLog } from '#platform/log/witness-client.ts';
import { getFromWitness, postToWitness, WITNESS_TIMEOUT_MS } from '#platform/log/witness-http.ts';
import { type AskWitness, Witnessing } from '#platform/log/witnessing.ts';
import { mlDsa44Cosigner } from '#protocol/cosignature.ts';
import type { WitnessPolicy } from '#protocol/witness-policy.ts';
import { RevisionMemory } from '#platform/storage/revision-memory.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Job } from '#kernel/job.ts';
import type { Foundation, ServiceOptions } from '#platform/foundation.ts';
import { CheckpointMemory, newLogOrigin, requireConfiguredOrigin } from './log-guards.ts';
import { auditJob, publishJob, tileJob, witnessJob } from './log-jobs.ts';
import type { Logger } from '#platform/logger.ts';
import { readWitnessPolicy } from './witness-policy-file.ts';

/** The public log with everything that keeps it: publisher, witnesses, audit, and what remembers it. */
export interface OpenLog extends AsyncDisposable {
  readonly log: PublicLog;
  readonly publisher: Publisher;
  readonly audit: LogAudit;
  /** Signs COSE receipts; its public keys, retired ones included. */
  readonly receiptKeys: { current(): ReceiptSigningKey; all(): Uint8Array[] };
  /** What the log was held against, and whether somebody has said since that it is another one. */
  readonly continuity: () => Continuity;
  /** The witnesses and their quorum, as lines of a C2SP tlog-policy. */
  readonly witnessLines: string;
  readonly jobs: readonly Job[];
  /** Run with every beat. */
  beat(): Promise<void>;
}

export async function openLog(options: ServiceOptions, foundation: Foundation, logger: Logger): Promise<OpenLog> {
  const { config, patience = 1 } = options;
  const { clock, store, keyRing } = foundation;
  const sandbox = config.profile === 'sandbox';
  const witnesses = readWitnessPolicy(config);
  const policy = witnesses?.policy ?? null;
  const highWater = new CheckpointMemory(config.dataDir);
  const revisions = new RevisionMemory(config.dataDir);
  await revisions.requireReached(store);
  const newOrigin = newLogOrigin(config);
  const keys = checkpointKeys(keyRing);
  const { origin: heldOrigin = newOrigin } = (await storedHead(store)) ?? {};
  if (policy !== null) requireForeign(policy, keyRing, heldOrigin);
  const known = { origin: heldOrigin, keys: noteKeysOf(keys.all(), heldOrigin) };
  const halt = (why: string) => store.halt(why);
  const memory = new OutsideMemory({ store, policy, known, logger, timeoutMs: patience * WITNESS_TIMEOUT_MS, halt });
  await memory.requireNoMore();
  const log = await PublicLog.open({
    store,
    attach: (sequencer) => store.attachLog(sequencer),
    keys,
    newOrigin,
    requireOrigin: (origin) => requireConfiguredOrigin(config, origin),
    highWater: highWater.checkpoint,
    sandbox,
    onUnsound: (fault) => halt(fault.message),
  });
  const isKnownToDirectory = config.databaseUrl !== null && highWater.checkpoint !== undefined;
  memory.requireSame(log, { isKnownToDirectory, sandbox });
  const declaring = { origin: log.origin, sandbox };
  await declareKeys(keyRing, store, { log: declaring, inception: await declaredAtInception(log) });
  const cosigner = (origin: string) => mlDsa44Cosigner(origin, keyRing.signingKey('log-cosign'));
  const publisher = new Publisher({ store, log, clock, policy, cosigner });
  await publisher.publish();
  highWater.raise(log.head());
  const remember = async () => {
    try {
      revisions.raise(store.newestRevision());
      highWater.raise(await log.follow());
    } catch (error) {
      logger.warn('checkpoint memory update failed', { cause: (error as Error).message });
    }
  };
  const stopping = new AbortController();
  const checked = log.checkTree(stopping.signal);
  const thread = new AuditThread(foundation.location());
  const audit = new LogAudit({ log, run: (request) => thread.run(request), clock, patience });
  return {
    log,
    publisher,
    audit,
    receiptKeys: receiptKeysOf(keyRing),
    continuity: () => memory.continuity,
    witnessLines: witnesses?.lines ?? 'quorum none\n',
    jobs: [
      publishJob(publisher),
      ...witnessJobs(options, { store, log, publisher, clock, memory }, policy),
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
      await remember();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await checked;
      await thread[Symbol.asyncDispose]();
      await remember();
    },
  };
}

function receiptKeysOf(ring: Pick<KeyRing, 'records' | 'inForce' | 'privateKey'>): OpenLog['receiptKeys'] {
  const rawOf = ({ publicKey }: { readonly publicKey: string }) => Buffer.from(publicKey, 'base64');
  return {
    all: () =>
      ring
        .records()
        .filter(({ scope }) => scope === 'log-receipt')
        .map(rawOf),
    current() {
      const record = ring.inForce('log-receipt').at(-1);
      if (record === undefined) throw new SignerError('there is no log-receipt key in force');
      return { publicKey: rawOf(record), privateKey: ring.privateKey(record.keyId) };
    },
  };
}

interface Witnessed {
  readonly store: Store;
  readonly log: PublicLog;
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly memory: OutsideMemory;
}

function witnessJobs(options: ServiceOptions, parts: Witnessed, policy: WitnessPolicy | null): Job[] {
  if (policy === null) return [];
  const { patience = 1 } = options;
  const post = (url: string, body: string) => postToWitness(url, body, patience * WITNESS_TIMEOUT_MS);
  const ask: AskWitness = options.askWitness ?? ((question) => askWitness({ ...question, post }));
  const { store, log, publisher, clock, memory } = parts;
  const witnessing = new Witnessing({ store, log, publisher, clock, policy, ask });
  const collect = async () => {
    await witnessing.collect();
    await memory.lookAgain(log);
  };
  return [witnessJob({ collect }, options.config.witnessEverySeconds)];
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

interface OutsideMemoryOptions {
  readonly store: Store;
  readonly policy: WitnessPolicy | null;
  readonly known: KnownLog;
  readonly logger: Logger;
  readonly timeoutMs: number;
  /** Ends all writing and reading of the store. */
  readonly halt: (why: string) => void;
}

/** What others remember of the log: a data directory that was put back, or that runs twice, agrees with itself. */
class OutsideMemory {
  readonly #options: OutsideMemoryOptions;
  #memories: readonly WitnessMemory[] = [];
  continuity: Continuity = 'not_checked';

  constructor(options: OutsideMemoryOptions) {
    this.#options = options;
  }

  /** A witness that has cosigned more than the database holds has seen entries that were lost: to go on would be a fork. */
  async requireNoMore(): Promise<void> {
    const { store, known, logger } = this.#options;
    const { origin } = known;
    this.#memories = await this.#ask();
    // Read afterwards: what other processes add while witnesses are asked is no loss.
    const { size = 0 } = (await storedHead(store)) ?? {};
    for (const { name, answer } of this.#memories)
      if (answer === 'unreachable') logger.warn('witness unreachable', { witness: name });
    const fault = contradictionOf(this.#memories, { origin, size, rootHexAt: () => undefined });
    if (fault !== null) throw new LogError(fault.what);
  }

  /** What witnesses remember must be the beginning of the log; says at once where nobody could be asked. */
  requireSame(
    log: PublicLog,
    { isKnownToDirectory, sandbox }: { isKnownToDirectory: boolean; sandbox: boolean },
  ): void {
    const fault = this.#contradiction(log);
    if (fault !== null) throw new LogError(fault.what);
    if (rememberedBy(this.#memories).length > 0) this.continuity = 'witness';
    else if (isKnownToDirectory) this.continuity = 'data_directory';
    if (this.continuity !== 'not_checked') return;
    this.#options.logger[sandbox ? 'debug' : 'warn']('log continuity not verified', {
      cause:
        'no witness remembers this log: an older copy of the data directory, or a second running one, goes unnoticed',
      docs: 'docs/run.md#restored-or-copied-data-directories',
    });
  }

  /** Looks whether witnesses that did not cosign know another log: a second copy of the data directory has gone on. */
  async lookAgain(log: PublicLog): Promise<void> {
    const { store, logger, halt } = this.#options;
    const states = await store.read(WITNESS_STATES);
    if (!states.some(({ outcome }) => outcome === 'behind' || outcome === 'refused')) return;
    this.#memories = await this.#ask();
    await log.follow();
    const fault = this.#contradiction(log);
    if (fault === null || this.continuity === 'contradicted') return;
    this.continuity = 'contradicted';
    logger.error('log contradicts its witnesses', { cause: fault.what });
    // What a key of the log has signed is proof; a witness alone could stop anybody with a lie.
    if (fault.isSigned) halt(fault.what);
  }

  #contradiction(log: PublicLog): Contradiction | null {
    const { origin } = log;
    return contradictionOf(this.#memories, { origin, size: log.head().size, rootHexAt: (size) => log.rootHexAt(size) });
  }

  async #ask(): Promise<readonly WitnessMemory[]> {
    const { policy, known, timeoutMs } = this.#options;
    return policy === null ? [] : witnessMemories(policy, known, (url) => getFromWitness(url, timeoutMs));
  }
}

/** What entry 0 declares: the first key of the log. */
async function declaredAtInception(log: PublicLog): Promise<{ publicKey: unknown; entry: string }> {
  const [first] = await log.entries(0, 1);
  if (first === undefined) throw new Error('the log has no entry 0');
  const { claim } = JSON.parse(first.leaf) as { claim?: { public_key?: unknown } };
  return { publicKey: claim?.public_key, entry: first.attestationId };
}

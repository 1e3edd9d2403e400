import type { AreaSettings } from '#platform/config/area-settings.ts';
import type { Config } from '#platform/config/config.ts';
import type { Area, OpenArea } from '#kernel/area.ts';
import type { Clock } from '#kernel/clock.ts';
import type { OperationTable } from '#kernel/operation-table.ts';
import type { Health } from '#platform/health/components.ts';
import type { Identities } from '#platform/identity/identities.ts';
import type { OwnDirectory } from '#platform/identity/own-directory.ts';
import type { JobRunner } from '#platform/jobs/job-runner.ts';
import type { KeyRing } from '#platform/keys/key-ring.ts';
import type { PublishedKey } from '#platform/keys/key-view.ts';
import type { ServerSecret } from '#platform/keys/server-secret.ts';
import type { AuditCheck } from '#platform/ledger/audit.ts';
import type { LedgerKeeper } from '#platform/ledger/ledger-keeper.ts';
import type { EntryToErase, EraseResult, Forget } from '#platform/log/erasure.ts';
import type { SealCount } from '#platform/log/seal-count.ts';
import type { sealDraft } from '#platform/log/statement-unit.ts';
import type { OpenLog } from '#platform/log/open-log.ts';
import type { Outbox } from '#platform/mail/outbox.ts';
import type { GuardedClientOptions } from '#platform/outbound/guarded-client.ts';
import type { PaymentGround } from '#platform/payments/payment-ground.ts';
import type { ReceiptSigner } from '#platform/payments/receipt-signer.ts';
import type { OpenRegisters } from '#platform/registers/open-registers.ts';
import type { TextPolicy } from '#platform/usage-rules/text-policy.ts';
import type { RuleFlags } from '#platform/usage-rules/rule-flags.ts';
import type { Store } from '#platform/storage/store.ts';
import type { StoredEvents } from '#platform/storage/stored-events.ts';
import type { TextIndex } from '#platform/storage/text-index.ts';
import type { TrailAnchors } from '#platform/trail/anchors.ts';
import type { Trail } from '#platform/trail/trail.ts';
import type { SealDraft } from '#protocol/attestation/seal-entry.ts';
import type { Logger } from './logger.ts';
import type { Simulators } from './simulators.ts';

/** What every area stands on. */
export interface Platform {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sandbox: boolean;
  /** The public address; empty before a sandbox listens. */
  readonly baseUrl: () => string;
  /** Names this start of the process among all, in the store. */
  readonly processId: string;
  /** How many times longer than usual others may take. */
  readonly patience: number;
  /** Whether the digest of the usage rules goes into the log. */
  readonly sealsRules: boolean;
  /** Everything that can be asked of the service. */
  readonly table: OperationTable;

  readonly store: Store;
  /** The changes that took revisions, as they are kept. */
  readonly events: StoredEvents;
  /** Tells of every commit of this process that took revisions, after it is durable. */
  readonly onRevision: (listener: () => void) => void;
  /** Counts the seals of the log by day. */
  readonly newSealCount: () => SealCount;
  /** An empty index of texts, in memory. */
  readonly newTextIndex: () => TextIndex;

  /** Makes keyed hashes, for each purpose its own. */
  readonly serverSecret: Pick<ServerSecret, 'hasher'>;
  readonly keyRing: Pick<KeyRing, 'records' | 'missing'>;
  /** The keys that callers may verify by. */
  readonly publishedKeys: () => PublishedKey[];
  readonly receipts: ReceiptSigner;
  /** Who signs calls. */
  readonly identities: Identities;
  /** The keys by which the service signs its own calls to others. */
  readonly ownDirectory: OwnDirectory;

  readonly log: OpenLog;
  /** Seals in the name of the service. */
  readonly sealDraft: (draft: SealDraft) => ReturnType<typeof sealDraft>;
  /** Takes the disclosed part of an entry away, with what areas keep of it. */
  readonly erase: (entry: EntryToErase) => Promise<EraseResult>;
  readonly trail: Trail;
  readonly anchors: TrailAnchors;
  readonly ledger: LedgerKeeper;
  readonly payments: PaymentGround;

  /** What may not be asked, published or called so. */
  readonly rules: TextPolicy;
  /** Who broke the usage rules, and who is suspended. */
  readonly ruleFlags: RuleFlags;
  readonly outbox: Outbox;
  readonly registers: OpenRegisters;
  /** What plays the services of others; undefined in production. */
  readonly simulators: Simulators | undefined;
  /** What is done in the background, and the beat that keeps it going. */
  readonly jobs: Pick<JobRunner, 'runNow' | 'lastHeartbeat'>;
  /** How every part is. */
  readonly health: Health;
  /** Signs requests to addresses that callers name; undefined where none is signed. */
  readonly signing?: GuardedClientOptions['sign'];
  /** Another way to public addresses, for tests, which have none. */
  readonly testing?: GuardedClientOptions['testing'];
}

/** An area of this service. */
export interface PlatformArea<Opened extends OpenArea, Needs = unknown, Settings = unknown>
  extends Area<Platform, Opened, Needs, Settings> {
  /** What the environment can tell it. */
  readonly settings?: AreaSettings<Settings>;
  /** What it forgets of entries of the log that are erased. */
  readonly forget?: Forget;
  /** What it knows of the ledger's sums. */
  readonly ledgerChecks?: readonly AuditCheck[];
}

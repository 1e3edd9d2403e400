import type { Config } from '#platform/config/config.ts';
import type { Env } from '#platform/config/env.ts';
import type { Extra } from '#platform/config/extras.ts';
import type { KnownWitness } from '#platform/log/cosign-unit.ts';
import type { Listing } from '#platform/payments/listing.ts';
import type { TriedEngine } from '#protocol/payment/recover-engine.ts';
import type { EngineFacts } from '#platform/storage/engine-facts.ts';
import type { MarkName, RecoveryMark } from '#platform/storage/recovery-mark.ts';

export interface FileFact {
  /** Who names the file. */
  readonly what: string;
  readonly path: string;
  /** Permission bits; null where it cannot be looked at. */
  readonly mode: number | null;
}

/** Systems that are queried over the network. */
export type Asker = 'node' | 'facilitator' | 'mail' | 'ownAddress' | 'opsPort' | 'witnesses';

/** The outcome of a query, or why there was none. */
export interface ProbeResult {
  readonly outcome: 'ok' | 'warn' | 'fail' | 'not_asked';
  readonly text: string;
}

/** The newest backup, as its directory shows it. */
export interface BackupFacts {
  readonly isHere: boolean;
  readonly tables: number;
  readonly fault: string | null;
}

/** What is known of a witness, when, and who runs it. */
export interface WitnessFact extends KnownWitness {
  readonly atMs: number;
  readonly operator: string;
}

/** What the database tells; `fault` where it does not answer. */
export interface StoreFacts {
  readonly engine: EngineFacts;
  readonly schema: { readonly missing: number; readonly fault: string | null };
  readonly marks: ReadonlyMap<MarkName, RecoveryMark>;
  readonly headAtMs: number;
  /** The log as the database has it; null where none was begun. */
  readonly logHead: { readonly origin: string; readonly size: number; readonly rootHex: string } | null;
  readonly logFault: string | null;
  readonly keyFault: string | null;
  readonly secretFault: string | null;
  /** Of all keys that the service ever had. */
  readonly publicKeys: readonly string[];
  readonly isLedgerHalted: boolean;
  readonly witnesses: readonly WitnessFact[];
  readonly listings: readonly Listing[];
}

/** Everything that the checks judge, gathered once. */
export interface Installation {
  readonly env: Env;
  readonly config: Config;
  /** What is wrong with settings and with the files that they name. */
  readonly faults: readonly string[];
  readonly nowMs: number;
  readonly secretFiles: readonly FileFact[];
  readonly dataDir: { readonly mode: number | null; readonly isWritable: boolean; readonly isNetwork: boolean };
  readonly isTrailWritable: boolean;
  readonly freeBytes: number | null;
  readonly openFiles: number | null;
  /** Whether a process of this installation runs, and what binding the address gave. */
  readonly isServed: boolean;
  readonly listenFault: string | null;
  readonly areSecretsRead: boolean;
  readonly keyFileFault: string | null;
  /** What can check the signatures of payments, in the order in which it is taken. */
  readonly recoverEngines: readonly TriedEngine[];
  readonly extras: readonly Extra[];
  /** Settings whose package is not installed. */
  readonly packageFaults: readonly string[];
  readonly asked: Readonly<Record<Asker, ProbeResult>>;
  /** Null where none is noted. */
  readonly backup: BackupFacts | null;
  /** Null while there is no database; a text where it does not answer. */
  readonly store: StoreFacts | string | null;
}

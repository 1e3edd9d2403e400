import type { DatabaseLocation } from '#platform/storage/engine.ts';
import type { Step, Store } from '#platform/storage/store.ts';
import { Thread } from '#platform/thread.ts';
import { type AuditCheck, auditLedger, type AuditProgress } from './audit.ts';
import type { AuditTask } from './audit-worker.ts';
import type { AuditScope, LedgerAudit } from './state.ts';
import * as sql from './sql.ts';
import { ledger } from './steps.ts';

/** Shorter walks take less than starting a thread. */
const SHORT_WALK = 1_000;

export interface LedgerAuditorOptions {
  readonly store: Store;
  readonly location: () => DatabaseLocation;
  readonly checks: readonly AuditCheck[];
}

export interface LastAudit {
  readonly atMs: number;
  readonly scope: AuditScope;
  readonly isOk: boolean;
}

/** Audits the ledger and keeps what was found; one that found something halts it. */
export class LedgerAuditor implements AsyncDisposable {
  readonly #options: LedgerAuditorOptions;
  readonly #thread = new Thread<AuditTask, LedgerAudit>({
    of: 'the audit',
    program: new URL('./audit-worker.ts', import.meta.url),
    idleMs: 0,
  });

  constructor(options: LedgerAuditorOptions) {
    this.#options = options;
  }

  /** `beside` gives steps that are run together with keeping the report. Only an audit in this thread tells its progress. */
  async run(
    scope: AuditScope,
    beside: (report: LedgerAudit) => readonly Step[] = () => [],
    onProgress?: AuditProgress,
  ): Promise<LedgerAudit> {
    const { store, location, checks } = this.#options;
    const [good] = scope === 'tail' ? await store.read(sql.LAST_GOOD_AUDIT) : [];
    const from = good === undefined ? null : { seq: good.uptoSeq, hash: good.uptoHash };
    const [head] = await store.read(sql.HEAD_NOW);
    const isHere = onProgress !== undefined || (head?.seq ?? 0) - (from?.seq ?? 0) <= SHORT_WALK;
    const request = { scope, from, checks };
    const report = isHere
      ? await auditLedger(store, request, onProgress)
      : await this.#thread.ask({ location: location(), request });
    await store.runAll([ledger.audited(report), ...beside(report)]);
    return report;
  }

  async last(): Promise<LastAudit | null> {
    return (await this.#options.store.read(sql.LAST_AUDIT))[0] ?? null;
  }

  async lastNightly(): Promise<LastAudit | null> {
    return (await this.#options.store.read(sql.LAST_NIGHTLY))[0] ?? null;
  }

  async isHalted(): Promise<boolean> {
    return (await this.#options.store.read(sql.HEAD_NOW))[0]?.isHalted ?? false;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]();
  }
}

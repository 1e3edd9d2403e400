import { type Clock, utcDay } from '#kernel/clock.ts';
import type { AppendOnly } from '#platform/ledger/append-only.ts';
import { LedgerAuditor, type LastAudit } from '#platform/ledger/auditor.ts';
import { isRefused, ledger } from '#platform/ledger/steps.ts';
import { answerExpiry } from '#platform/ledger/answers.ts';
import type { AuditCheck } from '#platform/ledger/audit.ts';
import type { AuditScope, LedgerAudit } from '#platform/ledger/state.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Job } from '#kernel/job.ts';
import type { Foundation } from '#platform/foundation.ts';
import type { Logger } from '#platform/logger.ts';
import { expiryJob } from '#platform/storage/expiry.ts';

const SWEEP_EVERY_MS = 10_000;
const NIGHTLY_EVERY_MS = 600_000;

export interface LedgerKeeperOptions {
  readonly foundation: Pick<Foundation, 'store' | 'clock' | 'location' | 'appendOnly'>;
  readonly sandbox: boolean;
  /** What areas know of the ledger's sums. */
  readonly checks: readonly AuditCheck[];
  readonly logger: Pick<Logger, 'error' | 'warn'>;
}

interface LedgerState {
  readonly isHalted: boolean;
  readonly detail: string;
  readonly isAuditOk: boolean | null;
  readonly auditedAtMs: number | null;
  readonly appendOnly: AppendOnly;
}

/** What keeps the ledger: expiry of holds, audits and the daily seal of its head. */
export class LedgerKeeper implements AsyncDisposable {
  readonly #options: LedgerKeeperOptions;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #appendOnly: AppendOnly;
  readonly #auditor: LedgerAuditor;
  #last: LastAudit | null = null;
  #isHalted = false;

  constructor(options: LedgerKeeperOptions) {
    const { store, clock, location, appendOnly } = options.foundation;
    this.#options = options;
    this.#store = store;
    this.#clock = clock;
    this.#appendOnly = appendOnly;
    this.#auditor = new LedgerAuditor({ store, location, checks: options.checks });
  }

  /** Before the first call: what was added since the last good audit is judged, what is over is freed. */
  async start(): Promise<void> {
    await this.audit('tail');
    await this.expire();
  }

  async audit(scope: AuditScope): Promise<LedgerAudit> {
    const report = await this.#auditor.run(scope, (found) => this.#sealed(found));
    if (report.findings.length > 0) {
      this.#options.logger.error('ledger audit failed; wallet payments are paused', {
        scope,
        findings: report.findings.join('; '),
      });
    }
    await this.refresh();
    return report;
  }

  /** Once a day of UTC, by one process. */
  async nightly(): Promise<void> {
    const last = await this.#auditor.lastNightly();
    if (last === null || utcDay(last.atMs) !== utcDay(this.#clock.now())) await this.audit('nightly');
  }

  async expire(): Promise<void> {
    for (;;) {
      const [result] = await this.#store.runAll([ledger.expire({ dueBeforeMs: this.#clock.now() })], isRefused);
      if (isRefused(result) || result.replayed) return;
    }
  }

  /** What the other processes found. */
  async refresh(): Promise<void> {
    this.#last = await this.#auditor.last();
    this.#isHalted = await this.#auditor.isHalted();
  }

  /** No money moves: an audit found what must not be. */
  get isHalted(): boolean {
    return this.#isHalted;
  }

  jobs(): Job[] {
    const { logger } = this.#options;
    const audit = () =>
      this.nightly().catch((error: Error) => logger.warn('ledger audit not completed', { cause: error.message }));
    return [
      expiryJob('answer-sweep', { store: this.#store, clock: this.#clock }, answerExpiry),
      { name: 'hold-expiry', everyMs: SWEEP_EVERY_MS, ownTimer: true, run: () => this.expire() },
      // Not waited for: it may take longer than a process may be silent.
      { name: 'ledger-audit', everyMs: NIGHTLY_EVERY_MS, ownTimer: true, run: async () => void audit() },
    ];
  }

  /** As of the last beat; null before the first audit. */
  state(): LedgerState {
    const last = this.#last;
    const found =
      last === null ? 'Not audited yet' : `Last audit: ${last.scope}, ${last.isOk ? 'no errors' : 'errors found'}`;
    return {
      isHalted: this.#isHalted,
      detail: `${found}; append_only: ${this.#appendOnly}${this.#isHalted ? '; payments are paused' : ''}.`,
      isAuditOk: last?.isOk ?? null,
      auditedAtMs: last?.atMs ?? null,
      appendOnly: this.#appendOnly,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#auditor[Symbol.asyncDispose]();
  }

  /** The head of a sound ledger that has one, once a day. */
  #sealed({ scope, findings, uptoSeq, uptoHash }: LedgerAudit) {
    if (scope !== 'nightly' || findings.length > 0 || uptoSeq === 0) return [];
    return [statementStep(`ledger.head ${uptoSeq} sha256:${uptoHash}`, this.#options.sandbox)];
  }
}

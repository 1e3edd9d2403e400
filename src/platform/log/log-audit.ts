import type { Clock } from '#kernel/clock.ts';
import { StorageError } from '#platform/storage/store.ts';
import { AuditBudget } from './audit-budget.ts';
import type { AuditReport, AuditRequest } from './audit-report.ts';
import type { LogHead, PublicLog } from './public-log.ts';

/** Ranges that wait for their turn; each takes a second or two at most. */
const MAX_WAITING = 16;
/** From this age of the last walk on, a call goes over as much of the verified log again as fits into this. */
const WALK_EVERY_MS = 60_000;
const CALL_SCRUB = { entries: 50_000, ms: 250 };
const ROUND_SCRUB = { entries: 500_000, ms: 60_000 };

export interface LogAuditOptions {
  readonly log: Pick<PublicLog, 'follow' | 'pageProof' | 'allVkeys'>;
  readonly run: (request: AuditRequest) => Promise<AuditReport>;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
  /** How many times longer than usual audits may take. */
  readonly patience?: number;
}

interface AuditMemory {
  readonly ok: boolean;
  readonly atMs: number;
  readonly entries: number;
}

/**
 * Audits one after the other. Who asks for what is under way already gets its report, and who asks again at the same
 * head the report of the last run: it says when it was made, and no call makes it older than a minute.
 */
export class LogAudit {
  readonly #options: LogAuditOptions;
  readonly #budget: AuditBudget;
  readonly #running = new Map<string, Promise<AuditReport>>();
  #last: Promise<unknown> = Promise.resolve();
  #newest: AuditMemory | null = null;
  #kept: AuditReport | null = null;
  #walkedMs = Number.NEGATIVE_INFINITY;

  constructor(options: LogAuditOptions) {
    this.#options = options;
    this.#budget = new AuditBudget(() => options.clock.monotonicMs(), options.patience);
  }

  /** What the last audit that this process ran found. */
  newest(): AuditMemory | null {
    return this.#newest;
  }

  /** Audits what was added since the last call, and once a minute some of the rest again. */
  whole(): Promise<AuditReport> {
    return this.#once('whole', async () => {
      const head = await this.#options.log.follow();
      const isDue = this.#options.clock.monotonicMs() - this.#walkedMs >= WALK_EVERY_MS;
      if (this.#kept !== null) {
        const isSame = this.#kept.treeSize === head.size && this.#kept.rootSigned === head.rootHex;
        if ((isSame && !isDue) || !this.#budget.hasTime()) return this.#kept;
      }
      return this.#budget.spend(() => this.#all(head, isDue ? CALL_SCRUB : null));
    });
  }

  /** The same with a longer walk over what was verified before. */
  walkOn(): Promise<AuditReport> {
    return this.#once('walk', async () => this.#all(await this.#options.log.follow(), ROUND_SCRUB));
  }

  /** Audits the entries [from, to), which the log must have. */
  range(from: number, to: number): Promise<AuditReport> {
    return this.#once(`${from}-${to}`, async () => {
      if (!this.#budget.hasTime()) throw new StorageError('busy', 'audits have taken their share of the time');
      const { log } = this.#options;
      const head = await log.follow();
      const range = { from, to, ...log.pageProof(from, to, head.size) };
      return this.#budget.spend(() => this.#run({ head, range, scrub: null }));
    });
  }

  async #all(head: LogHead, scrub: AuditRequest['scrub']): Promise<AuditReport> {
    const startedMs = this.#options.clock.monotonicMs();
    this.#kept = await this.#run({ head, range: null, scrub });
    if (scrub !== null) this.#walkedMs = startedMs;
    return this.#kept;
  }

  async #run({ head, range, scrub }: Pick<AuditRequest, 'head' | 'range' | 'scrub'>): Promise<AuditReport> {
    const { log, run, clock } = this.#options;
    const { size, rootHex } = head;
    const nowMs = clock.now();
    const report = await run({ head: { size, rootHex }, vkeys: log.allVkeys(), range, scrub, nowMs });
    this.#newest = { ok: report.ok, atMs: nowMs, entries: report.treeSize };
    return report;
  }

  #once(name: string, audit: () => Promise<AuditReport>): Promise<AuditReport> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    if (this.#running.size >= MAX_WAITING)
      return Promise.reject(new StorageError('busy', 'too many audits are waiting'));
    const started = this.#last.then(audit).finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    this.#last = started.catch(() => {});
    return started;
  }
}

import { StorageFault } from '#storage/store.ts';
import type { AuditReport, AuditRequest } from './audit-report.ts';
import type { PublicLog } from './public-log.ts';

/** Ranges that wait for their turn; each takes a second or two at most. */
const MAX_WAITING = 16;
/** A call goes over as much of the verified log again as fits into this. */
const CALL_SCRUB = { entries: 50_000, ms: 250 };
const ROUND_SCRUB = { entries: 500_000, ms: 60_000 };

export interface LogAuditOptions {
  readonly log: PublicLog;
  readonly run: (request: AuditRequest) => Promise<AuditReport>;
  readonly nowMs: () => number;
}

interface AuditMemory {
  readonly ok: boolean;
  readonly atMs: number;
  readonly entries: number;
}

/** Audits one after the other. Who asks for what is under way already gets its report. */
export class LogAudit {
  readonly #options: LogAuditOptions;
  readonly #running = new Map<string, Promise<AuditReport>>();
  #last: Promise<unknown> = Promise.resolve();
  #newest: AuditMemory | null = null;

  constructor(options: LogAuditOptions) {
    this.#options = options;
  }

  /** What the last audit that this process ran found. */
  newest(): AuditMemory | null {
    return this.#newest;
  }

  /** Audits what was added since the last call, and some of the rest again. */
  whole(): Promise<AuditReport> {
    return this.#once('whole', async () => this.#request(null, CALL_SCRUB));
  }

  /** The same with a longer walk over what was verified before. */
  walkOn(): Promise<AuditReport> {
    return this.#once('walk', async () => this.#request(null, ROUND_SCRUB));
  }

  /** Audits the entries [from, to), which the log must have. */
  range(from: number, to: number): Promise<AuditReport> {
    return this.#once(`${from}-${to}`, async () => this.#request({ from, to }, CALL_SCRUB));
  }

  async #request(range: { from: number; to: number } | null, scrub: AuditRequest['scrub']): Promise<AuditReport> {
    const { log, run, nowMs } = this.#options;
    const { size, rootHex } = await log.follow();
    const around = range === null ? null : { ...range, ...log.pageProof(range.from, range.to, size) };
    const report = await run({ head: { size, rootHex }, vkeys: log.allVkeys(), range: around, scrub });
    this.#newest = { ok: report.ok, atMs: nowMs(), entries: report.treeSize };
    return report;
  }

  #once(name: string, audit: () => Promise<AuditReport>): Promise<AuditReport> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    if (this.#running.size >= MAX_WAITING)
      return Promise.reject(new StorageFault('busy', 'too many audits are waiting'));
    const started = this.#last.then(audit).finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    this.#last = started.catch(() => {});
    return started;
  }
}

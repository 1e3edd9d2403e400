import type { AuditReport, AuditRequest } from './audit-report.ts';
import type { HashedPage } from './hash-pass.ts';
import type { JudgedPage } from './judge-pass.ts';

const MAX_PROBLEMS = 100;

type Common = Pick<
  AuditReport,
  | ('ok' | 'treeSize' | 'rootSigned' | 'rootRecomputed' | 'timeMonotone' | 'idsOk')
  | ('problems' | 'hashingMs' | 'judgingMs')
>;

/** What audits of this process found wrong: kept until its end, so that every later report says it too. */
export class LogFindings {
  readonly #problems = new Set<string>();
  #timeMonotone = true;
  #idsOk = true;
  #ms = { hashing: 0, judging: 0 };

  /** Starts the clock of a call. */
  begin(): void {
    this.#ms = { hashing: 0, judging: 0 };
  }

  took(kind: 'hashing' | 'judging', ms: number): void {
    this.#ms[kind] += ms;
  }

  problem(text: string): void {
    if (this.#problems.size < MAX_PROBLEMS) this.#problems.add(text);
  }

  hashed({ wrongIds, earlier, missing }: HashedPage): void {
    if (wrongIds.length > 0) this.#idsOk = false;
    if (earlier.length > 0) this.#timeMonotone = false;
    for (const seq of missing) this.problem(`entry ${seq} is missing`);
    for (const seq of wrongIds) this.problem(`entry ${seq} does not hash to its id`);
    for (const seq of earlier) this.problem(`entry ${seq} is dated before the one in front of it`);
  }

  judged({ problems }: JudgedPage): void {
    for (const problem of problems) this.problem(problem);
  }

  report({ head }: AuditRequest, root: Uint8Array): Common {
    const rootRecomputed = Buffer.from(root).toString('hex');
    const isRoot = rootRecomputed === head.rootHex;
    const problems = [...this.#problems];
    if (!isRoot) problems.push(`the entries hash to ${rootRecomputed}, signed is ${head.rootHex}`);
    return {
      ok: problems.length === 0,
      treeSize: head.size,
      rootSigned: head.rootHex,
      rootRecomputed,
      timeMonotone: this.#timeMonotone,
      idsOk: this.#idsOk,
      problems,
      hashingMs: this.#ms.hashing,
      judgingMs: this.#ms.judging,
    };
  }
}

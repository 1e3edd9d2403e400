// Sends what _fuzz-cases.ts makes to a running service and judges every answer by the operation table.
import fc from 'fast-check';
import type { Operation } from '#kernel/operation.ts';
import { Problem } from '#areas/discovery/operations.ts';
import { negotiate } from '#transport/http/negotiation.ts';
import { allProblems, OPERATIONS } from '../src/operations.ts';
import { draftsFor, type FuzzRequest, requestOf } from './_fuzz-cases.ts';
import { exchangeOnce, type RawAnswer, RawConnection } from './_raw-http.ts';

export interface FuzzOptions {
  readonly url: string;
  readonly seed: number;
  readonly requests: number;
  /** Texts that no answer may hold, such as the data directory. */
  readonly secrets: readonly string[];
  /** Sees every answer that passed. */
  readonly onAnswer?: (request: FuzzRequest, answer: RawAnswer) => void;
}

export interface FuzzReport {
  readonly requests: number;
  readonly perOperation: ReadonlyMap<string, number>;
  /** How often each status was answered, by operation. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

const CONNECTIONS = 32;
const BATCH_PER_OPERATION = 50;
const REMEMBERED_ANSWERS = 64;
const REPEATED_PER_OPERATION = 25;
const CODES = new Map(allProblems().map((problem) => [problem.code, problem.status]));
/** Traces of the machine room: stacks, files, statements and codes of the parts below. */
const INTERNALS = /\n\s+at |node:|node_modules|\.ts:\d|\bFST_|\bSQLITE_|\bSELECT .* FROM\b|\bINSERT INTO\b|\bE(?:NOENT|CONN\w+)\b/;

/** Throws at the first answer that should not be; the message names the seed and the request. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const run = new FuzzRun(options);
  const requests = run.requests();
  await Promise.all(Array.from({ length: CONNECTIONS }, () => run.work(requests)));
  await run.repeatPure();
  return run;
}

class FuzzRun implements FuzzReport {
  readonly perOperation = new Map<string, number>();
  readonly statuses = new Map<string, Map<number, number>>();
  requestCount = 0;
  readonly #options: FuzzOptions;
  readonly #drafts = OPERATIONS.map((operation) => ({ operation, arbitrary: draftsFor(operation) }));
  /** Members and answers of calls that went well, by area: later calls take ids and tokens from them. */
  readonly #remembered = new Map<string, Record<string, unknown>[]>();
  readonly #judge: Judge;

  constructor(options: FuzzOptions) {
    this.#options = options;
    this.#judge = new Judge(options.secrets);
  }

  get requests(): number {
    return this.requestCount;
  }

  /** Turn by turn one request for each operation; the same seed makes the same ones but for recalled values. */
  *requestsInTurn(): Generator<FuzzRequest> {
    for (let batch = 0; ; batch += 1) {
      const seed = this.#options.seed + batch * this.#drafts.length;
      const columns = this.#drafts.map(({ operation, arbitrary }, column) => ({
        operation,
        drafts: fc.sample(arbitrary, { seed: seed + column, numRuns: BATCH_PER_OPERATION }),
      }));
      for (let row = 0; row < BATCH_PER_OPERATION; row += 1) {
        for (const { operation, drafts } of columns) {
          const draft = drafts[row];
          if (draft === undefined) continue;
          if (this.requestCount >= this.#options.requests) return;
          this.requestCount += 1;
          yield requestOf(operation, draft, this.#recall(operation, draft.recall));
        }
      }
    }
  }
}

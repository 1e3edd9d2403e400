// What a row promises, held against what its tests saw.
import { suspended } from '#kernel/api-key.ts';
import type { RateClass } from '#kernel/operation.ts';
import { OPERATIONS, TABLE } from '../../src/areas.ts';
import { logUnsound, storageUnavailable, streamsFull, tooManyBodies } from '../../src/kernel/general-problems.ts';
import type { Answer } from './client.ts';

/** Collects the statuses that a test file saw of an operation, and names those that its row promises beside them. */
export class PromisedStatuses {
  readonly #row: (typeof OPERATIONS)[number];
  readonly #seen = new Set<number>();

  constructor(operationId: string) {
    const row = OPERATIONS.find((one) => one.operationId === operationId);
    if (row === undefined) throw new Error(`no operation ${operationId}`);
    this.#row = row;
  }

  /** The class by which calls of the row are limited. */
  get rate(): RateClass | 'none' {
    return this.#row.rate;
  }

  saw(answer: Answer): Answer {
    this.#seen.add(answer.status);
    return answer;
  }

  missing(): number[] {
    const { successStatus: success = 200, repeatStatus = success } = this.#row;
    // Tested for all reads at once: a lost store in database-faults.test.ts, full streams in attest_stream.more.ts.
    // Suspension of every row is in suspension.test.ts, the room for bodies in body-reader.test.ts.
    const elsewhere: readonly string[] = [storageUnavailable, logUnsound, streamsFull, tooManyBodies].map(
      ({ code }) => code,
    );
    const problems = TABLE.problemsOf(this.#row).filter(
      (problem) =>
        (this.#row.effects || !elsewhere.includes(problem.code)) &&
        (problem !== suspended || this.#row.problems.includes(suspended)),
    );
    const promised = new Set<number>([success, repeatStatus, ...problems.map((problem) => problem.status)]);
    return [...promised.difference(this.#seen)];
  }
}

// What a row promises, held against what its tests saw.
import { suspended } from '#kernel/api-key.ts';
import { OPERATIONS, promisedProblems } from '../../src/operations.ts';
import { logUnsound, storageUnavailable, streamsFull } from '../../src/problems.ts';
import type { Answer } from './client.ts';

/** Collects the statuses that a test file saw of an operation, and names those that its row promises beside them. */
export class PromisedStatuses {
  readonly #operationId: string;
  readonly #seen = new Set<number>();

  constructor(operationId: string) {
    this.#operationId = operationId;
  }

  saw(answer: Answer): Answer {
    this.#seen.add(answer.status);
    return answer;
  }

  missing(): number[] {
    const operation = OPERATIONS.find((row) => row.operationId === this.#operationId);
    if (operation === undefined) throw new Error(`no operation ${this.#operationId}`);
    const { successStatus: success = 200, repeatStatus = success } = operation;
    // Tested for all reads at once: a lost store in database-faults.test.ts, full streams in attest_stream.test.ts.
    // Suspension of every row is in suspension.test.ts.
    const elsewhere: readonly string[] = [storageUnavailable, logUnsound, streamsFull].map(({ code }) => code);
    const problems = promisedProblems(operation).filter(
      (problem) =>
        (operation.effects || !elsewhere.includes(problem.code)) &&
        (problem !== suspended || operation.problems.includes(suspended)),
    );
    const promised = new Set<number>([success, repeatStatus, ...problems.map((problem) => problem.status)]);
    return [...promised.difference(this.#seen)];
  }
}

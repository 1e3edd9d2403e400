import { AGENT_KEY_HEADER, keyConflict, suspended } from './api-key.ts';
import * as general from './general-problems.ts';
import type { Operation } from './operation.ts';
import type { ProblemType } from './problem.ts';

/** Problems that the kernel does not know. */
export interface OtherProblems {
  /** Of whatever costs money: those of the gate before it. */
  readonly paid: readonly ProblemType[];
  /** Of tools and of no operation. */
  readonly tools: readonly ProblemType[];
}

/** Everything that can be asked of a service, with every problem that it can answer. */
export class OperationTable {
  /** In the order in which documents show them. */
  readonly operations: readonly Operation[];
  readonly #others: OtherProblems;

  constructor(operations: readonly Operation[], others: OtherProblems) {
    requireDistinct(operations);
    this.operations = operations;
    this.#others = others;
  }

  /** The same with some of its rows. */
  only(isKept: (operation: Operation) => boolean): OperationTable {
    return new OperationTable(this.operations.filter(isKept), this.#others);
  }

  /** Every problem that the operation can answer: its own and those that follow from its other fields. */
  problemsOf(operation: Operation): ProblemType[] {
    const hasInput = Object.keys(operation.input.shape).length > 0;
    const takesBody = operation.method === 'post' || operation.alsoPost === true;
    const isPaid = operation.price !== null;
    const writes = operation.effects || isPaid;
    const isGuarded = operation.effects && operation.method === 'get' && !isPaid;
    const promised = [
      general.invalidParameters,
      general.malformedRequest,
      ...(takesBody
        ? [
            general.malformedJson,
            general.bodyTooLarge,
            general.tooManyBodies,
            general.unsupportedMediaType,
            general.unsupportedCoding,
          ]
        : []),
      ...(takesAgentKey(operation) ? [keyConflict] : []),
      ...(isGuarded ? [general.crossSiteRequest, general.prefetch] : []),
      ...(operation.takesForm ? [general.crossSiteRequest] : []),
      ...(operation.rate === 'none' ? [] : [general.slowDown]),
      ...(writes ? [general.busy, general.storageUnavailable, general.outcomeUnknown] : []),
      ...(writes && !isPaid ? [general.signerUnavailable] : []),
      ...(writes ? [general.auditTrailUnavailable] : []),
      ...(operation.effects && !isPaid && operation.whileSuspended !== 'allowed' ? [suspended] : []),
      ...(!writes && readsStore(operation) ? [general.storageUnavailable] : []),
      ...(!writes && operation.reads === 'log' ? [general.logUnsound] : []),
      ...(operation.streams === undefined ? [] : [general.tooManyStreams, general.streamsFull]),
      ...(isPaid ? this.#others.paid : []),
      ...(operation.deprecated === undefined ? [] : [general.sunsetPassed]),
      ...operation.problems,
    ];
    return [...new Set(promised)].filter(
      (problem) => hasInput || problem !== general.malformedJson || operation.problems.includes(problem),
    );
  }

  /** The closed set of problem codes. */
  problems(): ProblemType[] {
    const problems = new Map<string, ProblemType>();
    const isPaid = this.operations.some(({ price }) => price !== null);
    const shared = [...general.GENERAL_PROBLEMS, ...(isPaid ? this.#others.paid : []), ...this.#others.tools];
    for (const problem of [...shared, ...this.operations.flatMap((row) => row.problems)]) {
      const known = problems.get(problem.code);
      // Areas that may not know each other may mean the same by a code, but nothing else by it.
      if (known !== undefined && !isSame(known, problem))
        throw new Error(`two problems share the code ${problem.code}`);
      problems.set(problem.code, problem);
    }
    return [...problems.values()].toSorted((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
  }

  /** Which operations promise a problem, by its code. */
  operationsByProblem(): Map<string, string[]> {
    const ids = new Map<string, string[]>();
    for (const row of this.operations) {
      for (const code of new Set(this.problemsOf(row).map((problem) => problem.code))) {
        ids.set(code, [...(ids.get(code) ?? []), row.operationId]);
      }
    }
    return ids;
  }
}

/** Whether a call may have the key of an agent. */
export function takesAgentKey({ access, headerOnly = {} }: Operation): boolean {
  return access === 'agent' || AGENT_KEY_HEADER in headerOnly;
}

/** True when a call without effects needs the store. */
export function readsStore({ reads = 'nothing' }: Operation): boolean {
  return reads !== 'nothing';
}

/** Two rows may not share an id or a place. */
function requireDistinct(operations: readonly Operation[]): void {
  const seen = new Set<string>();
  for (const { operationId, method, path, alsoPost } of operations) {
    for (const name of [operationId, `${method} ${path}`, ...(alsoPost ? [`post ${path}`] : [])]) {
      if (seen.has(name)) throw new Error(`the operation table has ${name} twice`);
      seen.add(name);
    }
  }
}

function isSame(a: ProblemType, b: ProblemType): boolean {
  return a.status === b.status && a.title === b.title && a.help === b.help;
}

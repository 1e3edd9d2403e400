import { canonicalJson } from '#kernel/canonical-json.ts';
import { isoTime } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';

export const STEP_NAMES = ['route', 'quote', 'reserve', 'execute', 'seal', 'settle'] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** One step of a task. It is begun before its effect and has an output after it. */
export interface TaskStep {
  readonly n: number;
  readonly name: StepName;
  readonly inputSha256: string;
  /** Canonical JSON; null while the step runs. */
  readonly output: string | null;
  readonly outputSha256: string | null;
  readonly prev: string;
  readonly hash: string | null;
  readonly atMs: number;
}

/** SHA-256 of the one JSON text of a value, in hex. */
export function digestOf(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

/** The hash before the first step; also what the public log calls the task. */
export function caseIdOf(taskId: string): string {
  return sha256Hex(taskId);
}

/** The hash of the last step that is done. */
export function rootOf(taskId: string, steps: readonly TaskStep[]): string {
  return steps.findLast(({ hash }) => hash !== null)?.hash ?? caseIdOf(taskId);
}

export function begunStep(taskId: string, steps: readonly TaskStep[], name: StepName, input: unknown): TaskStep {
  return {
    n: steps.length + 1,
    name,
    inputSha256: digestOf(input),
    output: null,
    outputSha256: null,
    prev: rootOf(taskId, steps),
    hash: null,
    atMs: 0,
  };
}

export function doneStep(taskId: string, step: TaskStep, output: unknown, atMs: number): TaskStep {
  const text = canonicalJson(output);
  const done = { ...step, output: text, outputSha256: sha256Hex(text), atMs };
  return { ...done, hash: stepHash(taskId, done) };
}

function stepHash(taskId: string, step: Omit<TaskStep, 'hash' | 'output'>): string {
  const { prev, n, name, inputSha256, outputSha256, atMs } = step;
  return sha256Hex([prev, taskId, n, name, inputSha256, outputSha256, isoTime(atMs)].join('\n'));
}

/** Whether every stored output, digest and link is the one that the hashes were made of. */
export function isChainWhole(taskId: string, steps: readonly TaskStep[]): boolean {
  let prev = caseIdOf(taskId);
  for (const [index, step] of steps.entries()) {
    if (step.n !== index + 1 || step.prev !== prev) return false;
    if (step.output === null) return index === steps.length - 1 && step.hash === null;
    if (sha256Hex(step.output) !== step.outputSha256 || stepHash(taskId, step) !== step.hash) return false;
    prev = step.hash;
  }
  return true;
}

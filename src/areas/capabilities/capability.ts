import type { z } from 'zod';
import type { HeavyResults, HeavyTasks } from './heavy/heavy-tasks.ts';

/** Why one input could not be worked on: `input` is the caller's to fix, `size` is too large to be done, `work` failed on the way. */
export class Unworkable {
  readonly kind: 'input' | 'size' | 'work';
  readonly code: string;
  readonly detail: string;
  /** The member of the input that is at fault. */
  readonly field: string | null;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: Unworkable['kind'],
    code: string,
    detail: string,
    field: string | null = null,
    retryAfterSeconds?: number,
  ) {
    this.kind = kind;
    this.code = code;
    this.detail = detail;
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The same, of a member of the input. */
  at(field: string | null): Unworkable {
    return new Unworkable(this.kind, this.code, this.detail, field, this.retryAfterSeconds);
  }
}

export interface FetchedPage {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

/** What an embedded mode may use beside its input. */
export interface Tools {
  /** Work in a process of its own, ended at its limits of time and memory. */
  heavy<K extends keyof HeavyTasks>(kind: K, task: HeavyTasks[K]): Promise<HeavyResults[K] | Unworkable>;
  /** One guarded GET of an address that the caller chose. */
  fetch(url: string): Promise<FetchedPage | Unworkable>;
  nowIso(): string;
}

/** What a model is asked; instructions are ours, the prompt is the caller's data. */
export type ModelQuestion =
  | {
      readonly does: 'text' | 'image';
      readonly instructions: string;
      readonly prompt: string;
      /** JSON Schema of the answer; without one the answer is text. */
      readonly schema?: object;
      readonly image?: Uint8Array;
    }
  | { readonly does: 'embedding'; readonly texts: readonly string[] };

type Worked<O> = O | Unworkable | Promise<O | Unworkable>;

/** What a model does of a capability: pure on both sides of the call. */
interface ProviderForm<I, O> {
  readonly does: ModelQuestion['does'];
  ask(input: I, tools: Tools): ModelQuestion | Unworkable | Promise<ModelQuestion | Unworkable>;
  /** `answer` is text, an object of the question's schema, or vectors. */
  read(input: I, answer: unknown, by: { readonly model: string; readonly tools: Tools }): Worked<O>;
}

interface EmbeddedForm<I, O> {
  /** The extra without which it cannot be done. */
  readonly extra?: string;
  /** It needs no tools: long inputs are worked on in a process of their own. */
  readonly isSelfContained?: true;
  /** False for an input that only a model can work on. */
  takes?(input: I): boolean;
  run(input: I, tools: Tools): Worked<O>;
}

/** A claim of record.integrity.v1 that the execution seals and pays for. */
export interface WorkSeal {
  readonly statement: string;
  readonly evidence_digests: readonly string[];
}

/** One row of the table: what goes in and out, what it is counted in, and how it is done. */
export interface Capability<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly input: I;
  readonly output: O;
  readonly unit: string;
  /** How many units an execution counts; before the work (no output) the most that it may be. */
  units(input: z.output<I>, output: z.output<O> | null): number;
  readonly embedded: EmbeddedForm<z.output<I>, z.output<O>> | null;
  readonly provider: ProviderForm<z.output<I>, z.output<O>> | null;
  /** Of an output that is to be sealed; the attestation's id is put into it. */
  seal?(input: z.output<I>, output: z.output<O> | null): WorkSeal | 'one' | null;
  readonly example: { readonly input: z.input<I>; readonly output: z.output<O> };
}

/** Gives a row the form of the table, which does not know the types of each. */
export function defineCapability<I extends z.ZodObject, O extends z.ZodObject>(row: Capability<I, O>): Capability {
  return row;
}

export const oneUnit = (): number => 1;

/** Units of so many characters each, at least one. */
export function unitsOf(characters: number, each: number): number {
  return Math.max(1, Math.ceil(characters / each));
}

import type { Operation } from './operation.ts';
import type { Refusal } from './problem.ts';

/** Judges the keys of one kind, by the header alone: whoever is refused for one sent a body for nothing. */
export interface KeyJudge {
  /** Rows with this access need such a key. */
  readonly access: Exclude<Operation['access'], 'none'>;
  readonly header: string;
  /** Refuses a key by its form. */
  refuseForm(key: string | undefined): Refusal | undefined;
  /** Refuses a key that is in force for nobody. */
  refuse(key: string, row: Operation): Promise<Refusal | undefined>;
}

import type { SpendFacts } from './spend-facts.ts';

export type StepResult = 'PASS' | 'CAUTION' | 'STOP';
export const STEP_IDS = ['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10'] as const;
type StepId = (typeof STEP_IDS)[number];

/** One line of a step. Codes are stable; sentences may be reworded. */
export interface StepRow {
  readonly code: string;
  readonly result: StepResult;
  /** The condition in words, as the protocol publishes it. */
  readonly when: string;
  readonly holds: (facts: SpendFacts) => boolean;
  readonly why: string | ((facts: SpendFacts) => string);
}

/** The first row that holds decides; the last one always does. */
export interface FuseStep {
  readonly step: StepId;
  readonly name: string;
  /** The name of the step in the free check. */
  readonly checkName: string;
  readonly rows: readonly StepRow[];
}

export const otherwise = { when: 'otherwise', holds: () => true } as const;

import type { Refusal } from '#kernel/problem.ts';
import type { HardRule } from './rule-table.ts';

/** Refuses by the usage rules, each refusal sealed; null where a text or a name breaks none. */
export interface TextPolicy {
  ofText(field: string, text: string, rules: readonly HardRule[]): Promise<Refusal | null>;
  ofName(field: string, name: string): Promise<Refusal | null>;
}

/** The first refusal of several texts by their fields; absent ones are passed over. */
export async function refuseTexts(
  desk: TextPolicy,
  texts: Readonly<Record<string, string | undefined>>,
  rules: readonly HardRule[],
): Promise<Refusal | null> {
  for (const [field, text] of Object.entries(texts)) {
    const refused = text === undefined ? null : await desk.ofText(field, text, rules);
    if (refused !== null) return refused;
  }
  return null;
}

import { Refusal } from '#kernel/problem.ts';
import { sentencesOf } from './clauses.ts';
import { breach } from './judge.ts';
import { isPosingName } from './posing-names.ts';
import { ruleRefused } from './problems.ts';
import { type HardRule, RULE_ROWS } from './rule-table.ts';
import { RULES_VERSION } from './version.ts';

/** What a text may not ask of this service. */
export const ASKING_RULES = ['secret_request', 'founder_impersonation'] as const;
/** What a text may not say that this service shows or sends to others. */
export const PUBLISHED_RULES = [...ASKING_RULES, 'warranty_promise'] as const;

/** Where a text breaks a rule: the caller's own words and their place in it. */
export interface BrokenRule {
  readonly rule: HardRule;
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

/** The first of the rules that a cleaned text breaks, judged clause by clause; null when none. */
export function brokenRule(text: string, rules: readonly HardRule[]): BrokenRule | null {
  const sentences = sentencesOf(text);
  for (const row of RULE_ROWS) {
    if (!rules.includes(row.rule)) continue;
    for (const sentence of sentences) {
      const span = breach(sentence, row);
      if (span === null) continue;
      const start = sentence.terms[span.from]?.start ?? 0;
      const end = sentence.terms[span.to]?.end ?? text.length;
      return { rule: row.rule, start, end, words: text.slice(start, end) };
    }
  }
  return null;
}

/** A name that poses as the founder or as who runs the service. */
export function nameBreaksRule(name: string): BrokenRule | null {
  return isPosingName(name) ? { rule: 'founder_impersonation', start: 0, end: name.length, words: name } : null;
}

export function refuseByRule(
  field: string,
  broken: BrokenRule,
  members: Readonly<Record<string, string>> = {},
): Refusal {
  const { rule, start, end, words } = broken;
  return new Refusal(ruleRefused, {
    detail: 'A text in this call asks for something that a usage rule forbids.',
    members: { rule, matched: [{ field, start, end, words }], rules_version: RULES_VERSION, ...members },
  });
}

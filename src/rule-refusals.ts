import { newToken, sha256Hex } from '#kernel/ids.ts';
import type { Refusal } from '#kernel/problem.ts';
import { type Stated, statementStep } from '#log/statement-unit.ts';
import { brokenRule, nameBreaksRule, refuseByRule } from '#rules/hard-rules.ts';
import type { HardRule } from '#rules/rule-table.ts';
import type { Store } from '#storage/store.ts';

/** The sealed refusal of a text that breaks a usage rule; null where it breaks none. */
export interface RuleRefusals {
  ofText(field: string, text: string, rules: readonly HardRule[]): Promise<Refusal | null>;
  ofName(field: string, name: string): Promise<Refusal | null>;
}

export function ruleRefusals(store: Pick<Store, 'runAll'>, sandbox: boolean): RuleRefusals {
  const sealed = async (field: string, text: string, broken: ReturnType<typeof brokenRule>) => {
    if (broken === null) return null;
    // Salted, so that nobody can try texts against the log.
    const commitment = sha256Hex(`${newToken()}\n${text}`);
    const [stated] = await store.runAll([statementStep(`rule.refusal ${broken.rule} sha256:${commitment}`, sandbox)]);
    return refuseByRule(field, broken, { attestation_id: (stated as Stated).attestationId });
  };
  return {
    ofText: (field, text, rules) => sealed(field, text, brokenRule(text, rules)),
    ofName: (field, name) => sealed(field, name, nameBreaksRule(name)),
  };
}

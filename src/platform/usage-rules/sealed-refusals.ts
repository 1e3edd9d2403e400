import { newToken, sha256Hex } from '#kernel/ids.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import { brokenRule, nameBreaksRule, refuseByRule } from '#platform/usage-rules/hard-rules.ts';
import type { TextPolicy } from '#platform/usage-rules/text-policy.ts';
import type { Store } from '#platform/storage/store.ts';

/** Refuses what is against the rules, and puts a commitment to it into the log. */
export function sealedRefusals(store: Pick<Store, 'runAll'>, sandbox: boolean): TextPolicy {
  const sealed = async (field: string, text: string, broken: ReturnType<typeof brokenRule>) => {
    if (broken === null) return null;
    // Salted, so that nobody can try texts against the log.
    const commitment = sha256Hex(`${newToken()}\n${text}`);
    const [stated] = await store.runAll([statementStep(`rule.refusal ${broken.rule} sha256:${commitment}`, sandbox)]);
    return refuseByRule(field, broken, { attestation_id: stated.attestationId });
  };
  return {
    ofText: (field, text, rules) => sealed(field, text, brokenRule(text, rules)),
    ofName: (field, name) => sealed(field, name, nameBreaksRule(name)),
  };
}

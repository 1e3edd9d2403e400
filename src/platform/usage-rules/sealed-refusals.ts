import { newToken, sha256Hex } from '#kernel/ids.ts';
import { NewestMap } from '#kernel/newest-map.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import { type BrokenRule, brokenRule, nameBreaksRule, refuseByRule } from '#platform/usage-rules/hard-rules.ts';
import type { HardRule } from '#platform/usage-rules/rule-table.ts';
import type { TextPolicy } from '#platform/usage-rules/text-policy.ts';
import type { Store } from '#platform/storage/store.ts';

/** As long as the name of an agent may be: it comes with every call of the agent, and is judged once. */
const MAX_KEPT_LENGTH = 80;
const MAX_KEPT = 4_096;

/** Refuses what is against the rules, and puts a commitment to it into the log. */
export function sealedRefusals(store: Pick<Store, 'runAll'>, sandbox: boolean): TextPolicy {
  const sealed = async (field: string, text: string, broken: BrokenRule | null) => {
    if (broken === null) return null;
    // Salted, so that nobody can try texts against the log.
    const commitment = sha256Hex(`${newToken()}\n${text}`);
    const [stated] = await store.runAll([statementStep(`rule.refusal ${broken.rule} sha256:${commitment}`, sandbox)]);
    return refuseByRule(field, broken, { attestation_id: stated.attestationId });
  };
  const judge = keptJudge();
  return {
    ofText: (field, text, rules) => sealed(field, text, judge(text, rules)),
    ofName: (field, name) => sealed(field, name, judge(name, 'name')),
  };
}

/** Judges a text by these rules or as a name; of short texts the newest verdicts are kept, which nothing else decides. */
function keptJudge(): (text: string, as: readonly HardRule[] | 'name') => BrokenRule | null {
  const kept = new NewestMap<string, BrokenRule | null>(MAX_KEPT);
  return (text, as) => {
    const judged = () => (as === 'name' ? nameBreaksRule(text) : brokenRule(text, as));
    if (text.length > MAX_KEPT_LENGTH) return judged();
    const place = `${as === 'name' ? as : as.join()} ${text}`;
    let broken = kept.get(place);
    if (broken === undefined) {
      broken = judged();
      kept.set(place, broken);
    }
    return broken;
  };
}

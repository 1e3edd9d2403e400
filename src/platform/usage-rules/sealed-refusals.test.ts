import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '#platform/storage/store.ts';
import { ASKING_RULES, brokenRule, nameBreaksRule, PUBLISHED_RULES } from './hard-rules.ts';
import { sealedRefusals } from './sealed-refusals.ts';

const TEXTS = [
  'bench',
  'AvouchOwner',
  'I am the founder',
  'send me your api key',
  'we guarantee that it works forever',
  `${'a long text about nothing at all, '.repeat(4)}send me your api key`,
];

function policy() {
  let seals = 0;
  const runAll = async () => {
    seals += 1;
    return [{ attestationId: `ATT-${seals}` }];
  };
  return sealedRefusals({ runAll } as unknown as Pick<Store, 'runAll'>, true);
}

test('a text is refused the second time as the first, by the rules that are asked for, and sealed each time', async () => {
  const rules = policy();
  const seals = new Set<unknown>();
  let refusals = 0;
  for (let round = 0; round < 2; round += 1) {
    for (const text of TEXTS) {
      const asked = [
        [await rules.ofName('agent', text), nameBreaksRule(text)],
        [await rules.ofText('agent', text, ASKING_RULES), brokenRule(text, ASKING_RULES)],
        [await rules.ofText('agent', text, PUBLISHED_RULES), brokenRule(text, PUBLISHED_RULES)],
      ] as const;
      for (const [refused, broken] of asked) {
        assert.equal(refused?.details.members?.['rule'], broken?.rule, text);
        if (refused === null) continue;
        refusals += 1;
        seals.add(refused.details.members?.['attestation_id']);
      }
    }
  }
  assert.ok(refusals >= 8, `${refusals} refusals`);
  assert.equal(seals.size, refusals);
});

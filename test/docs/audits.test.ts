import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT } from '../support/child-service.ts';
import { sharedService } from '../support/shared-service.ts';

test('the audit examples of docs/checks.md match the responses', async () => {
  const text = readFileSync(`${ROOT}docs/checks.md`, 'utf8');
  const examples = [...text.matchAll(/```\nGET (\S+)\n```[\s\S]*?```json\n([\s\S]*?)```/g)];
  assert.equal(examples.length, 2);
  const service = await sharedService();
  for (const [, path = '', shown = ''] of examples) {
    const { json } = await service.call(path);
    const { checks, ...rest } = JSON.parse(shown) as Record<string, unknown> & { checks?: unknown[] };
    assert.partialDeepStrictEqual(json, rest);
    for (const check of checks ?? []) {
      const { step } = check as { step: string };
      assert.deepEqual(
        (json['checks'] as { step: string }[]).find((row) => row.step === step),
        check,
      );
    }
  }
});

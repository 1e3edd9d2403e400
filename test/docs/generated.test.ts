import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { generatedDocuments } from '../../scripts/generate-docs.ts';

for (const [path, text] of Object.entries(generatedDocuments())) {
  test(`${path} is what the tables of the service say`, async () => {
    const committed = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8').catch(() => '');
    assert.equal(committed, text, `${path} is out of date: run node scripts/generate-docs.ts`);
  });
}

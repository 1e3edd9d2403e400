// What is published of the frozen sets is what they give.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PUBLISHED_QUALITY } from '#platform/quality/published.ts';
import { qualityTables } from '../evals/quality-tables.ts';

const ROOT = new URL('../../', import.meta.url);

suite('quality', { concurrency: true }, () => {
  test('docs/quality.md has the published figures, and no others', async () => {
    const page = await readFile(new URL('docs/quality.md', ROOT), 'utf8');
    const shown = page.split('<!-- figures -->')[1]?.split('<!-- end of figures -->')[0];
    assert.equal(shown?.trim(), qualityTables(PUBLISHED_QUALITY).trim());
  });

  test('the sets are those that were measured', async () => {
    for (const { sets } of Object.values(PUBLISHED_QUALITY)) {
      for (const { file, sha256 } of sets) {
        const bytes = await readFile(new URL(file, ROOT));
        assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, file);
      }
    }
  });

  for (const name of ['rules', 'lint', 'retrieval', 'names']) {
    test(`${name}: the evaluation gives the published figures`, async () => {
      const script = fileURLToPath(new URL('test/evals/quality.ts', ROOT));
      const { stdout } = await promisify(execFile)(process.execPath, [script, '--only', name]);
      const { differences } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { differences: string[] };
      assert.deepEqual(differences, []);
    });
  }
});

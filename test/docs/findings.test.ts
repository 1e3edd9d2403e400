// What the service once answered wrongly, and the test that holds it right.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/child-service.ts';

interface Finding {
  readonly entry: string;
  readonly said: string;
  readonly file: string;
  /** The name of the test as it stands in the file; where it is made from a table, the constant part of it. */
  readonly test: string;
}

const { findings } = JSON.parse(readFileSync(join(ROOT, 'test/findings.json'), 'utf8')) as { findings: Finding[] };

test('every finding names a test that is there', () => {
  assert.ok(findings.length > 0);
  for (const { entry, file, test: name } of findings) {
    assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(name), `${entry}: ${file} has no test "${name}"`);
  }
});

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { schemaOf } from '#kernel/openapi.ts';
import { RATE_CLASSES } from '#kernel/operation.ts';
import { OperationTable } from '#kernel/operation-table.ts';
import { OPERATIONS, TABLE } from '../../src/areas.ts';

test('every operation has a test file of its own, and every such file an operation', () => {
  const files = readdirSync(new URL('../operations/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => basename(file, '.test.ts'));
  assert.deepEqual(files.toSorted(), OPERATIONS.map(({ operationId }) => operationId).toSorted());
});

test('ids and places are unique, and rows say all that transport needs', () => {
  for (const row of OPERATIONS) {
    assert.match(row.operationId, /^[a-z][a-z0-9_]*$/);
    assert.ok(row.summary.length > 0 && row.description.length > 0 && row.examples.length > 0, row.operationId);
    assert.ok(row.rate === 'none' || RATE_CLASSES.includes(row.rate));
    for (const [name, field] of Object.entries(row.input.shape)) {
      assert.ok(schemaOf(field, 'input')['description'], `${row.operationId}.${name} has no description`);
    }
    for (const { input, output } of row.examples) {
      row.input.parse(input);
      row.output.parse(output);
    }
  }
});

test('a table that names a place twice is refused', () => {
  const [first] = OPERATIONS;
  assert.ok(first !== undefined);
  const twice = [first, { ...first, operationId: 'other' }];
  assert.throws(() => new OperationTable(twice, { paid: [], tools: [] }), /twice/);
});

test('problem codes are words, unique, and each explains itself', () => {
  const problems = TABLE.problems();
  assert.equal(new Set(problems.map(({ code }) => code)).size, problems.length);
  for (const { code, status, title, help } of problems) {
    assert.match(code, /^[a-z][a-z_]+$/);
    assert.ok(status >= 400 && status <= 599 && title.length > 0 && help.length > 20, code);
  }
});

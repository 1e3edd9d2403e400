// The errors page: every code once, under a product, and short enough to be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatedDocuments } from '../../scripts/generate-docs.ts';
import { OPERATIONS, TABLE } from '../../src/areas.ts';

const MAX_WORDS = 2_500;
const page = generatedDocuments()['docs/errors.md'] ?? '';
const rows = page.split('\n').filter((line) => line.startsWith('| `'));

test('the errors page has every problem code once, with its status and help', () => {
  const byCode = new Map(rows.map((row) => [row.split('`')[1] ?? '', row]));
  assert.equal(byCode.size, rows.length);
  assert.deepEqual(
    [...byCode.keys()].toSorted(),
    TABLE.problems()
      .map(({ code }) => code)
      .toSorted(),
  );
  for (const { code, status, title, help } of TABLE.problems()) {
    assert.equal(byCode.get(code), `| \`${code}\` | ${status} | ${title} | ${help.replaceAll('|', '\\|')} |`);
  }
});

test('the errors page puts every row under a product and names no operations', () => {
  const [beginning = '', ...sections] = page.split('\n## ');
  assert.ok(!beginning.includes('| `'));
  assert.ok(sections.length > 10);
  for (const section of sections) assert.match(section, /^[A-Z][\w ,]+\n\n\| Code \| Status \| Title \| What happened/);
  const operations = new Set(OPERATIONS.map(({ operationId }) => operationId));
  const named = rows.flatMap((row) => row.match(/`\w+`/g)?.slice(1) ?? []);
  assert.deepEqual(
    named.filter((name) => operations.has(name.slice(1, -1))),
    [],
  );
});

test('the errors page has at most 2,500 words in addition to the help texts', () => {
  const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length;
  const ofHelp = TABLE.problems().reduce((sum, { help }) => sum + wordsOf(help), 0);
  assert.ok(wordsOf(page) - ofHelp <= MAX_WORDS, `${wordsOf(page) - ofHelp} words`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { documentMarkdown } from '#kernel/document.ts';
import { documentHtml } from './document.ts';

const page = (document: object) =>
  documentHtml(
    document,
    { title: 'T', path: '/t' },
    { service: 'S', sandbox: true, baseUrl: () => 'http://test.invalid', nowMs: () => 0 },
  );

test('members, lists, tables and addresses have their own forms', () => {
  const document = {
    name: 'a & b',
    at: 'https://a.example/x?y=1',
    none: null,
    list: ['one', '# two'],
    rows: [
      { id: 'a|b', n: 1 },
      { id: 'c', ok: true },
    ],
    deep: [{ of: { it: [] } }],
  };
  assert.match(page(document), /<dt>Name<\/dt><dd>a &amp; b<\/dd>/);
  assert.match(page(document), /<a href="https:\/\/a\.example\/x\?y=1" rel="nofollow noopener noreferrer">/);
  assert.match(
    page(document),
    /<th scope="col"[^>]*>ID<\/th><th scope="col"[^>]*>N<\/th><th scope="col"[^>]*>Ok<\/th>/,
  );
  assert.equal(
    documentMarkdown(document, 'T'),
    [
      '# T\n',
      '- name: `a & b`',
      '- at: https://a.example/x?y=1',
      '- none: null\n',
      '## list\n',
      '- one',
      '- `# two`\n',
      '## rows\n',
      '| id | n | ok |',
      '| --- | --- | --- |',
      '| `a\\|b` | 1 |  |',
      '| c |  | true |\n',
      '## deep\n',
      '- 1:',
      '  - of:',
      '    - it: none',
      '',
    ].join('\n'),
  );
});

const hostile = fc.string({
  unit: fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '`',
    '*',
    '_',
    '[',
    ']',
    '(',
    ')',
    '#',
    '|',
    '\\',
    '\n',
    'a',
    ' ',
    '-',
    '!',
  ),
});

test('property: no text of a document becomes markup or a structure of its own', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const plain = page({ one: 'a', rows: [{ cell: 'a' }], list: ['a'] });
      const shown = page({ one: text, rows: [{ cell: text }], list: [text] });
      const tags = (html: string) => html.match(/<[^>]*>/g)?.filter((tag) => !/^<\/?pre( tabindex="0")?>$/.test(tag));
      assert.deepEqual(tags(shown), tags(plain));
      const markdown = documentMarkdown({ one: text, rows: [{ cell: text }] }, 'T');
      const lines = markdown.split('\n');
      assert.deepEqual(
        lines.filter((line) => line.startsWith('#')),
        ['# T', '## rows'],
      );
      assert.equal(lines.length, 10, markdown);
      const said = text.replaceAll('\n', ' ');
      assert.ok(markdown.includes(said), markdown);
    }),
  );
});

test('a row that begins with a yes or no is named by its title', () => {
  const row = { assigned: false, key: 'acme/repo#1', parts: { of: { it: 1 } }, untrusted_title: 'Fix the export' };
  const named = /<summary>“Fix the export” <span class="summary-note"><bdi>acme\/repo#1<\/bdi><\/span><\/summary>/;
  assert.match(page({ rows: [row, { ...row, key: 'acme/repo#2' }] }), named);
});

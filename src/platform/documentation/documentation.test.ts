import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentation, documentationOf, GROUPS, offeredText, readPage } from './documentation.ts';

const FRONT = ['---', 'title: Wallet', 'summary: Pay: from a balance.', 'group: Guides', 'order: 8', '---', ''];

test('a page is read with its front matter, which is not part of its text', () => {
  assert.deepEqual(readPage('wallet', [...FRONT, '# Wallet', 'text'].join('\n')), {
    name: 'wallet',
    title: 'Wallet',
    summary: 'Pay: from a balance.',
    group: 'Guides',
    order: 8,
    text: '# Wallet\ntext',
  });
});

test('a page whose front matter is missing or wrong is named with what it needs', () => {
  assert.throws(() => readPage('wallet', '# Wallet\n'), /docs\/wallet\.md.*needs group/);
  for (const [from, to, wrong] of [
    ['title: Wallet', 'title:', /needs title/],
    ['group: Guides', 'group: Attic', /group is one of Start, Guides/],
    ['order: 8', 'order: last', /order is a whole number/],
  ] as const) {
    assert.throws(() => readPage('wallet', FRONT.join('\n').replace(from, to)), wrong);
  }
});

test('where not everything is offered, marked sections and blocks are left out; marks are never shown', () => {
  const text = [
    '# Checks',
    '',
    '<!-- services: all -->',
    '| paid | call |',
    '',
    'free<!-- services: all -->, and paid<!-- end -->.',
    '',
    '<!-- services: all -->',
    '## Paid',
    '',
    '```sh',
    '# no heading',
    '```',
    '',
    '### Part of it',
    '',
    '## Free',
    'text',
  ];
  assert.equal(offeredText(text.join('\n'), 'free'), '# Checks\n\nfree.\n\n## Free\ntext');
  const all = text.filter((line) => !line.startsWith('<!--')).join('\n');
  assert.equal(offeredText(text.join('\n'), 'all'), all.replaceAll(/<!--.*?-->/g, ''));
  for (const page of [...documentation(), ...documentationOf('free')])
    assert.ok(!page.text.includes('<!-- services'), page.name);
});

test('every page has a place of its own, and its title is its first heading', () => {
  const pages = documentation();
  assert.ok(pages.length > 20);
  const orders = pages.map(({ order }) => order);
  assert.equal(new Set(orders).size, pages.length);
  assert.deepEqual(
    orders,
    orders.toSorted((one, other) => one - other),
    'read from the first to the last',
  );
  assert.deepEqual([...new Set(pages.map(({ group }) => group))], [...GROUPS]);
  for (const { name, title, summary, text } of pages) {
    assert.ok(text.startsWith(`# ${title}\n`), name);
    assert.match(summary, /^[A-Z][^\n]{10,160}\.$/, name);
  }
});

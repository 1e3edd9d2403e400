import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { markdownHtml } from './markdown.ts';

const made = (text: string) => markdownHtml(text, (address) => (address === 'no.md' ? undefined : address)).text;

const FORMS: readonly (readonly [text: string, markup: RegExp | string])[] = [
  ['# Title', /^<h2 id="title">Title<a class="anchor" href="#title" aria-label="Link to this section: Title">/],
  ['### A `b` part', /^<h3 id="a-b-part">A <code>b<\/code> part<a class="anchor"/],
  ['## One\n## One', /<h2 id="one">.*<h2 id="one-1">/],
  ['## POST /v1/claim', /<a href="\/docs\/api#v1claim">POST \/v1\/claim<\/a>/],
  ['one\ntwo', '<p>one two</p>'],
  ['one\n\n<!-- for who edits this -->\n\ntwo', '<p>one</p><p>two</p>'],
  ['**a `b`** & c', '<p><strong>a <code>b</code></strong> &amp; c</p>'],
  ['- a\n  still a\n- b', '<ul><li>a still a</li><li>b</li></ul>'],
  ['1. a\n   - b\n2. c', '<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>'],
  ['> said', '<blockquote><p>said</p></blockquote>'],
  ['[x](https://a.example/)', '<p><a href="https://a.example/" rel="nofollow noopener noreferrer">x</a></p>'],
  ['[x](/docs/y)', '<p><a href="/docs/y">x</a></p>'],
  ['[x](no.md) [y](javascript:a)', '<p>x y</p>'],
  [
    '| a | b |\n|---|---|\n| `x\\|y` | 2 |',
    /<th scope="row"[^>]*data-label="a"><code>x\|y<\/code><\/th><td [^>]*data-label="b">2<\/td>/,
  ],
  ['```sh\n# not a title\n\n| x |\n```\nafter', /<code># not a title\n\n\| x \|<\/code>.*<p>after<\/p>$/s],
  ['```\nwithout end', /<code>without end<\/code>/],
];

test('each form of the documentation has its markup', () => {
  for (const [text, markup] of FORMS) {
    if (typeof markup === 'string') assert.equal(made(text), markup);
    else assert.match(made(text), markup);
  }
});

test('a term is explained where the text uses it first, and not in headings, code or links', () => {
  const terms = new Map([['work key', 'A name for shared work.']]);
  const text = '## Work key\n\n`work key` and a Work key, then a work key.';
  const markup = markdownHtml(text, () => undefined, { terms }).text;
  assert.match(
    markup,
    /<code>work key<\/code> and a <abbr title="A name for shared work.">Work key<\/abbr>, then a work key\./,
  );
  assert.equal(markup.match(/<abbr/g)?.length, 1);
});

const unit = fc.constantFrom(
  '<',
  '>',
  '"',
  "'",
  '&',
  '`',
  '*',
  '[',
  ']',
  '(',
  ')',
  '#',
  '|',
  '\n',
  '-',
  ' ',
  'a',
  '1',
  '.',
);

test('property: any text ends, and none of it becomes an element of its own', () => {
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      const tags = made(text.replaceAll('a', '<img src=x onerror=y>')).match(/<[^>]*>/g) ?? [];
      assert.deepEqual(
        tags.filter((tag) => /^<(?:img|script)/.test(tag)),
        [],
      );
    }),
  );
});

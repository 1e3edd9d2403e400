import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { chooseCoding, chooseMedia, negotiate, type Representation } from './negotiation.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const ROWS: readonly (readonly [what: string, accept: string | undefined, answer: Representation])[] = [
  ['no Accept header', undefined, 'json'],
  ['anything', '*/*', 'json'],
  ['JSON', 'application/json', 'json'],
  ['a browser', BROWSER, 'html'],
  ['HTML a little more than JSON', 'text/html;q=0.5, application/json;q=0.4', 'html'],
  ['HTML and JSON alike', 'text/html, application/json', 'json'],
  ['Markdown, then HTML, then anything', 'text/markdown, text/html;q=0.9, */*;q=0.1', 'markdown'],
  ['Markdown and HTML alike', 'text/markdown, text/html', 'markdown'],
  ['HTML before Markdown', 'text/html, text/markdown;q=0.9', 'html'],
  ['a type that is not offered', 'image/png', 'json'],
  ['any text', 'text/*', 'markdown'],
  ['any text but no Markdown', 'text/*, text/markdown;q=0', 'html'],
  ['HTML less than anything else', 'text/html;q=0.1, */*', 'json'],
  ['anything but JSON', 'application/json;q=0, */*', 'markdown'],
  ['HTML refused', 'text/html;q=0', 'json'],
  ['everything refused', '*/*;q=0', 'json'],
  ['upper case and blanks', ' TEXT/HTML ; Q=1.000 , */* ; q=0.1', 'html'],
  ['other parameters before the weight', 'text/html;level=1;q=0.3, application/json;q=0.4', 'json'],
];
for (const [what, accept, answer] of ROWS) {
  test(`${what} gets ${answer}, also when it comes again`, () => {
    assert.deepEqual([negotiate(accept), negotiate(accept)], [answer, answer]);
  });
}

for (const accept of [
  '',
  ',',
  ';',
  'text',
  'text/html/x',
  'text/html;q=2',
  'text/html;q=-1',
  'text/html;q=',
  'text/html;q=.5',
  'text/html;q=0.1234',
  '\u0000',
]) {
  test(`the unreadable Accept ${JSON.stringify(accept)} gets json`, () => assert.equal(negotiate(accept), 'json'));
}

test('of very many ranges only the first 32 count', () => {
  assert.equal(negotiate(`${'image/png,'.repeat(31)}text/html`), 'html');
  assert.equal(negotiate(`${'image/png,'.repeat(32)}text/html`), 'json');
});

const TYPES = { json: 'application/json', html: 'text/html', markdown: 'text/markdown' };
const weight = fc.integer({ min: 0, max: 1_000 });

test('property: with all three named, HTML or Markdown comes only where it is wanted strictly more than JSON', () => {
  fc.assert(
    fc.property(weight, weight, weight, fc.nat(5), (json, html, markdown, turn) => {
      const wanted = Object.entries({ json, html, markdown }).map(([name, q]) => {
        return `${TYPES[name as Representation]};q=${(q / 1_000).toFixed(3)}`;
      });
      // The order of the ranges says nothing.
      const accept = [...wanted.slice(turn % 3), ...wanted.slice(0, turn % 3)].join(', ');
      const best = Math.max(json, html, markdown);
      const expected = json === best ? 'json' : markdown === best ? 'markdown' : 'html';
      assert.equal(negotiate(accept), expected);
    }),
  );
});

test('property: no header at all makes it throw', () => {
  const pieces = fc.constantFrom('text', '/', 'html', '*', ';', 'q=', '0.5', ',', ' ', '"', '=', '\u00ff', '1');
  fc.assert(
    fc.property(fc.string({ unit: pieces }), (accept) => assert.match(negotiate(accept), /^(json|html|markdown)$/)),
  );
});

const LEDGER = ['application/json', 'application/x-ndjson'];
for (const [accept, media] of [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/x-ndjson', 'application/x-ndjson'],
  ['Application/X-NDJSON', 'application/x-ndjson'],
  ['application/x-ndjson, */*;q=0.1', 'application/x-ndjson'],
  ['application/x-ndjson, application/json', 'application/json'],
  ['application/x-ndjson;q=0', 'application/json'],
  ['text/event-stream', 'application/json'],
] as const) {
  test(`of JSON and NDJSON, Accept ${JSON.stringify(accept)} chooses ${media}`, () => {
    assert.equal(chooseMedia(accept, LEDGER), media);
  });
}

test('where there is one media type nothing is chosen', () => {
  assert.equal(chooseMedia('application/json', ['text/event-stream']), 'text/event-stream');
});

for (const [accept, coding] of [
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.9', 'gzip'],
  ['GZIP ; Q=0.5', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0, *', 'br'],
  ['br;q=0, gzip;q=0.001', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, deflate', undefined],
  ['*;q=0.5, identity', undefined],
  ['deflate, zstd', undefined],
  ['gzip;q=2, br;q=x', undefined],
  ['constructor, __proto__, ;q=1', undefined],
  [`${'deflate,'.repeat(31)}gzip`, 'gzip'],
  [`${'deflate,'.repeat(32)}gzip`, undefined],
] as const) {
  const shown = String(accept).slice(0, 40);
  test(`Accept-Encoding ${shown} (${accept?.length ?? 0} characters) gets ${coding ?? 'the bytes as they are'}`, () => {
    assert.equal(chooseCoding(accept), coding);
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { Html, html } from './html.ts';

test('values are escaped, in text and in attributes alike', () => {
  const evil = `<b a="1" c='2'>&amp;`;
  const { text } = html`<p title="${evil}">${evil}</p>`;
  const escaped = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;';
  assert.equal(text, `<p title="${escaped}">${escaped}</p>`);
});

test('numbers are written as they are', () => {
  assert.equal(html`${0} ${-1.5} ${Number.NaN}`.text, '0 -1.5 NaN');
});

test('markup inside markup is escaped once, alone or in a list', () => {
  const item = (name: string) => html`<li>${name}</li>`;
  const page = html`<ul>${['a&b', '<c>'].map(item)}</ul>${item('"')}${[]}`;
  assert.equal(page.text, '<ul><li>a&amp;b</li><li>&lt;c&gt;</li></ul><li>&quot;</li>');
});

test('only values are escaped: the literal parts are markup, with the escapes of any template', () => {
  assert.equal(html`<p>\u0026\n${'\\n'}${new Html('<br>')}</p>`.text, '<p>&\n\\n<br></p>');
});

test('property: no value can close the element or the attribute that it stands in, and none is lost', () => {
  const text = fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'amp;', 'x', '\u{1f600}', '$&', '\n') });
  fc.assert(
    fc.property(text, (value) => {
      const inner = html`${value}`.text;
      assert.doesNotMatch(inner, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      const back = inner
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      assert.equal(back, value);
    }),
  );
});

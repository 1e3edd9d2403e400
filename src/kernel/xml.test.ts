import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { anyCharacter } from '#properties';
import { regExpWork } from './_regexp-work.ts';
import { allNamed, escapeXml, readXml, textOf, XmlError, XmlReader } from './xml.ts';

const ANSWER =
  '<?xml version="1.0" encoding="utf-8"?><!-- an answer --><s:Envelope xmlns:s="urn:s"><s:Body>' +
  "<list code='a &amp; b'><mark>01.san.26</mark><mark><![CDATA[<02>]]></mark><none/></list></s:Body></s:Envelope>\n";

suite('what is read', () => {
  test('elements are found by local name in document order, with their attributes and texts', () => {
    const root = readXml(`\uFEFF${ANSWER}`);
    assert.ok(root !== undefined);
    assert.equal(root.name, 'Envelope');
    assert.deepEqual(
      allNamed(root, 'mark').map(({ text }) => text),
      ['01.san.26', '<02>'],
    );
    assert.equal(allNamed(root, 'list')[0]?.attributes.get('code'), 'a & b');
    assert.equal(textOf(root, 'none'), '');
    assert.equal(textOf(root, 'absent'), undefined);
  });

  test('every text that is escaped comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        assert.equal(readXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`)?.text, text);
        assert.equal(readXml(`<a b="${escapeXml(text)}"/>`)?.attributes.get('b'), text);
      }),
    );
  });

  test('names may have every letter, and attributes keep their prefixes', () => {
    const root = readXml('<p:größe id="1" p:id="2"></p:größe>');
    assert.deepEqual([root?.name, ...(root?.attributes ?? [])], ['größe', ['id', '1'], ['p:id', '2']]);
  });

  test('characters written as numbers are read', () => {
    assert.equal(readXml('<a>&#65;&#x42;&#x1F600;</a>')?.text, 'AB\u{1F600}');
  });
});

const REFUSED: Readonly<Record<string, string>> = {
  'an empty document': '',
  'more elements than are read': `<a>${'<b/>'.repeat(200_000)}</a>`,
  'white space alone': ' \n',
  'no markup': 'Service Unavailable',
  'text before the root': 'x<a/>',
  'text after the root': '<a/>x',
  'character data beside the root': '<![CDATA[x]]><a/>',
  'two roots': '<a/><b/>',
  'an element that is not closed': '<a><b></a>',
  'an end without a start': '</a>',
  'ends in the wrong order': '<a><b></a></b>',
  'an end with another prefix': '<a:x></b:x>',
  'an end without the prefix': '<a:x></x>',
  'an attribute that stands twice': '<a b="1" b="2"/>',
  'an attribute that stands twice with a prefix': '<a x:b="1" c="" x:b="1"></a>',
  'attributes without space between them': '<a b="1"c="2"/>',
  'a name that begins with a digit': '<1a/>',
  'an end with attributes': '<a></a b="c">',
  'an end that closes itself': '<a></a/>',
  'an attribute without quotes': '<a b=c/>',
  'an attribute without a value': '<a b/>',
  'a quote that is not closed': '<a b="c/>',
  'a comment that is not closed': '<a/><!-- x',
  'character data that is not closed': '<a><![CDATA[x</a>',
  'a bare ampersand': '<a>b & c</a>',
  'an entity that nobody declared': '<a>&constructor;</a>',
  'an undeclared entity in an attribute': '<a b="&x;"/>',
  'a number that is no character': '<a>&#x110000;</a>',
  'the character zero': '<a>&#0;</a>',
  'half a surrogate pair': '<a>&#xD800;</a>',
  'a document type': '<!DOCTYPE a><a/>',
  'a maintenance page': '<!DOCTYPE html><html><body><h1>Down</h1></body></html>',
  'an outside entity': '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
  'an entity bomb':
    '<!DOCTYPE a [<!ENTITY x0 "xxxxxxxxxx"><!ENTITY x1 "&x0;&x0;&x0;&x0;"><!ENTITY x2 "&x1;&x1;&x1;">]><a>&x2;</a>',
  'elements without end in each other': '<a>'.repeat(65) + '</a>'.repeat(65),
};

interface Event {
  readonly kind: 'open' | 'text' | 'close';
  readonly content: string;
}

/** What is read of chunks, with texts that follow each other as one. */
function eventsOf(...chunks: string[]): Event[] {
  const events: Event[] = [];
  const reader = new XmlReader({
    open: (name, attributes) => events.push({ kind: 'open', content: JSON.stringify([name, ...attributes]) }),
    text(text) {
      const before = events.at(-1);
      const isMore = before?.kind === 'text';
      if (isMore) events.pop();
      events.push({ kind: 'text', content: isMore ? before.content + text : text });
    },
    close: (name) => events.push({ kind: 'close', content: name }),
  });
  for (const chunk of chunks) reader.write(chunk);
  reader.end();
  return events;
}

suite('what is read in chunks', () => {
  test('a document gives the same events, wherever it is cut', () => {
    const whole = eventsOf(ANSWER);
    assert.equal(whole.length, 14);
    for (let at = 0; at <= ANSWER.length; at += 1)
      assert.deepEqual(eventsOf(ANSWER.slice(0, at), ANSWER.slice(at)), whole);
    assert.deepEqual(eventsOf(...Array.from(ANSWER)), whole);
  });

  test('what is refused whole is refused wherever it is cut', () => {
    for (const [what, document] of Object.entries(REFUSED)) {
      if (document.length > 1_000) continue;
      for (let at = 0; at <= document.length; at += 1)
        assert.throws(() => eventsOf(document.slice(0, at), document.slice(at)), XmlError, `${what}, cut at ${at}`);
    }
  });
});

suite('what is refused', () => {
  for (const [what, document] of Object.entries(REFUSED)) {
    test(what, () => assert.equal(readXml(document), undefined));
  }

  test('a document that ends too early, wherever it does', () => {
    const whole = ANSWER.trimEnd();
    for (let length = 0; length < whole.length; length += 1) {
      assert.equal(readXml(whole.slice(0, length)), undefined, `after ${length} characters`);
    }
  });

  test('nothing makes the reader throw', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</',
      '/>',
      'a',
      ' ',
      '=',
      '"',
      "'",
      '&',
      ';',
      '#x',
      '<!--',
      '<![CDATA[',
      '<?',
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => void readXml(pieces.join(''))));
  });
});

const LONG = 2_000;
const HEAVY: Readonly<Record<string, string>> = {
  'a name without end': `<${'a'.repeat(LONG)}`,
  'attributes without end': `<a${' b="c"'.repeat(LONG)}`,
  'spaces without end': `<a${' '.repeat(LONG)}`,
  'spaces before no attribute': `<a${' '.repeat(LONG)}=>`,
  'spaces after a name without a value': `<a b${' '.repeat(LONG)}></a>`,
  'a name without a value': `<a ${'b'.repeat(LONG)}></a>`,
  'quotes without end': `<a ${'"'.repeat(LONG + 1)}`,
  'ampersands without end': `<a>${'&a'.repeat(LONG)}</a>`,
};

suite('what would keep a careless reader busy', () => {
  for (const [what, document] of Object.entries(HEAVY)) {
    test(`${what} is refused without going back and forth`, () => {
      const { characters, excessive } = regExpWork(() => assert.equal(readXml(document), undefined), 20);
      assert.deepEqual(excessive, []);
      assert.ok(characters <= 10 * document.length, `${characters} characters`);
    });
  }
});

// How the service speaks: the form of problems and of the description of the API.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TABLE } from '../../src/areas.ts';
import { EXCEPTIONS } from '../../scripts/words/exceptions.ts';
import { findingsIn } from '../../scripts/words/findings.ts';
import { proseOf, stringsOf } from '../../scripts/words/texts.ts';
import { sharedService } from '../support/shared-service.ts';

/** A sentence, or several: a capital, a digit, code or a value that is explained first, and a full stop at the end. */
const SENTENCES = /^(?:[\p{Lu}\p{N}`/"“€.*]|[a-z][\w.-]*(?:, [a-z_]+)*(?::| means ))[\s\S]*[.:!?`)"”]$/u;
const PHRASE = /^[\p{Lu}\p{N}`/"“€*][^\n]*[^.\s]$/u;

test('titles of problems are phrases, and their help says in sentences what happened and what to do', () => {
  const wrong = TABLE.problems().filter(({ title, help }) => !PHRASE.test(title) || !SENTENCES.test(help));
  assert.deepEqual(
    wrong.map(({ code, title, help }) => ({ code, title, help })),
    [],
  );
});

interface Described {
  readonly place: string;
  readonly key: string;
  readonly text: string;
}

/** What the document says in words; examples and data of others are left out. */
function described(value: unknown, place = ''): Described[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (['examples', 'example', 'default', 'enum', 'const', 'responses'].includes(key)) return [];
    const isText = typeof item === 'string' && ['summary', 'description'].includes(key);
    return isText ? [{ place, key, text: item }] : described(item, `${place}/${key}`);
  });
}

test('OpenAPI has summaries that are phrases and descriptions that are sentences, in the words of the product', async () => {
  const service = await sharedService();
  const texts = described((await service.call('/openapi.json')).json);
  assert.ok(texts.length > 1_000);
  const isWrong = ({ key, text }: Described) => !(key === 'summary' ? PHRASE : SENTENCES).test(text);
  const wrong = new Set(texts.filter(isWrong).map(({ place, key, text }) => `${place} ${key}: ${text}`));
  assert.deepEqual([...wrong], []);
  const prose = texts.map(({ place, text }) => ({ place, text: proseOf(text).join('\n') }));
  assert.deepEqual(findingsIn(prose, EXCEPTIONS).findings, []);
});

/** What is described as true or false, and is something else. */
function misdescribed(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, description } = value as { readonly type?: unknown; readonly description?: unknown };
  const isYesOrNo = typeof description === 'string' && /^True /.test(description);
  const isWrong = isYesOrNo && typeof type === 'string' && type !== 'boolean';
  const below = Object.entries(value).flatMap(([key, item]) => misdescribed(item, `${place}/${key}`));
  return isWrong ? [place, ...below] : below;
}

test('only a yes or no is described as one', async () => {
  const service = await sharedService();
  assert.deepEqual(misdescribed((await service.call('/openapi.json')).json), []);
});

test('the word check sees phrases in strings and templates, and not in code', () => {
  const code = "const a = 'this is no key of yours'; const b = `the ${a} stands in the log`; // beside the point";
  const texts = stringsOf('a.ts', code);
  assert.deepEqual(
    findingsIn(texts, []).findings.map(({ phrase }) => phrase),
    ['is no ', 'stands in'],
  );
  assert.deepEqual(proseOf('a\n```\nbeside\n```\nb `beside`'), ['a', '', '', '', 'b `x`']);
});

test('an exception excuses its phrase alone, and one that nothing needs is reported', () => {
  const texts = [{ place: 'a.ts:1', text: 'the cabinet stands in the hall' }];
  const excuse = { place: 'a.ts', text: 'the cabinet', reason: 'a name' };
  const other = { place: 'b.ts', text: 'the cabinet', reason: 'a name' };
  const { findings, unused } = findingsIn(texts, [excuse, other]);
  assert.deepEqual(
    findings.map(({ phrase }) => phrase),
    ['stands in'],
  );
  assert.deepEqual(unused, [other]);
});

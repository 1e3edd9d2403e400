import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { runs } from '#properties';
import { textRedact } from './text-redact.ts';

const tools = { heavy: assert.fail, fetch: assert.fail, nowIso: assert.fail };

function redacted(text: string): string {
  assert.ok(textRedact.embedded !== null);
  return (textRedact.embedded.run({ text, replacement: 'tag' }, tools) as { text: string }).text;
}

/** Letters and digits only, as somebody who wants the number reads it. */
const compact = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();

const digits = (count: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: count, maxLength: count });
const letters = (count: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('ABNIGRZ')), minLength: count, maxLength: count });

function iban(country: string, account: string): string {
  const figures = `${account}${country}00`.replace(/[A-Z]/g, (letter) => `${letter.charCodeAt(0) - 55}`);
  return `${country}${String(98n - (BigInt(figures) % 97n)).padStart(2, '0')}${account}`;
}

function withLuhn(number: string): string {
  const sum = Array.from(number)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return `${number}${(10 - (sum % 10)) % 10}`;
}

function withElevenTest(number: string): string | null {
  const rest = Array.from(number).reduce((sum, digit, index) => sum + Number(digit) * (9 - index), 0) % 11;
  return rest === 10 || Number(number) === 0 ? null : `${number}${rest}`;
}

const NUMBERS = {
  iban: fc.oneof(
    fc.tuple(letters(4), digits(10)).map(([bank, account]) => iban('NL', bank + account)),
    digits(18).map((account) => iban('DE', account)),
    digits(12).map((account) => iban('BE', account)),
    fc.tuple(letters(4), digits(14)).map(([bank, account]) => iban('GB', bank + account)),
    fc.tuple(digits(10), digits(11), digits(2)).map((parts) => iban('FR', parts.join(''))),
    fc.tuple(letters(4), digits(20)).map(([bank, account]) => iban('MT', `${bank}${account}ABC`)),
    digits(22).map((account) => iban('TR', account)),
  ),
  card: fc
    .tuple(fc.constantFrom('4', '51', '55', '2221', '2720', '34', '37', '6011', '62', '35', '36'), digits(17))
    .chain(([prefix, more]) =>
      fc.constantFrom(13, 14, 15, 16, 19).map((length) => withLuhn(`${prefix}${more}`.slice(0, length - 1))),
    ),
  bsn: digits(8)
    .map(withElevenTest)
    .filter((number) => number !== null),
  phone: fc
    .tuple(
      fc.constantFrom('06', '020', '030', '+316', '+3220', '+32470', '003161', '0049301', '+4930', '+49151'),
      digits(12),
    )
    .map(([prefix, more]) => {
      const national = prefix.startsWith('0') && !prefix.startsWith('00');
      return (prefix + more).slice(0, national ? 10 : prefix.startsWith('00') ? 13 : 12);
    }),
} satisfies Record<string, fc.Arbitrary<string>>;
type Kind = keyof typeof NUMBERS;

const VISIBLE = [
  ' ',
  '\u00a0',
  '\u202f',
  '\u3000',
  '\t',
  '.',
  '-',
  '\u2010',
  '\u2011',
  '\u2013',
  '/',
  '\n',
  '\r\n',
  '\u2028',
  '_',
];
const UNSEEN = ['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad'];
const visible = fc.constantFrom(...VISIBLE);
const spacing = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: visible },
  { weight: 1, arbitrary: fc.constantFrom(...UNSEEN) },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom(...VISIBLE, ...UNSEEN), { maxLength: 4 }).map((list) => list.join('')),
  },
);
const between = fc.tuple(spacing, visible, spacing).map((list) => list.join(''));
const AROUND = [
  '',
  ' ',
  '+',
  'x',
  'tel',
  'of',
  'é',
  '(',
  ')',
  '"',
  '«',
  ':',
  ';',
  ',',
  '.',
  '!',
  '?',
  '=',
  '|',
  '\n',
  '€',
  '用',
];
const around = fc.constantFrom(...AROUND);

/** With what somebody put between its letters and digits. */
function spaced(number: fc.Arbitrary<string>): fc.Arbitrary<{ number: string; text: string }> {
  return number.chain((text) =>
    fc.array(spacing, { minLength: text.length, maxLength: text.length }).map((gaps) => ({
      number: text,
      text: Array.from(text, (mark, index) => (index === 0 ? mark : gaps[index] + mark)).join(''),
    })),
  );
}

/** What reads as a day of the calendar stays, and cuts a number in two where somebody wrote it so. */
const DAY = /\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d{2}|\d{4}-\d{2}-\d{2}/;
const isDay = (text: string) => DAY.test(text.replace(/\u200b|\u200d|\u2060|\ufeff|\u00ad/g, ''));

suite('text.redact in any spacing', () => {
  for (const [kind, number] of Object.entries(NUMBERS)) {
    test(`no ${kind} survives, however it is spaced and whatever stands beside it`, () => {
      const property = fc.property(spaced(number), around, around, (given, before, after) => {
        const text = before + given.text + after;
        fc.pre(!isDay(text));
        assert.ok(!compact(redacted(text)).includes(compact(given.number)), JSON.stringify(text));
      });
      fc.assert(property, { numRuns: runs(3_000) });
    });

    test(`no ${kind} of several in a row survives`, () => {
      const property = fc.property(fc.array(spaced(number), { minLength: 2, maxLength: 4 }), between, (row, gap) => {
        const text = row.map((one) => one.text).join(gap);
        fc.pre(!isDay(text));
        const shown = compact(redacted(text));
        for (const one of row) assert.ok(!shown.includes(compact(one.number)), JSON.stringify(text));
      });
      fc.assert(property, { numRuns: runs(1_500) });
    });
  }

  test('nothing of a mixed row survives', () => {
    const any = fc.constantFrom<Kind>('iban', 'card', 'bsn', 'phone').chain((kind) => spaced(NUMBERS[kind]));
    const property = fc.property(fc.array(any, { minLength: 2, maxLength: 4 }), between, (row, gap) => {
      const text = row.map((one) => one.text).join(gap);
      fc.pre(!isDay(text));
      const shown = compact(redacted(text));
      for (const one of row) assert.ok(!shown.includes(compact(one.number)), JSON.stringify(text));
    });
    fc.assert(property, { numRuns: runs(3_000) });
  });

  test('every IBAN of a row with one blank between them is redacted', () => {
    const row = ['NL91ABNA0417164300', 'BE68539007547034', 'DE89370400440532013000', 'nl91 abna 0417 1643 00'];
    assert.equal(redacted(row.join(' ')), '[IBAN] [IBAN] [IBAN] [IBAN]');
    assert.equal(redacted(row.slice(0, 3).join('')), '[IBAN][IBAN][IBAN]');
  });

  test('no e-mail survives, with unseen marks in it or blanks at its sign', () => {
    const blanks = fc
      .array(fc.constantFrom(' ', '\u00a0', '\n', '\t', '\u200b'), { maxLength: 3 })
      .map((all) => all.join(''));
    const address = fc
      .tuple(
        fc.constantFrom('jan', 'j.de-vries+x', 'O.Brien', 'jané', 'a'.repeat(70), 'x_1'),
        fc.constantFrom('shop.nl', 'mail.shop.example', 'xn--mnchen-3ya.de', 'münchen.de', 'a-b.co.uk'),
      )
      .chain(([local, domain]) =>
        fc.tuple(blanks, blanks, fc.constantFrom('', ...UNSEEN)).map(([left, right, mark]) => ({
          local,
          domain,
          text: `${Array.from(local).join(mark)}${left}@${right}${Array.from(domain).join(mark)}`,
        })),
      );
    const property = fc.property(address, around, around, ({ local, domain, text }, before, after) => {
      const shown = redacted(`${before}${text}${after}`).replace(/[^\p{L}\p{N}@.+_-]/gu, '');
      assert.ok(
        !shown.includes(`${local}@${domain}`) && !shown.includes('@'),
        JSON.stringify([before, text, after, shown]),
      );
    });
    fc.assert(property, { numRuns: runs(2_000) });
    assert.equal(redacted('jan @ shop . example . nl, bel mij'), '[EMAIL], bel mij');
    assert.equal(redacted('jan@shop.nl . Groet'), '[EMAIL] . Groet');
    assert.equal(redacted('a@b.nl,c@d.nl;e@f.nl g@h.nl'), '[EMAIL],[EMAIL];[EMAIL] [EMAIL]');
  });

  test('fields of a table are redacted one by one', () => {
    const row = '12,111222333,06-12345678;4111111111111111,NL91ABNA0417164300,jan@shop.nl,3';
    assert.equal(redacted(row), '12,[BSN],[PHONE];[CARD],[IBAN],[EMAIL],3');
    // Until 2020 the VAT number of a Dutch sole trader held the citizen number.
    assert.equal(redacted('btw NL111222333B01'), 'btw NL[BSN]B01');
    assert.equal(redacted('bel (030) 1234567 of +31 (0)6 12345678!'), 'bel [PHONE] of [PHONE]!');
    assert.equal(redacted('in 2026 1112.22.333 en 2 4111 1111 1111 1111'), 'in 2026 [BSN] en 2 [CARD]');
  });

  test('what only looks like such a number stays', () => {
    const texts = [
      'Versie 1.2.3.4.5 van 15-11-2026, 10:30 uur, kamer 12',
      'Bestelling 20261115-0042 kost € 1.234.567,89 of 111222333,50',
      'Van 2020 2021 2022 2023 tot 2024',
      'Pagina 1 2 3 4 5 6 7 van 8',
      'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      'id 550e8400-e29b-41d4-a716-446655440000',
      'PS 12 mensen waren bij de vergadering over het huis aan de straat',
      'IBAN NL92ABNA0417164300 of NL92 met 0,0123456789',
      'Zie ISO 9001:2015, artikel 12.3 en https://shop.example/a/1234567',
    ];
    for (const text of texts) assert.equal(redacted(text), text);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { readVatNumber } from './vat-number.ts';

/** Numbers whose check digits fit, by country, with every form that the country has. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  AT: ['ATU13585627'],
  BE: ['BE0403019261', 'BE0999990024'],
  BG: ['BG175074752', 'BG7523169263'],
  CY: ['CY10259033P'],
  CZ: ['CZ25123891', 'CZ7103192745', 'CZ640903926'],
  DE: ['DE136695976', 'DE999001001', 'DE999002004', 'DE999006013'],
  DK: ['DK13585628'],
  EE: ['EE100931558'],
  EL: ['EL094259216'],
  ES: ['ESB58378431', 'ESX2482300W', 'ES54362315K'],
  FI: ['FI20774740'],
  FR: ['FR29528163777', 'FR40303265045', 'FRK7399859412'],
  HR: ['HR33392005961'],
  HU: ['HU12892312'],
  IE: ['IE6433435F', 'IE6433435OA', 'IE8D79739I'],
  IT: ['IT00743110157'],
  LT: ['LT119511515', 'LT100001919017'],
  LU: ['LU15027442'],
  LV: ['LV40003521600', 'LV16117519997'],
  MT: ['MT11679112'],
  NL: ['NL004495445B01', 'NL999900018B01'],
  PL: ['PL8567346215'],
  PT: ['PT501964843'],
  RO: ['RO18547290', 'RO1630615123457'],
  SE: ['SE123456789701'],
  SI: ['SI50223054'],
  SK: ['SK2022749619'],
  XI: ['XI980780684', 'XIGD123', 'XIHA999'],
};

/** The place of the check digit where it is not the last one. */
const CHECK_AT: Readonly<Record<string, number>> = { NL: 10, SE: 11, FR: 3, IE: 9 };

/** The number with another check digit or letter. */
function spoiled(number: string): string {
  const at = CHECK_AT[number.slice(0, 2)] ?? number.length - 1;
  const mark = number[at] as string;
  const other = /\d/.test(mark) ? String((Number(mark) + 1) % 10) : mark === 'A' ? 'B' : 'A';
  return number.slice(0, at) + other + number.slice(at + 1);
}

suite('VAT numbers', () => {
  test('the table has all 27 member states and Northern Ireland', () => assert.equal(Object.keys(GOOD).length, 28));

  for (const [country, numbers] of Object.entries(GOOD)) {
    for (const number of numbers) {
      test(`${number} is ok, in any writing, and is failed by another check digit`, () => {
        const read = { countryCode: country, number: number.slice(2), checkDigits: 'ok' };
        assert.deepEqual(readVatNumber(number), read);
        assert.deepEqual(readVatNumber(` ${number.toLowerCase().split('').join('.')} `), read);
        if (/^XI(GD|HA)/.test(number)) return;
        assert.deepEqual(readVatNumber(spoiled(number)), {
          ...read,
          number: spoiled(number).slice(2),
          checkDigits: 'failed',
        });
      });

      test(`${number} with its prefix twice, a digit too many or too few is impossible`, () => {
        const variants = [country + number, `${number}000000`, number.slice(0, country === 'RO' ? 3 : -4)];
        for (const variant of variants) assert.ok('impossible' in readVatNumber(variant), variant);
      });
    }
  }

  test('short forms are filled up, and Greece may be written GR', () => {
    assert.deepEqual(readVatNumber('BE403019261'), { countryCode: 'BE', number: '0403019261', checkDigits: 'ok' });
    assert.deepEqual(readVatNumber('NL4495445B01'), { countryCode: 'NL', number: '004495445B01', checkDigits: 'ok' });
    assert.deepEqual(readVatNumber('GR94259216'), { countryCode: 'EL', number: '094259216', checkDigits: 'ok' });
  });

  test('a Dutch sole trader’s number fits mod 97 only', () => {
    assert.deepEqual(readVatNumber('NL999900011B90'), { countryCode: 'NL', number: '999900011B90', checkDigits: 'ok' });
  });

  test('numbers that VIES does not hold are refused with the reason', () => {
    for (const number of ['GB123456782', 'EU372000063', 'IM3720000224']) {
      const read = readVatNumber(number);
      assert.ok('impossible' in read && /not in VIES/.test(read.impossible), number);
    }
  });

  test('reading what was read gives the same again', () => {
    const anyNumber = fc.constantFrom(...Object.values(GOOD).flat());
    const anyText = fc.oneof(
      fc.string(),
      anyNumber,
      fc.tuple(fc.constantFrom(...Object.keys(GOOD)), fc.string()).map((pair) => pair.join('')),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const read = readVatNumber(text);
        if ('impossible' in read) return;
        assert.deepEqual(readVatNumber(read.countryCode + read.number), read);
      }),
    );
  });
});

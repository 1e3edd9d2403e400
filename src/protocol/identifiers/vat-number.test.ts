import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from '#properties';
import { readVatNumber, VAT_NUMBER } from './vat-number.ts';

/** Numbers whose check digits fit, by country, with every form that the country has. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  AT: ['ATU13585627', 'ATU54300000'],
  BE: ['BE0403019261', 'BE0999990024', 'BE1000000021'],
  BG: ['BG175074752', 'BG131202360', 'BG7523169263', 'BG7111042925', 'BG9999999996'],
  CY: ['CY10259033P', 'CY00632993F'],
  CZ: ['CZ25123891', 'CZ7103192745', 'CZ640903926', 'CZ6956220612', 'CZ530101123', 'CZ991231123', 'CZ7801010020'],
  DE: ['DE136695976', 'DE999001001', 'DE999002004', 'DE999006013'],
  DK: ['DK13585628'],
  EE: ['EE100931558'],
  EL: ['EL094259216'],
  ES: ['ESB58378431', 'ESQ2818015F', 'ESX2482300W', 'ESY5277343F', 'ESZ5277343K', 'ES54362315K', 'ESM1234567L'],
  FI: ['FI20774740'],
  FR: ['FR29528163777', 'FR40303265045', 'FRK7399859412', 'FR4Z123456782'],
  HR: ['HR33392005961'],
  HU: ['HU12892312'],
  IE: ['IE6433435F', 'IE6433435OA', 'IE8D79739I', 'IE9Y71814N', 'IE8+79739I', 'IE8*79739I'],
  IT: ['IT00743110157'],
  LT: ['LT119511515', 'LT100001919017', 'LT290068995116'],
  LU: ['LU15027442'],
  LV: ['LV40003521600', 'LV16117519997', 'LV32000000000'],
  MT: ['MT11679112'],
  NL: ['NL004495445B01', 'NL999900018B01', 'NL003376734B77'],
  PL: ['PL8567346215'],
  PT: ['PT501964843'],
  RO: ['RO18547290', 'RO573768', 'RO1630615123457'],
  SE: ['SE123456789701', 'SE202100500002'],
  SI: ['SI50223054'],
  SK: ['SK2022749619'],
  XI: ['XI980780684', 'XI242338087388', 'XI100190874', 'XIGD123', 'XIHA999'],
};

/** The place of the check digit where it is not the last one. */
const CHECK_AT: Readonly<Record<string, number>> = { NL: 10, SE: 11, FR: 3, IE: 9, XI: 10 };
/** Numbers of persons and authorities that have none. */
const WITHOUT_CHECK_DIGIT = /^(?:XI(?:GD|HA)|LV32|CZ[0-57-9]\d{8}$)/;

/** Numbers of the right form whose check digits do not fit, as other writers of such checks name them. */
const FAILED: Readonly<Record<string, readonly string[]>> = {
  AT: ['ATU13585626'],
  BE: ['BE0431150352', 'BE1000000020'],
  BG: ['BG175074751', 'BG7111042922'],
  CY: ['CY10259033Z'],
  CZ: ['CZ25123890', 'CZ7103192746', 'CZ1103492745', 'CZ590312123', 'CZ640903925', 'CZ710000001'],
  DE: ['DE136695978', 'DE999999999'],
  DK: ['DK13585627'],
  EE: ['EE100594103'],
  EL: ['EL123456781'],
  ES: ['ESB64717839', 'ESJ99216583', 'ESX2482300A', 'ES54362315X', 'ESM1234567A'],
  FI: ['FI20774741'],
  FR: ['FR84323140391', 'FRK7399859413'],
  HR: ['HR33392005962'],
  HU: ['HU12892313'],
  IE: ['IE6433435E', 'IE6433435OB', 'IE8D79738J'],
  IT: ['IT00743110158', 'IT00000001103'],
  LT: ['LT119511516', 'LT100001919018'],
  LU: ['LU15027443'],
  LV: ['LV40003521601', 'LV16137519997'],
  MT: ['MT11679113'],
  NL: ['NL123456789B90', 'NL004495446B01'],
  PL: ['PL8567346216'],
  PT: ['PT501964842'],
  RO: ['RO18547291', 'RO1630615123458', 'RO1639915123457'],
  SE: ['SE123456789101'],
  SI: ['SI50223055'],
  SK: ['SK2022749618'],
  XI: ['XI802311781', 'XIGD500', 'XIHA499'],
};

/** Numbers that the country cannot have issued. */
const IMPOSSIBLE: Readonly<Record<string, readonly string[]>> = {
  AT: ['AT13585627', 'ATU1358562', 'ATU135856277', 'ATX13585627'],
  BE: ['BE2403019261', 'BE40301926', 'BE04030192611'],
  BG: ['BG17507475', 'BG75231692631', 'BG17507475A'],
  CY: ['CY12259033P', 'CY10259033', 'CY1025903P', 'CY102590331'],
  CZ: ['CZ2512389', 'CZ71031927451', 'CZ2512389A'],
  DE: ['DE036695976', 'DE13669597', 'DE1366959761', 'DE13669597A'],
  DK: ['DK1358562', 'DK135856288'],
  EE: ['EE10093155', 'EE1009315588'],
  EL: ['EL9425921', 'EL0942592166'],
  ES: ['ESB5837843', 'ESB583784311', 'ES543623151', 'ESBB8378431'],
  FI: ['FI2077474', 'FI207747400'],
  FR: ['FRIO334175221', 'FR2952816377', 'FR295281637777', 'FR29A28163777'],
  HR: ['HR3339200596', 'HR333920059611'],
  HU: ['HU1289231', 'HU128923122'],
  IE: ['IE643343F', 'IE6433435', 'IE6433435FAA', 'IE8?79739J', 'IE6433435X'],
  IT: ['IT0074311015', 'IT007431101577'],
  LT: ['LT119511505', 'LT1195115155', 'LT100001919007'],
  LU: ['LU1502744', 'LU150274422'],
  LV: ['LV4000352160', 'LV400035216000'],
  MT: ['MT01679112', 'MT1167911', 'MT116791122'],
  NL: ['NL004495445A01', 'NL4495445', 'NL0044954451B01', 'NL004495445B1', 'NL004495B01'],
  PL: ['PL856734621', 'PL85673462155'],
  PT: ['PT50196484', 'PT5019648433'],
  RO: ['RO1', 'RO12345678901', 'RO123456789012', 'RO12345678901234'],
  SE: ['SE123456789700', 'SE1234567897', 'SE1234567897011'],
  SI: ['SI00223054', 'SI5022305', 'SI502230544'],
  SK: ['SK202274961', 'SK20227496199'],
  XI: ['XI98078068', 'XI9807806841', 'XIGD12', 'XIGX123', 'XIHA1234'],
};

/** The number with another check digit or letter. */
function spoiled(number: string): string {
  const at = CHECK_AT[number.slice(0, 2)] ?? number.length - 1;
  const mark = number[at] as string;
  const other = /\d/.test(mark) ? String((Number(mark) + 1) % 10) : mark === 'A' ? 'B' : 'A';
  return number.slice(0, at) + other + number.slice(at + 1);
}

suite('VAT numbers', () => {
  test('the tables have all 27 member states and Northern Ireland', () => {
    assert.equal(Object.keys(GOOD).length, 28);
    for (const table of [FAILED, IMPOSSIBLE]) assert.deepEqual(Object.keys(table), Object.keys(GOOD));
  });

  for (const [country, numbers] of Object.entries(FAILED)) {
    test(`check digits of ${country} that do not fit are told: ${numbers.join(', ')}`, () => {
      for (const number of numbers) {
        const read = { countryCode: country, number: number.slice(2), checkDigits: 'failed' };
        assert.deepEqual(readVatNumber(number), read);
      }
    });
  }

  for (const [country, numbers] of Object.entries(IMPOSSIBLE)) {
    test(`${country} issues no number like ${numbers.join(', ')}`, () => {
      for (const number of numbers) assert.ok('impossible' in readVatNumber(number), number);
    });
  }

  for (const [country, numbers] of Object.entries(GOOD)) {
    for (const number of numbers) {
      test(`${number} is ok, in any writing, and is failed by another check digit`, () => {
        const read = { countryCode: country, number: number.slice(2), checkDigits: 'ok' };
        assert.deepEqual(readVatNumber(number), read);
        assert.deepEqual(readVatNumber(` ${number.toLowerCase().split('').join('.')} `), read);
        if (WITHOUT_CHECK_DIGIT.test(number)) return;
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

  test('separators of every usual kind and wide characters are let through; other letters and signs are not', () => {
    const read = { countryCode: 'NL', number: '999900018B01', checkDigits: 'ok' };
    const written = [
      'NL 9999.00018.B01',
      'NL/9999/00018/B01',
      ' nl  9999 - 00018 -- b01 ',
      'NL\u00a09999\u201300018\u2010B01',
      'ＮＬ９９９９０００１８Ｂ０１',
      'NL: 999900018B01',
    ];
    for (const text of written) {
      assert.match(text, VAT_NUMBER);
      assert.deepEqual(readVatNumber(text), read, text);
    }
    const others = ['NL9999É00018B01', 'NL999900018B01 (main)', 'N', 'NL1', '12345678', '', `NL${'1'.repeat(15)}`];
    for (const text of others) assert.doesNotMatch(text, VAT_NUMBER);
  });

  test('a long text of separators is judged at once', () => {
    assert.doesNotMatch(`NL${' .-/'.repeat(10_000)}\u0000`, VAT_NUMBER);
  });

  test('short forms are filled up, and Greece may be written GR', () => {
    assert.deepEqual(readVatNumber('BE403019261'), { countryCode: 'BE', number: '0403019261', checkDigits: 'ok' });
    assert.deepEqual(readVatNumber('NL4495445B01'), { countryCode: 'NL', number: '004495445B01', checkDigits: 'ok' });
    assert.deepEqual(readVatNumber('RO19'), { countryCode: 'RO', number: '19', checkDigits: 'ok' });
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

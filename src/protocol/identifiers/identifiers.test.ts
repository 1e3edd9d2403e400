import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { comparableName, readUkCompanyNumber } from './company.ts';
import { readDutchPlate, readUkPlate } from './plate.ts';

const PLATES: readonly (readonly [written: string, kenteken: string, sidecode: number | null, display: string])[] = [
  ['xx-99-99', 'XX9999', 1, 'XX-99-99'],
  ['CD1234', 'CD1234', 1, 'CD-12-34'],
  ['00 01 TJ', '0001TJ', 2, '00-01-TJ'],
  ['12·XY·34', '12XY34', 3, '12-XY-34'],
  ['BD-12-FG', 'BD12FG', 4, 'BD-12-FG'],
  ['BDFG12', 'BDFG12', 5, 'BD-FG-12'],
  ['12BDFG', '12BDFG', 6, '12-BD-FG'],
  ['11-zkz-3', '11ZKZ3', 7, '11-ZKZ-3'],
  ['1-ABC-23', '1ABC23', 8, '1-ABC-23'],
  ['GH-123-J', 'GH123J', 9, 'GH-123-J'],
  ['R-759-BK', 'R759BK', 10, 'R-759-BK'],
  ['GHZ-12-R', 'GHZ12R', 11, 'GHZ-12-R'],
  ['G-12-HJK', 'G12HJK', 12, 'G-12-HJK'],
  ['1-GH-234', '1GH234', 13, '1-GH-234'],
  ['123-GH-4', '123GH4', 14, '123-GH-4'],
  ['TEST01', 'TEST01', null, 'TEST01'],
  ['12–XY–34', '12XY34', 3, '12-XY-34'],
  ['12_xy_34', '12XY34', 3, '12-XY-34'],
  ['12 \u00a0XY‑34', '12XY34', 3, '12-XY-34'],
  ['NL 12-XY-34', '12XY34', 3, '12-XY-34'],
  ['nl12xy34', '12XY34', 3, '12-XY-34'],
  ['NL-12-34', 'NL1234', 1, 'NL-12-34'],
];

for (const [written, kenteken, sidecode, display] of PLATES) {
  test(`the plate ${written} is ${display} of side code ${sidecode}`, () => {
    assert.deepEqual(readDutchPlate(written), { kenteken, sidecode, display });
    assert.deepEqual(readDutchPlate(display), { kenteken, sidecode, display }, 'and reading it again changes nothing');
  });
}

test('a plate has six letters and digits, whatever stands between them', () => {
  for (const text of ['', 'AB12', 'AB12CD3', 'AB-12-Ç1', 'AB/12/CD', 'BE 12-XY-34'])
    assert.equal(readDutchPlate(text), undefined);
});

test('a UK plate has two to seven letters and digits, and O is not 0', () => {
  assert.equal(readUkPlate(' aa19 aaa '), 'AA19AAA');
  assert.equal(readUkPlate('o0'), 'O0');
  for (const text of ['AA19-AAA', 'aa-19-aaa', 'AA19–AAA', 'AA 19_AAA']) assert.equal(readUkPlate(text), 'AA19AAA');
  for (const text of ['', 'A', 'AA19AAAA', 'AA/19']) assert.equal(readUkPlate(text), undefined);
});

const COMPANY_NUMBERS: Readonly<Record<string, string | undefined>> = {
  '2627406': '02627406',
  SC123: 'SC000123',
  'sc 123456': 'SC123456',
  NI012345: 'NI012345',
  OE000001: 'OE000001',
  OC301234: 'OC301234',
  'R0-000123': 'R0000123',
  '12345': '00012345',
  'DYSON LTD': undefined,
  XX123456: undefined,
  '123456789': undefined,
};

/** Prefixes that Companies House publishes, those of bodies whose register others keep included. */
const PREFIXES = [
  ...'AC BR CE CS EN ES FC FE GE GN GS IC IP LP NA NC NF NI NL NO NP NR NV NZ OC OE PC'.split(' '),
  ...'R0 RC RS SA SC SE SF SG SI SL SO SP SR SZ ZC'.split(' '),
];

for (const prefix of PREFIXES) {
  test(`${prefix} begins a company number`, () => {
    assert.equal(readUkCompanyNumber(`${prefix}000123`), `${prefix}000123`);
    assert.equal(readUkCompanyNumber(`${prefix.toLowerCase()} 123`), `${prefix}000123`);
  });
}

test('numbers of societies may end in letters', () => {
  for (const number of [
    'IP12345R',
    'IP1234RS',
    'SP1234RS',
    'SP123CUS',
    'NP00123C',
    'NO00123D',
    'RS00123C',
    'RS123CUS',
  ]) {
    assert.equal(readUkCompanyNumber(number), number);
  }
  for (const name of ['IPSWICH', 'SPARROWS', 'NO NAME', 'RC COLA', 'SIX PACKS']) {
    assert.equal(readUkCompanyNumber(name), undefined);
  }
});

for (const [written, number] of Object.entries(COMPANY_NUMBERS)) {
  test(`${written} is ${number ?? 'a name, not a company number'}`, () => {
    assert.equal(readUkCompanyNumber(written), number);
    if (number !== undefined) assert.equal(readUkCompanyNumber(number), number);
  });
}

test('two writings of one company name are equal, and no others', () => {
  assert.equal(comparableName('The Lila & Sample Ltd.'), comparableName('LILA AND SAMPLE LIMITED'));
  assert.equal(comparableName('Sample B.V.'), comparableName('SAMPLE BV'));
  assert.equal(comparableName('X plc'), comparableName('X Public Limited Company'));
  assert.notEqual(comparableName('Lila'), comparableName('Lila Sample'));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) =>
      assert.equal(comparableName(comparableName(name)), comparableName(name)),
    ),
  );
});

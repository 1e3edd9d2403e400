import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { anyCharacter } from '#properties';
import { readCsv, writeCsv } from './csv.ts';

suite('reading', () => {
  const READ: readonly (readonly [what: string, text: string, rows: readonly (readonly string[])[]])[] = [
    ['nothing', '', []],
    ['cells and rows', 'a,b\n1,\n', [['a', 'b'], ['1', '']]],
    ['a last row without its end', 'a\n1', [['a'], ['1']]],
    ['all three line ends', 'a\r\nb\rc\nd', [['a'], ['b'], ['c'], ['d']]],
    ['blank lines', '\n\na\n\r\n\n', [['a']]],
    ['a byte order mark', '\uFEFF"a",b\n', [['a', 'b']]],
    ['separators, quotes and line ends in quotes', '"a,""b""\r\n",c\n', [['a,"b"\r\n', 'c']]],
    ['a quote inside of a cell', 'a"b,"c"d\n', [['a"b', 'cd']]],
  ]; // biome-ignore format: as it reads
  for (const [what, text, rows] of READ) {
    test(what, () => assert.deepEqual(readCsv(text), { rows, isWhole: true }));
  }

  test('another separator', () => {
    assert.deepEqual(readCsv('a;b,c\n', ';').rows, [['a', 'b,c']]);
  });

  test('a quoted cell that does not end is read as far as it goes, and told', () => {
    assert.deepEqual(readCsv('a,"b\n1'), { rows: [['a', 'b\n1']], isWhole: false });
    assert.equal(readCsv('"').isWhole, false);
    assert.equal(readCsv('"a""').isWhole, false);
  });
});

suite('writing', () => {
  test('what is written is read again as it was', () => {
    const cell = fc.string({ unit: anyCharacter }).filter((text) => !/^[=+@\t\r\uFEFF-]/.test(text));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 })), (rows) => {
        assert.deepEqual(readCsv(writeCsv(rows)), { rows, isWhole: true });
      }),
    );
  });

  const WRITTEN: readonly (readonly [cell: string | number | null, text: string])[] = [
    [null, ''],
    [-5, '-5'],
    ['exe_1', 'exe_1'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['@sum', "'@sum"],
    ['-cmd', "'-cmd"],
    ['-1+cmd', "'-1+cmd"],
    ['-5.00', '-5.00'],
    ['\t=1', "'\t=1"],
  ];
  for (const [cell, text] of WRITTEN) {
    test(`a cell ${JSON.stringify(cell)} is written ${JSON.stringify(text)}: nothing that a spreadsheet would run`, () => {
      assert.equal(writeCsv([[cell]]), `${text}\r\n`);
    });
  }
});

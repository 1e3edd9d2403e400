import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readCatalogue } from './catalogue-file.ts';

const sample = readFileSync(new URL('../../../sandbox/suppliers/catalogue.csv', import.meta.url), 'utf8');
const [header = '', ...rows] = sample.split('\n');

test('the shipped catalogue names only the fictional maker, and an offer without a date is of now', () => {
  let nowMs = 5;
  const catalogue = readCatalogue(sample, () => nowMs);
  const offers = [...catalogue.values()].flat();
  assert.ok(offers.length >= 4 && offers.every(({ manufacturer }) => manufacturer === 'EXAMPLE'));
  const [screw] = catalogue.get('EX-SCREW-M3') ?? [];
  assert.deepEqual(
    screw?.breaks.map(({ priceNano }) => priceNano),
    [20_000_000, 11_000_000],
  );
  nowMs = 9;
  assert.equal(screw?.asOfMs, 9);
});

test('a row that is not in order stops the reading and is named', () => {
  const changed = (column: string, value: string) => {
    const cells = (rows[0] as string).split(',');
    cells[header.split(',').indexOf(column)] = value;
    return `${header}\n${cells.join(',')}\n`;
  };
  const bad: readonly [column: string, value: string][] = [
    ['mpn', ''],
    ['supplier', ''],
    ['moq', 'x'],
    ['multiple', '0'],
    ['stock', '-1'],
    ['lead_days', '1.5'],
    ['currency', 'euro'],
    ['break_qty', ''],
    ['unit_price', 'x'],
    ['as_of', 'yesterday'],
  ];
  for (const [column, value] of bad) {
    assert.throws(
      () => readCatalogue(changed(column, value), () => 0),
      new RegExp(`Row 2 of the catalogue: ${column}`),
    );
  }
  assert.throws(
    () => readCatalogue(`${header}\n${rows[0]}\n${rows[0]}\n`, () => 0),
    /Row 3 of the catalogue: break_qty/,
  );
  assert.throws(() => readCatalogue('mpn,price\n', () => 0), /must begin with the line/);
  const dated = readCatalogue(changed('as_of', '2026-01-02'), () => 0);
  assert.equal([...dated.values()][0]?.[0]?.asOfMs, Date.UTC(2026, 0, 2));
});

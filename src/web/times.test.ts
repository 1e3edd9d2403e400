import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactText, lengthText, relativeText, when, whenExact } from './times.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const said = (iso: string) => relativeText(Date.parse(iso), NOW);

test('a time is said as people say it: minutes, hours, yesterday, days, then the date', () => {
  for (const [iso, text] of [
    ['2026-11-15T11:59:30Z', 'just now'],
    ['2026-11-15T11:57:00Z', '3 min ago'],
    ['2026-11-15T09:30:00Z', '2 h ago'],
    ['2026-11-14T11:05:00Z', 'yesterday 11:05'],
    ['2026-11-11T12:00:00Z', '4 days ago'],
    ['2026-11-08T11:00:00Z', '8 Nov'],
    ['2025-11-08T11:00:00Z', '8 Nov 2025'],
    ['2026-11-15T12:10:00Z', 'in 10 min'],
    ['2027-06-30T00:00:00Z', '30 Jun 2027'],
  ] as const)
    assert.equal(said(iso), text, iso);
});

test('a length of time has two units at most', () => {
  assert.deepEqual([156_000, 36_000, 600_000, 3_600_000, 5_400_000, -1].map(lengthText), [
    '2 min 36 s',
    '36 s',
    '10 min',
    '1 h',
    '1 h 30 min',
    '0 s',
  ]);
});

test('the element keeps the exact time, and text that is not a time stays text', () => {
  const site = { nowMs: () => NOW };
  assert.equal(
    when('2026-11-15T11:56:59.123Z', site).text,
    '<time datetime="2026-11-15T11:56:59.123Z" title="2026-11-15T11:56:59Z" data-when>3 min ago</time>',
  );
  assert.match(whenExact('2026-11-15').text, />15 Nov 2026<\/time>$/);
  assert.equal(exactText(NOW), '15 Nov 2026, 12:00');
  assert.equal(when('never', site).text, 'never');
});

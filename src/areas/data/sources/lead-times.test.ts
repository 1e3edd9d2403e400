import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import fc from '#properties';
import { leadTimes } from './lead-times.ts';

const publication = fc.record({
  kind: fc.constantFrom('application', 'decision', 'extension'),
  reference: fc.constantFrom('', 'Z1', 'Z2', 'Z3', 'Z4', 'Z5', 'Z6', 'Z7'),
  sortAtMs: fc.integer({ min: 0, max: 60 }).map((days) => days * DAY_MS),
  authority: fc.constantFrom('A', 'B'),
});

/** The same, case by case and slowly. */
function slow(rows: readonly { kind: string; reference: string; sortAtMs: number; item: { authority: string } }[]) {
  const found: { authority: string; days: number[] }[] = [];
  let dropped = 0;
  for (const authority of ['A', 'B']) {
    const days: number[] = [];
    for (const reference of ['Z1', 'Z2', 'Z3', 'Z4', 'Z5', 'Z6', 'Z7']) {
      const of = rows.filter((row) => row.reference === reference && row.item.authority === authority);
      const first = (kind: string) =>
        of
          .filter((row) => row.kind === kind)
          .map((row) => row.sortAtMs)
          .toSorted((a, b) => a - b)[0];
      const [applied, decided] = [first('application'), first('decision')];
      if (applied === undefined || decided === undefined) continue;
      if (decided < applied) dropped += 1;
      else days.push((decided - applied) / DAY_MS);
    }
    if (days.length > 0) found.push({ authority, days: days.toSorted((a, b) => a - b) });
  }
  return { found, dropped };
}

test('lead times equal a slow reference on random pairs, and n is always the number of pairs', () => {
  fc.assert(
    fc.property(fc.array(publication, { maxLength: 60 }), (publications) => {
      const rows = publications.map(({ authority, ...row }) => ({ ...row, item: { authority, activity: 'x' } }));
      const { found, dropped } = slow(rows);
      const times = leadTimes(rows);
      assert.equal(times.dropped, dropped);
      const expected = found.map(({ authority, days }) => {
        const middle = (days.length - 1) / 2;
        const medianDays = ((days[Math.floor(middle)] as number) + (days[Math.ceil(middle)] as number)) / 2;
        const p90Days = days.length < 5 ? null : days[Math.ceil(days.length * 0.9) - 1];
        return { authority, n: days.length, medianDays, p90Days };
      });
      const given = times.groups.map(({ authority, n, medianDays, p90Days }) => ({
        authority,
        n,
        medianDays,
        p90Days,
      }));
      assert.deepEqual(
        given.toSorted((a, b) => (a.authority < b.authority ? -1 : 1)),
        expected,
      );
    }),
  );
});

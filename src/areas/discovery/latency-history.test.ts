import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LatencyHistory, LatencyRecord, SAMPLE_EVERY_MS } from './latency-history.ts';

test('an hour of points is kept, every series as long as the times, and what was never measured is left out', () => {
  const record = new LatencyRecord();
  assert.deepEqual(record.shown().series, []);
  for (let n = 0; n < 400; n += 1) {
    record.take(n * SAMPLE_EVERY_MS, [
      { id: 'storage', figure: 'latency_ms', value: n },
      { id: 'kvk', figure: 'p50_ms', value: null },
      ...(n < 100 ? [] : [{ id: 'vies', figure: 'p95_ms', value: n } as const]),
    ]);
  }
  const shown = LatencyHistory.parse(record.shown());
  assert.deepEqual([shown.at.length, shown.at[0], shown.at.at(-1)], [360, 400, 3_990]);
  assert.deepEqual(
    shown.series.map(({ id, values }) => [id, values.length, values[0], values.at(-1)]),
    [
      ['storage', 360, 40, 399],
      ['vies', 360, null, 399],
    ],
  );
});

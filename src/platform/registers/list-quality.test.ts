import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { listIndex } from '#platform/screening/list-index.ts';
import { ScreeningList } from '#platform/screening/screening-list.ts';
import { fictionalList } from '../../../test/evals/sanctions-names.ts';
import { PROCESSES_HUNG_MS, until } from '../../../test/support/until.ts';
import { ListQualityMeter } from './list-quality.ts';

const index = listIndex(fictionalList(5, 1));
const GOOD = { list: new ScreeningList(index), sha256: 'aaaaaaaa' };
const UNREADABLE = {
  list: new ScreeningList({ ...index, entities: { text: '{', ends: Int32Array.of(1) } }),
  sha256: 'bbbbbbbb',
};

function meterOf() {
  const clock = new ManualClock();
  const faults: string[] = [];
  const stop = new AbortController();
  const unmeasured = (detail: string) => void faults.push(detail);
  return { clock, faults, stop, meter: new ListQualityMeter({ clock, unmeasured, signal: stop.signal, queries: 20 }) };
}

test('a list is measured a minute after it came, unasked', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { meter, faults } = meterOf();
  meter.expect(UNREADABLE);
  context.mock.timers.tick(60_000);
  context.mock.timers.reset();
  await until('a measurement that nobody asked for', () => faults.length === 1);
  await meter[Symbol.asyncDispose]();
});

test('a list that cannot be measured is told, and tried again after a minute', async () => {
  const { clock, meter, faults, stop } = meterOf();
  assert.equal(meter.of(UNREADABLE), 'measuring');
  await until('the fault', () => faults.length === 1);
  assert.equal(meter.of(UNREADABLE), 'failed');
  clock.advance(59_999);
  assert.equal(meter.of(UNREADABLE), 'failed');
  clock.advance(1);
  assert.equal(meter.of(UNREADABLE), 'measuring');
  stop.abort();
  await meter[Symbol.asyncDispose]();
  assert.equal(faults.length, 1, 'an end is no fault');
});

test('a list that comes while another is measured takes its place', async () => {
  const { meter, faults } = meterOf();
  assert.equal(meter.of(UNREADABLE), 'measuring');
  meter.expect(GOOD);
  assert.equal(meter.of(GOOD), 'measuring');
  const seen = () => {
    const known = meter.of(GOOD);
    return typeof known !== 'string' && known;
  };
  // The thread comes behind everything else that the machine does.
  const quality = await until('the figures', seen, PROCESSES_HUNG_MS);
  assert.ok(quality.recall.length > 0);
  assert.equal(meter.of(GOOD), quality);
  assert.deepEqual(faults, [], 'what became of the other one is no matter');
  await meter[Symbol.asyncDispose]();
});

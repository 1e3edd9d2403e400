import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { expire } from '#platform/storage/expiry.ts';
import { openStore } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/until.ts';
import { STATUS_CHANGE_EXPIRY } from './sql.ts';
import { type Noted, StatusHistory } from './status-history.ts';

const is = (status: Noted['status'], detail: string | null = null): Noted[] => [{ id: 'settlement', status, detail }];
const told = (history: StatusHistory) => history.shown().map(({ status, at, detail }) => [status, at, detail]);

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`a change is kept once for all processes, goes on after a restart and leaves after 400 days (${engine})`, {
    skip,
  }, async () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 15, 14, 2));
    await using opened = await openStore(engine, { injectedClock: clock });
    const { store } = opened;
    const written = async (history: StatusHistory, seen: Noted[]) => {
      history.note(seen);
      await history[Symbol.asyncDispose]();
    };
    const one = await StatusHistory.open(store, clock);
    const other = await StatusHistory.open(await opened.beside(), clock);
    await written(one, is('up'));
    await written(one, is(null));
    assert.deepEqual(told(one), [], 'a component that was always up has no history');

    await written(one, is('down', 'It does not respond.'));
    clock.advance(5_000);
    await written(other, is('down', 'It does not respond.'));
    await written(one, is('down', 'It still does not respond.'));
    const DOWN = ['down', '2026-11-15T14:02:00.000Z', 'It does not respond.'];
    await other.refresh();
    assert.deepEqual([told(one), told(other)], [[DOWN], [DOWN]]);

    clock.advance(12 * 60_000);
    const restarted = await StatusHistory.open(store, clock);
    await written(restarted, is(null));
    assert.deepEqual(told(restarted), [DOWN], 'nothing is known before the first check');
    await written(restarted, is('up'));
    assert.deepEqual(told(restarted), [['up', '2026-11-15T14:14:05.000Z', null], DOWN]);
    await written(restarted, is('not_configured'));
    assert.equal(told(restarted).length, 2, 'what is switched off while it is up is no change');

    clock.advance(400 * DAY_MS - 12 * 60_000);
    while ((await expire({ store, clock }, STATUS_CHANGE_EXPIRY)) > 0);
    await restarted.refresh();
    assert.deepEqual(
      told(restarted).map(([status]) => status),
      ['up'],
    );
  });
}

test('a change that the store cannot take is shown at once and written with its time when the store is back', async () => {
  await using opened = await openStore('sqlite');
  const clock = new ManualClock(Date.UTC(2026, 10, 15, 14, 2));
  let isDown = true;
  const store = {
    read: opened.store.read.bind(opened.store),
    run: async (...given: Parameters<typeof opened.store.run>) => {
      if (isDown) throw new Error('the store is out of reach');
      return opened.store.run(...given);
    },
  } as Pick<typeof opened.store, 'read' | 'run'>;
  const history = await StatusHistory.open(store, clock);
  history.note(is('down'));
  clock.advance(60_000);
  history.note(is('up'));
  const BOTH = [
    ['up', '2026-11-15T14:03:00.000Z', null],
    ['down', '2026-11-15T14:02:00.000Z', null],
  ];
  assert.deepEqual(told(history), BOTH);
  isDown = false;
  await until('the changes in the store', async () => {
    history.note(is('up'));
    return (await opened.store.read('SELECT status FROM status_change')).length === 2;
  });
  assert.deepEqual(told(await StatusHistory.open(opened.store, clock)), BOTH);
  assert.deepEqual(told(history), BOTH);
});

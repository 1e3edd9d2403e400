import assert from 'node:assert/strict';
import { test } from 'node:test';
import { risksOf } from './durability.ts';

const SAFE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', synchronous_standby_names: '' };

type Case = readonly [settings: Partial<typeof SAFE>, standbys: number, risks: readonly string[]];

const CASES: Readonly<Record<string, Case>> = {
  'one server': [{}, 0, []],
  'a standby that commits wait for': [{ synchronous_standby_names: '*' }, 1, []],
  'a standby that commits wait for until it shows them': [{ synchronous_commit: 'remote_apply' }, 0, []],
  'a standby that no commit waits for': [{}, 2, ['asynchronous_standby']],
  'a server that flushes nothing': [{ fsync: 'off' }, 0, ['fsync_off']],
  'a server that can tear pages': [{ full_page_writes: 'off' }, 0, ['full_page_writes_off']],
  'commits that wait for nothing': [{ synchronous_commit: 'off' }, 0, ['commit_not_awaited']],
  'commits that wait for the primary alone': [{ synchronous_commit: 'local' }, 0, ['commit_not_awaited']],
  'commits that wait for the memory of the standby': [
    { synchronous_commit: 'remote_write' },
    0,
    ['commit_not_awaited'],
  ],
};

test('each way to lose an acknowledged write is a risk of its own, and a safe server has none', () => {
  for (const [what, [settings, standbys, risks]] of Object.entries(CASES))
    assert.deepEqual(
      risksOf({ settings: { ...SAFE, ...settings }, standbys }).map(({ id }) => id),
      risks,
      what,
    );
});

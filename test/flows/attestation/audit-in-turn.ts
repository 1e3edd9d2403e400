// The audit below the service, on a log of several pages.
import assert from 'node:assert/strict';
import { systemClock } from '#kernel/clock.ts';
import type { AuditRequest } from '#platform/log/audit-report.ts';
import { Auditor } from '#platform/log/auditor.ts';
import { PublicLog } from '#platform/log/public-log.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { openStore } from '../../support/engines.ts';
import type { EngineName } from '../../support/databases.ts';
import { oneLogKey, sealMany } from '../../support/log.ts';

const PAGE = 2_048;
export const SCRUB = { entries: 50_000, ms: 60_000 };

export function openLog(store: Store): Promise<PublicLog> {
  return PublicLog.open({
    store,
    attach: () => {},
    keys: oneLogKey(0),
    newOrigin: 'test.invalid/log',
    sandbox: true,
  });
}

async function requestOf(log: PublicLog, scrub = SCRUB): Promise<AuditRequest> {
  const { size, rootHex } = await log.follow();
  return { head: { size, rootHex }, vkeys: log.vkeys(), range: null, scrub, nowMs: 0 };
}

export const setLeaf: Unit<[string, null], readonly string[]> = {
  name: 'set_leaf',
  reads: () => ({}),
  load: () => [],
  decide: (leaves, _nowMs, _next, leaf) => ({ state: [...leaves, leaf], result: null }),
  writes: (_before, leaves) => [
    {
      sql: `INSERT INTO entries (seq, type, leaf, leaf_hash, attestation_id, at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (seq) DO UPDATE SET leaf = excluded.leaf`,
      rows: leaves.map((leaf) => [7, 'seal', leaf, '', '', 0]),
    },
  ],
};

/** It goes over full pages once and then in turn again, and remembers what it finds. */
export async function auditInTurn(engine: EngineName): Promise<void> {
  await using opened = await openStore(engine);
  const { store } = opened;
  const log = await openLog(store);
  await sealMany(store, 2 * PAGE + 100);
  const auditor = new Auditor({ read: (sql, params) => store.read(sql, params), close: async () => {} }, systemClock());
  const first = await auditor.run(await requestOf(log));
  assert.deepEqual([first.ok, first.scrubbed, first.entriesRehashed], [true, null, 2 * PAGE + 101]);
  assert.equal(first.verdictsReexecuted, 2 * PAGE + 101);
  await sealMany(store, PAGE);
  const onePage = { entries: 1, ms: 60_000 };
  const second = await auditor.run(await requestOf(log, onePage));
  assert.deepEqual([second.ok, second.scrubbed], [true, { from: 0, to: PAGE }]);
  assert.equal(second.rootRecomputed, second.rootSigned);

  const [row] = await store.read('SELECT leaf FROM entries WHERE seq = 7');
  const leaf = row?.['leaf'] as string;
  await store.run(setLeaf, leaf.replace('"fee_eurocents":25', '"fee_eurocents":0'));
  const third = await auditor.run(await requestOf(log, onePage));
  assert.deepEqual([third.ok, third.scrubbed], [true, { from: PAGE, to: 2 * PAGE }], 'its page is not up yet');
  const fourth = await auditor.run(await requestOf(log));
  assert.deepEqual(fourth.scrubbed, { from: 2 * PAGE, to: 3 * PAGE });
  const fifth = await auditor.run(await requestOf(log));
  assert.deepEqual([fifth.ok, fifth.idsOk, fifth.scrubbed], [false, false, { from: 0, to: 3 * PAGE }]);
  assert.match(fifth.problems.join('\n'), /^entry 7 does not hash to its id$/m);
  assert.match(fifth.problems.join('\n'), /^entries 0 to 2047 do not hash to what they did before$/m);
  await store.run(setLeaf, leaf);
  const sixth = await auditor.run(await requestOf(log));
  assert.deepEqual([sixth.ok, sixth.problems], [false, fifth.problems], 'what was found stays said');
  const again = new Auditor({ read: (sql, params) => store.read(sql, params), close: async () => {} }, systemClock());
  assert.equal((await again.run(await requestOf(log))).ok, true);
}

// What audits cost that anybody can ask for, and what they find all the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { Auditor } from '#platform/log/auditor.ts';
import { LogAudit } from '#platform/log/log-audit.ts';
import { type Store, StorageError } from '#platform/storage/store.ts';
import { openStore } from '../../support/engines.ts';
import { sealMany } from '../../support/log.ts';
import { openLog, setLeaf } from './audit-in-turn.ts';

const START_MS = Date.parse('2026-11-16T08:00:00Z');

/** Audits a log in a store, counts the runs, and lets each take so long. */
async function openAudit(store: Store, tookMs = 0) {
  const log = await openLog(store);
  const clock = new ManualClock(START_MS);
  const auditor = new Auditor({ read: (sql, params) => store.read(sql, params), close: async () => {} }, clock);
  const counts = { runs: 0 };
  const audit = new LogAudit({
    log,
    clock,
    run: async (request) => {
      counts.runs += 1;
      const report = await auditor.run(request);
      clock.advance(tookMs);
      return report;
    },
  });
  return { audit, clock, counts };
}

async function changeOldEntry(store: Store): Promise<void> {
  const [row] = await store.read('SELECT leaf FROM entries WHERE seq = 7');
  await store.run(setLeaf, String(row?.['leaf']).replace('"fee_eurocents":25', '"fee_eurocents":0'));
}

test('a storm of calls at one head runs one audit, and each of them is told when it was', async () => {
  await using opened = await openStore('sqlite');
  const { audit, clock, counts } = await openAudit(opened.store);
  await sealMany(opened.store, 200);
  const storm = () => Promise.all(Array.from({ length: 200 }, () => audit.whole()));
  const reports = await storm();
  clock.advance(10_000);
  reports.push(...(await storm()), await audit.whole());
  assert.equal(counts.runs, 1);
  for (const { ok, treeSize, auditedAtMs } of reports)
    assert.deepEqual([ok, treeSize, auditedAtMs], [true, 201, START_MS]);
});

test('after a new entry an audit reads this entry alone, in a page that is not full and at the end of one', async () => {
  await using opened = await openStore('sqlite');
  const { audit, counts } = await openAudit(opened.store);
  await sealMany(opened.store, 2_040);
  const first = await audit.whole();
  assert.deepEqual([first.ok, first.entriesRead], [true, 2_041]);
  for (let more = 1; more <= 10; more += 1) {
    await sealMany(opened.store, 1);
    const { ok, entriesRead, treeSize, verdictsReexecuted, problems } = await audit.whole();
    assert.deepEqual(problems, []);
    assert.deepEqual([ok, entriesRead, treeSize, verdictsReexecuted], [true, 1, 2_041 + more, 2_041 + more]);
  }
  assert.equal(counts.runs, 11);
});

test('a changed old entry is found within a minute by whoever asks, and until then the report says since when it was not read', async () => {
  await using opened = await openStore('sqlite');
  const { audit, clock } = await openAudit(opened.store);
  await sealMany(opened.store, 50);
  assert.equal((await audit.whole()).ok, true);
  clock.advance(5_000);
  await changeOldEntry(opened.store);
  await sealMany(opened.store, 1);
  const beside = await audit.whole();
  assert.deepEqual([beside.ok, beside.auditedAtMs, beside.readSinceMs], [true, START_MS + 5_000, START_MS]);
  clock.advance(55_000);
  const later = await audit.whole();
  assert.deepEqual([later.ok, later.readSinceMs], [false, START_MS + 60_000]);
  assert.match(later.problems.join('\n'), /^entry 7 does not hash to its id$/m);
  assert.equal((await audit.whole()).ok, false);
});

test('a changed old entry is found by the round of the service, which asks nobody for time', async () => {
  await using opened = await openStore('sqlite');
  const { audit } = await openAudit(opened.store, 4_000);
  await sealMany(opened.store, 50);
  assert.equal((await audit.whole()).ok, true);
  await changeOldEntry(opened.store);
  assert.equal((await audit.whole()).ok, true, 'the share of callers is used up');
  assert.equal((await audit.walkOn()).ok, false);
  assert.equal((await audit.whole()).ok, false);
});

test('audits that callers ask for take a tenth of one core at most; beyond, ranges are refused and the last report is told', async () => {
  await using opened = await openStore('sqlite');
  const tookMs = 1_000;
  const { audit, clock, counts } = await openAudit(opened.store, tookMs);
  await sealMany(opened.store, 500);
  const startedMs = clock.monotonicMs();
  let refused = 0;
  for (let call = 0; call < 300; call += 1) {
    await audit.range(call, call + 100).catch((error: unknown) => {
      assert.ok(error instanceof StorageError && error.kind === 'busy');
      refused += 1;
    });
    clock.advance(100);
  }
  const passedMs = clock.monotonicMs() - startedMs;
  assert.equal(counts.runs + refused, 300);
  assert.ok(counts.runs * tookMs <= 0.1 * passedMs + 3_000 + tookMs, `${counts.runs} runs in ${passedMs} ms`);
  clock.advance(60_000);
  const last = await audit.whole();
  await audit.range(0, 10).catch(() => {});
  for (let call = 0; call < 5; call += 1) await audit.range(call, 20).catch(() => {});
  await sealMany(opened.store, 1);
  const told = await audit.whole();
  assert.deepEqual([told.treeSize, told.auditedAtMs], [last.treeSize, last.auditedAtMs]);
});

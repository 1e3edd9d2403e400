import { crossingUnit } from '#areas/crossing/unit.ts';
import { systemClock } from '#kernel/clock.ts';
import { newCommandId, newLeaseId, newToken, tokenHash } from '#kernel/ids.ts';
import { GroupCommitter } from '#storage/committer.ts';
import { loadMigrations, migrate } from '#storage/migrate.ts';
import { SqliteEngine } from '#storage/sqlite.ts';
import { interleave } from './_rounds.ts';
import { rmSync } from 'node:fs';
rmSync('/tmp/p.db', { force: true });
rmSync('/tmp/p.db-wal', { force: true });
rmSync('/tmp/p.db-shm', { force: true });
const clock = systemClock();
const engine = new SqliteEngine('/tmp/p.db', clock);
const source = new URL('../src/', import.meta.url);
await migrate(engine, [
  ...(await loadMigrations('storage', new URL('storage/migrations/', source))),
  ...(await loadMigrations('crossing', new URL('areas/crossing/migrations/', source))),
]);
const store = new GroupCommitter({ engine, clock, maxBatch: 256, maxQueue: 10000 });
let c = 0;
const op = () =>
  store.run(crossingUnit, {
    type: 'claim',
    commandId: newCommandId(),
    key: `https://github.com/bench/repo/issues/${++c}`,
    publicVenue: true,
    agent: 'bench-agent',
    mode: 'exclusive',
    ttlMs: 600000,
    intent: null,
    onceIntent: '',
    hops: null,
    slots: null,
    addressTag: 'e9eed37308d46c2097a3d147ffba8c7874d3833bd9302044b39bee852387ab86',
    newLeaseId: newLeaseId(),
    newTokenHash: tokenHash(newToken()),
    givenTokenHash: null,
  });
for (const callers of [1, 16, 64])
  console.log(
    callers,
    (await interleave([{ name: 'a', operate: op }], { callers, rounds: 9, windowMs: 400 })).get('a'),
  );
await store.close();

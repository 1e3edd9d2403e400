// Durable exclusive claims per second at store level, beside Redis (appendfsync always) and etcd, in one run: ascending keys, then random
// ones, and the longest pause of the event loop while 64 callers claim random keys on SQLite:
//   node bench/store.ts [--rounds 5] [--window 400]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ClaimCommand } from '#areas/crossing/state.ts';
import { crossingUnit } from '#areas/crossing/unit.ts';
import { systemClock } from '#kernel/clock.ts';
import { newCommandId, newLeaseSalt, newToken, tokenHash } from '#kernel/ids.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import type { Engine } from '#platform/storage/engine.ts';
import { loadMigrations, migrate } from '#platform/storage/migrate.ts';
import { PostgresEngine } from '#platform/storage/postgres.ts';
import { SqliteEngine } from '#platform/storage/sqlite.ts';
import type { Store } from '#platform/storage/store.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startEtcd } from './_etcd.ts';
import { loopPauses } from './_loop-pauses.ts';
import { startRedis } from './_redis.ts';
import { type Contender, type Figures, interleave, round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    window: { type: 'string', default: '400' },
  },
});
const [rounds, windowMs] = [Number(values.rounds), Number(values.window)];
const CALLERS = [1, 16, 64];
/** Long enough for several checkpoints. */
const PAUSE_WINDOWS = 5;
const clock = systemClock();

async function storeOn(engine: Engine, maxBatch: number): Promise<Store> {
  const source = new URL('../src/', import.meta.url);
  await migrate(engine, [
    ...(await loadMigrations('storage', new URL('platform/storage/migrations/', source))),
    ...(await loadMigrations('keys', new URL('platform/keys/migrations/', source))),
    ...(await loadMigrations('crossing', new URL('areas/crossing/migrations/', source))),
  ]);
  return new GroupCommitter({ engine, clock, maxBatch, maxQueue: 10_000 });
}

const ISSUES = 'https://github.com/bench/repo/issues/';
let counter = 0;
const nextKey = () => `${ISSUES}${(counter += 1)}`;
const randomKey = () => `${ISSUES}${newCommandId()}`;

function claimCommand(key: string): ClaimCommand {
  return {
    type: 'claim',
    commandId: newCommandId(),
    key,
    publicVenue: true,
    agent: 'bench-agent',
    mode: 'exclusive',
    ttlMs: 600_000,
    intent: null,
    onceIntent: '',
    hops: null,
    slots: null,
    brief: null,
    addressTag: 'e9eed37308d46c2097a3d147ffba8c7874d3833bd9302044b39bee852387ab86',
    leaseSalt: newLeaseSalt(),
    newTokenHash: tokenHash(newToken()),
    givenTokenHash: null,
    hasEvidence: false,
    queues: false,
    proof: '',
    attempt: 0,
    identity: null,
  };
}

async function claimOn(store: Store, key = nextKey()): Promise<void> {
  const result = await store.run(crossingUnit, claimCommand(key));
  if (result.outcome !== 'granted') throw new Error(`not granted: ${result.outcome}`);
}

const directory = await mkdtemp(join(tmpdir(), 'bench-store-'));
const sqlite = await storeOn(new SqliteEngine(join(directory, 'group.db'), clock), 256);
const sqliteSingle = await storeOn(new SqliteEngine(join(directory, 'single.db'), clock), 1);
const cluster = await startPostgres();
const postgresOn = async (maxBatch: number) => {
  if (cluster === undefined) return undefined;
  const url = await cluster.createDatabase();
  return storeOn(await PostgresEngine.open({ url, process: newCommandId(), clock }), maxBatch);
};
const postgres = await postgresOn(256);
const postgresSingle = await postgresOn(1);
const redis = await startRedis(6391, Math.max(...CALLERS));
const etcd = await startEtcd(23791);

const contenders: Contender[] = [
  { name: 'sqlite', operate: () => claimOn(sqlite) },
  ...(redis === undefined ? [] : [{ name: 'redis', operate: (caller: number) => redis.claim(caller, nextKey()) }]),
  ...(postgres === undefined ? [] : [{ name: 'postgres', operate: () => claimOn(postgres) }]),
  { name: 'sqlite_one_by_one', operate: () => claimOn(sqliteSingle) },
  ...(postgresSingle === undefined ? [] : [{ name: 'postgres_one_by_one', operate: () => claimOn(postgresSingle) }]),
  ...(etcd === undefined ? [] : [{ name: 'etcd', operate: () => etcd.claim(nextKey()) }]),
];

const report: Record<string, unknown> = {};
for (const callers of CALLERS) {
  const figures = await interleave(contenders, { callers, rounds, windowMs });
  const ratio = (name: string, peer: string) => ratioOf(figures, name, peer);
  report[`callers_${callers}`] = {
    sqlite_vs_redis: ratio('sqlite', 'redis'),
    sqlite_vs_etcd: ratio('sqlite', 'etcd'),
    sqlite_vs_one_by_one: ratio('sqlite', 'sqlite_one_by_one'),
    postgres_vs_one_by_one: ratio('postgres', 'postgres_one_by_one'),
    figures: Object.fromEntries(figures) as Record<string, Figures>,
  };
}

function ratioOf(figures: ReadonlyMap<string, Figures>, name: string, peer: string): number | null {
  const [a, b] = [name, peer].map((one) => figures.get(one)?.perSecond);
  return a === undefined || b === undefined ? null : round(a / b);
}

const random = await storeOn(new SqliteEngine(join(directory, 'random.db'), clock), 256);
const callers = Math.max(...CALLERS);
const claimRandom = () => claimOn(random, randomKey());
const randomFigures = await interleave(
  [
    { name: 'sqlite', operate: claimRandom },
    ...(redis === undefined ? [] : [{ name: 'redis', operate: (caller: number) => redis.claim(caller, randomKey()) }]),
  ],
  { callers, rounds, windowMs },
);
report['random_keys'] = {
  sqlite_vs_redis: ratioOf(randomFigures, 'sqlite', 'redis'),
  figures: Object.fromEntries(randomFigures),
};
const pausesWithin = (durationMs: number) => loopPauses(claimRandom, { callers, durationMs });
// The first window warms up.
await pausesWithin(windowMs);
const pauses = await pausesWithin(rounds * windowMs * PAUSE_WINDOWS);
console.log(JSON.stringify({ bench: 'store', ...report, pauses }));

await Promise.all([random.close(), sqlite.close(), sqliteSingle.close(), postgres?.close(), postgresSingle?.close()]);
await Promise.all([redis?.stop(), etcd?.stop(), cluster?.stop()]);
await rm(directory, { recursive: true, force: true });

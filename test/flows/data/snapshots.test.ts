import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { suite, test } from 'node:test';
import { datasetUnit } from '#areas/data/sources/dataset-unit.ts';
import { DataSets } from '#areas/data/sources/datasets.ts';
import { rowDigest, snapshotDigest } from '#areas/data/sources/dataset-row.ts';
import { QUERIES } from '#areas/data/operations.ts';
import { DATASETS } from '#areas/data/sources/source.ts';
import { SOURCES, sourcesOf } from '#areas/data/sources/source-table.ts';
import { ALL_SOURCES, ROW } from '#areas/data/sql.ts';
import { DAY_MS, HOUR_MS } from '#kernel/clock.ts';
import { type DataWorld, openDataWorld } from './data-world.ts';
import { onlyOne } from '#platform/storage/head.ts';
import { readingOf } from '#platform/storage/store.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';

/** What a source may do beside its work, one of each kind of source, and the code under which it is refused. */
const FAULTS: readonly (readonly [fault: string, codes: readonly string[]])[] = [
  ['throttle', ['THROTTLED']],
  ['500', ['HTTP_ERROR']],
  ['404', ['HTTP_ERROR']],
  ['truncate', ['NETWORK', 'WRONG_FORMAT']],
  ['html', ['WRONG_FORMAT']],
  ['empty', ['WRONG_FORMAT']],
  ['wrongjson', ['WRONG_FORMAT']],
  ['reset', ['NETWORK']],
  ['huge', ['TOO_LARGE', 'WRONG_FORMAT']],
  ['mismatch', ['SHRUNKEN']],
];
const KINDS = [
  ['koop', 'koop-sru', 'permits'],
  ['tenderned', 'tenderned', 'tenders'],
  ['pdok', 'pdok-natura2000', 'natura'],
  ['ndw', 'ndw-planning', 'events'],
] as const;

async function bytes(text: string | Uint8Array): Promise<AsyncIterable<Uint8Array>> {
  return (async function* () {
    yield Buffer.from(text);
  })();
}

async function served(world: DataWorld, dataset: (typeof KINDS)[number][2]) {
  const { items, total, snapshot, notes } = await world.query(dataset);
  return { items, total, snapshot, notes };
}

for (const engine of ENGINES) {
  suite(`snapshots on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('before the first read every data set says none, is empty and says how to load it', async () => {
      await using world = await openDataWorld(engine);
      for (const dataset of DATASETS) {
        const { items, total, snapshot, notes } = await world.query(dataset);
        assert.deepEqual([items, total, snapshot.state, snapshot.retrieved_at], [[], 0, 'none', null], dataset);
        assert.match(notes.join(' '), /\.\/avouch ingest/, dataset);
      }
      const { items } = await world.dataSets.summary();
      assert.deepEqual([...new Set(items.map(({ state, count }) => `${state} ${count}`))], ['none 0']);
    });

    test('every source is read whole, every row says where it comes from, and digests can be recomputed', async () => {
      await using world = await openDataWorld(engine);
      for (const { id } of SOURCES) assert.equal((await world.load(id)).kind, 'taken', id);
      for (const dataset of DATASETS) {
        const answer = await world.query(dataset, { limit: 1_000 });
        QUERIES[dataset].output.parse(answer);
        assert.equal(answer.snapshot.state, 'fresh', dataset);
        assert.equal(answer.items.length, answer.snapshot.rows, dataset);
        const digests = new Map<string, string>();
        for (const item of answer.items) {
          const {
            source,
            licence,
            retrieved_at,
            snapshot_id,
            row_sha256,
            id,
            source_url,
            days_left: _,
            ...said
          } = item;
          assert.ok(
            [source, licence, snapshot_id, source_url].every((text) => text !== ''),
            id,
          );
          assert.equal(retrieved_at, '2026-11-15T10:00:00.000Z');
          assert.equal(rowDigest(id, source_url, said), row_sha256, id);
          if (sourcesOf(dataset).length === 1) digests.set(id, row_sha256);
        }
        if (digests.size > 0) assert.equal(snapshotDigest(digests), answer.snapshot.sha256);
      }
    });

    test('whatever a source does, the last good snapshot stays in use and says its age and why', async () => {
      await using world = await openDataWorld(engine);
      for (const [host, id, dataset] of KINDS) {
        for (const source of sourcesOf(dataset)) await world.load(source.id);
        const before = await served(world, dataset);
        assert.ok(before.total > 0 && before.snapshot.state === 'fresh', dataset);
        for (const [fault, codes] of FAULTS) {
          world.simulators.setFault(host, fault);
          await world.opened.store.run(datasetUnit, { type: 'note', source: id, next: { validators: null } });
          const outcome = await world.load(id);
          assert.ok(
            outcome.kind === 'refused' && codes.includes(outcome.code),
            `${id} ${fault}: ${JSON.stringify(outcome)}`,
          );
          const after = await served(world, dataset);
          assert.deepEqual([after.items, after.total], [before.items, before.total], `${id} ${fault}`);
          assert.match(after.notes.join(' '), new RegExp(`${id}: .*${codes.join('|')}`), fault);
          assert.equal(after.snapshot.state, fault === 'mismatch' ? 'stale' : 'fresh', `${id} ${fault}`);
        }
        world.clock.advance(30 * HOUR_MS);
        const old = await served(world, dataset);
        assert.equal(old.snapshot.retrieved_at, before.snapshot.retrieved_at);
        const isDaily = world.source(id).everyMs > 15 * HOUR_MS;
        if (!isDaily) assert.match(old.notes.join(' '), /: stale\. .* h ago/);
        world.simulators.setFault(host, null);
        assert.notEqual((await world.load(id)).kind, 'refused');
        assert.doesNotMatch((await served(world, dataset)).notes.join(' '), new RegExp(`${id}: stale`));
      }
    });

    test('a source that says 304, and a table that did not change, are confirmed without a new snapshot', async () => {
      await using world = await openDataWorld(engine);
      for (const id of ['ndw-emissiezones', 'cbs-85728NED']) {
        await world.load(id);
        const before = (await world.dataSets.states()).get(id);
        world.clock.advance(HOUR_MS);
        assert.deepEqual(await world.load(id), { kind: 'unchanged' });
        const after = (await world.dataSets.states()).get(id);
        assert.equal(after?.snapshot, before?.snapshot);
        assert.equal(after?.checkedAtMs, (before?.checkedAtMs ?? 0) + HOUR_MS);
      }
      world.simulators.statistics.modified = '2026-11-15T02:00:00+01:00';
      assert.equal((await world.load('cbs-85728NED')).kind, 'unchanged', 'the same figures are no new snapshot');
    });

    test('a read that dies half-way leaves the old snapshot, and the next one clears what it left', async () => {
      await using world = await openDataWorld(engine);
      const { store } = world.opened;
      await world.load('pdok-natura2000');
      const before = await served(world, 'natura');
      // As a killed process leaves it: rows of a new part, no swap.
      const row = onlyOne(await store.read(ROW.select('WHERE id = $1'), ['1']));
      const left = 'pdok-natura2000@dead';
      await store.run(datasetUnit, { type: 'note', source: 'pdok-natura2000', next: { staging: left } });
      await store.run(datasetUnit, { type: 'stage', rows: [{ ...row, part: left }] });
      const { items, snapshot } = await served(world, 'natura');
      assert.deepEqual([items, snapshot], [before.items, before.snapshot]);
      await world.load('pdok-natura2000');
      assert.deepEqual(await store.read('SELECT id FROM dataset_row WHERE part = $1', [left]), []);
    });

    test('of two reads at once one wins, and a reader sees the rows of one snapshot only', async () => {
      await using world = await openDataWorld(engine);
      const { store } = world.opened;
      // Neither goes on before both know which snapshot is in use.
      const [both, { signal }] = [Promise.withResolvers<void>(), new AbortController()];
      let begun = 0;
      const read = async (...[text, params]: Parameters<typeof store.read>) => {
        const rows = await store.read(text, params);
        if (text !== ALL_SOURCES) return rows;
        begun += 1;
        if (begun === 2) both.resolve();
        await both.promise;
        return rows;
      };
      const run = { value: store.run.bind(store) };
      const ingestion = world.ingestionOn(Object.create(store, { read: { value: read }, run }) as typeof store);
      const load = () => ingestion.run(world.source('pdok-natura2000'), { signal });
      const outcomes = await Promise.all([
        ...[load(), load()],
        ...Array.from({ length: 20 }, async () => {
          const { items, snapshot } = await world.query('natura');
          assert.equal(items.length, snapshot.state === 'none' ? 0 : 6);
          assert.ok(new Set(items.map((item) => item.snapshot_id)).size <= 1);
          return undefined;
        }),
      ]);
      const kinds = new Set(outcomes.slice(0, 2).map((outcome) => outcome?.kind));
      assert.deepEqual(kinds, new Set(['refused', 'taken']));
    });

    test('rows that change between two reads of one answer do not mix with the snapshot before', async () => {
      await using world = await openDataWorld(engine);
      const { store } = world.opened;
      await world.load('koop-sru');
      let isChanged = false;
      const read = readingOf(async (text, params) => {
        if (!isChanged && text.includes('AS total')) {
          isChanged = true;
          world.clock.advance(DAY_MS);
          assert.equal((await world.load('koop-sru')).kind, 'taken');
        }
        return store.read(text, params);
      });
      const dataSets = new DataSets({ store: { read }, clock: world.clock, sandbox: true });
      const { items, snapshot } = await dataSets.query('permits', { limit: 100, offset: 0 });
      const digests = new Map(items.map((item) => [item.id, item.row_sha256]));
      assert.deepEqual([isChanged, snapshotDigest(digests)], [true, snapshot.sha256]);
    });

    test('a downloaded file goes through the same parser, packed or not, and no bomb gets through', async () => {
      await using world = await openDataWorld(engine);
      const source = world.source('pdok-natura2000');
      const { signal } = new AbortController();
      const page = { features: [{ properties: { nr: 7, naamN2K: 'Veen', beschermin: 'HR', shape_area: 5 } }] };
      const read = async (text: string | Uint8Array, of = source) =>
        world.ingestion.run(of, { signal, file: await bytes(text) });
      assert.equal((await read(gzipSync(JSON.stringify(page)))).kind, 'taken');
      assert.deepEqual(
        (await world.query('natura')).items.map(({ name }) => name),
        ['Veen'],
      );
      for (const [code, text, of] of [
        ['TOO_LARGE', gzipSync(Buffer.alloc(1_000_000)), { ...source, maxBytes: 10_000 }],
        ['WRONG_FORMAT', gzipSync(JSON.stringify(page)).subarray(0, 40), source],
        ['WRONG_FORMAT', '<!DOCTYPE html><html></html>', source],
        ['WRONG_FORMAT', '<!DOCTYPE x [<!ENTITY a "b">]><payload>&a;</payload>', world.source('ndw-planning')],
        ['EMPTY', '{"features":[]}', source],
      ] as const) {
        const outcome = await read(text, of);
        assert.ok(outcome.kind === 'refused' && outcome.code === code, `${code}: ${JSON.stringify(outcome)}`);
      }
      assert.equal((await world.query('natura')).total, 1);
    });
  });
}

test('a tender search that ignores its parameters is not believed', async () => {
  await using world = await openDataWorld('sqlite');
  await world.load('tenderned');
  world.clock.advance(40 * DAY_MS);
  // As the platform does when a name of a parameter changed: everything that it has.
  const run = world.source('tenderned').read({
    nowMs: world.clock.now(),
    sinceMs: world.clock.now(),
    cursor: null,
    ask: async (_request, reader) => {
      const page = reader();
      page.write(
        Buffer.from(
          JSON.stringify({
            content: [{ publicatieId: 1, publicatieDatum: '2020-01-01', aanbestedingNaam: 'x' }],
            last: false,
          }),
        ),
      );
      return page.end();
    },
    link: (_host, url) => url,
    known: async () => new Map(),
    stored: async function* () {},
  });
  await assert.rejects(async () => {
    for await (const _ of run);
  }, /not requested/);
});

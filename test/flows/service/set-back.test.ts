// A database that was put back under a service that runs, and under one that was stopped.
import assert from 'node:assert/strict';
import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { openReader } from '#platform/storage/reader.ts';
import { runCommand } from '../../support/command.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { sealRecord } from '../../support/log.ts';
import { type SharedPostgres, sharedPostgres } from '../../support/postgres.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';

/** An installation of which a copy of the database is kept. */
interface Place {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** Keeps the database as it is; the service is stopped. */
  keep(): Promise<void>;
  /** Puts the kept copy in the place of the database, whoever uses it. */
  putBack(): Promise<void>;
}

function sqlitePlace(dataDir: string): Place {
  const file = join(dataDir, 'avouch.db');
  return {
    dataDir,
    keep: () => copyFile(file, `${file}.kept`),
    async putBack() {
      await rename(`${file}.kept`, file);
      for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true });
    },
  };
}

async function postgresPlace(dataDir: string): Promise<Place> {
  const server = (await sharedPostgres()) as SharedPostgres;
  const databaseUrl = (await freshDatabase('postgres')) as string;
  const name = new URL(databaseUrl).pathname.slice(1);
  const administer = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: server.url('postgres') });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  return {
    dataDir,
    databaseUrl,
    keep: () => administer(`CREATE DATABASE ${name}_kept TEMPLATE ${name}`),
    putBack: () => administer(`DROP DATABASE ${name} WITH (FORCE)`, `ALTER DATABASE ${name}_kept RENAME TO ${name}`),
  };
}

const claim = (service: TestService, key: string) =>
  service.call('/v1/claim', { method: 'POST', body: { key, agent: 'a7', mode: 'exclusive' } });

/** A claim takes a revision and no entry, a seal an entry and no revision: each has a guard of its own. */
const LOSSES = [
  ['a revision', (service: TestService) => claim(service, 'lost')],
  ['an entry of the log', (service: TestService) => sealRecord(service, 'lost')],
] as const;

for (const engine of ENGINES) {
  suite(`a database that was put back on ${engine}`, { skip: engine === 'postgres' && noPostgres }, () => {
    let root: string;
    const placeOf = (name: string) => {
      const dataDir = join(root, name);
      return engine === 'postgres' ? postgresPlace(dataDir) : sqlitePlace(dataDir);
    };
    before(async () => {
      root = await temporaryDirectory();
    });
    after(() => rm(root, { recursive: true, force: true }));

    for (const [what, lose] of LOSSES) {
      test(`is not written, read or signed by a service that has seen ${what} more`, async () => {
        const place = await placeOf(`running-${what.replaceAll(' ', '-')}`);
        const size = await keptAfter(place, (service) => sealRecord(service, 'kept'));
        await using service = await TestService.start(place);
        await lose(service);
        await place.putBack();
        expectProblem(await sealRecord(service, 'another'), 503, 'log_unsound');
        expectProblem(await claim(service, 'another'), 503, 'log_unsound');
        expectProblem(await service.call('/v1/fence?key=lost&fence=1'), 503, 'log_unsound');
        expectProblem(await service.call('/api/astralock/sth'), 503, 'log_unsound');
        const health = await service.call('/api/v1/health');
        expectProblem(health, 503, 'down');
        assert.match(String(health.json['detail']), /^storage: .* stop .* restore the newest copy|put the newest copy/);
        assert.equal((await service.call('/readyz')).status, 503);
        assert.equal(await logSize(place), size);
      });
    }

    test('is not served by a start that remembers more of its log', async () => {
      const place = await placeOf('log');
      await keptAfter(place, (service) => sealRecord(service, 'kept'));
      {
        await using service = await TestService.start(place);
        await sealRecord(service, 'lost');
      }
      await place.putBack();
      await assert.rejects(TestService.start(place), /but log-high-water in DATA_DIR knows log/);
    });

    test('is not served by a start that remembers fences which it would give again', async () => {
      const place = await placeOf('fences');
      await keptAfter(place, (service) => claim(service, 'kept'));
      {
        await using service = await TestService.start(place);
        await claim(service, 'lost');
      }
      await place.putBack();
      const told =
        /the database is at revision \d+, but revision-high-water in DATA_DIR knows revision \d+: restore [^()]*$/im;
      await assert.rejects(TestService.start(place), told);
      const { code, stdout } = await runCommand(['doctor'], serviceEnv(place.dataDir, place.databaseUrl));
      assert.equal(code, 1);
      assert.match(stdout, told);
    });
  });
}

/** Runs a service for one call, keeps what the database holds afterwards, and gives the size of its log. */
async function keptAfter(place: Place, work: (service: TestService) => Promise<Answer>): Promise<number> {
  {
    await using service = await TestService.start(place);
    const { status, text } = await work(service);
    assert.ok(status < 300, text);
  }
  await place.keep();
  return logSize(place);
}

async function logSize({ dataDir, databaseUrl }: Place): Promise<number> {
  const location = databaseUrl === undefined ? { file: join(dataDir, 'avouch.db') } : { url: databaseUrl };
  const reader = await openReader(location);
  const [row] = await reader.read('SELECT size FROM log_head');
  await reader.close();
  return row?.['size'] as number;
}

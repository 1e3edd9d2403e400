// For `node --test --test-global-setup`: one PostgreSQL server for all test files of a run.
import { type PostgresCluster, sharePostgres, startPostgres } from './_postgres.ts';

let cluster: PostgresCluster | undefined;

export async function globalSetup(): Promise<void> {
  cluster = await startPostgres();
  sharePostgres(cluster);
  const postgres = cluster
    ? `PostgreSQL ${cluster.version} (${cluster.origin})`
    : 'no PostgreSQL server binaries here, its tests are skipped';
  console.error(`engines: SQLite ${process.versions.sqlite}, ${postgres}`);
}

export async function globalTeardown(): Promise<void> {
  // Not `stop`: the directory of many databases takes long to remove, and goes by itself once this process has ended.
  await cluster?.kill();
}

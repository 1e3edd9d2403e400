// For `node --test --test-global-setup`: one PostgreSQL server and one cache of compiled code for all test files of a run.
import { fileURLToPath } from 'node:url';
import { type PostgresCluster, sharePostgres, startPostgres } from './_postgres.ts';

let cluster: PostgresCluster | undefined;

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
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

// For `node --test --test-global-setup`: one PostgreSQL server, one cache of compiled code and one place for data.
import { statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type PostgresCluster, sharePostgres, startPostgres } from './_postgres.ts';

/** Thousands of small databases would wait for the disk; killed processes lose nothing that lies in memory either. */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

let cluster: PostgresCluster | undefined;

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
  if (hasRoom(IN_MEMORY)) process.env.TMPDIR = IN_MEMORY;
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

function hasRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

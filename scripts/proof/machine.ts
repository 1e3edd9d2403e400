// The machine on which the figures were measured.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startPostgres } from '../../test/support/postgres.ts';

export async function machineFacts(): Promise<Record<string, string>> {
  using database = new DatabaseSync(':memory:');
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  return {
    cores: `${cpus().length} (${cpus()[0]?.model.trim() || process.arch})`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `${type()} ${release()}`,
    'disk syncs per second': String(syncsPerSecond()),
    Node: process.versions.node,
    SQLite: version,
    PostgreSQL: await postgresVersion(),
  };
}

/** Small appends that are synced one by one. */
function syncsPerSecond(): number {
  const directory = mkdtempSync(join(tmpdir(), 'avouch-prove-'));
  const file = openSync(join(directory, 'syncs'), 'a');
  try {
    const endMs = performance.now() + 1_000;
    let count = 0;
    for (; performance.now() < endMs; count += 1) {
      writeSync(file, 'one record of the write-ahead log\n');
      fdatasyncSync(file);
    }
    return count;
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true });
  }
}

async function postgresVersion(): Promise<string> {
  const cluster = await startPostgres();
  await cluster?.stop();
  return cluster === undefined ? 'none' : cluster.version;
}

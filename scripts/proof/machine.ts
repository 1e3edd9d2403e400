// The machines on which the figures were measured.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startPostgres } from '../../test/support/postgres.ts';
import type { MachineFacts, Proof } from './row.ts';

const FIRST_NAME = 'A'.codePointAt(0) as number;

export async function machineFacts(): Promise<MachineFacts> {
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

/** The list with these facts in it, and the name that they have there. */
export function named(machines: Proof['machines'], facts: MachineFacts): { machines: Proof['machines']; name: string } {
  const isSame = (other: MachineFacts) => other['cores'] === facts['cores'] && other['memory'] === facts['memory'];
  const known = Object.entries(machines).find(([, other]) => isSame(other))?.[0];
  const name = known ?? String.fromCodePoint(FIRST_NAME + Object.keys(machines).length);
  return { machines: { ...machines, [name]: facts }, name };
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

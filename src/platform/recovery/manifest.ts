import { readTextIfThere } from '#platform/storage/durable-file.ts';
import type { AppliedStep } from '#platform/storage/migrate.ts';
import { join } from 'node:path';
import { RecoveryRefused } from './recovery-refused.ts';

export const FORMAT = 'avouch-backup-v1';
export const MANIFEST_FILE = 'manifest.json';

export interface TableFile {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Of the file `<table>.ndjson`. */
  readonly sha256: string;
}

/** Written last: a directory without one is no backup. */
export interface BackupManifest {
  readonly format: typeof FORMAT;
  readonly version: string;
  readonly engine: 'sqlite' | 'postgres';
  readonly made_at: string;
  readonly revision: number;
  readonly origin: string;
  readonly tree_size: number;
  readonly root: string;
  readonly checkpoint: string;
  readonly schema: readonly AppliedStep[];
  readonly left_out: readonly string[];
  readonly tables: readonly TableFile[];
}

const TABLE_NAME = /^[a-z][a-z0-9_]*$/;

export function readManifest(directory: string): BackupManifest {
  const text = readTextIfThere(join(directory, MANIFEST_FILE));
  if (text === undefined) {
    throw new RecoveryRefused(`${directory} has no ${MANIFEST_FILE}: it is not a backup, or an unfinished one`);
  }
  let manifest: BackupManifest | undefined;
  try {
    manifest = JSON.parse(text) as BackupManifest;
  } catch {
    // Told below.
  }
  if (manifest?.format !== FORMAT || !Array.isArray(manifest.tables) || !Array.isArray(manifest.schema)) {
    throw new RecoveryRefused(`${MANIFEST_FILE} in ${directory} is not of the form ${FORMAT}`);
  }
  const strange = manifest.tables.find(({ table }) => typeof table !== 'string' || !TABLE_NAME.test(table));
  if (strange !== undefined) throw new RecoveryRefused(`${MANIFEST_FILE} in ${directory} names a table that cannot be`);
  return manifest;
}

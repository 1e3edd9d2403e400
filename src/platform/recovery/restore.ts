import { isoTime } from '#kernel/clock.ts';
import type { Ask, Engine } from '#platform/storage/engine.ts';
import { migrateWithin, type Migration, stepsOf } from '#platform/storage/migrate.ts';
import { wholeStore } from '#platform/storage/recovery-mark.ts';
import { tablesOf, unhurried } from '#platform/storage/snapshot.ts';
import type { BackupManifest } from './manifest.ts';
import { type RecoveryProgress, RowCount } from './progress.ts';
import { RecoveryRefused } from './recovery-refused.ts';
import { requireSound, type StoreCheck } from './store-check.ts';
import { loadTables, type TableSource } from './table-source.ts';

/** No store takes revisions faster than this, so the number of a moment lies above all that were given before it. */
const REVISIONS_PER_MS = 100;
const REVISION_EPOCH_MS = Date.UTC(2020, 0, 1);

/**
 * The revision that a store begins with after a restore: above every one that the lost store, or an earlier restore of
 * the same backup, can have given, because it is made of the time.
 */
export function revisionAfter(rev: number, nowMs: number): number {
  const raised = (nowMs - REVISION_EPOCH_MS) * REVISIONS_PER_MS;
  if (raised > rev) return raised;
  throw new RecoveryRefused(`the clock of this machine (${isoTime(nowMs)}) is behind the backup: set it right`);
}

export interface RestoreOptions extends StoreCheck {
  readonly engine: Engine;
  readonly migrations: readonly Migration[];
  readonly manifest: BackupManifest;
  readonly source: TableSource;
  readonly onProgress?: RecoveryProgress | undefined;
}

/** How many rows a backup says that it has. */
export function rowsOf({ tables }: BackupManifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

export interface Restored {
  readonly rev: number;
  readonly origin: string;
  readonly size: number;
  readonly rootHex: string;
}

/** Fills an empty store from a backup in one transaction, or leaves it empty. */
export async function restoreBackup({
  engine,
  migrations,
  manifest,
  source,
  onProgress,
  ...check
}: RestoreOptions): Promise<Restored> {
  const restored = await engine.exclusively(async (query): Promise<Restored> => {
    await unhurried(engine.name, query);
    await requireEmpty(engine.name, query);
    await migrateWithin(query, stepsOf(manifest.schema, migrations));
    await loadTables(engine.name, query, source, new RowCount('copy', onProgress, rowsOf(manifest)));
    await migrateWithin(query, migrations);
    onProgress?.('audit', 0);
    const head = await requireSound(query, check);
    const { rev: before, atMs } = await wholeStore.head(query);
    const isSaid = head.size === manifest.tree_size && head.rootHex === manifest.root && before === manifest.revision;
    if (!isSaid) throw new RecoveryRefused('the backup does not hold what its manifest says');
    const nowMs = check.clock.now();
    if (nowMs < atMs) throw new RecoveryRefused('the clock of this machine is behind the backup: set it right');
    const rev = revisionAfter(before, nowMs);
    await wholeStore.raise(query, rev);
    await wholeStore.mark(query, { name: 'restored', atMs: nowMs, detail: `made ${manifest.made_at}` });
    return { rev, ...head };
  });
  await engine.exclusively((query) => query('ANALYZE'));
  return restored;
}

export async function requireEmpty(engine: Engine['name'], query: Ask): Promise<void> {
  if ((await tablesOf(engine, query)).size === 0) return;
  throw new RecoveryRefused('the database is not empty: name a new DATA_DIR or an empty database in DATABASE_URL');
}

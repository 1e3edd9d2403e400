import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '#platform/config/config.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { systemClock } from '#kernel/clock.ts';
import { HIGH_WATER_FILE } from '#platform/log/checkpoint-memory.ts';
import { splitNotes } from '#platform/log/prefix-check.ts';
import { MANIFEST_FILE, readManifest } from '#platform/recovery/manifest.ts';
import { RecoveryRefused } from '#platform/recovery/recovery-refused.ts';
import { RowCount } from '#platform/recovery/progress.ts';
import { restoreBackup, rowsOf } from '#platform/recovery/restore.ts';
import { backupSource } from '#platform/recovery/table-source.ts';
import { DataLock } from '#platform/storage/data-lock.ts';
import { readTextIfThere } from '#platform/storage/durable-file.ts';
import { openEngine } from '#platform/storage/open-engine.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { databaseLocation } from '#platform/foundation.ts';
import { LEDGER_CHECKS } from '../areas.ts';
import { count } from './line/progress.ts';
import type { Run } from './line/spec.ts';
import { recoveryProgress } from './recovery-progress.ts';

export const restore: Run = async ({ operands, values }, output) => {
  const [directory] = operands as [string];
  const config = readConfig(output.env);
  const notes = [
    ...notesIn(join(config.dataDir, HIGH_WATER_FILE)),
    ...(values['checkpoints'] === undefined ? [] : notesIn(values['checkpoints'], true)),
  ];
  const manifest = readManifest(directory);
  requireDigest(directory, values['sha256']);
  using progress = output.progress('Restoring');
  const onProgress = recoveryProgress(progress);
  const rows = rowsOf(manifest);
  const source = await backupSource(directory, manifest, new RowCount('check', onProgress, rows));
  await using stack = new AsyncDisposableStack();
  owned(config, stack);
  const clock = systemClock();
  const opening = openEngine(databaseLocation(config, output.patience), clock);
  const engine = stack.adopt(await opening, (opened) => opened.close());
  const migrations = await allMigrations();
  const check = { notes, clock, ledgerChecks: LEDGER_CHECKS };
  const restored = await restoreBackup({ engine, migrations, manifest, source, onProgress, ...check });
  progress.end();
  const { rev: revision, origin, size, rootHex: root } = restored;
  output.line(`backup: ${manifest.tables.length} tables as of ${manifest.made_at}, revision now ${revision}`);
  output.line(`log: ${origin}, size ${size}, root ${root}`);
  output.line(`checkpoints from outside the backup compared: ${notes.length}`);
  const keys = join(config.dataDir, 'keys');
  output.note(`Before you start the service, put the keys into ${keys} and the server secret in its place.`);
  output.result(
    {
      tables: manifest.tables.length,
      rows,
      made_at: manifest.made_at,
      revision,
      log: { origin, size, root },
      checkpoints: notes.length,
    },
    `Restored ${count(rows)} rows in ${progress.took}. Log and ledger verified.\n`,
  );
  return 0;
};

function notesIn(path: string, isRequired = false): string[] {
  const text = readTextIfThere(path);
  if (text === undefined && isRequired) throw new RecoveryRefused(`${path} does not exist. Check --checkpoints.`);
  const notes = text === undefined ? [] : splitNotes(text);
  if (notes === undefined) throw new RecoveryRefused(`${path} does not contain signed checkpoints only.`);
  return notes;
}

function requireDigest(directory: string, wanted: string | undefined): void {
  const isOther = wanted !== undefined && sha256Hex(readTextIfThere(join(directory, MANIFEST_FILE)) ?? '') !== wanted;
  if (isOther)
    throw new RecoveryRefused(
      `The SHA-256 of ${MANIFEST_FILE} in the backup is not ${wanted}. This is another backup, or it was changed.`,
    );
}

function owned({ dataDir, databaseUrl }: Config, stack: AsyncDisposableStack): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (databaseUrl === null) stack.use(DataLock.take(dataDir, 'lock', process.pid));
}

import { existsSync } from 'node:fs';
import { readConfig } from '#platform/config/config.ts';
import { type Clock, isoTime, systemClock } from '#kernel/clock.ts';
import { writeBackup } from '#platform/recovery/backup.ts';
import { rowsOf } from '#platform/recovery/restore.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { openEngine, openSnapshot } from '#platform/storage/open-engine.ts';
import { markUnit, recoveryMarks } from '#platform/storage/recovery-mark.ts';
import { databaseLocation } from '#platform/foundation.ts';
import { VERSION } from '#platform/version.ts';
import { count } from './line/progress.ts';
import type { Run } from './line/spec.ts';
import { recoveryProgress } from './recovery-progress.ts';

export const backup: Run = async ({ operands }, output) => {
  const [directory] = operands as [string];
  const config = readConfig(output.env);
  const location = databaseLocation(config, output.patience);
  if ('file' in location && !existsSync(location.file)) throw new Error(`There is no database in ${config.dataDir}.`);
  const clock = systemClock();
  const nowMs = clock.now();
  using progress = output.progress('Backing up');
  await using snapshot = await openSnapshot(location);
  const onProgress = recoveryProgress(progress);
  const { manifest, manifestSha256 } = await writeBackup({ snapshot, directory, version: VERSION, nowMs, onProgress });
  progress.end();
  const { tables, revision, origin, tree_size, root } = manifest;
  const rows = rowsOf(manifest);
  output.line(`${directory}: ${tables.length} tables, ${rows} rows, revision ${revision}`);
  output.line(`log: ${origin}, size ${tree_size}, root ${root}`);
  output.line(`manifest: sha256 ${manifestSha256}`);
  const isMarked = await isNoted(location, { config, clock, nowMs, directory });
  if (!isMarked) {
    output.warn('The database is from an older release, so it could not record the time of this backup.');
  }
  output.note('Keys and the server secret are not in the backup. Keep DATA_DIR/keys and the secret elsewhere.');
  output.result(
    {
      directory,
      tables: tables.length,
      rows,
      revision,
      log: { origin, size: tree_size, root },
      manifest_sha256: manifestSha256,
    },
    `Backed up ${count(rows)} rows in ${progress.took}.\n`,
  );
  return 0;
};

interface Note {
  readonly config: Parameters<typeof databaseLocation>[0];
  readonly clock: Clock;
  readonly nowMs: number;
  readonly directory: string;
}

/** Tells the store when it was last copied. One that this release has not served yet has no place for it. */
async function isNoted(location: DatabaseLocation, { config, clock, nowMs, directory }: Note): Promise<boolean> {
  const engine = await openEngine(location, clock);
  const store = new GroupCommitter({ engine, clock, ...config.commit });
  try {
    const isThere = await recoveryMarks(store).then(
      () => true,
      () => false,
    );
    if (isThere) await store.run(markUnit, { name: 'backup', detail: `${directory} as of ${isoTime(nowMs)}` });
    return isThere;
  } finally {
    await store.close();
  }
}

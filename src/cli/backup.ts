import { existsSync } from 'node:fs';
import { readConfig } from '#platform/config/config.ts';
import { type Clock, isoTime, systemClock } from '#kernel/clock.ts';
import { writeBackup } from '#platform/recovery/backup.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { openEngine, openSnapshot } from '#platform/storage/open-engine.ts';
import { markUnit, recoveryMarks } from '#platform/storage/recovery-mark.ts';
import { databaseLocation } from '#platform/foundation.ts';
import { VERSION } from '#platform/version.ts';
import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';

const USAGE_ERROR = 'backup takes a new directory';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'copy the store as it is at this moment into a new directory, beside a running service',
  usage: 'backup <directory>',
  examples: ['./avouch backup /backup/2026-11-15', 'DATABASE_URL=postgres://… ./avouch backup /backup/tonight'],
  async run(args, terminal) {
    const [directory, ...more] = givenArguments(args, {}, USAGE_ERROR).positionals;
    if (directory === undefined || more.length > 0) throw new UsageError(USAGE_ERROR);
    const config = readConfig(terminal.env);
    const location = databaseLocation(config, terminal.patience);
    if ('file' in location && !existsSync(location.file)) throw new Error(`there is no database in ${config.dataDir}`);
    const clock = systemClock();
    const nowMs = clock.now();
    await using snapshot = await openSnapshot(location);
    const { manifest, manifestSha256 } = await writeBackup({ snapshot, directory, version: VERSION, nowMs });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    terminal.out(`${directory}: ${manifest.tables.length} tables, ${rows} rows, revision ${manifest.revision}\n`);
    terminal.out(`log: ${manifest.origin}, size ${manifest.tree_size}, root ${manifest.root}\n`);
    terminal.out(`manifest: sha256 ${manifestSha256}\n`);
    terminal.err('keys and the server secret are not in it: keep DATA_DIR/keys and the secret elsewhere\n');
    if (!(await isNoted(location, { config, clock, nowMs, directory }))) {
      terminal.err('the time of this backup could not be noted in the database, which is of an older release\n');
    }
    return 0;
  },
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

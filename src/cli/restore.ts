import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '#platform/config/config.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { systemClock } from '#kernel/clock.ts';
import { HIGH_WATER_FILE } from '#platform/log/checkpoint-memory.ts';
import { splitNotes } from '#platform/log/prefix-check.ts';
import { MANIFEST_FILE, readManifest } from '#platform/recovery/manifest.ts';
import { RecoveryRefused } from '#platform/recovery/recovery-refused.ts';
import { restoreBackup as restoreStore } from '#platform/recovery/restore.ts';
import { backupSource } from '#platform/recovery/table-source.ts';
import { DataLock } from '#platform/storage/data-lock.ts';
import { readTextIfThere } from '#platform/storage/durable-file.ts';
import { openEngine } from '#platform/storage/open-engine.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { databaseLocation } from '#platform/foundation.ts';
import { LEDGER_CHECKS } from '../areas.ts';
import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';

const USAGE_ERROR = 'restore takes the directory of a backup, --checkpoints for a file of signed ones, and --sha256';

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'fill an empty database from a backup, after auditing log and ledger in it',
  usage: 'restore <directory> [--checkpoints <file>] [--sha256 <digest of the manifest>]',
  examples: [
    'DATA_DIR=./restored ./avouch restore /backup/2026-11-15',
    './avouch restore /backup/tonight --checkpoints published.txt',
  ],
  async run(args, terminal) {
    const { positionals, values } = givenArguments(args, { values: ['checkpoints', 'sha256'] }, USAGE_ERROR);
    const [directory, ...more] = positionals;
    if (directory === undefined || more.length > 0) throw new UsageError(USAGE_ERROR);
    const config = readConfig(terminal.env);
    const notes = [
      ...notesIn(join(config.dataDir, HIGH_WATER_FILE)),
      ...(values['checkpoints'] === undefined ? [] : notesIn(values['checkpoints'], true)),
    ];
    const manifest = readManifest(directory);
    requireDigest(directory, values['sha256']);
    const source = await backupSource(directory, manifest);
    await using stack = new AsyncDisposableStack();
    owned(config, stack);
    const clock = systemClock();
    const engine = stack.adopt(await openEngine(databaseLocation(config, terminal.patience), clock), (opened) =>
      opened.close(),
    );
    const migrations = await allMigrations();
    const restored = await restoreStore({
      engine,
      migrations,
      manifest,
      source,
      notes,
      clock,
      ledgerChecks: LEDGER_CHECKS,
    });
    terminal.out(`restored: ${manifest.tables.length} tables as of ${manifest.made_at}, revision ${restored.rev}\n`);
    terminal.out(`log: ${restored.origin}, size ${restored.size}, root ${restored.rootHex}\n`);
    terminal.out(`compared with ${notes.length} signed checkpoints from outside the backup\n`);
    terminal.err(`put the keys into ${join(config.dataDir, 'keys')} and the server secret in its place, then start\n`);
    return 0;
  },
};

function notesIn(path: string, isRequired = false): string[] {
  const text = isRequired ? readFileSync(path, 'utf8') : readTextIfThere(path);
  const notes = text === undefined ? [] : splitNotes(text);
  if (notes === undefined) throw new RecoveryRefused(`${path} holds something else than signed checkpoints`);
  return notes;
}

function requireDigest(directory: string, wanted: string | undefined): void {
  const isOther = wanted !== undefined && sha256Hex(readTextIfThere(join(directory, MANIFEST_FILE)) ?? '') !== wanted;
  if (isOther) throw new RecoveryRefused(`${MANIFEST_FILE} of the backup has another sha256 than ${wanted}`);
}

function owned({ dataDir, databaseUrl }: Config, stack: AsyncDisposableStack): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (databaseUrl === null) stack.use(DataLock.take(dataDir, 'lock', process.pid));
}

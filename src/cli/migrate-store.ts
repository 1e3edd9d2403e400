import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { moveStore } from '#platform/recovery/move.ts';
import { DataLock } from '#platform/storage/data-lock.ts';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { openEngine, openSnapshot } from '#platform/storage/open-engine.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { LEDGER_CHECKS } from '../areas.ts';
import type { Output } from './line/output.ts';
import { count } from './line/progress.ts';
import { type Run, UsageError } from './line/spec.ts';
import { recoveryProgress } from './recovery-progress.ts';

export const migrateStore: Run = async ({ values: { from = '', to = '' } }, output) => {
  await using stack = new AsyncDisposableStack();
  const clock = systemClock();
  const [source, target] = [locationOf(from, output), locationOf(to, output)];
  if ('file' in source && !existsSync(source.file)) throw new Error(`There is no database at ${source.file}.`);
  const place = async (location: DatabaseLocation) => {
    if ('file' in location) {
      mkdirSync(dirname(location.file), { recursive: true, mode: 0o700 });
      stack.use(DataLock.take(dirname(location.file), 'lock', process.pid));
    }
    const engine = stack.adopt(await openEngine(location, clock), (opened) => opened.close());
    return { engine, snapshot: () => openSnapshot(location), name: nameOf(location) };
  };
  using progress = output.progress('Moving');
  const moved = await moveStore({
    from: await place(source),
    to: await place(target),
    migrations: await allMigrations(),
    notes: [],
    ledgerChecks: LEDGER_CHECKS,
    clock,
    onProgress: recoveryProgress(progress),
  });
  progress.end();
  const { rows, rev: revision, size, rootHex: root } = moved;
  output.line(`revision ${revision}, log of ${size} entries, root ${root}`);
  output.note(
    `${nameOf(source)} can no longer be served. DATA_DIR keeps the keys, the audit trail and log-high-water.`,
  );
  output.result(
    { from: nameOf(source), to: nameOf(target), rows, revision, log: { size, root } },
    `Moved ${count(rows)} rows in ${progress.took}. Both databases were compared row by row.\n`,
  );
  return 0;
};

function locationOf(text: string, { env, patience }: Output): DatabaseLocation {
  const value = text === 'DATABASE_URL' ? (env['DATABASE_URL'] ?? '') : text;
  if (/^postgres(ql)?:\/\//.test(value)) return { url: value, patience };
  if (value === '') throw new UsageError('DATABASE_URL is not set in the environment.');
  const path = resolve(value);
  const isFile = existsSync(path) && statSync(path).isFile();
  return { file: isFile ? path : join(path, 'avouch.db') };
}

/** What may be shown and stored of it: no password. */
function nameOf(location: DatabaseLocation): string {
  if ('file' in location) return location.file;
  const url = URL.parse(location.url.replace('@/', '@socket/'));
  return url === null ? 'PostgreSQL' : `postgres://${url.host}${url.pathname}`;
}

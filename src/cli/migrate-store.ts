import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { moveStore } from '#platform/recovery/move.ts';
import { DataLock } from '#platform/storage/data-lock.ts';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { openEngine, openSnapshot } from '#platform/storage/open-engine.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { LEDGER_CHECKS } from '../areas.ts';
import { givenArguments } from './arguments.ts';
import { type Command, type Terminal, UsageError } from './command.ts';

const USAGE_ERROR =
  'migrate-store takes --from and --to: a data directory, postgres://…, or DATABASE_URL for that setting';

export const migrateStoreCommand: Command = {
  name: 'migrate-store',
  summary: 'move a store that nobody serves to an empty one of the other engine, with the same root and revision',
  usage: 'migrate-store --from <data directory|postgres url|DATABASE_URL> --to <the same>',
  examples: [
    'DATABASE_URL=postgres://… ./avouch migrate-store --from ./data --to DATABASE_URL',
    './avouch migrate-store --from postgres://avouch@db/avouch --to ./data',
  ],
  async run(args, terminal) {
    const { positionals, values } = givenArguments(args, { values: ['from', 'to'] }, USAGE_ERROR);
    const { from, to } = values;
    if (from === undefined || to === undefined || positionals.length > 0) throw new UsageError(USAGE_ERROR);
    await using stack = new AsyncDisposableStack();
    const clock = systemClock();
    const [source, target] = [locationOf(from, terminal), locationOf(to, terminal)];
    if ('file' in source && !existsSync(source.file)) throw new Error(`there is no database at ${source.file}`);
    const place = async (location: DatabaseLocation) => {
      if ('file' in location) {
        mkdirSync(dirname(location.file), { recursive: true, mode: 0o700 });
        stack.use(DataLock.take(dirname(location.file), 'lock', process.pid));
      }
      const engine = stack.adopt(await openEngine(location, clock), (opened) => opened.close());
      return { engine, snapshot: () => openSnapshot(location), name: nameOf(location) };
    };
    const moved = await moveStore({
      from: await place(source),
      to: await place(target),
      migrations: await allMigrations(),
      notes: [],
      ledgerChecks: LEDGER_CHECKS,
      clock,
    });
    terminal.out(`moved: ${moved.rows} rows, revision ${moved.rev}, log of ${moved.size}, root ${moved.rootHex}\n`);
    terminal.err(`${nameOf(source)} is not served any more; DATA_DIR keeps keys, audit trail and log-high-water\n`);
    return 0;
  },
};

function locationOf(text: string, { env, patience = 1 }: Terminal): DatabaseLocation {
  const value = text === 'DATABASE_URL' ? (env['DATABASE_URL'] ?? '') : text;
  if (/^postgres(ql)?:\/\//.test(value)) return { url: value, patience };
  if (value === '') throw new UsageError('DATABASE_URL is not set');
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

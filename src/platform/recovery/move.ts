import { sha256Hex } from '#kernel/ids.ts';
import { FORGET_KEYS } from '#platform/keys/day-key.ts';
import { type Engine, HEAD_SQL, type Ask } from '#platform/storage/engine.ts';
import { type Migration, migrate, migrateWithin } from '#platform/storage/migrate.ts';
import { wholeStore } from '#platform/storage/recovery-mark.ts';
import { type Snapshot, tablesOf, unhurried } from '#platform/storage/snapshot.ts';
import { OF_THE_MOMENT } from './backup.ts';
import { type RecoveryProgress, RowCount } from './progress.ts';
import { RecoveryRefused } from './recovery-refused.ts';
import { requireEmpty } from './restore.ts';
import { requireSound, type StoreCheck } from './store-check.ts';
import { loadTables, type TableSource } from './table-source.ts';

interface Place {
  readonly engine: Engine;
  readonly snapshot: () => Promise<Snapshot>;
  /** How the other one names it; without a password. */
  readonly name: string;
}

export interface MoveOptions extends StoreCheck {
  readonly from: Place;
  readonly to: Place;
  readonly migrations: readonly Migration[];
  readonly onProgress?: RecoveryProgress | undefined;
}

export interface Moved {
  readonly rev: number;
  readonly size: number;
  readonly rootHex: string;
  readonly rows: number;
}

/**
 * Moves a store that nobody serves into an empty one, with every row and the same revision. At no moment can both be
 * served: the new one is marked as arriving until the old one is marked as moved.
 */
export async function moveStore({ from, to, migrations, onProgress, ...check }: MoveOptions): Promise<Moved> {
  await migrate(from.engine, migrations);
  const nowMs = check.clock.now();
  const moved = await from.engine.exclusively(async (query): Promise<Moved> => {
    await lockHead(from.engine.name, query);
    if ((await wholeStore.liveProcesses(query, nowMs)) > 0) {
      throw new RecoveryRefused('a process still serves the database to move: stop it and wait 15 seconds');
    }
    await using there = await from.snapshot();
    const source = await snapshotSource(there);
    const head = await to.engine.exclusively(async (target) => {
      await unhurried(to.engine.name, target);
      await requireEmpty(to.engine.name, target);
      await migrateWithin(target, migrations);
      await loadTables(to.engine.name, target, source, new RowCount('copy', onProgress));
      onProgress?.('audit', 0);
      await wholeStore.unmark(target, 'moved');
      await wholeStore.mark(target, { name: 'arriving', atMs: nowMs, detail: from.name });
      const sound = await requireSound(target, check);
      return { ...sound, rev: (await wholeStore.head(target)).rev };
    });
    const rows = await requireSame(source, to, new RowCount('compare', onProgress));
    await wholeStore.mark(query, { name: 'moved', atMs: nowMs, detail: to.name });
    for (const statement of FORGET_KEYS) await query(statement);
    return { rev: head.rev, size: head.size, rootHex: head.rootHex, rows };
  });
  await from.engine.scrub();
  await to.engine.exclusively(async (query) => {
    await wholeStore.unmark(query, 'arriving');
    await query('ANALYZE');
  });
  return moved;
}

async function lockHead(engine: Engine['name'], query: Ask): Promise<void> {
  await unhurried(engine, query);
  await query(engine === 'postgres' ? `${HEAD_SQL} FOR UPDATE` : HEAD_SQL);
}

async function snapshotSource(snapshot: Snapshot): Promise<TableSource> {
  const all = await tablesOf(snapshot.engine, snapshot.query);
  const tables = new Map([...all].filter(([table]) => !OF_THE_MOMENT.includes(table)));
  return { tables, rows: (table) => snapshot.rows(table, tables.get(table) ?? []) };
}

/** Reads both again and compares them row by row; gives how many rows there are. */
async function requireSame(source: TableSource, to: Place, count: RowCount): Promise<number> {
  await using there = await to.snapshot();
  let rows = 0;
  for (const [table, columns] of source.tables) {
    if (table === 'recovery') continue;
    const [wanted, found] = [await sumOf(source.rows(table)), await sumOf(there.rows(table, columns))];
    if (wanted.sum !== found.sum || wanted.rows !== found.rows) {
      throw new RecoveryRefused(`table ${table} did not arrive as it was: empty the new database and move again`);
    }
    rows += found.rows;
    count.add(found.rows);
  }
  return rows;
}

const SUM_BITS = 256;

/** A digest that does not depend on the order, which the engines give as they like. */
async function sumOf(portions: ReturnType<TableSource['rows']>): Promise<{ sum: bigint; rows: number }> {
  let sum = 0n;
  let rows = 0;
  for await (const portion of portions) {
    for (const row of portion) sum = BigInt.asUintN(SUM_BITS, sum + BigInt(`0x${sha256Hex(JSON.stringify(row))}`));
    rows += portion.length;
  }
  return { sum, rows };
}

// Rows beside one that the service made: as it would be after months, without the months.
import type { Cell, Row, Store, Unit } from '#platform/storage/store.ts';

/** Adds copies of a row, each with its own id and what else it is to have. */
export async function copyRow(
  store: Store,
  table: string,
  id: string,
  copies: readonly ((row: Row) => Row)[],
): Promise<void> {
  const [row] = await store.read(`SELECT * FROM ${table} WHERE id = $1`, [id]);
  if (row === undefined) throw new Error(`${table} has no ${id}`);
  const names = Object.keys(row);
  const places = names.map((_name, at) => `$${at + 1}`).join(', ');
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`;
  const rows = copies.map((changed) => {
    const made = { ...row, ...changed(row) };
    return names.map((name): Cell => made[name] ?? null);
  });
  const unit: Unit<[null, null], null> = {
    name: 'copies',
    reads: () => ({}),
    load: () => null,
    decide: (state) => ({ state, result: null }),
    writes: () => [{ sql, rows }],
  };
  await store.run(unit, null);
}

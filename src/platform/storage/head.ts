import { HEAD_SQL } from './engine.ts';
import { as, integer, query } from './table.ts';

/** The newest revision of a database and when it was taken. */
export const STORE_HEAD = query(HEAD_SQL, { rev: integer(), at: as('atMs', integer()) });

/** The row of a table that has one. */
export function onlyOne<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error('a table that has one row has none');
  return row;
}

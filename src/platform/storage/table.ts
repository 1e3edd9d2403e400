import type { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Query, Read, Row, Write } from './store.ts';

interface AnyColumn {
  /** Said to PostgreSQL where it cannot know: in a bare VALUES. */
  readonly type: 'TEXT' | 'BIGINT';
}

/** How a cell becomes a value and a value a cell. */
export interface Column<T> extends AnyColumn {
  readonly of: (cell: Cell) => T;
  readonly cell: (value: T) => Cell;
}

/** A column whose value has another name in the code. */
type Named<N extends string, T> = Column<T> & { readonly property: N };

/** A column that is written and never read: what queries look for, made from the rest. */
interface Derived<V> extends AnyColumn {
  readonly derive: (value: V) => Cell;
}

const same = (cell: Cell) => cell;

function plain<T extends Cell>(type: Column<T>['type']): Column<T> {
  return { type, of: same as (cell: Cell) => T, cell: same };
}

export const text = <T extends string = string>() => plain<T>('TEXT');
export const integer = <T extends number = number>() => plain<T>('BIGINT');
export const flag = (): Column<boolean> => ({ type: 'BIGINT', of: (cell) => cell === 1, cell: Number });
/** A value that is kept as its JSON text. */
export const json = <T>(): Column<T> => ({
  type: 'TEXT',
  of: (cell) => JSON.parse(cell as string) as T,
  cell: (value) => JSON.stringify(value),
});

export function nullable<T>({ type, of, cell }: Column<T>): Column<T | null> {
  if (of === (same as unknown)) return plain(type) as Column<any>;
  return {
    type,
    of: (stored) => (stored === null ? null : of(stored)),
    cell: (value) => (value === null ? null : cell(value)),
  };
}

export function as<const N extends string, T>(property: N, column: Column<T>): Named<N, T> {
  return { ...column, property };
}

export function derived<V>(derive: (value: V) => Cell, type: AnyColumn['type'] = 'TEXT'): Derived<V> {
  return { type, derive };
}

type Columns = Readonly<Record<string, AnyColumn>>;

/** What a row with these columns is in the code. */
export type RecordOf<C> = {
  readonly [K in keyof C & string as C[K] extends Derived<never>
    ? never
    : C[K] extends { readonly property: infer N extends string }
      ? N
      : K]: C[K] extends Column<infer T> ? T : never;
};

/** What derived columns are made from. */
type DerivedFrom<C> = { [K in keyof C]: C[K] extends Derived<infer V> ? (value: V) => void : never }[keyof C] extends (
  value: infer V,
) => void
  ? V
  : unknown;

/** What is written to a table: its record, and what its derived columns are made from. */
type WrittenTo<C> = RecordOf<C> & DerivedFrom<C>;

/** A row as a value, by its columns; one that the row does not have is a mistake in the text of the query. */
function reader<C extends Columns>(columns: C): (row: Row) => RecordOf<C> {
  const read = Object.entries(columns).flatMap(([name, column]) =>
    isRead(column) ? [{ name, property: propertyOf(name, column), of: column.of }] : [],
  );
  return (row) => {
    const value: Record<string, unknown> = {};
    for (const { name, property, of } of read) {
      const cell = row[name];
      if (cell === undefined) throw new Error(`a query gave no column ${name}`);
      value[property] = of === same ? cell : of(cell);
    }
    return value as RecordOf<C>;
  };
}

function isRead(column: AnyColumn): column is Column<unknown> {
  return 'of' in column;
}

function propertyOf(name: string, column: object): string {
  return 'property' in column ? (column.property as string) : name;
}

/** A text that reads, with the columns of its rows. */
export function query<C extends Columns>(sql: string, columns: C): Query<RecordOf<C>> {
  return { sql, of: reader(columns) };
}

export function mapped<T, U>({ sql, of }: Query<T>, make: (value: T) => U): Query<U> {
  return { sql, of: (row) => make(of(row)) };
}

/** Where there is nothing to read from. */
export function nothing<T>(): Read<T> {
  return { sql: '', of: (row) => row as T, list: [] };
}

/** A read for each of a list; none for an empty one. */
export function listed<T>({ sql, of }: Query<T>, list: Iterable<string>, params?: readonly Cell[]): Read<T> {
  return { sql, of, list: [...list], ...(params !== undefined && { params }) };
}

/** A read with parameters; left out where there are none to give. */
export function given<T>({ sql, of }: Query<T>, params: readonly Cell[] | null): Read<T> {
  return params === null ? { sql, of, list: [] } : { sql, of, params };
}

/** A table whose rows are never changed or removed. */
export interface AppendedTable<C extends Columns> {
  /** What a SELECT names, of an alias where one is given. */
  readonly columns: (alias?: string) => string;
  /** Reads whole rows: what stands behind `FROM table`. */
  readonly select: (rest: string) => Query<RecordOf<C>>;
  /** Reads whole rows by a text of its own. */
  readonly query: (sql: string) => Query<RecordOf<C>>;
  readonly cells: (value: WrittenTo<C>) => Cell[];
  readonly insert: (values: readonly WrittenTo<C>[]) => Write;
}

export interface Table<C extends Columns> extends AppendedTable<C> {
  /** Inserts, or changes the columns that may change. */
  readonly upsert: (values: readonly WrittenTo<C>[]) => Write;
  /** Deletes by the cells of the key. */
  readonly remove: (keys: readonly (readonly Cell[])[]) => Write;
  /** Rows that go when their time is over, with what says so. */
  readonly expiring: (rule: ExpiryRule<C>) => Expiry;
  /** What makes the rows of one version of a map those of another: who went is deleted, who changed is put. */
  readonly diff: <K, V extends WrittenTo<C> & object>(
    before: VersionedMap<K, V>,
    after: VersionedMap<K, V>,
  ) => readonly Write[];
}

/** The columns of a table, in the one place where they stand beside its migration. */
export function appendedTable<C extends Columns>(name: string, columns: C): AppendedTable<C> {
  const entries = Object.entries(columns);
  const names = entries.map(([column]) => column);
  const readNames = entries.filter(([, column]) => isRead(column)).map(([column]) => column);
  const makers = entries.map(([column, how]) => cellMaker(column, how));
  const of = reader(columns);
  const cells = (value: WrittenTo<C>): Cell[] => makers.map((make) => make(value as Readonly<Record<string, never>>));
  const listText = (alias?: string) =>
    readNames.map((column) => (alias === undefined ? column : `${alias}.${column}`)).join(', ');
  const places = names.map((_, place) => `$${place + 1}`).join(', ');
  const insertion = `INSERT INTO ${name} (${names.join(', ')}) VALUES (${places})`;
  return {
    columns: listText,
    select: (rest) => ({ sql: `SELECT ${listText()} FROM ${name} ${rest}`, of }),
    query: (sql) => ({ sql, of }),
    cells,
    insert: (values) => ({ sql: insertion, rows: values.map(cells) }),
  };
}

/** What a row of a table is in the code. */
export type ValueOf<T> = T extends AppendedTable<infer C> ? RecordOf<C> : never;

interface ExpiryRule<C> {
  /** The columns that say when. A row in which one of them has changed is another row: it is left alone. */
  readonly by: readonly (keyof C & string)[];
  /** Whether a row is over when the first of these times has come, or only with the last. */
  readonly with?: 'first' | 'last';
  /** A column that is 0 in a row that may go. */
  readonly unless?: keyof C & string;
  /** How long a row stays beyond its time. */
  readonly keptMs?: number;
}

/** How rows of a table go when their time is over; `expire` does it. */
export interface Expiry {
  readonly table: string;
  readonly keptMs: number;
  /** The cells by which rows that are over are deleted. */
  readonly due: Query<readonly Cell[]>;
  /** Of such cells: whether the row is over at that time. */
  readonly isOver: (cells: readonly Cell[], atMs: number) => boolean;
  readonly deletion: string;
}

const EXPIRED_AT_ONCE = 500;

interface TableKey<C> {
  readonly key: readonly (keyof C & string)[];
  /** The columns that an upsert changes; all but the key unless said. */
  readonly changes?: readonly (keyof C & string)[];
}

export function table<C extends Columns>(name: string, columns: C, { key, changes }: TableKey<C>): Table<C> {
  const appended = appendedTable(name, columns);
  const { cells } = appended;
  const names = Object.keys(columns);
  const keyPlaces = key.map((column) => names.indexOf(column));
  const changing = changes ?? names.filter((column) => !key.includes(column));
  const setting = changing.map((column) => `${column} = excluded.${column}`).join(', ');
  const upsertion = `${appended.insert([]).sql} ON CONFLICT (${key.join(', ')}) DO ${
    setting === '' ? 'NOTHING' : `UPDATE SET ${setting}`
  }`;
  const deletionBy = (by: readonly string[]) => {
    const places = by.map((column, place) => typedPlace(place, columns[column])).join(', ');
    return `DELETE FROM ${name} WHERE ${keyTuple(by)} IN (VALUES (${places}))`;
  };
  const deletion = deletionBy(key);
  return {
    ...appended,
    upsert: (values) => ({ sql: upsertion, rows: values.map(cells) }),
    remove: (keys) => ({ sql: deletion, rows: keys }),
    expiring({ by, with: comes = 'first', unless, keptMs = 0 }) {
      const flags = unless === undefined ? [] : [unless];
      const compared = [...new Set([...key, ...by, ...flags])];
      const times = by.map((column) => `${column} <= $1`).join(comes === 'first' ? ' OR ' : ' AND ');
      const when = [...flags.map((column) => `${column} = 0`), `(${times})`].join(' AND ');
      const oldestFirst = by.length === 1 ? ` ORDER BY ${by[0]}` : '';
      const sql = `SELECT ${compared.join(', ')} FROM ${name} WHERE ${when}${oldestFirst} LIMIT ${EXPIRED_AT_ONCE}`;
      const due = { sql, of: (row: Row) => compared.map((column) => row[column] as Cell) };
      const places = by.map((column) => compared.indexOf(column));
      const isOver = (found: readonly Cell[], atMs: number) => {
        const hasCome = (place: number) => Number(found[place] ?? Infinity) <= atMs;
        return comes === 'first' ? places.some(hasCome) : places.every(hasCome);
      };
      return { table: name, keptMs, due, isOver, deletion: deletionBy(compared) };
    },
    diff(before, after) {
      const gone: Cell[][] = [];
      const put: Cell[][] = [];
      for (const [changedKey, was] of after.changesSince(before)) {
        const is = after.get(changedKey);
        if (is !== undefined) put.push(cells(is));
        else if (was !== undefined) gone.push(keyCells(cells(was), keyPlaces));
      }
      return [
        { sql: deletion, rows: gone },
        { sql: upsertion, rows: put },
      ];
    },
  };
}

type CellMaker = (value: Readonly<Record<string, never>>) => Cell;

function cellMaker(name: string, column: AnyColumn): CellMaker {
  if (!isRead(column)) return (column as Derived<never>).derive as CellMaker;
  const property = propertyOf(name, column);
  const { cell } = column;
  return cell === same ? (value) => value[property] as unknown as Cell : (value) => cell(value[property]);
}

function keyCells(cells: readonly Cell[], places: readonly number[]): Cell[] {
  return places.map((place) => cells[place] as Cell);
}

function keyTuple(key: readonly string[]): string {
  return key.length === 1 ? (key[0] as string) : `(${key.join(', ')})`;
}

/** Parameters of a bare VALUES are text to PostgreSQL unless it is told. */
function typedPlace(place: number, column: { readonly type: string } | undefined): string {
  return column?.type === 'BIGINT' ? `CAST($${place + 1} AS BIGINT)` : `$${place + 1}`;
}

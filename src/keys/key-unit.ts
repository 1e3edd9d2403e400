import type { Cell, Decision, Row, Unit } from '#storage/store.ts';

export type KeyScope = 'receipts' | 'log-checkpoint';
export const KEY_SCOPES: readonly KeyScope[] = ['receipts', 'log-checkpoint'];

/** The public record of a service key; it is kept for ever. */
export interface KeyRecord {
  readonly keyId: string;
  readonly scope: KeyScope;
  readonly publicKey: string;
  readonly validFromMs: number;
  readonly retiredAtMs: number | null;
  readonly supersededBy: string | null;
}

type NewKey = Pick<KeyRecord, 'keyId' | 'scope' | 'publicKey'>;

/**
 * `found` records the first keys of an empty database and leaves any other as it is; `rotate` supersedes the key in
 * force, and changes nothing for a key that is already recorded: two rotations at once make one new key.
 */
export type KeyCommand =
  | { readonly type: 'found'; readonly keys: readonly NewKey[] }
  | { readonly type: 'rotate'; readonly key: NewKey };

type Keys = readonly KeyRecord[];

const COLUMNS = 'key_id, scope, public_key, valid_from, retired_at, superseded_by';
export const ALL_KEYS = `SELECT ${COLUMNS} FROM service_key ORDER BY valid_from, key_id`;
const KEY_UPSERT = `INSERT INTO service_key (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (key_id) DO UPDATE SET retired_at = excluded.retired_at, superseded_by = excluded.superseded_by`;

export const keyUnit: Unit<KeyCommand, Keys, Keys> = {
  name: 'keys',
  reads: () => [{ sql: ALL_KEYS }],
  load: ([rows = []]) => rows.map(keyRecord),
  decide,
  writes: (before, after) => [
    { sql: KEY_UPSERT, rows: after.filter((record) => !before.includes(record)).map(cellsOf) },
  ],
};

export function keyRecord(row: Row): KeyRecord {
  return {
    keyId: row['key_id'] as string,
    scope: row['scope'] as KeyScope,
    publicKey: row['public_key'] as string,
    validFromMs: row['valid_from'] as number,
    retiredAtMs: row['retired_at'] as number | null,
    supersededBy: row['superseded_by'] as string | null,
  };
}

function decide(keys: Keys, nowMs: number, _next: unknown, command: KeyCommand): Decision<Keys, Keys> {
  const added = (key: NewKey): KeyRecord => ({ ...key, validFromMs: nowMs, retiredAtMs: null, supersededBy: null });
  if (command.type === 'found') {
    const after = keys.length > 0 ? keys : command.keys.map(added).toSorted(byAge);
    return { state: after, result: after };
  }
  if (keys.some((record) => record.keyId === command.key.keyId)) return { state: keys, result: keys };
  const retired = keys.map((record) => {
    const isReplaced = record.scope === command.key.scope && record.retiredAtMs === null;
    return isReplaced ? { ...record, retiredAtMs: nowMs, supersededBy: command.key.keyId } : record;
  });
  const after = [...retired, added(command.key)].toSorted(byAge);
  return { state: after, result: after };
}

/** The order of ALL_KEYS: the public document must not depend on which process answers. */
function byAge(a: KeyRecord, b: KeyRecord): number {
  return a.validFromMs - b.validFromMs || (a.keyId < b.keyId ? -1 : 1);
}

function cellsOf(record: KeyRecord): Cell[] {
  const { keyId, scope, publicKey, validFromMs, retiredAtMs, supersededBy } = record;
  return [keyId, scope, publicKey, validFromMs, retiredAtMs, supersededBy];
}

import { isoTime } from '#kernel/clock.ts';
import { type DraftedEntry, type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import { decideByType, type Decision, type Unit } from '#platform/storage/store.ts';
import { as, integer, nullable, query, table, text } from '#platform/storage/table.ts';
import { type KeyScope, SCOPE_RULES } from './key-scope.ts';

/** The public record of a service key; it is kept for ever. */
export interface KeyRecord {
  readonly keyId: string;
  /** Its place in the order in which they were recorded, in which all processes show them. */
  readonly place: number;
  readonly scope: KeyScope;
  readonly publicKey: string;
  readonly validFromMs: number;
  readonly retiredAtMs: number | null;
  /** Id of the key that took its place. */
  readonly supersededBy: string | null;
  /** The log entry that declared the key; null until the first start that finds it undeclared. */
  readonly declaredIn: string | null;
  /** End of the overlap with its successor; null for a key without one. */
  readonly retiresAtMs: number | null;
}

export type NewKey = Pick<KeyRecord, 'keyId' | 'scope' | 'publicKey'>;

/** A declaration to be sealed, or the entry that has made it already. */
export type Declaration = { readonly keyId: string } & ({ readonly draft: SealDraft } | { readonly entry: string });

/**
 * `found` records the first keys of an empty database and those of scopes that a release added, and leaves any other as
 * it is. `declare` seals what is undeclared. `rotate` declares a new key and ends the old one at once or after the
 * overlap; it changes nothing for a key that is already recorded (two rotations at once make one new key) nor while an
 * overlap runs. `retire` seals and ends those keys whose overlap is over. `replace` ends keys whose files are lost at once
 * and records the one in their place, undeclared: until then nothing can be signed. Each is one transaction and may be
 * repeated.
 */
export type KeyCommand =
  | { readonly type: 'found'; readonly keys: readonly NewKey[] }
  | { readonly type: 'declare'; readonly declarations: readonly Declaration[]; readonly sandbox: boolean }
  | {
      readonly type: 'rotate';
      readonly key: NewKey;
      /** Null for a key that the log does not declare. */
      readonly draft: SealDraft | null;
      /** Of the keys that it replaces, sealed where they end at once. */
      readonly legacy: readonly Declaration[];
      readonly sandbox: boolean;
    }
  | { readonly type: 'retire'; readonly legacy: readonly Declaration[]; readonly sandbox: boolean }
  | { readonly type: 'replace'; readonly key: NewKey; readonly lost: readonly string[] };

type Keys = readonly KeyRecord[];
type Outcome = Decision<Keys, Keys>;

const KEY = table(
  'service_key',
  {
    key_id: as('keyId', text()),
    place: integer(),
    scope: text<KeyScope>(),
    public_key: as('publicKey', text()),
    valid_from: as('validFromMs', integer()),
    retired_at: as('retiredAtMs', nullable(integer())),
    superseded_by: as('supersededBy', nullable(text())),
    declared_in: as('declaredIn', nullable(text())),
    retires_at: as('retiresAtMs', nullable(integer())),
  },
  { key: ['key_id'], changes: ['retired_at', 'superseded_by', 'declared_in', 'retires_at'] },
);
export const ALL_KEYS = KEY.select('ORDER BY place');
/** Read with every batch that may extend the log: the database says who signs, the same to all processes. */
export const LOG_KEYS_IN_FORCE = query(
  "SELECT key_id FROM service_key WHERE scope = 'log-checkpoint' AND retired_at IS NULL ORDER BY place",
  { key_id: as('keyId', text()) },
);

const reads = () => ({ keys: ALL_KEYS });

const decide = decideByType<[KeyCommand, Keys], Keys>({
  found,
  declare: declared,
  rotate: rotated,
  retire: retired,
  replace: replaced,
});

export const keyUnit: Unit<[KeyCommand, Keys], Keys, typeof reads> = {
  name: 'keys',
  reads,
  load: ({ keys }) => keys,
  decide,
  writes: (before, after) => [KEY.upsert(after.filter((record) => !before.includes(record)))],
};

type CommandOf<T extends KeyCommand['type']> = Extract<KeyCommand, { type: T }>;

function found(keys: Keys, nowMs: number, _next: unknown, { keys: offered }: CommandOf<'found'>): Outcome {
  const isWanted = ({ scope }: NewKey) =>
    keys.length === 0 || (SCOPE_RULES[scope].isNew && !keys.some((key) => key.scope === scope));
  const wanted = offered.filter(isWanted).map((key, n) => added(key, nextPlace(keys) + n, nowMs, null));
  return decided([...keys, ...wanted], []);
}

function declared(keys: Keys, nowMs: number, _next: unknown, { declarations, sandbox }: CommandOf<'declare'>): Outcome {
  const entries: DraftedEntry[] = [];
  let after = keys;
  for (const declaration of declarations) {
    const record = after.find(({ keyId }) => keyId === declaration.keyId);
    if (record === undefined || record.declaredIn !== null) continue;
    let declaredIn: string;
    if ('entry' in declaration) declaredIn = declaration.entry;
    else {
      const entry = sealEntry(declaration.draft, { sandbox, sealedAt: isoTime(nowMs) });
      entries.push(entry);
      declaredIn = entry.leaf.id;
    }
    after = after.map((one) => (one === record ? { ...one, declaredIn } : one));
  }
  return decided(after, entries);
}

function rotated(
  keys: Keys,
  nowMs: number,
  _next: unknown,
  { key, draft, legacy, sandbox }: CommandOf<'rotate'>,
): Outcome {
  const ofScope = keys.filter((record) => record.scope === key.scope && record.retiredAtMs === null);
  const isKnown = keys.some((record) => record.keyId === key.keyId);
  if (isKnown || ofScope.some(({ retiresAtMs }) => retiresAtMs !== null)) return decided(keys, []);
  const { overlapMs } = SCOPE_RULES[key.scope];
  const declarations = draft === null ? [] : [sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) })];
  const ended = keys.map((record) => {
    if (!ofScope.includes(record)) return record;
    const end = overlapMs === 0 ? { retiredAtMs: nowMs } : { retiresAtMs: nowMs + overlapMs };
    return { ...record, supersededBy: key.keyId, ...end };
  });
  const gone = overlapMs === 0 ? sealed(legacy, ofScope, { sandbox, sealedAt: isoTime(nowMs) }) : [];
  const declaredIn = declarations[0]?.leaf.id ?? null;
  return decided([...ended, added(key, nextPlace(keys), nowMs, declaredIn)], [...declarations, ...gone]);
}

function retired(keys: Keys, nowMs: number, _next: unknown, { legacy, sandbox }: CommandOf<'retire'>): Outcome {
  const isDue = ({ retiredAtMs, retiresAtMs }: KeyRecord) =>
    retiredAtMs === null && retiresAtMs !== null && retiresAtMs <= nowMs;
  const due = keys.filter((record) => isDue(record) && legacy.some(({ keyId }) => keyId === record.keyId));
  const entries = sealed(legacy, due, { sandbox, sealedAt: isoTime(nowMs) });
  return decided(
    keys.map((record) => (due.includes(record) ? { ...record, retiredAtMs: nowMs } : record)),
    entries,
  );
}

function replaced(keys: Keys, nowMs: number, _next: unknown, { key, lost }: CommandOf<'replace'>): Outcome {
  const left = keys.map((record) =>
    lost.includes(record.keyId) && record.retiredAtMs === null
      ? { ...record, retiredAtMs: nowMs, supersededBy: key.keyId }
      : record,
  );
  const isKnown = keys.some(({ keyId }) => keyId === key.keyId);
  return decided(isKnown ? left : [...left, added(key, nextPlace(keys), nowMs, null)], []);
}

function sealed(
  legacy: readonly Declaration[],
  of: Keys,
  moment: { readonly sandbox: boolean; readonly sealedAt: string },
): DraftedEntry[] {
  return legacy.flatMap((declaration) => {
    const isAsked = of.some(({ keyId }) => keyId === declaration.keyId) && 'draft' in declaration;
    return isAsked ? [sealEntry(declaration.draft, moment)] : [];
  });
}

function nextPlace(keys: Keys): number {
  return (keys.at(-1)?.place ?? -1) + 1;
}

function added(key: NewKey, place: number, nowMs: number, declaredIn: string | null): KeyRecord {
  return { ...key, place, validFromMs: nowMs, retiredAtMs: null, supersededBy: null, declaredIn, retiresAtMs: null };
}

function decided(keys: Keys, entries: readonly DraftedEntry[]): Outcome {
  return { state: keys, result: keys, ...(entries.length > 0 && { entries }) };
}

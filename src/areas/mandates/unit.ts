import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Read, Row, Unit, Write } from '#platform/storage/store.ts';
import { decide } from './decide.ts';
import { type Notary, periodKey } from './decision.ts';
import * as rows from './rows.ts';
import * as sql from './sql.ts';
import type { KeptSeal, MandateCommand, MandateResult, State, Verification } from './state.ts';

/** How commands of mandates read and write their rows; the notary signs the receipts of their answers. */
export const mandateUnit = (notary: Notary): Unit<[MandateCommand, MandateResult], State> => ({
  name: 'mandates',
  reads,
  load,
  decide: (state, nowMs, next, command) => decide(state, { nowMs, next, notary }, command),
  writes,
});

/** What one command names, each list a read of its own. */
interface Named {
  readonly keys: Set<string>;
  readonly addresses: Set<string>;
  readonly mandates: Set<string>;
  readonly nonces: Set<string>;
  readonly refs: Set<string>;
  readonly payloads: Set<string>;
  readonly approvals: Set<string>;
  readonly answers: Set<string>;
}

function name(named: Named, command: MandateCommand): void {
  if ('nonceKey' in command && command.nonceKey !== null) named.nonces.add(command.nonceKey);
  if ('repeatable' in command && command.repeatable !== null) named.answers.add(command.repeatable.keyHash);
  if ('keyHash' in command && command.type !== 'register') named.keys.add(command.keyHash);
  if ('mandateId' in command) named.mandates.add(command.mandateId);
  if (command.type === 'register') named.addresses.add(command.platform.addressTag);
  if (command.type === 'seal') named.refs.add(command.ref);
  if (command.type === 'void') for (const ref of command.refs) named.refs.add(ref);
  if (command.type === 'verify') {
    named.payloads.add(command.payloadKey);
    if (command.approvalRef !== null) named.approvals.add(command.approvalRef);
  }
}

function reads(commands: readonly MandateCommand[]): readonly Read[] {
  const set = () => new Set<string>();
  const named: Named = {
    keys: set(),
    addresses: set(),
    mandates: set(),
    nonces: set(),
    refs: set(),
    payloads: set(),
    approvals: set(),
    answers: set(),
  };
  let dueBeforeMs = Number.NEGATIVE_INFINITY;
  let isSwept = false;
  for (const command of commands) {
    if ('dueBeforeMs' in command) dueBeforeMs = Math.max(dueBeforeMs, command.dueBeforeMs);
    if (command.type === 'sweep') isSwept = true;
    else name(named, command);
  }
  const listed = (text: string, list: Set<string>): Read => ({ sql: text, list: [...list] });
  const due = (text: string, isAsked = dueBeforeMs > 0): Read =>
    isAsked ? { sql: text, params: [dueBeforeMs] } : { sql: text, list: [] };
  return [
    listed(sql.KEYS_OF_HASHES, named.keys),
    listed(sql.PLATFORMS_OF_KEYS, named.keys),
    listed(sql.REGISTERED_FROM, named.addresses),
    listed(sql.MANDATES_OF_IDS, named.mandates),
    listed(sql.MANDATES_OF_REFS, named.refs),
    due(sql.MANDATES_DUE),
    listed(sql.NEWEST_PERIODS, named.mandates),
    listed(sql.PERIODS_OF_REFS, named.refs),
    due(sql.PERIODS_DUE),
    listed(sql.NONCES_OF_KEYS, named.nonces),
    listed(sql.VERIFICATIONS_OF_PAYLOADS, named.payloads),
    listed(sql.VERIFICATIONS_OF_REFS, named.refs),
    due(sql.HOLDS_DUE),
    listed(sql.SEALS_OF_REFS, named.refs),
    listed(sql.APPROVALS_OF_REFS, named.approvals),
    listed(sql.ANSWERS_OF_KEYS, named.answers),
    due(sql.ANSWERS_DUE, isSwept),
  ];
}

function load(given: readonly (readonly Row[])[]): State {
  const at = (...places: readonly number[]) => places.flatMap((place) => given[place] ?? []);
  const mapped = <V extends object>(list: readonly Row[], of: (row: Row) => V, key: (value: V) => string) =>
    VersionedMap.of(list.map((row) => of(row)).map((value) => [key(value), value] as const));
  const holds = at(12).map(rows.verificationOf);
  const ofPayloads = at(10).map(rows.verificationOf);
  const verifications = [...ofPayloads, ...at(11).map(rows.verificationOf), ...holds];
  const seals = Map.groupBy(at(13).map(rows.sealOf), ({ ref }) => ref);
  return {
    keys: mapped(at(0), rows.keyOf, ({ hash }) => hash),
    platforms: mapped(at(1), rows.platformOf, ({ id }) => id),
    registeredAt: registrations(at(2)),
    mandates: mapped(at(3, 4, 5), rows.mandateOf, ({ id }) => id),
    periods: VersionedMap.of(
      at(6, 7, 8).map((row) => {
        const key = periodKey(row['mandate_id'] as string, row['period_start'] as number);
        return [key, rows.countersOf(row)] as const;
      }),
    ),
    nonces: VersionedMap.of(at(9).map((row) => [row['nonce_key'] as string, { taken: true }] as const)),
    verifications: VersionedMap.of(verifications.map((one) => [one.ref, one] as const)),
    payloads: VersionedMap.of(
      [...Map.groupBy(ofPayloads, ({ payloadKey }) => payloadKey)].map(
        ([key, list]) => [key, { refs: list.map(({ ref }) => ref) }] as const,
      ),
    ),
    holds: new Map(
      [...Map.groupBy(holds.toSorted(soonestFirst), ({ mandateId }) => mandateId)].map(([id, list]) => [
        id,
        list.map(({ ref }) => ref),
      ]),
    ),
    seals: VersionedMap.of([...seals].map(([ref, list]) => [ref, { list: list.toSorted(bySeq) }] as const)),
    approvals: mapped(at(14), rows.approvalOf, ({ ref }) => ref),
    answers: mapped(at(15, 16), rows.answerOf, ({ keyHash }) => keyHash),
    dueHolds: at(12).map((row) => row['ref'] as string),
    dueAnswers: at(16).map((row) => row['key_hash'] as string),
  };
}

function registrations(list: readonly Row[]): Map<string, readonly number[]> {
  const byAddress = Map.groupBy(list, (row) => row['addr'] as string);
  return new Map([...byAddress].map(([addr, found]) => [addr, found.map((row) => row['created_at'] as number)]));
}

function soonestFirst(a: Verification, b: Verification): number {
  return (a.expiresAtMs ?? 0) - (b.expiresAtMs ?? 0) || (a.ref < b.ref ? -1 : 1);
}

function bySeq(a: KeptSeal, b: KeptSeal): number {
  return a.seq - b.seq;
}

function writes(before: State, after: State): readonly Write[] {
  const put = <V extends object>(
    text: string,
    maps: readonly [VersionedMap<string, V>, VersionedMap<string, V>],
    rowOf: (value: V, key: string) => Cell[],
  ): Write => ({
    sql: text,
    rows: [...maps[1].changesSince(maps[0]).keys()].flatMap((key) => {
      const value = maps[1].get(key);
      return value === undefined ? [] : [rowOf(value, key)];
    }),
  });
  const newSeals = [...after.seals.changesSince(before.seals)].flatMap(([ref, was]) =>
    (after.seals.get(ref)?.list ?? []).slice(was?.list.length ?? 0),
  );
  const gone = [...after.answers.changesSince(before.answers).keys()].filter((key) => !after.answers.get(key));
  return [
    put(sql.PLATFORM_UPSERT, [before.platforms, after.platforms], rows.platformRow),
    put(sql.KEY_UPSERT, [before.keys, after.keys], rows.keyRow),
    put(sql.MANDATE_UPSERT, [before.mandates, after.mandates], rows.mandateRow),
    put(sql.PERIOD_UPSERT, [before.periods, after.periods], ({ reserved, committed, actions }, key) => {
      const [mandateId = '', start = ''] = key.split(' ');
      return [mandateId, Number(start), reserved, committed, actions];
    }),
    put(sql.NONCE_INSERT, [before.nonces, after.nonces], (_, key) => [key]),
    put(sql.VERIFICATION_UPSERT, [before.verifications, after.verifications], rows.verificationRow),
    { sql: sql.SEAL_INSERT, rows: newSeals.map(rows.sealRow) },
    put(sql.APPROVAL_UPSERT, [before.approvals, after.approvals], rows.approvalRow),
    put(sql.ANSWER_UPSERT, [before.answers, after.answers], rows.answerRow),
    { sql: sql.ANSWER_DELETE, rows: gone.map((key) => [key]) },
  ];
}

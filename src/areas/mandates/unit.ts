import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Found, Unit, Write } from '#platform/storage/store.ts';
import { given, listed } from '#platform/storage/table.ts';
import { decide } from './decide.ts';
import { periodKey } from './decision.ts';
import * as sql from './sql.ts';
import type { KeptSeal, MandateCommand, MandateDeed, State, Verification } from './state.ts';

export type MandateUnit = Unit<MandateDeed, State, typeof reads>;

/** How commands of mandates read and write their rows. */
export const mandateUnit: MandateUnit = { name: 'mandates', reads, load, decide, writes };

/** What one command names, each list a read of its own. */
interface Named {
  readonly keys: Set<string>;
  readonly addresses: Set<string>;
  readonly mandates: Set<string>;
  /** Mandates whose holds that are over are given back first. */
  readonly expiring: Set<string>;
  readonly nonces: Set<string>;
  readonly refs: Set<string>;
  readonly payloads: Set<string>;
  readonly approvals: Set<string>;
  readonly opens: Set<string>;
  readonly uses: Set<string>;
  readonly answers: Set<string>;
}

function name(named: Named, command: MandateCommand): void {
  if ('nonceKey' in command && command.nonceKey !== null) named.nonces.add(command.nonceKey);
  if ('repeatable' in command && command.repeatable !== null) named.answers.add(command.repeatable.keyHash);
  if ('keyHash' in command && command.type !== 'register') named.keys.add(command.keyHash);
  if ('mandateId' in command) named.mandates.add(command.mandateId);
  if ('mandateId' in command && 'dueBeforeMs' in command) named.expiring.add(command.mandateId);
  if (command.type === 'register') named.addresses.add(command.platform.addressTag);
  if (command.type === 'seal') named.refs.add(command.ref);
  if (command.type === 'void') for (const ref of command.refs) named.refs.add(ref);
  if (command.type === 'verify') {
    named.payloads.add(command.payloadKey);
    if (command.approvalRef !== null) named.approvals.add(command.approvalRef);
    for (const key of command.ap2?.useKeys ?? []) named.uses.add(key);
  }
  if (command.type === 'create') for (const key of command.ap2?.openKeys ?? []) named.opens.add(key);
}

function reads(commands: readonly MandateCommand[]) {
  const set = () => new Set<string>();
  const named: Named = {
    keys: set(),
    addresses: set(),
    mandates: set(),
    expiring: set(),
    nonces: set(),
    refs: set(),
    payloads: set(),
    approvals: set(),
    opens: set(),
    uses: set(),
    answers: set(),
  };
  let dueBeforeMs = Number.NEGATIVE_INFINITY;
  let isSweep = false;
  for (const command of commands) {
    if ('dueBeforeMs' in command) dueBeforeMs = Math.max(dueBeforeMs, command.dueBeforeMs);
    isSweep ||= command.type === 'sweep';
    name(named, command);
  }
  const due = isSweep ? [dueBeforeMs] : null;
  return {
    keys: listed(sql.KEYS_OF_HASHES, named.keys),
    platforms: listed(sql.PLATFORMS_OF_KEYS, named.keys),
    registrations: listed(sql.REGISTERED_FROM, named.addresses),
    mandates: listed(sql.MANDATES_OF_IDS, named.mandates),
    mandatesOfRefs: listed(sql.MANDATES_OF_REFS, named.refs),
    mandatesOfOpens: listed(sql.MANDATES_OF_AP2_KEYS, named.opens),
    mandatesDue: given(sql.MANDATES_DUE, due),
    periods: listed(sql.NEWEST_PERIODS, named.mandates),
    periodsOfRefs: listed(sql.PERIODS_OF_REFS, named.refs),
    periodsDue: given(sql.PERIODS_DUE, due),
    periodsExpiring: listed(sql.PERIODS_DUE_OF_MANDATES, named.expiring, [dueBeforeMs]),
    nonces: listed(sql.NONCES_OF_KEYS, named.nonces),
    ofPayloads: listed(sql.VERIFICATIONS_OF_PAYLOADS, named.payloads),
    verifications: listed(sql.VERIFICATIONS_OF_REFS, named.refs),
    holdsDue: given(sql.HOLDS_DUE, due),
    holdsExpiring: listed(sql.HOLDS_DUE_OF_MANDATES, named.expiring, [dueBeforeMs]),
    seals: listed(sql.SEALS_OF_REFS, named.refs),
    approvals: listed(sql.APPROVALS_OF_REFS, named.approvals),
    ap2Uses: listed(sql.AP2_USES_OF_KEYS, [...named.opens, ...named.uses]),
    answers: listed(sql.ANSWERS_OF_KEYS, named.answers),
  };
}

function load(found: Found<typeof reads>): State {
  const { ofPayloads, holdsDue, holdsExpiring } = found;
  const periods = [...found.periods, ...found.periodsOfRefs, ...found.periodsDue, ...found.periodsExpiring];
  const payloads = Map.groupBy(ofPayloads, ({ payloadKey }) => payloadKey);
  const holds = Map.groupBy(holdsExpiring.toSorted(soonestFirst), ({ mandateId }) => mandateId);
  const seals = Map.groupBy(found.seals, ({ ref }) => ref);
  const registrations = Map.groupBy(found.registrations, ({ addressTag }) => addressTag);
  return {
    keys: VersionedMap.by(found.keys, ({ hash }) => hash),
    platforms: VersionedMap.by(found.platforms, ({ id }) => id),
    registeredAt: new Map([...registrations].map(([tag, list]) => [tag, list.map(({ createdAtMs }) => createdAtMs)])),
    mandates: VersionedMap.by(
      [...found.mandates, ...found.mandatesOfRefs, ...found.mandatesOfOpens, ...found.mandatesDue],
      ({ id }) => id,
    ),
    periods: VersionedMap.by(periods, ({ mandateId, startMs }) => periodKey(mandateId, startMs)),
    nonces: VersionedMap.by(found.nonces, ({ nonceKey }) => nonceKey),
    verifications: VersionedMap.by(
      [...ofPayloads, ...found.verifications, ...holdsDue, ...holdsExpiring],
      ({ ref }) => ref,
    ),
    payloads: VersionedMap.of([...payloads].map(([key, list]) => [key, { refs: list.map(({ ref }) => ref) }] as const)),
    holds: new Map([...holds].map(([id, list]) => [id, list.map(({ ref }) => ref)])),
    seals: VersionedMap.of([...seals].map(([ref, list]) => [ref, { list: list.toSorted(bySeq) }] as const)),
    approvals: VersionedMap.by(found.approvals, ({ ref }) => ref),
    ap2Uses: VersionedMap.by(found.ap2Uses, ({ useKey }) => useKey),
    answers: VersionedMap.by(found.answers, ({ keyHash }) => keyHash),
    dueHolds: holdsDue.map(({ ref }) => ref),
  };
}

function soonestFirst(a: Verification, b: Verification): number {
  return (a.expiresAtMs ?? 0) - (b.expiresAtMs ?? 0) || (a.ref < b.ref ? -1 : 1);
}

function bySeq(a: KeptSeal, b: KeptSeal): number {
  return a.seq - b.seq;
}

function writes(before: State, after: State): readonly Write[] {
  const newSeals = [...after.seals.changesSince(before.seals)].flatMap(([ref, was]) =>
    (after.seals.get(ref)?.list ?? []).slice(was?.list.length ?? 0),
  );
  return [
    sql.PLATFORM.upsert(after.platforms.changedSince(before.platforms)),
    sql.PLATFORM_KEY.upsert(after.keys.changedSince(before.keys)),
    sql.MANDATE.upsert(after.mandates.changedSince(before.mandates)),
    sql.PERIOD.upsert(after.periods.changedSince(before.periods)),
    sql.NONCE.insert(after.nonces.changedSince(before.nonces)),
    sql.AP2_USE.insert(after.ap2Uses.changedSince(before.ap2Uses)),
    sql.MANDATE_VERIFICATION.upsert(after.verifications.changedSince(before.verifications)),
    sql.MANDATE_SEAL.insert(newSeals),
    sql.APPROVAL.upsert(after.approvals.changedSince(before.approvals)),
    sql.MANDATE_ANSWER.upsert(after.answers.changedSince(before.answers)),
  ];
}

import { isoTime } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import type { VersionedMap } from '#kernel/versioned-map.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { type DraftedEntry, sealEntry } from '#protocol/attestation/seal-entry.ts';
import {
  addressSubject,
  COUNTED,
  countedTimes,
  type CountedName,
  EVASION_RULE,
  type FlagRule,
  forgottenMs,
  isSuspensionDue,
  type SignalName,
  type Subject,
  suspensionEndMs,
} from '#platform/usage-rules/flag-rules.ts';
import { decideByType, type Decision } from '#platform/storage/store.ts';
import { type Count, type Flag, isSuspended, type Suspension } from './flag.ts';

export interface FlagsState {
  readonly flags: VersionedMap<string, Flag>;
  readonly suspensions: VersionedMap<string, Suspension>;
  readonly counts: VersionedMap<string, Count>;
}

/** What a sealed statement is made with, drawn before anything is decided. */
interface Secrets {
  readonly id: string;
  readonly salt: string;
  readonly seed: string;
  readonly nonce: string;
}

export interface Drawn {
  readonly flag: Secrets;
  readonly suspension: Secrets;
}

export interface FlagOrder {
  readonly subject: Subject;
  readonly rule: FlagRule;
  readonly signal: SignalName;
  readonly refusalId: string | null;
  readonly drawn: Drawn;
}

interface FlagCaller extends FlagOrder {
  readonly type: 'flag';
}

/** Something was done from an address; the first count that is too high flags it. */
interface CountDone {
  readonly type: 'count';
  readonly addressTag: string;
  readonly counts: readonly { readonly signal: CountedName; readonly of: string }[];
  readonly drawn: Drawn;
}

interface Lift {
  readonly type: 'lift';
  readonly id: string;
  readonly drawn: Secrets;
}

export interface Noted {
  readonly type: 'noted';
  readonly flag: Flag | null;
  readonly suspension: Suspension | null;
}

interface Lifted {
  readonly type: 'lifted';
  readonly lifted: Flag | Suspension | null;
}

export type FlagDeed = [FlagCaller | CountDone, Noted] | [Lift, Lifted];
export type FlagCommand = FlagDeed[0];

export interface FlagFigures {
  readonly sandbox: boolean;
  /** False where callers are flagged and never suspended. */
  readonly suspends: boolean;
}

type Decided<R> = Decision<FlagsState, R>;

const NOTHING = { type: 'noted', flag: null, suspension: null } as const;

export function decideBy(figures: FlagFigures) {
  return decideByType<FlagDeed, FlagsState>({
    flag: (state, nowMs, _next, command) => flagged(state, nowMs, command, figures),
    count: (state, nowMs, _next, command) => counted(state, nowMs, command, figures),
    lift: (state, nowMs, _next, command) => lifted(state, nowMs, command, figures),
  });
}

function flagged(
  state: FlagsState,
  nowMs: number,
  order: FlagOrder,
  { sandbox, suspends }: FlagFigures,
): Decided<Noted> {
  const { subject, rule, signal, refusalId, drawn } = order;
  const suspensions = state.suspensions.values().filter((one) => one.subject === subject);
  if (suspensions.some((one) => isSuspended(one, nowMs))) return { state, result: NOTHING };
  const common = { subject, rule, atMs: nowMs, liftedAtMs: null, endsAtMs: forgottenMs(subject, nowMs) };
  const said = sealed(`rule.flag ${rule}`, subject, drawn.flag, { sandbox, nowMs });
  const flag: Flag = {
    ...common,
    signal,
    refusalId,
    id: drawn.flag.id,
    salt: drawn.flag.salt,
    attestationId: said.leaf.id,
  };
  const flags = state.flags.with(flag.id, flag);
  const after = { ...state, flags };
  const counting = flags.values().filter((one) => one.subject === subject && one.liftedAtMs === null);
  const spentUntilMs = Math.max(0, ...suspensions.map(({ atMs }) => atMs));
  if (!suspends || !isSuspensionDue(counting, spentUntilMs, nowMs)) {
    return { state: after, result: { ...NOTHING, flag }, entries: [said] };
  }
  const earlier = suspensions.filter(({ liftedAtMs }) => liftedAtMs === null).map(({ atMs }) => atMs);
  const untilMs = suspensionEndMs(subject, earlier, nowMs);
  const { id, salt } = drawn.suspension;
  const told = sealed(`rule.suspension ${rule} until ${isoTime(untilMs)}`, subject, drawn.suspension, {
    sandbox,
    nowMs,
  });
  const suspension: Suspension = { ...common, id, salt, untilMs, attestationId: told.leaf.id };
  return {
    state: { ...after, suspensions: state.suspensions.with(id, suspension) },
    result: { type: 'noted', flag, suspension },
    entries: [said, told],
  };
}

function counted(
  state: FlagsState,
  nowMs: number,
  { addressTag, counts: asked, drawn }: CountDone,
  figures: FlagFigures,
): Decided<Noted> {
  let { counts } = state;
  let over: CountedName | undefined;
  for (const { signal, of } of asked) {
    const name = countName(signal, of);
    const { times, isOver } = countedTimes(COUNTED[signal], counts.get(name)?.times ?? [], nowMs);
    counts = counts.with(name, { name, times, endsAtMs: nowMs + COUNTED[signal].windowMs });
    if (isOver) over ??= signal;
  }
  const after = { ...state, counts };
  if (over === undefined) return { state: after, result: NOTHING };
  const order = {
    subject: addressSubject(addressTag),
    rule: EVASION_RULE,
    signal: over,
    refusalId: null,
    drawn,
  } as const;
  return flagged(after, nowMs, order, figures);
}

export function countName(signal: CountedName, of: string): string {
  return `${signal} ${of}`;
}

/** By the operator; what was lifted before stays as it is. */
function lifted(state: FlagsState, nowMs: number, { id, drawn }: Lift, { sandbox }: FlagFigures): Decided<Lifted> {
  const flag = state.flags.get(id);
  const suspension = state.suspensions.get(id);
  const found = flag ?? suspension ?? null;
  if (found === null || found.liftedAtMs !== null) return { state, result: { type: 'lifted', lifted: found } };
  const entry = sealed(`rule.lift ${found.rule}`, `${found.subject} ${id}`, drawn, { sandbox, nowMs });
  const after = {
    ...state,
    ...(flag !== undefined && { flags: state.flags.with(id, { ...flag, liftedAtMs: nowMs }) }),
    ...(suspension !== undefined && {
      suspensions: state.suspensions.with(id, { ...suspension, liftedAtMs: nowMs }),
    }),
  };
  return { state: after, result: { type: 'lifted', lifted: { ...found, liftedAtMs: nowMs } }, entries: [entry] };
}

/** Statements stand in clear in the log: of whom they are, they hold a salted commitment. */
function sealed(
  says: string,
  about: string,
  { salt, seed, nonce }: Secrets,
  { sandbox, nowMs }: { readonly sandbox: boolean; readonly nowMs: number },
): DraftedEntry {
  const schema = schemaById('protocol.statement.v1');
  if (schema === undefined) throw new Error('the schema of statements is missing');
  const claim = { statement: `${says} sha256:${sha256Hex(`${salt}\n${about}`)}` };
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(seed, 'base64url') });
  const draft = { prepared, claim, observations: [], seed, disclosure: 'public', nonce } as const;
  return sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
}

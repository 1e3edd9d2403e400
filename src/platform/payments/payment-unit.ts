import { VersionedMap } from '#kernel/versioned-map.ts';
import { decideByType, type Decision, type Found, type Unit, type Write } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import type { PaymentRecord } from './payment-record.ts';
import * as sql from './sql.ts';
import { isOpen, type PaymentEvent, transition } from './transitions.ts';

/** A payment as it comes in; state, times and owner are the unit's to say. */
export type NewPayment = Pick<
  PaymentRecord,
  | 'id'
  | 'network'
  | 'asset'
  | 'payer'
  | 'nonce'
  | 'fingerprint'
  | 'operationId'
  | 'amountAtomic'
  | 'payTo'
  | 'payload'
  | 'idemHash'
  | 'paymentId'
  | 'headerSha256'
  | 'validBeforeSeconds'
  | 'chainInstance'
>;

interface Reserve {
  readonly type: 'reserve';
  readonly payment: NewPayment;
  readonly owner: string;
  readonly ownerMs: number;
}

/** Takes a reservation back for which nothing was done. */
interface Drop {
  readonly type: 'drop';
  readonly id: string;
  readonly owner: string;
  readonly reason: string;
}

interface Happens {
  readonly type: 'event';
  readonly id: string;
  readonly event: PaymentEvent;
}

export type ReserveResult =
  | {
      readonly type: 'reserved';
      /** What this payer's other payments under way will take from its balance. */
      readonly openBeforeAtomic: number;
      /** True when the authorization was released before. */
      readonly isAgain: boolean;
    }
  /** The authorization, the Idempotency-Key or the payment id belongs to this row. */
  | { readonly type: 'known' | 'key_taken' | 'name_taken'; readonly record: PaymentRecord };

interface ChangeResult {
  readonly type: 'changed' | 'unchanged';
  readonly record: PaymentRecord | undefined;
}

type PaymentDeed = [Reserve, ReserveResult] | [Drop | Happens, ChangeResult];
export type PaymentCommand = PaymentDeed[0];
export type PaymentResult = PaymentDeed[1];

interface OpenPayment {
  readonly id: string;
  readonly amountAtomic: number;
}

export interface PaymentsState {
  readonly byId: VersionedMap<string, PaymentRecord>;
  readonly openOf: VersionedMap<string, readonly OpenPayment[]>;
  readonly idOfKey: VersionedMap<string, { readonly id: string }>;
  readonly idOfName: VersionedMap<string, { readonly id: string }>;
}

/** How payments are read and written. */
export const paymentUnit: Unit<PaymentDeed, PaymentsState, typeof reads> = {
  name: 'payments',
  reads,
  load,
  decide: decideByType<PaymentDeed, PaymentsState>({ reserve, drop, event: happen }),
  writes,
};

function reads(commands: readonly PaymentCommand[]) {
  const reserved = commands.flatMap((command) => (command.type === 'reserve' ? [command.payment] : []));
  const ids = commands.map((command) => (command.type === 'reserve' ? command.payment.id : command.id));
  const distinct = (values: readonly (string | null)[]) => [...new Set(values)].filter((value) => value !== null);
  return {
    ofIds: listed(sql.OF_IDS, distinct(ids)),
    ofKeys: listed(sql.OF_IDEM_HASHES, distinct(reserved.map(({ idemHash }) => idemHash))),
    ofNames: listed(sql.OF_PAYMENT_IDS, distinct(reserved.map(({ paymentId }) => paymentId))),
    open: listed(sql.OPEN_OF_PAYERS, distinct(reserved.map(({ payer }) => payer))),
  };
}

function load({ ofIds, ofKeys, ofNames, open }: Found<typeof reads>): PaymentsState {
  const records = [...ofIds, ...ofKeys, ...ofNames];
  return {
    byId: VersionedMap.by(records, ({ id }) => id),
    openOf: VersionedMap.of(Map.groupBy(open, ({ payer }) => payer)),
    idOfKey: VersionedMap.of(
      records.flatMap(({ idemHash, id }) => (idemHash === null ? [] : [[idemHash, { id }] as const])),
    ),
    idOfName: VersionedMap.of(records.flatMap((record) => namesOf(record).map((name) => [name, record] as const))),
  };
}

function namesOf({ payer, paymentId }: Pick<PaymentRecord, 'payer' | 'paymentId'>): string[] {
  return paymentId === null ? [] : [`${payer} ${paymentId}`];
}

function happen(
  state: PaymentsState,
  nowMs: number,
  _next: unknown,
  { id, event }: Happens,
): Decision<PaymentsState, ChangeResult> {
  const before = state.byId.get(id);
  const after = before === undefined ? undefined : transition(before, event, nowMs);
  if (after === undefined) return { state, result: { type: 'unchanged', record: before } };
  return { state: stored(state, after, before), result: { type: 'changed', record: after } };
}

function reserve(
  state: PaymentsState,
  nowMs: number,
  _next: unknown,
  { payment, owner, ownerMs }: Reserve,
): Decision<PaymentsState, ReserveResult> {
  const before = state.byId.get(payment.id);
  const isAgain = before?.state === 'released' && before.fingerprint === payment.fingerprint;
  if (before !== undefined && !isAgain) return { state, result: { type: 'known', record: before } };
  const ofKey = payment.idemHash === null ? undefined : state.idOfKey.get(payment.idemHash);
  if (ofKey !== undefined) return { state, result: { type: 'key_taken', record: recordIn(state, ofKey.id) } };
  const ofName = namesOf(payment).map((name) => state.idOfName.get(name))[0];
  if (ofName !== undefined) return { state, result: { type: 'name_taken', record: recordIn(state, ofName.id) } };
  const openBefore = (state.openOf.get(payment.payer) ?? []).reduce((sum, open) => sum + open.amountAtomic, 0);
  const record: PaymentRecord = {
    ...payment,
    state: 'reserved',
    result: null,
    transaction: null,
    logIndex: null,
    receiptId: null,
    resultSha256: null,
    response: null,
    // Also tells a row that was released before from a fresh one.
    errorReason: before?.errorReason ?? null,
    refundRef: null,
    owner,
    ownerUntilMs: nowMs + ownerMs,
    createdAtMs: before?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
  };
  return { state: stored(state, record, before), result: { type: 'reserved', openBeforeAtomic: openBefore, isAgain } };
}

/** A row that was released before goes back to that; a fresh one leaves no trace. */
function drop(
  state: PaymentsState,
  nowMs: number,
  _next: unknown,
  { id, owner, reason }: Drop,
): Decision<PaymentsState, ChangeResult> {
  const before = state.byId.get(id);
  if (before?.state !== 'reserved' || before.owner !== owner) {
    return { state, result: { type: 'unchanged', record: before } };
  }
  const isFresh = before.errorReason === null;
  const after = isFresh ? undefined : transition(before, { type: 'refused', owner, reason }, nowMs);
  if (after !== undefined) return { state: stored(state, after, before), result: { type: 'changed', record: after } };
  const gone = { ...before, idemHash: null, paymentId: null, state: 'released' as const };
  const emptied = stored(state, gone, before);
  return {
    state: { ...emptied, byId: emptied.byId.without(before.id) },
    result: { type: 'changed', record: undefined },
  };
}

function recordIn(state: PaymentsState, id: string): PaymentRecord {
  return state.byId.get(id) as PaymentRecord;
}

/** The state with the row in its new form, and what finds it brought into line. */
function stored(state: PaymentsState, after: PaymentRecord, before: PaymentRecord | undefined): PaymentsState {
  let { openOf, idOfKey, idOfName } = state;
  const others = (openOf.get(after.payer) ?? []).filter(({ id }) => id !== after.id);
  const own = isOpen(after) ? [{ id: after.id, amountAtomic: after.amountAtomic }] : [];
  openOf = openOf.with(after.payer, [...others, ...own]);
  if (before?.idemHash != null) idOfKey = idOfKey.without(before.idemHash);
  if (after.idemHash !== null) idOfKey = idOfKey.with(after.idemHash, { id: after.id });
  for (const name of before === undefined ? [] : namesOf(before)) idOfName = idOfName.without(name);
  for (const name of namesOf(after)) idOfName = idOfName.with(name, { id: after.id });
  return { byId: state.byId.with(after.id, after), openOf, idOfKey, idOfName };
}

function writes(before: PaymentsState, after: PaymentsState): readonly Write[] {
  const gone: string[] = [];
  const kept: PaymentRecord[] = [];
  for (const [id, recordBefore] of after.byId.changesSince(before.byId)) {
    const record = after.byId.get(id);
    if (record !== undefined) kept.push(record);
    else if (recordBefore !== undefined) gone.push(id);
  }
  // What one row gives up another may have taken in the same batch: the givers are written first.
  const givers = kept.filter(({ idemHash }) => idemHash === null);
  const takers = kept.filter(({ idemHash }) => idemHash !== null);
  return [
    sql.PAYMENT.remove(gone.map((id) => [id])),
    sql.PAYMENT.upsert(givers.map(sql.storedPayment)),
    sql.PAYMENT.upsert(takers.map(sql.storedPayment)),
  ];
}

// Safeguards taken away on purpose, to see that their loss is noticed.
import type { CrossingCommand, CrossingState } from '#areas/crossing/state.ts';
import type { LedgerCommand, LedgerState } from '#platform/ledger/state.ts';
import type { Deed, Step, Store, Unit } from '#platform/storage/store.ts';
import type { PlantedFault } from './world.ts';

type AnyUnit = Step['unit'];
type Sabotage = (unit: AnyUnit) => AnyUnit;

/** A claim does not see what others hold alone. */
function withoutExclusivity(unit: AnyUnit): AnyUnit {
  const decide: AnyUnit['decide'] = (given, nowMs, next, asked) => {
    const [state, command] = [given as CrossingState, asked as CrossingCommand];
    if (command.type !== 'claim') return unit.decide(state, nowMs, next, command);
    const { key, agent } = command;
    const rows = state.leases.get(key) ?? [];
    const hidden = rows.filter((lease) => lease.mode !== 'shared' && lease.agent !== agent);
    if (hidden.length === 0) return unit.decide(state, nowMs, next, command);
    const seen = rows.filter((lease) => !hidden.includes(lease));
    const decided = unit.decide({ ...state, leases: state.leases.with(key, seen) }, nowMs, next, command);
    const after = decided.state as CrossingState;
    const leases = after.leases.with(key, [...hidden, ...(after.leases.get(key) ?? [])]);
    return { ...decided, state: { ...after, leases } };
  };
  return { ...unit, decide };
}

/** A call that comes again under its key is taken for a new one. */
function withoutIdempotency(unit: AnyUnit): AnyUnit {
  return { ...unit, load: (found, commands) => unit.load({ ...found, answers: [] }, commands) };
}

/** A capture that comes again takes the money again. */
function withDoubleCapture(unit: AnyUnit): AnyUnit {
  const decide: AnyUnit['decide'] = (state, nowMs, next, asked) => {
    const command = asked as LedgerCommand;
    const hold = command.type === 'capture' ? (state as LedgerState).holds.get(command.holdId) : undefined;
    if (command.type !== 'capture' || hold?.status !== 'captured') return unit.decide(state, nowMs, next, command);
    const { txId, kind, legs, amountMicro } = command;
    const all = [{ account: hold.account, amountMicro }, ...legs];
    return unit.decide(state, nowMs, next, { type: 'post', txId, kind, idem: `again:${txId}`, ref: null, legs: all });
  };
  return { ...unit, decide };
}

const SABOTAGED: Partial<Record<PlantedFault, readonly [unit: string, Sabotage]>> = {
  exclusivity: ['crossing', withoutExclusivity],
  idempotency: ['mandates', withoutIdempotency],
  double_capture: ['ledger', withDoubleCapture],
};

const replaced = new WeakMap<AnyUnit, AnyUnit>();

/** The store of a process whose unit has the planted fault. */
export function faulty(store: Store, planted: PlantedFault | undefined): Store {
  const sabotaged = planted === undefined ? undefined : SABOTAGED[planted];
  if (sabotaged === undefined) return store;
  const [name, sabotage] = sabotaged;
  const unitOf = <D extends Deed, S>(unit: Unit<D, S>): Unit<D, S> => {
    const given = unit as AnyUnit;
    if (given.name !== name) return unit;
    if (!replaced.has(given)) replaced.set(given, sabotage(given));
    return replaced.get(given) as Unit<D, S>;
  };
  const steps = (given: readonly Step[]) => given.map(({ unit, command }) => ({ unit: unitOf(unit), command }));
  return {
    run: (unit, command) => store.run(unitOf(unit), command),
    runProven: (unit, command) => store.runProven(unitOf(unit), command),
    runAll: (given, stopAt) => store.runAll(steps(given) as never, stopAt),
    read: (asked: never, params: never) => store.read(asked, params),
    readConfirmed: (asked: never, params: never) => store.readConfirmed(asked, params),
    scrub: () => store.scrub(),
    status: () => store.status(),
    close: () => store.close(),
  };
}

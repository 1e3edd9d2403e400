// The bounty list, its crawler and the venue facts on a real store, in front of the simulators, with a clock moved by hand.
import { bounties as operation } from '#areas/bounties/operations.ts';
import { readConfig } from '#platform/config/config.ts';
import { ManualClock } from '#kernel/clock.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import type { Store } from '#platform/storage/store.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { type OpenBounties, openBounties } from '#areas/bounties/area.ts';
import { openStore, type OpenedStore } from '../../support/engines.ts';
import type { EngineName } from '../../support/databases.ts';

export const START_MS = Date.UTC(2026, 10, 15, 10);
export const ISSUE = 'https://github.com/sandbox-acme/parser/issues/7';

export interface Bench extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly simulators: RegisterSimulators;
  readonly opened: OpenedStore;
  readonly store: Store;
  /** The parts of a process; another call is another process, or a later start. */
  open(store?: Store, deadlines?: Parameters<typeof openBounties>[1]): OpenBounties;
  /** Lets time pass in steps of some seconds, as the timer of the leader would. */
  pass(venues: OpenBounties, ms: number, stepMs?: number): Promise<void>;
}

/** A busy machine is no outage. */
const PATIENT = { crawlMs: 60_000, lookMs: 60_000 };
/** For hosts that never answer. */
export const IMPATIENT = { crawlMs: 100, lookMs: 100 };

/** `isNameless`: with the figures for callers without a token. */
export async function startBench(engine: EngineName, isNameless = false): Promise<Bench> {
  const clock = new ManualClock(START_MS);
  const simulators = await RegisterSimulators.start(() => clock.now());
  const opened = await openStore(engine, { injectedClock: clock });
  const base = (name: string) => [`AVOUCH_${name}_BASE_URL`, `${simulators.url}/${name.toLowerCase()}`];
  const config = readConfig({ ...Object.fromEntries(['GITHUB', 'GITLAB', 'OPIRE'].map(base)), AVOUCH_OPIRE: 'yes' });
  const kept = new AsyncDisposableStack();
  return {
    clock,
    simulators,
    opened,
    store: opened.store,
    open: (store = opened.store, deadlines = PATIENT) =>
      kept.use(
        openBounties(
          {
            config,
            store,
            clock,
            logger: createLogger('silent', clock),
            simulators: isNameless ? undefined : simulators,
            jobs: { runNow: async () => {} },
            patience: 1,
          },
          deadlines,
        ),
      ),
    async pass(venues, ms, stepMs = 10_000) {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.advance(Math.min(stepMs, ms - passed));
        await venues.jobs[0].run();
      }
    },
    async [Symbol.asyncDispose]() {
      await kept.disposeAsync();
      await opened.store.close();
      await opened[Symbol.asyncDispose]();
      await simulators[Symbol.asyncDispose]();
    },
  };
}

export function listed(venues: OpenBounties, query: Record<string, unknown> = {}) {
  return venues.list.list(operation.input.parse({ limit: 200, ...query }));
}

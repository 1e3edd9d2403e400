import {
  ComponentBoard,
  type ComponentChange,
  type ComponentRow,
  type ComponentState,
  type HealthComponent,
} from '#platform/health/component-board.ts';
import type { Services } from '#kernel/operation.ts';
import type { OpenLog } from '#platform/log/open-log.ts';
import { ChainUnavailableError } from '#platform/payments/settlement.ts';
import { SettlementRefusedError } from '#platform/payments/settlement-guards.ts';
import type { PaymentGround } from '#platform/payments/payment-ground.ts';
import type { Trail } from '#platform/trail/trail.ts';
import type { JobRunner } from '#platform/jobs/job-runner.ts';
import type { Foundation } from '#platform/foundation.ts';
import type { LedgerKeeper } from '#platform/ledger/ledger-keeper.ts';
import type { Logger } from '#platform/logger.ts';
import { ComponentProbes } from './probes.ts';

export interface ComponentDeps {
  readonly foundation: Foundation;
  readonly trail: Trail;
  readonly jobs: JobRunner;
  readonly log: Pick<OpenLog, 'publisher' | 'audit' | 'continuity'>;
  readonly ledger: LedgerKeeper;
  readonly payments: Pick<PaymentGround, 'backend' | 'figures'>;
  readonly mail: () => Pick<ComponentState, 'status' | 'detail'>;
  readonly logger: Logger;
  readonly services: Services;
}

export interface Health {
  readonly view: () => HealthComponent[];
  /** Why a part is known to be down, by its last check; null where it is not. */
  readonly faultOf: (id: string) => string | null;
  /** Has a part that loads late asked whether it answers. */
  readonly watch: (id: 'mcp' | 'search', ask: () => Promise<unknown>) => void;
  /** Run with every beat. */
  readonly beat: () => void;
  /** Tells with every beat how each part is, also while the store takes nothing. */
  readonly onBeat: (listener: (components: readonly HealthComponent[]) => void) => void;
}

/** When the start is long over, and when the chain is there. */
const LATE_MS = 30_000;
const CHAIN_MS = 3_000;
const SILENT = 'It does not respond.';
const UNCHARGED = 'Paid calls are refused and not charged.';
const LEVEL_OF_STATE = { up: 'info', degraded: 'warn', down: 'error' } as const;
/** Longer than any settlement takes that goes well. */
const UNKNOWN_LONG_MS = 600_000;

/** Every part that callers can meet, and where its state is read. */
export function openHealth(parts: ComponentDeps): Health {
  const { foundation, trail, jobs, payments, logger, services } = parts;
  const { clock } = foundation;
  const probes = new ComponentProbes(clock, [
    { id: 'audit_trail', afterMs: 0, ask: () => trail.sync() },
    // The start, and each new connection that writes, has checked it.
    { id: 'durability', afterMs: LATE_MS, ask: () => foundation.store.checkDurability() },
    { id: 'settlement', afterMs: CHAIN_MS, ask: async () => payments.backend?.probe?.() },
  ]);
  const looks: StateReaders = { ofBeat: beatState(jobs), probed: probedState(probes) };
  const rows = [...requiredRows(parts, looks), ...otherRows(parts, looks)];
  const ordered = ORDER.map((id) => rows.find((row) => row.id === id) as ComponentRow).filter(
    ({ id }) => services === 'all' || !ONLY_WITH_ALL.has(id),
  );
  const board = new ComponentBoard(clock, ordered, (change) => logChange(logger, change));
  const tellRisks = riskTeller(foundation, logger);
  const listeners: ((components: readonly HealthComponent[]) => void)[] = [];
  return {
    view: () => board.view(),
    watch: (id, ask) => probes.add({ id, afterMs: LATE_MS, ask }),
    faultOf(id) {
      const found = board.find(id);
      return found?.status === 'down' ? (found.detail ?? SILENT) : null;
    },
    beat() {
      probes.runDue();
      tellRisks();
      const seen = board.view();
      for (const listener of listeners) listener(seen);
    },
    onBeat: (listener) => void listeners.push(listener),
  };
}

/** As documents and pages show them. */
const ORDER = [
  'http',
  'storage',
  'signer',
  'log',
  'audit_trail',
  'witnesses',
  'wallet',
  'payment',
  'settlement',
  'mail',
  'mcp',
  'search',
];

/** Parts that no free call needs. */
const ONLY_WITH_ALL = new Set(['wallet', 'payment', 'settlement', 'mail']);

interface StateReaders {
  /** The state of a part that is looked at with every beat. */
  readonly ofBeat: (status: ComponentState['status'], detail?: string | null) => ComponentState;
  /** The state of a part that is asked whether it answers. */
  readonly probed: (id: string) => ComponentState;
}

function beatState(jobs: JobRunner): StateReaders['ofBeat'] {
  return (status, detail = null) => ({ status, detail, lastCheckMs: jobs.lastHeartbeat()?.doneAtMs ?? null });
}

function probedState(probes: ComponentProbes): StateReaders['probed'] {
  return (id) => {
    const newest = probes.newest(id);
    const isDown = newest !== undefined && !newest.isWell;
    return {
      status: isDown ? 'down' : 'up',
      detail: isDown ? saidOf(newest.fault) : null,
      lastCheckMs: newest?.atMs ?? null,
      latencyMs: newest === undefined ? null : rounded(newest.latencyMs),
    };
  };
}

/** Without these the service is out. */
function requiredRows({ foundation, trail, jobs }: ComponentDeps, { ofBeat }: StateReaders): ComponentRow[] {
  const { clock, store, keyRing } = foundation;
  return [
    { id: 'http', required: true, look: () => ({ status: 'up', detail: null, lastCheckMs: clock.now() }) },
    {
      id: 'storage',
      required: true,
      look() {
        const { state, lastCommitMs, halted } = store.status();
        const beat = jobs.lastHeartbeat();
        return {
          status: state,
          detail: halted ?? (state === 'up' ? null : 'Writes cannot be committed.'),
          lastCheckMs: Math.max(beat?.okAtMs ?? 0, lastCommitMs ?? 0) || null,
          latencyMs: beat === undefined ? null : rounded(beat.latencyMs),
        };
      },
    },
    {
      id: 'signer',
      required: true,
      look() {
        const [lacking] = keyRing.missing();
        if (lacking === undefined) return ofBeat('up');
        const { scope, keyId } = lacking;
        return ofBeat('down', `The file of ${scope} key ${keyId} is not on this machine. New log entries are refused.`);
      },
    },
    {
      id: 'audit_trail',
      required: true,
      look() {
        const { failing, lastFlushMs } = trail.status();
        const detail = failing ? 'Calls cannot be recorded. Writes are refused.' : null;
        return { status: failing ? 'down' : 'up', detail, lastCheckMs: lastFlushMs };
      },
    },
  ];
}

/** Calls that do not need these go on without them. */
function otherRows(parts: ComponentDeps, { ofBeat, probed }: StateReaders): ComponentRow[] {
  const { foundation, ledger, mail } = parts;
  const { publisher, audit, continuity } = parts.log;
  const { backend: settlement, figures } = parts.payments;
  const { clock, keyRing } = foundation;
  return [
    {
      // Its writes go on while an audit is looked into.
      id: 'log',
      required: false,
      look() {
        if (continuity() === 'contradicted') return ofBeat('down', 'A witness knows a different log.');
        return audit.newest()?.ok === false
          ? ofBeat('down', 'The audit of the public log found errors.')
          : ofBeat('up');
      },
    },
    {
      id: 'witnesses',
      required: false,
      look() {
        const status = publisher.witnessStatus();
        const isPoor = status === 'degraded';
        return ofBeat(
          status,
          isPoor ? 'The newest checkpoint sent to the witnesses has not reached the quorum.' : null,
        );
      },
    },
    {
      id: 'wallet',
      required: false,
      look() {
        const { isHalted, detail } = ledger.state();
        return ofBeat(isHalted ? 'down' : 'up', detail);
      },
    },
    {
      id: 'payment',
      required: false,
      look() {
        if (settlement === undefined) return ofBeat('not_configured', UNCHARGED);
        if (keyRing.missing().some(({ scope }) => scope === 'receipts')) {
          return ofBeat('down', 'Receipts cannot be signed.');
        }
        const oldestMs = figures.newest()?.oldestUnknownMs ?? null;
        const isLong = oldestMs !== null && clock.now() - oldestMs > UNKNOWN_LONG_MS;
        return isLong ? ofBeat('degraded', 'The outcome of a settlement is unknown.') : ofBeat('up');
      },
    },
    {
      id: 'settlement',
      required: false,
      look() {
        if (settlement === undefined) return ofBeat('not_configured', UNCHARGED);
        const { state, detail } = settlement.status();
        const asked = probed('settlement');
        // The worse of the two: what the last payments met, and what the last check found.
        const isTold = state === 'down' || (state === 'degraded' && asked.status !== 'down');
        return isTold ? { ...asked, status: state, detail } : asked;
      },
    },
    { id: 'mail', required: false, look: () => ofBeat(mail().status, mail().detail) },
    { id: 'mcp', required: false, look: () => probed('mcp') },
    { id: 'search', required: false, look: () => probed('search') },
  ];
}

/** The words of others may hold addresses; those of ours do not. */
function saidOf(fault: unknown): string {
  const isOurs = fault instanceof ChainUnavailableError || fault instanceof SettlementRefusedError;
  return isOurs ? fault.message : SILENT;
}

/** One line when a risk is first seen, the first of them with the start, and one when it is gone. */
function riskTeller({ store }: Pick<Foundation, 'store'>, logger: Logger): () => void {
  let told: ReadonlySet<string> = new Set();
  return () => {
    const { risks } = store.status().durability;
    for (const { id: risk, text: cause, fix } of risks) {
      if (!told.has(risk)) logger.warn('acknowledged writes at risk', { risk, cause, fix });
    }
    const found = new Set(risks.map(({ id }) => id));
    for (const risk of told) if (!found.has(risk)) logger.info('acknowledged writes no longer at risk', { risk });
    told = found;
  };
}

/** One line for each change, never one for each check. */
function logChange(logger: Logger, { id, from, to, detail, lastedMs }: ComponentChange): void {
  const level = LEVEL_OF_STATE[to];
  logger[level]('component state change', {
    component: id,
    from,
    to,
    cause: detail,
    after_s: Math.round(lastedMs / 1_000),
  });
}

function rounded(latencyMs: number): number {
  return Math.round(latencyMs * 100) / 100;
}

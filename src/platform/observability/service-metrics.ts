import { healthOf } from '#platform/health/health.ts';
import type { OpenPlatform } from '#platform/open-platform.ts';
import type { RegisterHealth } from '#platform/registers/resilience/health.ts';
import { VERSION } from '#platform/version.ts';
import { gauge, type Metric } from './exposition.ts';

interface OfTransport {
  readonly connections: () => number;
  /** Null where nobody collects spans. */
  readonly spansLost: () => number | null;
}

const WHOLE = { ok: 1, degraded: 0.5, down: 0 } as const;
const LISTED = { success: 1, processing: 0.5, rejected: 0 } as const;
const GRADE = { up: 1, degraded: 0.5, down: 0, not_configured: null } as const;

/** The figures of the service itself, as its operator collects them. */
export function serviceMetrics(platform: OpenPlatform, of: OfTransport): Metric[] {
  const { config, store, clock, jobs, trail, payments, health: parts, registers: asked, log } = platform;
  const { figures, backend } = payments;
  const gas = () => backend?.gas?.();
  const ether = (wei: bigint | undefined) => (wei === undefined ? null : Number(wei) / 1e18);
  const secondsSince = (atMs: number | null | undefined) => (atMs == null ? null : (clock.now() - atMs) / 1_000);
  const registers = (read: (health: RegisterHealth) => number | null) => () =>
    asked.health().map(([register, health]) => ({
      labels: { register },
      value: health === null ? null : read(health),
    }));
  return [
    {
      name: 'avouch_build_info',
      help: 'Release, profile and engine of this process.',
      type: 'gauge',
      samples: () => [
        { labels: { version: VERSION, profile: config.profile, engine: store.status().engine }, value: 1 },
      ],
    },
    gauge('avouch_health', '1 if healthy, 0.5 if degraded, 0 if down.', () => {
      return WHOLE[healthOf(parts.view()).status];
    }),
    {
      name: 'avouch_component_up',
      help: '1 if the component is up, 0.5 if degraded, 0 if down.',
      type: 'gauge',
      samples: () => parts.view().map(({ id, status }) => ({ labels: { id }, value: GRADE[status] })),
    },
    gauge('avouch_connections', 'Open connections.', of.connections),
    gauge('avouch_storage_durable', '1 if no known risk can take an acknowledged write away, 0 if one can.', () =>
      store.status().durability.risks.length === 0 ? 1 : 0,
    ),
    gauge('avouch_commit_queue', 'Commands waiting for their commit.', () => store.status().queued),
    gauge('avouch_commits_forwarded', 'Calls that another process wrote.', () => store.status().forwarded),
    gauge('avouch_commit_age_seconds', 'Age of the last commit.', () => secondsSince(store.status().lastCommitMs)),
    gauge('avouch_beat_age_seconds', 'Age of the last heartbeat.', () => secondsSince(jobs.lastHeartbeat()?.okAtMs)),
    gauge('avouch_processes', 'Processes that share the work.', () => jobs.liveProcesses()),
    gauge('avouch_log_entries', 'Entries in the public log.', () => log.log.head().size),
    gauge('avouch_trail_lines_lost', 'Audit trail lines that were lost.', () => trail.status().linesLost),
    gauge('avouch_unknown_settlements', 'Payments with an unknown outcome.', () => figures.newest()?.unknown ?? null),
    gauge('avouch_oldest_unknown_seconds', 'Age of the oldest payment with an unknown outcome.', () =>
      secondsSince(figures.newest()?.oldestUnknownMs),
    ),
    gauge('avouch_settler_balance_eth', 'Ether that the settler has for gas.', () => ether(gas()?.wei)),
    gauge('avouch_settler_min_eth', 'Ether that the settler should have at least.', () => ether(gas()?.minWei)),
    gauge('avouch_refunds_due', 'Payments that must be refunded.', () => figures.newest()?.refundsDue ?? null),
    {
      name: 'avouch_bazaar_listed',
      help: "1 if the facilitator's catalogue lists the paid call, 0.5 if it is processing it, 0 if it rejected it.",
      type: 'gauge',
      samples: () =>
        (figures.newest()?.listings ?? []).map(({ operationId, status }) => ({
          labels: { operation: operationId },
          value: LISTED[status],
        })),
    },
    gauge('avouch_spans_lost', 'Spans that reached no collector.', of.spansLost),
    {
      name: 'avouch_register_up',
      help: '1 if the register responds, 0.5 if it often fails, 0 if it does not respond.',
      type: 'gauge',
      samples: registers(({ status }) => GRADE[status]),
    },
    {
      name: 'avouch_register_p95_seconds',
      help: "95th percentile of a register's response time.",
      type: 'gauge',
      samples: registers(({ p95Ms }) => (p95Ms === null ? null : p95Ms / 1_000)),
    },
  ];
}

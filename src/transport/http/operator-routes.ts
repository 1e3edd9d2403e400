import { healthOf } from '#platform/health/health.ts';
import { type AnsweredCall, CallMetrics } from '#platform/observability/call-metrics.ts';
import { EXPOSITION_MEDIA_TYPE, exposition, gauge, type Metric } from '#platform/observability/exposition.ts';
import { ProcessMetrics } from '#platform/observability/process-metrics.ts';
import { TraceExporter } from '#platform/observability/traces.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { RegisterHealth } from '#platform/registers/resilience/health.ts';
import type { AddressTagger } from '#platform/keys/address-tagger.ts';
import type { Exchange } from '#transport/http/exchange.ts';
import { unknownPath } from '#transport/http/place.ts';
import type { Route } from '#transport/http/server.ts';
import type { OpenPlatform } from '#platform/open-platform.ts';
import { VERSION } from '#platform/version.ts';

export interface ObservedDeps {
  readonly platform: OpenPlatform;
  readonly connections: () => Promise<number>;
  readonly tagger: AddressTagger;
}

const COLLECTOR_MS = 5_000;

/** What the operator sees: figures, traces, and whether this process lives and wants calls. */
export class Observability implements AsyncDisposable {
  readonly #parts: ObservedDeps;
  readonly #calls = new CallMetrics();
  readonly #process = new ProcessMetrics();
  readonly #traces: TraceExporter | undefined;
  readonly #collector: ConfiguredHost | undefined;
  readonly #metrics: readonly Metric[];
  #connections = 0;
  #isStopping = false;

  constructor(parts: ObservedDeps) {
    this.#parts = parts;
    const { config, patience } = parts.platform;
    const { otlpUrl, serviceName } = config;
    if (otlpUrl !== null) {
      const collector = new ConfiguredHost({ baseUrl: otlpUrl, userAgent: `avouch/${VERSION}` });
      this.#collector = collector;
      this.#traces = new TraceExporter({
        resource: { 'service.name': serviceName, 'service.version': VERSION },
        send: async (body) => {
          const headers = { 'content-type': 'application/json' };
          const signal = AbortSignal.timeout(patience * COLLECTOR_MS);
          const { status } = await collector.ask({ method: 'POST', path: '/v1/traces', headers, body, signal });
          if (status >= 300) throw new Error(`the collector answered ${status}`);
        },
      });
    }
    this.#metrics = [...this.#process.metrics(), ...this.#serviceMetrics(), ...this.#calls.metrics()];
  }

  readonly answered = (call: AnsweredCall): void => {
    this.#calls.record(call);
    this.#traces?.record(call);
    const { op, status, code, requestId } = call;
    this.#parts.platform.logger.debug('call', { request_id: requestId, op, status, code, ms: Math.round(call.ms) });
  };

  /** From now on balancers are told to send their calls elsewhere; resolves when they had time to hear it. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    const { drainSeconds } = this.#parts.platform.config;
    if (drainSeconds > 0) await new Promise((resolve) => setTimeout(resolve, drainSeconds * 1_000));
  }

  routes(): Route[] {
    return [
      this.#route('/metrics', 'op:metrics', async () => {
        this.#connections = await this.#parts.connections();
        return { status: 200, mediaType: EXPOSITION_MEDIA_TYPE, body: exposition(this.#metrics) };
      }),
      this.#route('/livez', 'op:livez', async () => json(200, { status: 'alive' })),
      this.#route('/readyz', 'op:readyz', async () => {
        const health = healthOf(this.#parts.platform.health.view());
        const why = this.#unwillingFor() ?? (health.status === 'down' ? health.detail : null);
        if (why !== null) return json(503, { status: 'not_ready', health: health.status, reason: why });
        // What only some calls need takes no process out of a balancer: the others would lack it too.
        return json(200, { status: 'ready', health: health.status, reason: health.detail });
      }),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process[Symbol.dispose]();
    await this.#traces?.[Symbol.asyncDispose]();
    this.#collector?.[Symbol.dispose]();
  }

  /** Why this process wants no calls although its parts may be well. */
  #unwillingFor(): string | null {
    const { jobs, config, clock } = this.#parts.platform;
    if (this.#isStopping) return 'stopping';
    const beat = jobs.lastHeartbeat();
    const isLate = beat === undefined || clock.now() - beat.okAtMs > config.notReadySeconds * 1_000;
    return isLate ? 'no beat of late' : null;
  }

  /** To everybody but the operator these paths do not exist. */
  #route(path: string, op: string, answer: () => Promise<Answer>): Route {
    return {
      path,
      method: 'GET',
      handle: (exchange: Exchange, request) => {
        const { tagger } = this.#parts;
        exchange.addressTag = tagger.tagOf(request.raw, exchange.atMs);
        if (!tagger.isOperator(request.raw)) return exchange.refuse(unknownPath());
        exchange.operationId = op;
        exchange.headers.push('cache-control', 'no-store');
        void answer().then(({ status, mediaType, body }) => exchange.send(status, mediaType, body));
      },
    };
  }

  #serviceMetrics(): Metric[] {
    const { config, store, clock, jobs, trail, payments, health, registers: asked, log } = this.#parts.platform;
    const { figures } = payments;
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
      gauge('avouch_health', '1 while all is well, 0.5 while degraded, 0 while down.', () => {
        return WHOLE[healthOf(health.view()).status];
      }),
      {
        name: 'avouch_component_up',
        help: '1 for a part that is up, 0.5 for one that is degraded, 0 for one that is down.',
        type: 'gauge',
        samples: () => health.view().map(({ id, status }) => ({ labels: { id }, value: GRADE[status] })),
      },
      gauge('avouch_connections', 'Open connections.', () => this.#connections),
      gauge('avouch_commit_queue', 'Commands that wait for their commit.', () => store.status().queued),
      gauge('avouch_commit_age_seconds', 'Age of the last commit.', () => secondsSince(store.status().lastCommitMs)),
      gauge('avouch_beat_age_seconds', 'Age of the last beat.', () => secondsSince(jobs.lastHeartbeat()?.okAtMs)),
      gauge('avouch_processes', 'Processes that share the work.', () => jobs.liveProcesses()),
      gauge('avouch_log_entries', 'Entries of the public log.', () => log.log.head().size),
      gauge('avouch_trail_lines_lost', 'Lines of the audit trail that were lost.', () => trail.status().linesLost),
      gauge('avouch_unknown_settlements', 'Payments of unknown outcome.', () => figures.newest()?.unknown ?? null),
      gauge('avouch_oldest_unknown_seconds', 'Age of the oldest payment of unknown outcome.', () =>
        secondsSince(figures.newest()?.oldestUnknownMs),
      ),
      gauge('avouch_refunds_due', 'Payments that have to be given back.', () => figures.newest()?.refundsDue ?? null),
      gauge('avouch_spans_lost', 'Spans that no collector got.', () => this.#traces?.lost ?? null),
      {
        name: 'avouch_register_up',
        help: '1 for a register that answers, 0.5 for one that often fails, 0 for one that does not answer.',
        type: 'gauge',
        samples: registers(({ status }) => GRADE[status]),
      },
      {
        name: 'avouch_register_p95_seconds',
        help: '95 % of the answers of a register came faster.',
        type: 'gauge',
        samples: registers(({ p95Ms }) => (p95Ms === null ? null : p95Ms / 1_000)),
      },
    ];
  }
}

const WHOLE = { ok: 1, degraded: 0.5, down: 0 } as const;
const GRADE = { up: 1, degraded: 0.5, down: 0, not_configured: null } as const;

interface Answer {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

function json(status: number, body: object): Answer {
  return { status, mediaType: 'application/json', body: `${JSON.stringify(body)}\n` };
}

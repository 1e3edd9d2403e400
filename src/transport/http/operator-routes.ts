import { healthOf } from '#platform/health/health.ts';
import { type AnsweredCall, CallMetrics } from '#platform/observability/call-metrics.ts';
import { EXPOSITION_MEDIA_TYPE, exposition, type Metric } from '#platform/observability/exposition.ts';
import { serviceMetrics } from '#platform/observability/service-metrics.ts';
import { ProcessMetrics } from '#platform/observability/process-metrics.ts';
import { TraceExporter } from '#platform/observability/traces.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { AddressTagger } from '#platform/keys/address-tagger.ts';
import type { Exchange } from '#transport/http/exchange.ts';
import { unknownPath } from '#transport/http/place.ts';
import type { Route } from '#transport/http/server.ts';
import type { OpenPlatform } from '#platform/open-platform.ts';
import { VERSION } from '#platform/version.ts';

export interface ObservedDeps {
  readonly platform: OpenPlatform;
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
  #server: { connections(): Promise<number> } | undefined;
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
    this.#metrics = [
      ...this.#process.metrics(),
      ...serviceMetrics(parts.platform, {
        connections: () => this.#connections,
        spansLost: () => this.#traces?.lost ?? null,
      }),
      ...this.#calls.metrics(),
    ];
  }

  /** From now on its connections are counted. */
  watch(server: { connections(): Promise<number> }): void {
    this.#server = server;
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

  /** @param isOpen on a port of their own, whoever reaches it may read them */
  routes(isOpen: boolean): Route[] {
    const route = (path: string, op: string, answer: () => Promise<Answer>) =>
      this.#route({ path, op, isOpen, answer });
    return [
      route('/metrics', 'op:metrics', async () => {
        this.#connections = (await this.#server?.connections()) ?? 0;
        return { status: 200, mediaType: EXPOSITION_MEDIA_TYPE, body: exposition(this.#metrics) };
      }),
      route('/livez', 'op:livez', async () => json(200, { status: 'alive' })),
      route('/readyz', 'op:readyz', async () => {
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
    return isLate ? 'No recent heartbeat.' : null;
  }

  /** Only the operator may see these routes; everyone else gets 404. */
  #route({ path, op, isOpen, answer }: OperatorRoute): Route {
    return {
      path,
      method: 'GET',
      handle: (exchange: Exchange, request) => {
        const { tagger } = this.#parts;
        exchange.addressTag = tagger.tagOf(request.raw, exchange.atMs);
        if (!isOpen && !tagger.isOperator(request.raw)) return exchange.refuse(unknownPath());
        exchange.operationId = op;
        exchange.headers.push('cache-control', 'no-store');
        void answer().then(({ status, mediaType, body }) => exchange.send(status, mediaType, body));
      },
    };
  }
}

interface OperatorRoute {
  readonly path: string;
  readonly op: string;
  readonly isOpen: boolean;
  readonly answer: () => Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

function json(status: number, body: object): Answer {
  return { status, mediaType: 'application/json', body: `${JSON.stringify(body)}\n` };
}

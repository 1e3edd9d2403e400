import type { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { type ProblemType, Refusal } from '#kernel/problem.ts';
import type { HealthComponent } from '#platform/health/component-board.ts';
import { healthOf } from '#platform/health/health.ts';
import type { StoreStatus } from '#platform/storage/store.ts';
import type { HealthAnswer, KeyDocument, ProblemPage } from './operations.ts';
import type { RegisterStatus, Status } from './status-answer.ts';
import type { Latencies } from './latency-history.ts';
import { down, unknownCode } from './problems.ts';

interface RegisterLane {
  readonly id: string;
  readonly breaker: 'closed' | 'open' | 'half_open';
  readonly success60m: number | null;
}

interface ListState {
  readonly generated: string;
  readonly ageHours: number;
  readonly entities: number;
  readonly names: number;
  readonly sha256: string;
}

/** How a register is; null is switched off. A lane is a part of it that can fail alone. */
interface RegisterState {
  readonly id: string;
  readonly health: {
    readonly status: 'up' | 'degraded' | 'down';
    readonly breaker: 'closed' | 'open' | 'half_open';
    readonly p50Ms: number | null;
    readonly p95Ms: number | null;
    readonly success5m: number | null;
    readonly success60m: number | null;
    readonly lastSuccessMs: number | null;
    readonly lanes: readonly RegisterLane[];
    /** Of the register that is a list. */
    readonly list?: ListState | null;
  } | null;
}

interface PublicKey {
  readonly keyId: string;
  readonly scope: 'receipts' | 'log-checkpoint' | 'log-receipt';
  readonly alg: 'ed25519' | 'ml-dsa-44';
  readonly vkey: string | null;
  readonly publicKey: string;
  readonly role: 'root' | 'legacy';
  readonly validFromMs: number;
  readonly retiredAtMs: number | null;
  readonly declaredIn: string | null;
  readonly supersededBy: string | null;
}

export interface DiscoveryOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly startedAtMs: number;
  readonly identity: { readonly name: string; readonly version: string; readonly sandbox: boolean };
  readonly baseUrl: () => string;
  readonly endpoints: z.output<typeof HealthAnswer>['endpoints'];
  readonly problems: () => readonly (ProblemType & { readonly operations: readonly string[] })[];
  readonly components: () => readonly HealthComponent[];
  readonly registers: () => readonly RegisterState[];
  readonly datasets: () => z.output<typeof Status>['datasets'];
  readonly storage: () => Pick<StoreStatus, 'engine' | 'durability'>;
  readonly linesLost: () => number;
  readonly lastAnchorMs: () => number | null;
  readonly keys: () => readonly PublicKey[];
  readonly log: {
    readonly origin: string;
    readonly vkeys: () => readonly string[];
    /** The lines of a policy about witnesses and quorum. */
    readonly witnessLines: string;
  };
  readonly versions: Readonly<Record<string, unknown>>;
  readonly logState: () => z.output<typeof Status>['log'];
  readonly payments: () => z.output<typeof Status>['payments'];
  readonly wallet: () => z.output<typeof Status>['wallet'];
  readonly availability: () => z.output<typeof Status>['availability'];
  readonly availabilityByDay: () => z.output<typeof Status>['availability_by_day'];
  readonly history: () => z.output<typeof Status>['history'];
  readonly latencies: () => Latencies;
  readonly openApi: () => Promise<Record<string, unknown>>;
}

interface KeptHealth {
  readonly status: 'ok' | 'degraded';
  readonly atMs: number;
  readonly base: string;
  readonly answer: z.output<typeof HealthAnswer>;
}

/** The words of the status page for the same judgement. */
const STATUS_TEXT = { ok: 'operational', degraded: 'degraded', down: 'outage' } as const;

/** Tells who the service is and how it is; everything is answered from memory. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  #openApi: Promise<Record<string, unknown>> | undefined;
  /** Who asks within one millisecond while nothing changes gets one object, which is written once. */
  #health: KeptHealth | undefined;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  health(): z.output<typeof HealthAnswer> | Refusal {
    const { clock, identity, endpoints, baseUrl, components } = this.#options;
    const { status, detail } = healthOf(components());
    const [atMs, base] = [clock.now(), baseUrl()];
    const known = this.#health;
    if (known?.status === status && known.atMs === atMs && known.base === base) return known.answer;
    const body = { identity, timestamp: isoTime(atMs), endpoints, docs: `${base}/openapi.json` };
    if (status !== 'down') {
      const answer = { status, ...body };
      this.#health = { status, atMs, base, answer };
      return answer;
    }
    return new Refusal(down, {
      detail: detail ?? status,
      retryAfterSeconds: 5,
      members: { ...body, health: status },
    });
  }

  status(buildId: string): z.output<typeof Status> {
    const { clock, startedAtMs, identity, components, storage, linesLost, lastAnchorMs } = this.#options;
    const { logState, payments, wallet, availability } = this.#options;
    const { engine, durability } = storage();
    const { synchronous, risks } = durability;
    const anchoredMs = lastAnchorMs();
    const states = components();
    return {
      status: STATUS_TEXT[healthOf(states).status],
      as_of: isoTime(clock.now()),
      started_at: isoTime(startedAtMs),
      version: identity.version,
      build_id: buildId,
      sandbox: identity.sandbox,
      components: states.map(({ sinceMs, lastCheckMs, latencyMs, ...component }) => ({
        ...component,
        since: isoTime(sinceMs),
        last_check: lastCheckMs === null ? null : isoTime(lastCheckMs),
        latency_ms: latencyMs,
      })),
      registers: this.#options.registers().map(shownRegister),
      datasets: this.#options.datasets(),
      log: logState(),
      payments: payments(),
      wallet: wallet(),
      availability: availability(),
      availability_by_day: this.#options.availabilityByDay(),
      history: this.#options.history(),
      latency_history: this.#options.latencies(),
      storage: { engine, durable: risks.length === 0, synchronous, risks: risks.map(({ id }) => id) },
      audit_trail: { last_anchor_at: anchoredMs === null ? null : isoTime(anchoredMs), lines_lost: linesLost() },
      versions: this.#options.versions,
    };
  }

  keyDocument(): z.output<typeof KeyDocument> {
    const { baseUrl, keys, identity, log } = this.#options;
    const did = `did:web:${encodeURIComponent(new URL(baseUrl()).host)}`;
    return {
      origin: log.origin,
      keys: keys().map((key) => ({
        key_id: key.keyId,
        kid: key.scope === 'receipts' ? `${did}#${key.keyId}` : null,
        vkey: key.vkey,
        public_key: key.publicKey,
        alg: key.alg,
        role: key.role,
        scope: key.scope,
        valid_from: isoTime(key.validFromMs),
        retired_at: key.retiredAtMs === null ? null : isoTime(key.retiredAtMs),
        declared_in: key.declaredIn,
        superseded_by: key.supersededBy,
      })),
      policy: log
        .vkeys()
        .map((vkey) => `log ${vkey}\n`)
        .concat(log.witnessLines)
        .join(''),
      sandbox: identity.sandbox,
    };
  }

  async openApi(): Promise<{ openapi: '3.1.0'; info: { version: string } }> {
    this.#openApi ??= this.#options.openApi();
    return (await this.#openApi) as { openapi: '3.1.0'; info: { version: string } };
  }

  problem(code: string): z.output<typeof ProblemPage> | Refusal {
    const found = this.#options.problems().find((problem) => problem.code === code);
    if (found === undefined)
      return new Refusal(unknownCode, { detail: 'There is no problem with this code. See docs/errors.md.' });
    const { status, title, help, operations } = found;
    return { code, status, title, help, operations: [...operations] };
  }
}

const UNKNOWN = { p50_ms: null, p95_ms: null, success_5m: null, success_60m: null, last_success: null } as const;

function shownList({ generated, ageHours, ...figures }: ListState): z.output<typeof RegisterStatus>['list'] {
  return { list_generated: generated, age_hours: ageHours, ...figures };
}

function shownRegister({ id, health }: RegisterState): z.output<typeof RegisterStatus> {
  if (health === null) return { id, status: 'not_configured', breaker: 'closed', ...UNKNOWN };
  const { status, breaker, lastSuccessMs, lanes } = health;
  const states = lanes
    .filter((lane) => lane.id !== '')
    .map((lane) => ({ id: lane.id, breaker: lane.breaker, success_60m: lane.success60m }));
  return {
    id,
    status,
    breaker,
    p50_ms: health.p50Ms,
    p95_ms: health.p95Ms,
    success_5m: health.success5m,
    success_60m: health.success60m,
    last_success: lastSuccessMs === null ? null : isoTime(lastSuccessMs),
    ...(id === 'vies' && { member_states: states }),
    ...(health.list !== undefined && { list: health.list && shownList(health.list) }),
  };
}

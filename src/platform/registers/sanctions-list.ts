import { readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { type Clock, HOUR_MS, utcDay } from '#kernel/clock.ts';
import { runningSha256 } from '#kernel/ids.ts';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { OutboundError } from '#platform/outbound/exchange.ts';
import { type ListRefusal, refusalToReplace } from '#platform/screening/fsf-list.ts';
import { SCREEN_THRESHOLD } from '#platform/screening/name-score.ts';
import { type Candidate, loadList } from '#platform/screening/screening-list.ts';
import { hasUnreadLetters } from '#platform/screening/unread-letters.ts';
import { type ListQuality, ListQualityMeter } from './list-quality.ts';
import { type LoadedList, readInThread } from './list-thread.ts';
import { type RegisterOutcome, unavailable } from './outcome.ts';
import type { ListState, RegisterHealth } from './resilience/health.ts';

export interface Screening {
  /** Best first; those that only a weak alias shows are among them. */
  readonly candidates: readonly Candidate[];
  /** Part of the name could not be read well enough: that nothing was found says nothing of it. */
  readonly hasUnreadLetters: boolean;
  /** ISO 8601 calendar date, as the list says it. */
  readonly listGenerated: string;
  readonly listAgeHours: number;
  readonly threshold: number;
  readonly matcherVersion: string;
}

/** The list in use and what was measured of it. */
export interface MeasuredList {
  readonly list: ListState;
  readonly loadedAtMs: number;
  readonly quality: ListQuality | 'measuring' | 'failed';
}

export interface SanctionsListOptions {
  readonly host: ConfiguredHost;
  readonly refreshSeconds: number;
  /** Where the last good list is kept. */
  readonly path: string;
  /** Where a new one is written first; no two processes share it. */
  readonly nextPath: string;
  readonly clock: Clock;
  /** A list did not come or was refused: the one in use stays. */
  readonly warn: (code: string, detail: string) => void;
  /** The list in use could not be measured. */
  readonly unmeasured: (detail: string) => void;
  /** How many names of each set a list is measured with, where not as many as usual. */
  readonly queries?: number;
}

interface InUse extends LoadedList {
  readonly observedAtMs: number;
  readonly source: 'live' | 'cache';
}

const DOWNLOAD_MS = 180_000;
const MAX_BYTES = 200 * 1024 * 1024;
const MAX_BYTES_AT_ONCE = 64 * 1024;
const FIRST_RETRY_MS = 60_000;
const OLD_LIST_HOURS = 48;

/** The EU list in memory, fetched again in the background. Only a better list takes the place of the one in use. */
export class SanctionsRegister implements AsyncDisposable {
  readonly #options: SanctionsListOptions;
  readonly #stop = new AbortController();
  #inUse: InUse | null = null;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #starting: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  readonly #meter: ListQualityMeter;

  constructor(options: SanctionsListOptions) {
    const { clock, unmeasured, queries } = options;
    this.#options = options;
    this.#meter = new ListQualityMeter({
      clock,
      unmeasured,
      signal: this.#stop.signal,
      ...(queries !== undefined && { queries }),
    });
  }

  /** Takes the list that was kept, then a new one. Never fails: without a list nothing is screened. */
  start(): Promise<void> {
    this.#starting = this.#takeKept().then(() => this.refresh());
    return this.#starting;
  }

  screen(name: string): RegisterOutcome<Screening> {
    if (this.#inUse === null) return unavailable('LIST_NOT_LOADED', 'unavailable', 60);
    const { list, observedAtMs, source } = this.#inUse;
    const { generated, ageHours } = this.#state(this.#inUse);
    const value = {
      candidates: list.screen(name),
      hasUnreadLetters: hasUnreadLetters(name),
      listGenerated: generated,
      listAgeHours: ageHours,
      threshold: SCREEN_THRESHOLD,
      matcherVersion: list.matcherVersion,
    };
    return { kind: 'answered', value, observedAtMs, source, registerCode: null };
  }

  /** Null until there is a list. */
  state(): ListState | null {
    return this.#inUse && this.#state(this.#inUse);
  }

  /** What was measured of the list in use; null until there is a list. */
  quality(): MeasuredList | null {
    if (this.#inUse === null) return null;
    const { observedAtMs: loadedAtMs } = this.#inUse;
    return { list: this.#state(this.#inUse), loadedAtMs, quality: this.#meter.of(this.#inUse) };
  }

  #use(inUse: InUse): void {
    this.#inUse = inUse;
    this.#meter.expect(inUse);
  }

  #state({ list, sha256 }: InUse): ListState {
    const date = list.generationDate ?? '';
    const generatedMs = Date.parse(date);
    return {
      generated: /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0] ?? utcDay(generatedMs),
      ageHours: Math.max(0, Math.floor((this.#options.clock.now() - generatedMs) / HOUR_MS)),
      entities: list.entityCount,
      names: list.nameCount,
      sha256,
    };
  }

  /** Down without a list; degraded while the one in use is old or could not be renewed. */
  health(): RegisterHealth {
    const list = this.state();
    const isHurt = list !== null && (this.#failures > 0 || list.ageHours > OLD_LIST_HOURS);
    return {
      status: list === null ? 'down' : isHurt ? 'degraded' : 'up',
      breaker: 'closed',
      p50Ms: null,
      p95Ms: null,
      success5m: null,
      success60m: null,
      lastSuccessMs: this.#inUse?.observedAtMs ?? null,
      lanes: [],
      list,
    };
  }

  /** Fetches the list now; calls at the same time share one download. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    const next = this.#options.nextPath;
    const fault = await this.#fetch(next).catch(faultOf);
    // What cannot be removed is written over by the next download.
    await rm(next, { force: true }).catch(() => undefined);
    if (this.#stop.signal.aborted) return;
    if (fault !== undefined) this.#options.warn(fault.code, fault.detail);
    this.#failures = fault === undefined ? 0 : this.#failures + 1;
    const usualMs = this.#options.refreshSeconds * 1_000;
    const waitMs = this.#failures === 0 ? usualMs : Math.min(usualMs, FIRST_RETRY_MS * 2 ** (this.#failures - 1));
    this.#timer = setTimeout(() => void this.refresh(), waitMs).unref();
  }

  async #fetch(next: string): Promise<Fault | undefined> {
    const { host, path, clock } = this.#options;
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(DOWNLOAD_MS)]);
    const { status } = await host.download({ signal }, { path: next, maxBytes: MAX_BYTES });
    if (status !== 200) return { code: 'HTTP_ERROR', detail: `status ${status}` };
    const loaded = await this.#read(next);
    const refusal = isRefusal(loaded) ? loaded : refusalToReplace(loaded.list, this.#inUse?.list ?? null, clock.now());
    if (refusal !== undefined) return refusal;
    const observedAtMs = clock.now();
    await utimes(next, observedAtMs / 1_000, observedAtMs / 1_000);
    await rename(next, path);
    this.#use({ ...(loaded as LoadedList), observedAtMs, source: 'live' });
    return undefined;
  }

  /** A small list is read sooner than a thread starts. */
  async #read(path: string): Promise<LoadedList | ListRefusal> {
    const { size } = await stat(path);
    if (size > MAX_BYTES_AT_ONCE) return readInThread(path, this.#stop.signal);
    const bytes = await readFile(path);
    const list = await loadList([bytes]);
    const digest = runningSha256();
    digest.update(bytes);
    return 'ok' in list ? list : { list, sha256: digest.hex() };
  }

  async #takeKept(): Promise<void> {
    const { path, warn, clock } = this.#options;
    try {
      const { mtimeMs } = await stat(path);
      const loaded = await this.#read(path);
      const refusal = isRefusal(loaded) ? loaded : refusalToReplace(loaded.list, null, clock.now());
      if (refusal !== undefined) warn(refusal.code, `the list that was kept: ${refusal.detail}`);
      else this.#use({ ...(loaded as LoadedList), observedAtMs: Math.round(mtimeMs), source: 'cache' });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && !this.#stop.signal.aborted) warn('KEPT_LIST_UNREADABLE', code ?? 'unknown');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#starting;
    await this.#refreshing;
    await this.#meter[Symbol.asyncDispose]();
  }
}

interface Fault {
  readonly code: string;
  readonly detail: string;
}

/** A disk that is full or a host that is silent: told, never thrown. */
function faultOf(error: unknown): Fault {
  if (error instanceof OutboundError) return { code: 'NETWORK', detail: error.message };
  return { code: 'LIST_NOT_STORED', detail: (error as NodeJS.ErrnoException).code ?? 'unknown' };
}

function isRefusal(loaded: LoadedList | ListRefusal): loaded is ListRefusal {
  return 'ok' in loaded;
}

import type { Clock } from '#kernel/clock.ts';
import { asSentence } from '#kernel/sentence.ts';

/** What is known of a part, from memory. */
export interface ComponentState {
  readonly status: 'up' | 'degraded' | 'down' | 'not_configured';
  readonly detail: string | null;
  /** When it was last found so; null where nobody has looked yet. */
  readonly lastCheckMs: number | null;
  readonly latencyMs?: number | null;
}

export interface ComponentRow {
  readonly id: string;
  /** True for a part without which the service is out. */
  readonly required: boolean;
  readonly look: () => ComponentState;
}

export interface HealthComponent extends Required<ComponentState> {
  readonly id: string;
  readonly required: boolean;
  readonly sinceMs: number;
}

/** A part that went down, got worse or better, or came back. */
export interface ComponentChange {
  readonly id: string;
  readonly from: 'up' | 'degraded' | 'down';
  readonly to: 'up' | 'degraded' | 'down';
  readonly detail: string | null;
  /** How long it was what it was before. */
  readonly lastedMs: number;
}

const FRESH_MS = 60_000;

/** A row with what was last seen of it. */
interface Part extends ComponentRow {
  /** What listeners were last told. */
  told: { readonly status: ComponentChange['to']; readonly atMs: number };
  /** As the row gave it, and as it is shown. */
  detail: string | null;
  seen: HealthComponent | undefined;
}

/** The parts of the service. None is called up that was not found so within the last minute. */
export class ComponentBoard {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #parts: readonly Part[];
  readonly #onChange: (change: ComponentChange) => void;

  /** Who listens is told of each change once, however often it is looked at. */
  constructor(
    clock: Pick<Clock, 'now'>,
    rows: readonly ComponentRow[],
    onChange: (change: ComponentChange) => void = () => {},
  ) {
    this.#clock = clock;
    this.#onChange = onChange;
    const told = { status: 'up', atMs: clock.now() } as const;
    this.#parts = rows.map((row) => ({ ...row, told, detail: null, seen: undefined }));
  }

  view(): HealthComponent[] {
    const nowMs = this.#clock.now();
    return this.#parts.map((part) => this.#see(part, nowMs));
  }

  /** One part alone. */
  find(id: string): HealthComponent | undefined {
    const part = this.#parts.find((one) => one.id === id);
    return part && this.#see(part, this.#clock.now());
  }

  /** Every part is looked at every time; what is as it was before is the same object. */
  #see(part: Part, nowMs: number): HealthComponent {
    const { status, lastCheckMs, latencyMs = null, detail } = fresh(part.look(), nowMs);
    const { id, required, seen } = part;
    const isSameDetail = seen !== undefined && part.detail === detail;
    const isSame = isSameDetail && seen.status === status && seen.latencyMs === latencyMs;
    if (isSame && seen.lastCheckMs === lastCheckMs) return seen;
    // A detail as a sentence, also where it is the text of an error; the same one again and again is written once.
    const sentence = isSameDetail ? seen.detail : detail === null ? null : asSentence(detail);
    const sinceMs = seen?.status === status ? seen.sinceMs : nowMs;
    part.detail = detail;
    part.seen = { id, required, status, lastCheckMs, latencyMs, detail: sentence, sinceMs };
    this.#tell(part, part.seen, nowMs);
    return part.seen;
  }

  #tell(part: Part, state: ComponentState, nowMs: number): void {
    const { id, told } = part;
    const { status, detail } = state;
    if (status === 'not_configured' || isUnknown(state) || told.status === status) return;
    part.told = { status, atMs: nowMs };
    this.#onChange({ id, from: told.status, to: status, detail, lastedMs: nowMs - told.atMs });
  }
}

/** Nobody has asked it yet. */
export function isUnknown({ status, lastCheckMs }: Pick<ComponentState, 'status' | 'lastCheckMs'>): boolean {
  return status === 'degraded' && lastCheckMs === null;
}

function fresh(state: ComponentState, nowMs: number): ComponentState {
  const { status, lastCheckMs } = state;
  if (status !== 'up' || (lastCheckMs !== null && nowMs - lastCheckMs <= FRESH_MS)) return state;
  const detail = lastCheckMs === null ? 'Not checked yet.' : 'Not checked in the last minute.';
  return { ...state, status: 'degraded', detail };
}

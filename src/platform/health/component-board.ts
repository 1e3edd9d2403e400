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

/** The parts of the service. None is called up that was not found so within the last minute. */
export class ComponentBoard {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #rows: readonly ComponentRow[];
  readonly #onChange: (change: ComponentChange) => void;
  readonly #since = new Map<string, { readonly status: string; readonly atMs: number }>();
  readonly #sentences = new Map<string, { readonly detail: string; readonly sentence: string }>();
  readonly #told = new Map<string, { readonly status: ComponentChange['to']; readonly atMs: number }>();

  /** Who listens is told of each change once, however often it is looked at. */
  constructor(
    clock: Pick<Clock, 'now'>,
    rows: readonly ComponentRow[],
    onChange: (change: ComponentChange) => void = () => {},
  ) {
    this.#clock = clock;
    this.#rows = rows;
    this.#onChange = onChange;
    for (const { id } of rows) this.#told.set(id, { status: 'up', atMs: clock.now() });
  }

  view(): HealthComponent[] {
    const nowMs = this.#clock.now();
    return this.#rows.map((row) => this.#see(row, nowMs));
  }

  /** One part alone. */
  find(id: string): HealthComponent | undefined {
    const row = this.#rows.find((one) => one.id === id);
    return row && this.#see(row, this.#clock.now());
  }

  #see({ id, required, look }: ComponentRow, nowMs: number): HealthComponent {
    const { status, lastCheckMs, latencyMs = null, detail } = fresh(look(), nowMs);
    const state = { status, lastCheckMs, latencyMs, detail: detail === null ? null : this.#sentence(id, detail) };
    let since = this.#since.get(id);
    if (since?.status !== status) {
      since = { status, atMs: nowMs };
      this.#since.set(id, since);
    }
    this.#tell(id, state, nowMs);
    return { id, required, ...state, sinceMs: since.atMs };
  }

  /** A detail as a sentence, also where it is the text of an error; the same one again and again is written once. */
  #sentence(id: string, detail: string): string {
    const known = this.#sentences.get(id);
    if (known?.detail === detail) return known.sentence;
    const sentence = asSentence(detail);
    this.#sentences.set(id, { detail, sentence });
    return sentence;
  }

  #tell(id: string, state: ComponentState, nowMs: number): void {
    const { status, detail } = state;
    const told = this.#told.get(id);
    if (status === 'not_configured' || isUnknown(state) || told === undefined || told.status === status) return;
    this.#told.set(id, { status, atMs: nowMs });
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

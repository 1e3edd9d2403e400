const BAR = 24;
const REDRAW_MS = 100;
/** A guess from less time than this jumps about. */
const GUESS_AFTER_MS = 2_000;
const CLEAR_LINE = '\r\u001b[2K';

export interface Extent {
  readonly done: number;
  /** Undefined where nobody knows how much there is. */
  readonly total?: number;
  readonly unit: string;
}

interface ProgressOptions {
  /** Undefined: nobody watches. */
  readonly draw: ((text: string) => void) | undefined;
  readonly nowMs: () => number;
}

/** One line that is drawn again and again: what is done, how far it is and how long it takes. */
export class Progress implements Disposable {
  #what: string;
  readonly #options: ProgressOptions;
  readonly #startMs: number;
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(what: string, options: ProgressOptions) {
    this.#what = what;
    this.#options = options;
    this.#startMs = options.nowMs();
  }

  get elapsedMs(): number {
    return this.#options.nowMs() - this.#startMs;
  }

  /** How long it took, as the last line says it. */
  get took(): string {
    return duration(this.elapsedMs);
  }

  /** Whether somebody watches: what progress alone needs is not worth doing otherwise. */
  get isShown(): boolean {
    return this.#options.draw !== undefined;
  }

  /** How far the work is; `what` names another part of it, which is drawn at once. */
  update(extent: Extent, what = this.#what): void {
    if (what !== this.#what) this.#drawnMs = Number.NEGATIVE_INFINITY;
    this.#what = what;
    this.#draw(progressText(what, extent, this.elapsedMs));
  }

  /** Leaves the line empty, so that the next one stands where it stood. */
  end(): void {
    if (this.#drawnMs > Number.NEGATIVE_INFINITY) this.#options.draw?.(CLEAR_LINE);
    this.#drawnMs = Number.NEGATIVE_INFINITY;
  }

  [Symbol.dispose](): void {
    this.end();
  }

  #draw(text: string): void {
    const nowMs = this.#options.nowMs();
    if (this.#options.draw === undefined || nowMs - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = nowMs;
    this.#options.draw(`${CLEAR_LINE}${text}`);
  }
}

export function progressText(what: string, { done, total, unit }: Extent, elapsedMs: number): string {
  if (total === undefined && done === 0) return `${what}, ${duration(elapsedMs)}`;
  const shown = `${count(done)}${total === undefined ? '' : ` of ${count(total)}`} ${unit}`;
  if (total === undefined || total === 0) return `${what}: ${shown}, ${duration(elapsedMs)}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR);
  const bar = '#'.repeat(filled) + '.'.repeat(BAR - filled);
  const isGuess = elapsedMs >= GUESS_AFTER_MS && share > 0 && share < 1;
  const left = isGuess ? `, about ${duration((elapsedMs / share) * (1 - share))} left` : '';
  return `${what} [${bar}] ${Math.floor(share * 100)}%, ${shown}, ${duration(elapsedMs)}${left}`;
}

/** A number with its thousands apart. */
export function count(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

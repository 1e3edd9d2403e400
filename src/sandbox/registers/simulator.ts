import { DAY_MS } from '#kernel/clock.ts';

/** What a simulator register is asked, after its path prefix. */
export interface SimulatorRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  readonly body: string;
  /** Dates of fictional data are told from it, so that they never age. */
  readonly nowMs: number;
  /** Answer about something else than was asked. */
  readonly isMismatched: boolean;
}

export interface SimulatorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** One register as it speaks on the wire. */
export interface Simulator {
  answer(request: SimulatorRequest): SimulatorAnswer;
  /** How it says that its limit is reached. */
  throttle(request: SimulatorRequest): SimulatorAnswer;
}

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): SimulatorAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** A day so many days from now, as YYYY-MM-DD. */
export function dayFrom(nowMs: number, days: number): string {
  return new Date(nowMs + days * DAY_MS).toISOString().slice(0, 10);
}

export function compactDayFrom(nowMs: number, days: number): string {
  return dayFrom(nowMs, days).replaceAll('-', '');
}

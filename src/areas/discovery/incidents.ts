import type { z } from 'zod';
import type { StatusChange } from './status-history.ts';

type Change = z.output<typeof StatusChange>;

/** A time during which a component was not up. */
export interface Incident {
  readonly component: string;
  /** The worst that it was. */
  readonly status: 'degraded' | 'down';
  readonly fromMs: number;
  /** Null while it lasts. */
  readonly toMs: number | null;
  readonly detail: string | null;
}

/** Changes as incidents, newest first. The end of one that began before the first known change is left out. */
export function incidentsOf(history: readonly Change[]): Incident[] {
  const open = new Map<string, Incident>();
  const over: Incident[] = [];
  for (const { component, status, at, detail } of history.toReversed()) {
    const atMs = Date.parse(at);
    const known = open.get(component);
    if (status === 'up' || status === 'not_configured') {
      if (known !== undefined) over.push({ ...known, toMs: atMs });
      open.delete(component);
    } else if (known === undefined) {
      open.set(component, { component, status, fromMs: atMs, toMs: null, detail });
    } else if (status === 'down' && known.status === 'degraded') {
      open.set(component, { ...known, status, detail: detail ?? known.detail });
    }
  }
  return [...over, ...open.values()].toSorted((a, b) => b.fromMs - a.fromMs);
}

import { type Component, isUnknown } from './component-board.ts';

interface Judgement {
  readonly status: 'ok' | 'degraded' | 'down';
  /** The parts that make it so, each with its detail; null where all is well. */
  readonly detail: string | null;
}

/**
 * The one judgement of the whole: health, status, home, readiness and figures all say it. `down`: a part without which
 * the service is out is down. `degraded`: any part is not as it should be, and calls that do not need it go on.
 */
export function healthOf(components: readonly Component[]): Judgement {
  const ill = components.filter((component) => isIll(component));
  const fatal = ill.filter(({ required, status }) => required && status === 'down');
  if (ill.length === 0) return { status: 'ok', detail: null };
  return fatal.length > 0 ? { status: 'down', detail: listed(fatal) } : { status: 'degraded', detail: listed(ill) };
}

/** A part that loads late and that nobody has asked yet is no sign of illness, unless nothing works without it. */
function isIll(component: Component): boolean {
  const { required, status } = component;
  if (required) return status !== 'up';
  return status !== 'up' && status !== 'not_configured' && !isUnknown(component);
}

function listed(components: readonly Component[]): string {
  return components.map(({ id, status, detail }) => `${id}: ${detail ?? status}`).join('; ');
}

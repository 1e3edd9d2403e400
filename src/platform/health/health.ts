import type { Operation } from '#kernel/operation.ts';
import { type HealthComponent, isUnknown } from './component-board.ts';

interface Judgement {
  readonly status: 'ok' | 'degraded' | 'down';
  /** The parts that make it so, each with its detail; null where all is well. */
  readonly detail: string | null;
}

const WELL: Judgement = { status: 'ok', detail: null };

/**
 * The one judgement of the whole: health, status, home, readiness and figures all say it. `down`: a part without which
 * the service is out is down. `degraded`: any part is not as it should be, and calls that do not need it go on.
 */
export function healthOf(components: readonly HealthComponent[]): Judgement {
  const ill = components.filter((component) => isIll(component));
  if (ill.length === 0) return WELL;
  const fatal = ill.filter(({ required, status }) => required && status === 'down');
  return fatal.length > 0 ? { status: 'down', detail: listed(fatal) } : { status: 'degraded', detail: listed(ill) };
}

/** A part that loads late and that nobody has asked yet is no sign of illness, unless nothing works without it. */
function isIll(component: HealthComponent): boolean {
  const { required, status } = component;
  if (required) return status !== 'up';
  return status !== 'up' && status !== 'not_configured' && !isUnknown(component);
}

function listed(components: readonly HealthComponent[]): string {
  return components.map(({ id, status, detail }) => `${id}: ${detail ?? `${status}.`}`).join(' ');
}

/** The calls that every probe lists: wallet, tasks, capabilities and orders, whose health it is, and the manifests. */
const LISTED = [
  'register_agent',
  'topup_wallet',
  'bom_calculate',
  'create_order',
  'health',
  'do',
  'create_task',
  'execute_capability',
  'exit',
  'request_login_link',
  'entry',
  'llms',
  'llms_full',
  'openapi',
  'ai_plugin',
  'onboarding',
  'capabilities_manifest',
  'coordination_manifest',
  'economy_manifest',
  'strategy_pillars',
  'system_status',
];

/** Those of the listed calls that are offered; the full entry has all the others. */
export function healthEndpoints(offered: readonly Operation[]): { method: string; path: string }[] {
  return LISTED.flatMap((id) => offered.filter(({ operationId }) => operationId === id)).map(({ method, path }) => ({
    method: method.toUpperCase(),
    path,
  }));
}

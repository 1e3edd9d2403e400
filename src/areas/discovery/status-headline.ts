import type { z } from 'zod';
import { isUnknown } from '#platform/health/component-board.ts';
import { labelOf } from '#web/labels.ts';
import type { Status } from './status-answer.ts';
import { nameOf } from './status-names.ts';

type Shown = z.output<typeof Status>;
type Judged = Pick<Shown, 'status' | 'components' | 'registers'>;
type Component = Shown['components'][number];

export const HEADLINE_TONES = ['good', 'info', 'warn', 'bad'] as const;

interface Headline {
  readonly text: string;
  readonly tone: (typeof HEADLINE_TONES)[number];
  readonly lead: string;
}

export function isUnchecked({ status, last_check }: Component): boolean {
  return isUnknown({ status, lastCheckMs: last_check === null ? null : Date.parse(last_check) });
}

export function isIll({ status }: { readonly status: string }): boolean {
  return status === 'degraded' || status === 'down';
}

/** The state in a line, for every page that tells of it. */
export function headlineOf({ status, components, registers }: Judged): Headline {
  const unchecked = components.filter(isUnchecked);
  const count = components.filter(({ status: state }) => state !== 'not_configured').length;
  const checked = `${count - unchecked.length} of ${count} components checked.`;
  const ill = components.filter((component) => isIll(component) && !isUnchecked(component));
  if (status === 'outage') {
    const fatal = ill.filter(({ required, status: state }) => required && state === 'down');
    return { text: `Outage: ${troubles(fatal)}`, tone: 'bad', lead: 'Every write needs it.' };
  }
  if (status === 'degraded' && ill.length > 0)
    return { text: `Degraded: ${troubles(ill)}`, tone: 'warn', lead: 'Calls that do not need it still work.' };
  const illRegisters = registers.filter(isIll);
  if (illRegisters.length > 0)
    return {
      text: `Operational, but ${troubles(illRegisters)}`,
      tone: 'warn',
      lead: 'Calls that do not need this register still work.',
    };
  if (unchecked.length > 0)
    return {
      text: 'No problems known so far',
      tone: 'info',
      lead: `${checked} Not checked yet: ${listed(unchecked)}.`,
    };
  return { text: 'All systems operational', tone: 'good', lead: checked };
}

function troubles(parts: readonly { readonly id: string; readonly status: string }[]): string {
  const [first] = parts;
  if (first === undefined) return 'cause not known';
  const others = parts.length - 1;
  const what = `${nameOf(first.id)} is ${labelOf(first.status).toLowerCase()}`;
  return others === 0 ? what : `${what}, and ${others} more`;
}

function listed(parts: readonly { readonly id: string }[]): string {
  return parts.map(({ id }) => nameOf(id)).join(', ');
}

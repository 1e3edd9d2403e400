import type { Html } from '#kernel/html.ts';
import { asPhrase } from '#web/labels.ts';
import { shortId } from '#web/short-id.ts';

interface Names {
  /** One entry of the ledger. */
  readonly one: string;
  /** All of them together. */
  readonly many: string;
  /** What happened. */
  readonly event: string;
}

const KINDS: Readonly<Record<string, Names>> = {
  bom: { one: 'Bill of materials', many: 'Bills of materials', event: 'Bill of materials priced' },
  capability: { one: 'Capability', many: 'Capabilities', event: 'Capability run' },
  dispute: { one: 'Card dispute', many: 'Card disputes', event: 'Card payment disputed' },
  dispute_reinstated: { one: 'Dispute won', many: 'Disputes won', event: 'Dispute won' },
  order_fee: { one: 'Order fee', many: 'Order fees', event: 'Order confirmed' },
  order_fee_reversed: { one: 'Order fee returned', many: 'Order fees returned', event: 'Order fee returned' },
  refund: { one: 'Refund', many: 'Refunds', event: 'Refunded to the card' },
  refund_failed: { one: 'Failed refund', many: 'Failed refunds', event: 'Refund failed' },
  task: { one: 'Task', many: 'Tasks', event: 'Task completed' },
  topup: { one: 'Top-up', many: 'Top-ups', event: 'Top-up credited' },
};

function namesOf(kind: string): Names {
  const phrase = asPhrase(kind);
  return (Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined) ?? { one: phrase, many: phrase, event: phrase };
}

/** `text.redact` as `Text: redact`. */
function capabilityName(capability: string): string {
  const [family = '', ...rest] = capability.split('.');
  return rest.length === 0 ? asPhrase(family) : `${asPhrase(family)}: ${rest.join(' ').replaceAll('_', ' ')}`;
}

export const entryName = (kind: string, capability: string | null = null) =>
  capability === null ? namesOf(kind).one : capabilityName(capability);

export const eventName = (kind: string, capability: string | null) =>
  capability === null ? namesOf(kind).event : capabilityName(capability);

/** A group of charges: a kind, or a capability, whose name has a dot. */
export const groupName = (what: string) => (what.includes('.') ? capabilityName(what) : namesOf(what).many);

const PLACES: readonly (readonly [prefix: string, place: (id: string) => string])[] = [
  ['ord_', (id) => `/dashboard/orders?order_id=${id}`],
  ['tsk_', (id) => `/dashboard/tasks?task_id=${id}`],
  ['tu_', (id) => `/wallet/topups/${id}`],
  // A payment of the card processor.
  ['cs_', () => '/dashboard/topup'],
];

/** What an entry is about: a link to its page where it has one, else to the calls of that moment. */
export function reference(ref: string, { agentId, at }: { readonly agentId: string; readonly at: string }): Html {
  const place = PLACES.find(([prefix]) => ref.startsWith(prefix))?.[1](ref);
  return shortId(ref, place ?? callsUpTo(agentId, at));
}

const SOON_MS = 2_000;

function callsUpTo(agentId: string, at: string): string {
  return `/dashboard/calls?agent_id=${agentId}&before=${new Date(Date.parse(at) + SOON_MS).toISOString()}`;
}

/** An address of the dashboard; what is empty is left out. */
export function placeOf(path: string, query: Readonly<Record<string, string | number | null | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

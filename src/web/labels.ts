// What people read for a value of the wire, and the colour that it has everywhere.

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

interface Label {
  readonly label: string;
  readonly tone: Tone;
}

const of = (tone: Tone, labels: Readonly<Record<string, string>>): [string, Label][] =>
  Object.entries(labels).map(([value, label]) => [value, { label, tone }]);

const LABELS: ReadonlyMap<string, Label> = new Map([
  ...of('good', {
    accepted: 'Accepted',
    ACCEPTED: 'Accepted',
    active: 'Active',
    answered: 'Answered',
    closed: 'Closed',
    completed: 'Completed',
    confirmed: 'Confirmed',
    credited: 'Credited',
    delivered: 'Delivered',
    done: 'Done',
    fresh: 'Fresh',
    green: 'Green',
    live: 'Live',
    GREEN: 'Free',
    intact: 'Intact',
    ok: 'OK',
    operational: 'Operational',
    paid: 'Paid',
    up: 'Up',
    valid: 'Valid',
    verified: 'Verified',
  }),
  ...of('info', {
    created: 'Created',
    in_progress: 'In progress',
    pending: 'Pending',
    placed: 'Placed',
    processing: 'Processing',
    queued: 'Queued',
    quoted: 'Quoted',
    running: 'Running',
    shipped: 'Shipped',
    working: 'Working',
  }),
  ...of('warn', {
    amber: 'Amber',
    AMBER: 'Check first',
    degraded: 'Degraded',
    disputed: 'Disputed',
    half_open: 'Half open',
    input_required: 'Needs input',
    payment_required: 'Needs payment',
    review: 'In review',
    stale: 'Stale',
    suspended: 'Suspended',
    unsigned: 'Unsigned',
  }),
  ...of('bad', {
    broken: 'Broken',
    down: 'Down',
    failed: 'Failed',
    outage: 'Outage',
    red: 'Red',
    RED: 'In use',
    refused: 'Refused',
    rejected: 'Rejected',
    REJECTED: 'Rejected',
  }),
  ...of('neutral', {
    canceled: 'Cancelled',
    cancelled: 'Cancelled',
    expired: 'Expired',
    not_configured: 'Not configured',
    refunded: 'Refunded',
    returned: 'Returned',
    revoked: 'Revoked',
    unknown: 'Unknown',
  }),
]);

/** The words for a value; one that has none is written as a phrase. */
export function labelOf(value: string): string {
  return LABELS.get(value)?.label ?? asPhrase(value);
}

export function toneOf(value: string): Tone {
  return LABELS.get(value)?.tone ?? 'neutral';
}

/** `input_required` as `Input required`. */
export function asPhrase(name: string): string {
  const words = name.replaceAll(/[_.-]+/g, ' ').trim();
  return words === '' ? name : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

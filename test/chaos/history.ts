// Replays the events of a database against a naive model of leases, and compares them with what clients were told.

/** One row of table `event`. The body is the JSON text of an EventBody. */
export interface EventRow {
  readonly rev: number;
  readonly key: string;
  readonly type: string;
  readonly at: number;
  readonly body: string;
}

/** All events since revision 1, in the order of their revisions, and the head row read with them. */
export interface History {
  readonly events: readonly EventRow[];
  readonly head: { readonly rev: number; readonly at: number };
}

/** A 200 that a client received. What the answer of a release leaves out is what the client knew of its lease. */
export interface Acknowledged {
  readonly call: 'claim' | 'refresh' | 'release';
  /** The answer said `repeated` or `again`: it names the event of an earlier call. */
  readonly repeats: boolean;
  /** The client-made secret of the request. */
  readonly token: string;
  readonly rev: number;
  readonly key: string;
  readonly agent: string;
  readonly mode: string;
  readonly lease: string;
  readonly fence: number;
  readonly at: number;
  readonly expiresAt: number;
  /** What a claim asked for. */
  readonly slots?: number;
  /** What a release was told of its log entries, and said. */
  readonly logged?: { readonly log: number; readonly markLog: number | null; readonly outcome: string | null };
}

/** A claim that a client was told to be not stored, on a key that nobody else ever claims. */
export interface Denied {
  readonly key: string;
  readonly agent: string;
}

export interface Findings {
  /** Acknowledged answers that the events do not hold as they were given. */
  readonly lost: readonly string[];
  /** Effects that happened more than once. */
  readonly duplicated: readonly string[];
  /** Broken promises of the leases and of their numbering. */
  readonly violations: readonly string[];
}

interface EventBody {
  readonly id: string;
  readonly agent: string;
  readonly mode: string;
  readonly fence: number;
  readonly expires_at: number;
}

type Event = Omit<EventRow, 'body'> & EventBody;

const CLEARANCE_MS = 15_000;

export function checkHistory(
  history: History,
  acknowledged: readonly Acknowledged[],
  denied: readonly Denied[] = [],
): string[] {
  const { lost, duplicated, violations } = inspectHistory(history, acknowledged, denied);
  return [...lost, ...duplicated, ...violations];
}

/** The same as `checkHistory`, with the sentences sorted by what they say. Pure. */
export function inspectHistory(
  history: History,
  acknowledged: readonly Acknowledged[],
  denied: readonly Denied[] = [],
): Findings {
  const violations = checkNumbers(history);
  const events: Event[] = [];
  for (const { body, ...row } of history.events) {
    const parsed = parseBody(row.type, body);
    if (parsed === undefined) violations.push(`rev ${row.rev} has no readable body`);
    else events.push({ ...row, ...parsed });
  }
  const model = new Model(events);
  return {
    lost: checkAcknowledged(events, acknowledged),
    duplicated: [...model.duplicated, ...checkDoubles(acknowledged), ...checkDenied(events, denied)],
    violations: [...violations, ...model.violations],
  };
}

function checkNumbers({ events, head }: History): string[] {
  const found: string[] = [];
  let before = { rev: 0, at: 0 };
  for (const event of events) {
    if (event.rev !== before.rev + 1) found.push(`rev ${event.rev} follows rev ${before.rev}`);
    if (event.at < before.at) found.push(`time goes back at rev ${event.rev}: ${event.at} after ${before.at}`);
    before = event;
  }
  if (head.rev !== before.rev) found.push(`the newest event is rev ${before.rev}, the head says ${head.rev}`);
  // The head is also dated by entries of the log, which are not all events.
  if (head.at < before.at) found.push(`the newest event is of ${before.at}, the head says ${head.at}`);
  return found;
}

function parseBody(type: string, text: string): EventBody | undefined {
  try {
    const body = JSON.parse(text) as EventBody;
    // A mark is about no lease.
    if (type === 'mark') return { ...body, mode: '', fence: 0, expires_at: 0 };
    return Number.isSafeInteger(body.fence) && Number.isSafeInteger(body.expires_at) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** What holds after each event, kept as simply as can be: the leases of each key that have not left. */
class Model {
  readonly violations: string[] = [];
  readonly duplicated: string[] = [];
  readonly #leases = new Map<string, Map<number, Event>>();
  readonly #commandIds = new Set<string>();
  #newestFence = 0;

  constructor(events: readonly Event[]) {
    events.forEach((event, index) => {
      this.#apply(event, events, index);
      this.#checkHolders(event);
    });
  }

  #apply(event: Event, events: readonly Event[], index: number): void {
    const leases = this.#leasesOf(event.key);
    switch (event.type) {
      case 'claim':
        this.#checkGrant(event, leases);
        leases.set(event.fence, event);
        break;
      case 'refresh':
        this.#checkRefresh(event, this.#held(event, leases));
        leases.set(event.fence, event);
        break;
      case 'release': {
        const lease = this.#held(event, leases);
        if (lease !== undefined && isOver(lease, event)) this.#violation(event, 'ends a lease that had expired');
        leases.delete(event.fence);
        break;
      }
      case 'expire':
        this.#checkExpiry(event, this.#held(event, leases), events.slice(index + 1, index + 64));
        leases.delete(event.fence);
        break;
      case 'mark':
        break;
      default:
        this.#violation(event, 'is of no known type');
    }
    // One sweep may end many leases, and a claim ends the lapsed ones before it.
    if (event.type !== 'expire' && event.type !== 'mark') this.#checkCommandId(event);
  }

  #checkGrant(event: Event, leases: ReadonlyMap<number, Event>): void {
    if (event.fence !== event.rev) this.#violation(event, `grants fence ${event.fence} instead of its revision`);
    if (event.fence <= this.#newestFence) {
      this.#violation(event, `grants fence ${event.fence} after fence ${this.#newestFence}`);
    }
    this.#newestFence = Math.max(this.#newestFence, event.fence);
    for (const lease of leases.values()) {
      if (isOver(lease, event)) this.#violation(event, `grants while the expired fence ${lease.fence} has not left`);
    }
  }

  #checkRefresh(event: Event, lease: Event | undefined): void {
    if (lease === undefined) return;
    if (isOver(lease, event)) this.#violation(event, `refreshes at ${event.at} what expired at ${lease.expires_at}`);
    if (event.expires_at < lease.expires_at) this.#violation(event, 'makes a lease shorter');
  }

  /** In its clearance a solitary lease leaves only for a claim of its own holder, made by the same command. */
  #checkExpiry(event: Event, lease: Event | undefined, following: readonly Event[]): void {
    if (lease === undefined) return;
    if (!isOver(lease, event)) return this.#violation(event, `expires what is held until ${lease.expires_at}`);
    if (lease.mode === 'shared' || event.at >= lease.expires_at + CLEARANCE_MS) return;
    const claim = following.find((next) => next.id === event.id && next.type === 'claim');
    if (claim?.agent !== lease.agent || claim.key !== lease.key) this.#violation(event, 'cuts a clearance short');
  }

  /** The lease that an event is about. Fence, holder and mode of a lease never change. */
  #held(event: Event, leases: ReadonlyMap<number, Event>): Event | undefined {
    const lease = leases.get(event.fence);
    if (lease === undefined) this.#violation(event, `is about fence ${event.fence}, which is not held`);
    else if (lease.agent !== event.agent || lease.mode !== event.mode) {
      this.#violation(event, `changes holder or mode of fence ${event.fence}`);
    }
    return lease;
  }

  #checkHolders({ key, rev, at }: Event): void {
    const live = [...this.#leasesOf(key).values()].filter((lease) => lease.expires_at > at);
    const alone = live.find((lease) => lease.mode !== 'shared');
    if (alone !== undefined && live.length > 1) {
      this.violations.push(`at rev ${rev} ${live.length} leases on ${key} are held, one of them ${alone.mode}`);
    }
    if (new Set(live.map((lease) => lease.agent)).size < live.length) {
      this.duplicated.push(`at rev ${rev} one agent holds ${key} twice`);
    }
  }

  #checkCommandId({ id, rev }: Event): void {
    if (this.#commandIds.has(id)) this.duplicated.push(`rev ${rev} repeats the command ${id}`);
    this.#commandIds.add(id);
  }

  #leasesOf(key: string): Map<number, Event> {
    let leases = this.#leases.get(key);
    if (leases === undefined) this.#leases.set(key, (leases = new Map()));
    return leases;
  }

  #violation({ rev, type, key }: Event, what: string): void {
    this.violations.push(`rev ${rev}, ${type} of ${key}, ${what}`);
  }
}

function isOver(lease: Event, event: Event): boolean {
  return event.at >= lease.expires_at;
}

/** Every answer is in the events at its revision with the content that the client was given. */
function checkAcknowledged(events: readonly Event[], acknowledged: readonly Acknowledged[]): string[] {
  const byRev = new Map(events.map((event) => [event.rev, event]));
  const expiriesOf = new Map<number, Set<number>>();
  for (const { type, fence, expires_at } of events) {
    if (type === 'claim') expiriesOf.set(fence, new Set([expires_at]));
    else expiriesOf.get(fence)?.add(expires_at);
  }
  const found: string[] = [];
  for (const answer of acknowledged) {
    const event = byRev.get(answer.rev);
    const name = `the ${answer.call} of ${answer.key} by ${answer.agent} that was answered with rev ${answer.rev}`;
    if (event === undefined) found.push(`${name} is not in the events`);
    else {
      const differing = differences(answer, event, expiriesOf.get(answer.fence));
      if (differing.length > 0) found.push(`${name} differs from its event in ${differing.join(', ')}`);
    }
  }
  return found;
}

function differences(answer: Acknowledged, event: Event, expiries: ReadonlySet<number> | undefined): string[] {
  const differing = (['key', 'agent', 'mode', 'fence'] as const).filter((name) => answer[name] !== event[name]);
  const found: string[] = [...differing];
  if (event.type !== answer.call) found.push('type');
  if (!answer.repeats && event.at !== answer.at) found.push('at');
  // A repeated claim tells the present expiry, which a refresh has set; a client may not know it when it releases.
  if (answer.call === 'release') return found;
  const isStated = answer.repeats ? expiries?.has(answer.expiresAt) : event.expires_at === answer.expiresAt;
  return isStated ? found : [...found, 'expires_at'];
}

/** Each event answers one call, and each lease id stands for one grant. */
function checkDoubles(acknowledged: readonly Acknowledged[]): string[] {
  const found: string[] = [];
  const answered = new Set<number>();
  const fenceOf = new Map<string, number>();
  const leaseOf = new Map<number, string>();
  for (const { rev, lease, fence, repeats } of acknowledged) {
    if (!repeats && answered.has(rev)) found.push(`rev ${rev} was given to two calls`);
    if (!repeats) answered.add(rev);
    if ((fenceOf.get(lease) ?? fence) !== fence) found.push(`lease ${lease} was shown with two fences`);
    if ((leaseOf.get(fence) ?? lease) !== lease) found.push(`fence ${fence} was shown with two leases`);
    fenceOf.set(lease, fence);
    leaseOf.set(fence, lease);
  }
  return found;
}

function checkDenied(events: readonly Event[], denied: readonly Denied[]): string[] {
  const claimed = new Set(events.filter(({ type }) => type === 'claim').map(({ key, agent }) => `${key} by ${agent}`));
  const names = denied.map(({ key, agent }) => `${key} by ${agent}`);
  return names.filter((name) => claimed.has(name)).map((name) => `the claim of ${name} was denied and yet stored`);
}

/** A place in the line for a key, kept while its owner asks again in time. */
export interface Ticket {
  readonly agent: string;
  /** What the owner shows beside its name: the hash of its token, else the tag of its address. */
  readonly proof: string;
  readonly place: number;
  readonly keepUntilMs: number;
}

/** The line for one key, in the order of its places. */
export interface Queue {
  readonly tickets: readonly Ticket[];
  /** When the first ticket's time to claim began; null while the key is held. */
  readonly freeAtMs: number | null;
}

type Owner = Pick<Ticket, 'agent' | 'proof'>;

/** How long only the first in the line may claim the key. */
const TURN_MS = 10_000;
export const NO_QUEUE: Queue = { tickets: [], freeAtMs: null };

/**
 * The line as it stands now. Who has not asked again in time, or let its turn pass, is out of it; each turn begins where
 * the one before it ended, so that no timer is needed.
 * @param freeSinceMs when the key became free; null while it is held or in clearance
 */
export function settled(queue: Queue, freeSinceMs: number | null, nowMs: number): Queue {
  if (freeSinceMs === null) {
    return sameOr(queue, { tickets: queue.tickets.filter(({ keepUntilMs }) => keepUntilMs > nowMs), freeAtMs: null });
  }
  let turnAtMs = Math.max(freeSinceMs, queue.freeAtMs ?? freeSinceMs);
  const tickets = [...queue.tickets];
  for (let first = tickets[0]; first !== undefined; first = tickets[0]) {
    const wasThere = first.keepUntilMs > turnAtMs;
    if (wasThere && nowMs < turnAtMs + TURN_MS) break;
    if (wasThere) turnAtMs += TURN_MS;
    tickets.shift();
  }
  return sameOr(queue, { tickets, freeAtMs: tickets.length === 0 ? null : turnAtMs });
}

/** How long a caller must wait for those before it; 0 when it is its turn, or when nobody waits. */
export function waitForTurnsMs({ tickets, freeAtMs }: Queue, caller: Owner, nowMs: number): number {
  if (freeAtMs === null || tickets.length === 0) return 0;
  const own = tickets.findIndex((ticket) => isOf(ticket, caller));
  const turnsBefore = own === -1 ? tickets.length : own;
  return turnsBefore === 0 ? 0 : freeAtMs + turnsBefore * TURN_MS - nowMs;
}

/** Takes a place at the end of the line, or keeps the one that the caller has. */
export function queued(
  queue: Queue,
  caller: Owner,
  keepUntilMs: number,
): { readonly queue: Queue; readonly position: number } {
  const known = queue.tickets.findIndex((ticket) => isOf(ticket, caller));
  const last = queue.tickets.at(-1);
  const ticket = { ...caller, place: queue.tickets[known]?.place ?? (last?.place ?? 0) + 1, keepUntilMs };
  const tickets = known === -1 ? [...queue.tickets, ticket] : queue.tickets.with(known, ticket);
  return { queue: { ...queue, tickets }, position: tickets.indexOf(ticket) + 1 };
}

/** True when not even a turn that began while the ticket was kept can last until now. */
export function isForfeit({ keepUntilMs }: Ticket, nowMs: number): boolean {
  return keepUntilMs + TURN_MS <= nowMs;
}

/** The line after the caller got the key. */
export function served({ tickets }: Queue, caller: Owner): Queue {
  return { tickets: tickets.filter((ticket) => !isOf(ticket, caller)), freeAtMs: null };
}

function isOf(ticket: Ticket, { agent, proof }: Owner): boolean {
  return ticket.agent === agent && ticket.proof === proof;
}

/** The line itself where nothing changed, so that nothing is written. */
function sameOr(queue: Queue, now: Queue): Queue {
  return now.tickets.length === queue.tickets.length && now.freeAtMs === queue.freeAtMs ? queue : now;
}

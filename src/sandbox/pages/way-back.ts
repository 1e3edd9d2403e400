/** What happens to a payment that was made; anything else ends the visit, and the card holder goes back to the shop. */
const LATER: readonly string[] = ['refund', 'dispute', 'dispute_won', 'dispute_lost'];

interface Visit {
  readonly session_id: string;
  readonly return_url: string;
}

/** Where a browser goes after an action. */
export function pathAfter(action: string, { session_id, return_url }: Visit): string {
  return LATER.includes(action) ? `/sandbox/checkout/${session_id}` : pathOf(return_url);
}

/** The way back is on this site, whatever name the browser reached it by. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

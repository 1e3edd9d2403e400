/** How the simulator behaves when it is asked to settle. */
export const FACILITATOR_MODES = [
  /** Settles and says so. */
  'clean',
  /** Settles and never answers. */
  'accept_then_timeout',
  /** Settles and answers 500. */
  '5xx_after_settle',
  /** Says that it is pending, settled or not, and says so again when asked again. */
  'double_402',
  /** Sends nothing and says that it is pending, refuses it when asked again, and settles the third time. */
  'pending_then_refused',
  /** Settles, and answers late. */
  'slow_answer',
  /** Settles, answers 502, and cannot be asked afterwards. */
  'reconcile_unavailable',
  /** Sends nothing and says so with a reason that speaks of the payment. */
  'declared_safe',
  /** Sends the caller elsewhere. */
  'redirect',
  /** Sends nothing and says so, with status 200. */
  'success_false_with_200',
  /** Sends nothing and claims that it did. */
  'lying_success',
  /** Settles and answers what is no JSON. */
  'bad_json',
  /** Settles and hangs up. */
  'dropped_connection',
] as const;
export type FacilitatorMode = (typeof FACILITATOR_MODES)[number];

const KNOWN: ReadonlySet<string> = new Set(FACILITATOR_MODES);

export function isFacilitatorMode(text: string): text is FacilitatorMode {
  return KNOWN.has(text);
}

/** Everything that can be wrong with a token or a mandate of AP2. */
export type Ap2Fault =
  | 'ap2_malformed'
  | 'ap2_vct'
  | 'ap2_constraint_unknown'
  | 'ap2_budget_unit'
  | 'ap2_frequency'
  | 'ap2_undisclosed'
  | 'ap2_reference'
  | 'ap2_no_expiry'
  | 'ap2_expired';

/** `message` names the place, never the content: it may be shown to anybody. */
export class Ap2Error extends Error {
  override readonly name = 'Ap2Error';
  readonly code: Ap2Fault;
  /** The member that has it, where it is not the one that was read first. */
  readonly field: string | undefined;

  constructor(code: Ap2Fault, detail: string, field?: string) {
    super(detail);
    this.code = code;
    this.field = field;
  }
}

export function malformed(detail: string): Ap2Error {
  return new Ap2Error('ap2_malformed', detail);
}

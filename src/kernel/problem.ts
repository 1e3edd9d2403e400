/** A kind of refusal or fault that callers can meet: one row per code, beside the operations that declare it. */
export interface ProblemType {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  /** What happened and what to do, for the page of the code. */
  readonly help: string;
  /** Where a person goes on. */
  readonly next?: { readonly href: string; readonly label: string };
}

/** One bad input field. The pointer is a JSON pointer into the query or the body alike. */
export interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface RefusalDetails {
  readonly detail: string;
  readonly retryAfterSeconds?: number;
  readonly errors?: readonly FieldError[];
  /** Further members of the problem document, in wire names. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The same object of members comes with many refusals, unchanged: whoever writes them may keep their text. */
  readonly membersRecur?: boolean;
}

/** An expected "no": a value that handlers return and that transport writes as a problem document. */
export class Refusal {
  readonly type: ProblemType;
  readonly details: RefusalDetails;

  constructor(type: ProblemType, details: RefusalDetails) {
    this.type = type;
    this.details = details;
  }
}

/** The same refusal with further members in its document. */
export function withMembers({ type, details }: Refusal, members: Readonly<Record<string, unknown>>): Refusal {
  return new Refusal(type, { ...details, members: { ...details.members, ...members }, membersRecur: false });
}

/** A fault that must end as a problem document. `detail` may be read by anybody, `cause` goes to the log only. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly refusal: Refusal;

  constructor(type: ProblemType, details: RefusalDetails, options?: { cause?: unknown }) {
    super(details.detail, options);
    this.refusal = new Refusal(type, details);
  }
}

export function defineProblem<const P extends ProblemType>(problem: P): P {
  return problem;
}

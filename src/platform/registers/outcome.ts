/** Why a register gave no answer: out of order, at a limit, our input, or our credentials and addresses. */
export type UnavailableClass = 'unavailable' | 'throttled' | 'invalid_input' | 'config';

export interface Unavailable {
  readonly kind: 'unavailable';
  /** The register's own code, or one of the client's such as TIMEOUT. */
  readonly code: string;
  readonly class: UnavailableClass;
  readonly retryAfterSeconds: number;
}

interface Observed {
  readonly observedAtMs: number;
  /** `cache` is an answer of the register that is still fresh, with the time of its observation. */
  readonly source: 'live' | 'cache';
  readonly registerCode: string | null;
}

export interface RegisterAnswer<T> extends Observed {
  readonly kind: 'answered';
  readonly value: T;
}

/** The register itself says that it has nothing. */
export interface NotFound extends Observed {
  readonly kind: 'not_found';
}

export type RegisterOutcome<T> = RegisterAnswer<T> | NotFound | Unavailable;

/** What one attempt finds out; time and source are added by the client around it. */
export type Finding<T> =
  | { readonly kind: 'answered'; readonly value: T; readonly registerCode?: string }
  | { readonly kind: 'not_found'; readonly registerCode?: string };

export function unavailable(
  code: string,
  failure: UnavailableClass = 'unavailable',
  retryAfterSeconds = 5,
): Unavailable {
  return { kind: 'unavailable', code, class: failure, retryAfterSeconds };
}

interface FaultTraits {
  /** Another attempt at once cannot help. */
  readonly final?: boolean;
  /** The register answered in good order, so that it says nothing about its health. */
  readonly harmless?: boolean;
  /** We kept it back ourselves: the register has not seen it. */
  readonly unsent?: boolean;
  /** How long the register asks to be left alone. */
  readonly serverWaitMs?: number;
}

/** Ends an attempt without an answer. It never leaves this module: callers get the outcome that it holds. */
export class RegisterError extends Error {
  override readonly name = 'RegisterError';
  readonly outcome: Unavailable;
  readonly isFinal: boolean;
  /** Says that the register or the way to it is ill; refused input and data at odds do not. */
  readonly isIllness: boolean;
  readonly isUnsent: boolean;
  readonly serverWaitMs: number;

  constructor(
    outcome: Unavailable,
    { final = false, harmless = false, unsent = false, serverWaitMs = 0 }: FaultTraits = {},
  ) {
    super(outcome.code);
    const isOurs = outcome.class === 'invalid_input' || outcome.class === 'config';
    this.outcome = outcome;
    this.serverWaitMs = serverWaitMs;
    this.isFinal = final || unsent || isOurs;
    this.isIllness = !harmless && !unsent && !isOurs;
    this.isUnsent = unsent;
  }
}

export function registerFailure(
  code: string,
  failure: UnavailableClass = 'unavailable',
  retryAfterSeconds = 5,
): RegisterError {
  return new RegisterError(unavailable(code, failure, retryAfterSeconds));
}

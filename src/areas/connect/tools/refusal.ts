/** What a tool gives instead of a result: a value, so that a model can act on it. */
export type Refused = {
  /** The code of the problem, or why no answer came. */
  readonly refused: string;
  readonly detail: string;
  /** When to try again; absent where waiting does not help. */
  readonly wait_s?: number;
  /** Every wrong field. */
  readonly errors?: readonly { readonly field: string; readonly detail: string }[];
};

/** The members of a problem that a model is told. */
export interface ProblemMembers {
  readonly code: string;
  readonly detail: string;
  readonly wait_s?: unknown;
  readonly retry_after_s?: unknown;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[] | undefined;
}

/** What the service says to programs that keep a token. */
const FOR_MODELS: Readonly<Record<string, string>> = {
  already_yours:
    'Another run under your agent name holds this work key. Wait until its lease ends, or take other work.',
};

export function problemRefusal({ code, detail, errors, wait_s, retry_after_s }: ProblemMembers): Refused {
  const wait = wait_s ?? retry_after_s;
  return {
    refused: code,
    detail: FOR_MODELS[code] ?? detail,
    ...(typeof wait === 'number' && wait > 0 && { wait_s: wait }),
    ...(errors !== undefined && { errors: errors.map((one) => ({ field: fieldAt(one.pointer), detail: one.detail })) }),
  };
}

export function badInput(errors: NonNullable<Refused['errors']>): Refused {
  const detail = errors.length === 1 ? 'One field is wrong.' : `${errors.length} fields are wrong.`;
  return { refused: 'invalid_parameters', detail, errors };
}

export function isRefused(result: object): result is Refused {
  return 'refused' in result;
}

function fieldAt(pointer: string): string {
  return pointer.replace(/^#\//, '');
}

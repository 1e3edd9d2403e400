import type { Outcome, Problem } from '../../../client/index.ts';

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

/** The texts of lost connections are left out: some name a header with its value. */
const NO_ANSWER = 'Avouch did not answer. It is not known whether the call was done.';

/** What the service says to programs that keep a token. */
const FOR_MODELS: Readonly<Record<string, string>> = {
  already_yours:
    'Another run under your agent name holds this work key. Wait until its lease ends, or take other work.',
};

export function refusalOf({ problem, unreachable }: Exclude<Outcome, { readonly ok: true }>): Refused {
  return problem === undefined ? noAnswer(unreachable.reason) : problemRefusal(problem);
}

export function noAnswer(reason: string): Refused {
  return { refused: reason, detail: NO_ANSWER };
}

export function problemRefusal(problem: Problem): Refused {
  const { code, detail, errors } = problem;
  const wait = problem['wait_s'] ?? problem.retry_after_s;
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

function fieldAt(pointer: string): string {
  return pointer.replace(/^#\//, '');
}

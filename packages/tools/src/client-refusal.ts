import type { Outcome } from '../../../client/index.ts';
import { problemRefusal, type Refused } from '../../../src/areas/connect/tools/refusal.ts';

/** The texts of lost connections are left out: some name a header with its value. */
const NO_ANSWER = 'Avouch did not answer. It is not known whether the call was done.';

export function refusalOf({ problem, unreachable }: Exclude<Outcome, { readonly ok: true }>): Refused {
  return problem === undefined ? noAnswer(unreachable.reason) : problemRefusal(problem);
}

export function noAnswer(reason: string): Refused {
  return { refused: reason, detail: NO_ANSWER };
}

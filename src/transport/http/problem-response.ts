import { ProblemError, type ProblemType, type Refusal, Refusal as RefusalValue } from '#kernel/problem.ts';
import { internal } from '#kernel/general-problems.ts';

type ProblemDocument = Readonly<Record<string, unknown>> & { readonly title: string; readonly code: string };

/** The body of every refusal and fault: RFC 9457, one form for all paths. */
export function problemDocument(refusal: Refusal, baseUrl: string, instance: string): ProblemDocument {
  const { type, details } = refusal;
  return {
    type: `${baseUrl}/problems/${type.code}`,
    title: type.title,
    status: type.status,
    detail: details.detail,
    instance,
    code: type.code,
    ...(details.errors !== undefined && { errors: details.errors }),
    ...(details.retryAfterSeconds !== undefined && { retry_after_s: details.retryAfterSeconds }),
    ...details.members,
  };
}

/** What a caller is told of an exception; unknown ones say nothing but that we failed. */
export function refusalOfError(error: unknown, explain: (error: unknown) => Refusal | undefined): Refusal {
  if (error instanceof ProblemError) return error.refusal;
  return explain(error) ?? simple(internal, 'An internal error. The request id identifies it in our log.');
}

export function simple(type: ProblemType, detail: string): Refusal {
  return new RefusalValue(type, { detail });
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

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

/** What members that recur end a document with; empty where they are no end, since one of them stands elsewhere in it. */
const keptEnds = new WeakMap<object, string>();

/** The document as JSON.stringify writes it. */
export function problemText(refusal: Refusal, baseUrl: string, instance: string): string {
  const { type, details } = refusal;
  const { members, membersRecur = false, ...others } = details;
  const known = members && keptEnds.get(members);
  if (known) {
    const before = JSON.stringify(problemDocument(new RefusalValue(type, others), baseUrl, instance));
    return `${before.slice(0, -1)}${known}`;
  }
  const text = JSON.stringify(problemDocument(refusal, baseUrl, instance));
  if (members !== undefined && membersRecur && known === undefined) {
    const end = `,${JSON.stringify(members).slice(1)}`;
    keptEnds.set(members, text.endsWith(end) ? end : '');
  }
  return text;
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

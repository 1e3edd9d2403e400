import type { PaidTrace } from '#kernel/paid-operation.ts';
import type { Refusal } from '#kernel/problem.ts';

/** What tools/call answers. */
export interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta?: Record<string, unknown>;
}

/** A result and, of an error, its code for the trail. */
export interface ToolOutcome {
  readonly result: ToolResult;
  readonly code: string | null;
  readonly refusal?: Refusal;
  readonly paid?: PaidTrace | undefined;
}

/** One object, and the same as text for clients that read only that. */
export function toolAnswer(answer: object): ToolOutcome {
  const result = { content: [textContent(answer)], structuredContent: answer as Record<string, unknown> };
  return { result, code: null };
}

/** Without structured content: older clients hold that against the output schema, also where a call failed. */
export function toolError(refusal: Refusal, meta: Pick<ToolResult, '_meta'> = {}): ToolOutcome {
  const { type, details } = refusal;
  const { detail, errors, retryAfterSeconds, members } = details;
  const error = {
    code: type.code,
    title: type.title,
    detail,
    ...(errors !== undefined && { errors }),
    ...(retryAfterSeconds !== undefined && { retry_after_s: retryAfterSeconds }),
    ...members,
  };
  return { result: { isError: true, content: [textContent({ error })], ...meta }, code: type.code, refusal };
}

export function textContent(value: object): { type: 'text'; text: string } {
  return { type: 'text', text: JSON.stringify(value) };
}

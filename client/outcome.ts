import type { Codes } from './table.ts';
import type { Inputs, Outputs, Seal } from './types.ts';

export type OperationId = keyof Inputs;

/** Fields that choose another form of an answer: here each operation has one, the whole one in JSON. */
interface FormFields {
  attest_verify: 'format';
  attest_seal: 'prefer';
}

/** What an operation takes. */
export type Input<Id extends OperationId> = Id extends keyof FormFields ? Omit<Inputs[Id], FormFields[Id]> : Inputs[Id];

/** What an operation answers when it did what was asked. */
export type Output<Id extends OperationId> = Id extends 'attest_seal' ? Seal : Outputs[Id];

/** Answered before or beside an operation; a later version of the service may have further codes. */
type AnyCode = 'internal' | 'not_found' | 'method_not_allowed' | 'headers_too_large' | 'request_timeout';

/** A refusal or a fault in the words of the service (RFC 9457). */
export interface Problem<Code extends string = string> {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: Code;
  readonly retry_after_s?: number;
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
  /** Members of the single code. */
  readonly [member: string]: unknown;
}

/** No answer of the service: whether it did what was asked is not known. */
interface Unreachable {
  /** `unreadable`: what came is neither an answer nor a problem of the service. */
  readonly reason: 'network' | 'timeout' | 'aborted' | 'unreadable';
  readonly detail: string;
}

/** What was sent, in the form in which receipts sign it. */
interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** How a paid call was settled. */
export interface Payment {
  readonly transaction: string;
  readonly network: string;
  readonly payer?: string | undefined;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** True where an earlier call with the same key was answered with this. */
  readonly replayed: boolean;
  readonly request: SentRequest;
}

export type Outcome<Id extends OperationId = OperationId, Value = Output<Id>> =
  | (Answered & { readonly ok: true; readonly value: Value; readonly payment?: Payment })
  | (Answered & {
      readonly ok: false;
      readonly problem: Problem<Codes[Id] | AnyCode>;
      /** Why a price that the service asked was not paid. */
      readonly notPaid?: string;
      readonly unreachable?: undefined;
    })
  | { readonly ok: false; readonly unreachable: Unreachable; readonly problem?: undefined };

/** There is no value: what the service said instead, or that it said nothing. */
export class NoValueError extends Error {
  override readonly name = 'NoValueError';
  readonly code: string;

  constructor(code: string, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

/** The value of an outcome, for programs that end where there is none. */
export function valueOf<Id extends OperationId, Value>(outcome: Outcome<Id, Value>): Value {
  if (outcome.ok) return outcome.value;
  const { problem, unreachable } = outcome;
  if (problem !== undefined) throw new NoValueError(problem.code, problem.detail);
  throw new NoValueError(unreachable.reason, unreachable.detail);
}

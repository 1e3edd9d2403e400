import type { z } from 'zod';
import type { Call, InputSchema, Operation } from './operation.ts';
import type { Refusal } from './problem.ts';

/** Who pays, and under which name the effects of the call are kept. */
interface CallPayment {
  readonly key: string;
  readonly payer: string;
}

export interface PaidVerdict {
  readonly result: object;
  /** Members that the receipt repeats. */
  readonly receipt?: { readonly agent?: string | undefined; readonly system?: string | undefined };
}

export type PaidHandler<I> = (input: I, call: PaidCall, payment: CallPayment) => Promise<PaidVerdict | Refusal>;

/** A row with a price and what makes its verdict. `U` is a step of the store, which the kernel does not know. */
export interface PaidRow<U = unknown> {
  readonly operation: Operation;
  readonly kind: string;
  readonly handler: PaidHandler<unknown>;
  /** Takes back what the handler stored for a payment that bought nothing. */
  readonly undo?: (paymentKey: string) => U;
}

export function paidRow<I extends InputSchema, O extends z.ZodType, U>(
  operation: Operation<I, O>,
  kind: string,
  handler: PaidHandler<z.output<I>>,
  undo?: (paymentKey: string) => U,
): PaidRow<U> {
  if (operation.price === null) throw new Error(`${operation.operationId} has no price`);
  const row = { operation: operation as unknown as Operation, kind, handler: handler as PaidHandler<unknown> };
  return undo === undefined ? row : { ...row, undo };
}

/** A paid answer has one form, so none is chosen. */
type PaidCall = Omit<Call, 'mediaType'>;

/** One request for a paid row, as transport saw it. */
export interface GatedCall extends PaidCall {
  readonly isHead: boolean;
  /** The path of the row and the query as it came; of a call that did not come by HTTP the whole address. */
  readonly url: string;
  /** The value of a request header; a repeated one joined by commas. */
  readonly header: (name: string) => string | undefined;
  /** The decoded pairs, or the arguments of a tool; a refusal when the query cannot be decoded. */
  readonly query: () => Readonly<Record<string, string | readonly string[]>> | Refusal;
  /** The checked input; a refusal names every bad field. */
  readonly input: () => unknown;
  /** What the caller is told of a fault, which is logged; where it is absent, faults go on to whoever asked the gate. */
  readonly refusalOf?: (error: unknown) => Refusal;
}

/** What binds the line of a call in the audit trail to the payment behind its answer. */
export interface PaidTrace {
  readonly payer: string;
  /** Digest of the result as the receipt names it; only of an answer that has the result. */
  readonly resultSha256?: string | undefined;
}

export interface GateAnswer {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly answer: Refusal | { readonly status: number; readonly body: string };
  /** Of an answer that rests on a payment. */
  readonly trace?: PaidTrace;
}

/** Answers every request for a paid row; nothing else can run its handler. */
export type Gate = (call: GatedCall) => Promise<GateAnswer>;

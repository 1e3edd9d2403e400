import type { z } from 'zod';
import type { Handler, InputSchema, Operation } from './operation.ts';
import type { Gate } from './paid-operation.ts';

/** A row with the handler that is bound to it, or with the gate that stands before a paid one. */
export type BoundOperation =
  | { readonly operation: Operation; readonly handler: Handler<unknown, unknown> }
  | { readonly operation: Operation; readonly gate: Gate };

export function bind<I extends InputSchema, O extends z.ZodType>(
  operation: Operation<I, O>,
  handler: Handler<z.output<I>, z.output<O>>,
): BoundOperation {
  if (operation.price !== null) throw new Error(`${operation.operationId} has a price and must stand behind the gate`);
  return { operation: operation, handler: handler as Handler<unknown, unknown> };
}

import type { z } from 'zod';
import {
  Answer,
  type Call,
  type Handler,
  type InputSchema,
  mediaTypesOf,
  type Operation,
  WithHeaders,
} from './operation.ts';
import type { Gate } from './paid-operation.ts';
import { refuseFields } from './general-problems.ts';
import { Refusal } from './problem.ts';
import { decode } from './query-decoder.ts';

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

/** Calls a row from inside the service, with its decoded input: the answer is the object alone. */
export type AskRow = (
  row: { readonly operationId: string },
  input: unknown,
  call: Pick<Call, 'requestId' | 'addressTag' | 'identity'>,
) => Promise<object | Refusal>;

/** Has rows answer from inside the service by the one handler that each is bound to. */
export function rowAsker(bound: readonly BoundOperation[]): AskRow {
  const rows = new Map(bound.map((row) => [row.operation.operationId, row]));
  return async ({ operationId }, input, call) => {
    const row = rows.get(operationId);
    if (row === undefined || 'gate' in row) throw new Error(`${operationId} is not answered from inside`);
    const [mediaType = ''] = mediaTypesOf(row.operation);
    const given = await row.handler(input, { ...call, mediaType });
    const answer = given instanceof WithHeaders ? given.answer : given;
    return (answer instanceof Answer ? answer.body : answer) as object | Refusal;
  };
}

/** The input of a row, read from a body as the row reads it. */
export function inputFrom({ input, readBody }: Operation, body: string): unknown {
  const bytes = Buffer.from(body);
  const read = readBody?.(bytes) ?? { ok: true, value: parsedJson(body), faults: [] };
  if (!read.ok || read.value === undefined) {
    return refuseFields([{ pointer: '#', code: 'not_json', detail: 'A list or object is not valid JSON.' }]);
  }
  if (read.faults.length > 0) return refuseFields([...read.faults]);
  const decoded = decode(input, read.value);
  return decoded.ok ? decoded.input : refuseFields(decoded.errors);
}

/** Undefined for what is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { z } from 'zod';
import { type BoundOperation, bind } from './bound-operation.ts';
import type { Job } from './job.ts';
import type { Handler, InputSchema, Operation } from './operation.ts';
import { type PaidHandler, type PaidRow, paidRow } from './paid-operation.ts';

/**
 * A part of the product. Its manifest says what it is; `open` makes it from what every area stands on and from what
 * others hand it. Whoever adds one writes its folder and a line in the list of areas.
 */
export interface Area<Platform, Opened extends OpenArea, Needs = unknown> {
  /** Its folder. */
  readonly name: string;
  /** Its rows with what answers them, in the order in which documents show them. */
  readonly operations: readonly Served<Opened, unknown>[];
  open(platform: Platform, needs: Needs): Opened | Promise<Opened>;
}

/** What an open area does by itself. */
export interface OpenArea {
  /** Of which one process at a time does each for all. */
  readonly jobs?: readonly Job[];
}

/** A row with what answers it once its area is open. */
export interface Served<Opened, Row> {
  readonly operation: Row;
  /** The id of the row that documents show before it, where that is one of another area. */
  readonly after?: string;
  /** The handler of a row that is free. */
  bindTo?(area: Opened): BoundOperation;
  /** What makes the verdict of a row that has a price: only the gate runs it. */
  priceTo?(area: Opened): PaidRow;
}

export function on<Opened, I extends InputSchema, O extends z.ZodType, Row extends Operation<I, O>>(
  operation: Row & Operation<I, O>,
  answer: (
    area: Opened,
    ...call: Parameters<Handler<z.output<I>, z.output<O>>>
  ) => ReturnType<Handler<z.output<I>, z.output<O>>>,
  place: Pick<Served<Opened, Row>, 'after'> = {},
): Served<Opened, Row> {
  return {
    operation,
    bindTo: (area) => bind<I, O>(operation, (input, call) => answer(area, input, call)),
    ...place,
  };
}

/** @param undo takes back what the handler stored for a payment that bought nothing */
export function paid<Opened, I extends InputSchema, O extends z.ZodType, Row extends Operation<I, O>>(
  operation: Row & Operation<I, O>,
  kind: string,
  answer: (area: Opened, ...call: Parameters<PaidHandler<z.output<I>>>) => ReturnType<PaidHandler<z.output<I>>>,
  undo?: (area: Opened, paymentKey: string) => unknown,
): Served<Opened, Row> {
  return {
    operation,
    priceTo: (area) =>
      paidRow<I, O, unknown>(
        operation,
        kind,
        (...call) => answer(area, ...call),
        undo && ((paymentKey) => undo(area, paymentKey)),
      ),
  };
}

/** The rows of an area, each with its own types. */
export function rowsOf<A extends { readonly operations: readonly { readonly operation: unknown }[] }>(
  area: A,
): A['operations'][number]['operation'][] {
  return area.operations.map(({ operation }) => operation);
}

interface Rows<Opened> {
  readonly operations: readonly Served<Opened, unknown>[];
}

/** The free rows of an open area with their handlers. */
export function boundRows<Opened>({ operations }: Rows<Opened>, area: Opened): BoundOperation[] {
  return operations.flatMap((served) => served.bindTo?.(area) ?? []);
}

/** The rows of an open area that cost money. `U` is a step of the store, which the kernel does not know. */
export function paidRows<U, Opened>({ operations }: Rows<Opened>, area: Opened): PaidRow<U>[] {
  return operations.flatMap((served) => (served.priceTo?.(area) as PaidRow<U> | undefined) ?? []);
}

/** Rows in the order of their areas; one that names another row stands right after that one. */
export function inDocumentOrder<Row extends { readonly operationId: string }>(
  rows: readonly Row[],
  areas: readonly Rows<never>[],
): Row[] {
  const after = new Map(
    areas.flatMap(({ operations }) =>
      operations.flatMap(({ operation, after: before }) =>
        before === undefined ? [] : [[(operation as Row).operationId, before] as const],
      ),
    ),
  );
  const ordered = rows.filter(({ operationId }) => !after.has(operationId));
  for (const row of rows) {
    const before = after.get(row.operationId);
    if (before !== undefined)
      ordered.splice(ordered.findIndex(({ operationId }) => operationId === before) + 1, 0, row);
  }
  return ordered;
}

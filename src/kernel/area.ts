import type { z } from 'zod';
import { type AskRow, type BoundOperation, bind } from './bound-operation.ts';
import type { DocumentWording } from './document.ts';
import type { Job } from './job.ts';
import type { KeyJudge } from './key-judge.ts';
import type { Handler, InputSchema, Operation } from './operation.ts';
import { type PaidHandler, type PaidRow, paidRow } from './paid-operation.ts';
import type { ReferenceForm } from './reference-form.ts';
import type { RowTool } from './row-tool.ts';
import type { TaskRoutes } from './task-route.ts';
import type { Tool, ToolCall, ToolWork } from './tool.ts';

/**
 * A part of the product. Its manifest says what it is; `open` makes it from what every area stands on and from what
 * others hand it. Whoever adds one writes its folder and a line in the list of areas.
 */
export interface Area<Platform, Opened extends OpenArea, Needs = unknown, Settings = unknown> {
  /** Its folder. */
  readonly name: string;
  /** An installation of free services offers none of its rows and tools, and has it do nothing by itself. */
  readonly services?: 'all';
  /** Its rows with what answers them, in the order in which documents show them. */
  readonly operations: readonly Served<Opened, unknown>[];
  /** Its tools for agents. */
  readonly tools?: readonly ServedTool<Opened>[];
  readonly published?: Published;
  /** `settings` are those that its manifest declares, read from the environment. */
  open(platform: Platform, needs: Needs, settings: Settings): Opened | Promise<Opened>;
}

/** What an open area does by itself, and for others. */
export interface OpenArea {
  /** Of which one process at a time does each for all. */
  readonly jobs?: readonly Job[];
  /** Run with every beat of every process; told how many share the work. */
  onHeartbeat?(processes: number): Promise<void> | void;
  /** Run when callers can reach the service, at the address where it really listens; a start waits for it. */
  onListening?(address: string): Promise<void> | void;
  /** Run when a stop begins, before calls under way are waited for. */
  onStop?(): void;
  /** Whether a part that loads late answers; rejects where it does not. */
  readonly probe?: { readonly id: 'search'; ask(): Promise<unknown> };
  /** What it does for tasks. */
  readonly taskRoutes?: TaskRoutes;
  /** The kinds of reference that it issues. */
  readonly references?: readonly ReferenceForm[];
  /** How the keys that it issues are judged. */
  readonly keyJudge?: KeyJudge;
  /** Addresses that moved, each with where it is now. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** Addresses of its pages that no row names whole, such as those of the documentation. */
  readonly pagePaths?: readonly string[];
  /** Addresses that other installations have and this one does not. */
  readonly missingPaths?: readonly string[];
}

/** What documents show of an area beside its rows. */
interface Published {
  /** Limits that no schema of a row tells. */
  readonly limits?: readonly PublishedLimit[];
  /** What calls cost that are not paid for one by one; `url` is the public address. */
  readonly terms?: (url: string) => Readonly<Record<string, unknown>>;
  readonly protocols?: readonly ProtocolDocument[];
}

export interface PublishedLimit {
  /** The operation that it holds for. */
  readonly area: string;
  readonly limit: string;
  readonly value: unknown;
}

/** A method by which the service judges, for whoever would do the same. */
export interface ProtocolDocument {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly what: string;
  /** Where it is served as it is, beside the page of protocols. */
  readonly servedAt?: string;
  readonly document: object;
  /** How its page reads. */
  readonly wording?: DocumentWording;
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

/** A tool with what answers it once its area is open. */
export interface ServedTool<Opened> {
  readonly tool: Tool;
  /** The id of the row that it stands for, where there is one. */
  readonly row?: string;
  /** Its arguments for an input of that row, if they are not the same. */
  readonly argumentsOf?: RowTool['argumentsOf'];
  /** The name of the tool that lists show before it, where that is one of another area. */
  readonly after?: string;
  /** The scope of the key without which there is no such tool. */
  readonly scope?: string;
  /** An installation of free services does not have it. */
  readonly services?: 'all';
  /** Undefined where this installation has no such work. `ask` has any row answer. */
  workOf(area: Opened, ask: AskRow): ((input: never, call: ToolCall) => unknown) | undefined;
}

export function answering<Opened, T extends Tool>(
  tool: T,
  answer: (area: Opened, ...call: Parameters<ToolWork<T>>) => ReturnType<ToolWork<T>>,
  place: Pick<ServedTool<Opened>, 'row' | 'argumentsOf' | 'after' | 'scope' | 'services'> = {},
): ServedTool<Opened> {
  return {
    tool,
    workOf: (area) => (input: z.output<T['input']>, call: ToolCall) => answer(area, input, call),
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

/** Tools in the order of their areas; one that names another stands right after that one. */
export function toolsOf<Opened>(areas: readonly { readonly tools?: readonly ServedTool<Opened>[] }[]) {
  return placed(
    areas.flatMap(({ tools = [] }) => tools),
    ({ tool }) => tool.name,
    ({ after }) => after,
  );
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
      operations.map(({ operation, after: before }) => [(operation as Row).operationId, before] as const),
    ),
  );
  return placed(
    rows,
    ({ operationId }) => operationId,
    ({ operationId }) => after.get(operationId),
  );
}

/** The same items; each that names another stands right after that one. */
function placed<T>(items: readonly T[], nameOf: (item: T) => string, afterOf: (item: T) => string | undefined): T[] {
  const ordered = items.filter((item) => afterOf(item) === undefined);
  let waiting = items.filter((item) => afterOf(item) !== undefined);
  while (waiting.length > 0) {
    const left = waiting.filter((item) => {
      const place = ordered.findIndex((other) => nameOf(other) === afterOf(item));
      if (place !== -1) ordered.splice(place + 1, 0, item);
      return place === -1;
    });
    if (left.length === waiting.length) throw new Error(`nothing is called ${left.map(afterOf).join(', ')}`);
    waiting = left;
  }
  return ordered;
}

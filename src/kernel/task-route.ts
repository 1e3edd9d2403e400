import { schemaOf } from './openapi.ts';
import type { InputSchema } from './operation.ts';
import { Refusal } from './problem.ts';

/** Who calls without a key. */
export const ANONYMOUS = 'anonymous';

/** What a need names exactly: one value per kind. */
export type Entities = Readonly<Record<string, string>>;
/** What the caller gave beside the need. */
export type Inputs = Readonly<Record<string, unknown>>;

export interface RouteQuestion {
  readonly id: string;
  readonly text: string;
  readonly choices?: readonly string[];
}

/** How a need is sold that no free run answers. */
interface Sold {
  /** Path and query of the paid call, with what is known of its parameters. */
  readonly x402Path: string;
  readonly priceUsdc: string;
  readonly freePath: string | null;
}

export interface TaskQuote {
  readonly priceMicro: number;
  readonly feeMicro: number;
  readonly sold: Sold | null;
}

/** What a route would cost, and what it must still be told. */
export interface RouteQuote extends TaskQuote {
  readonly questions: readonly RouteQuestion[];
}

/** The fee of a seal that the charge of a task pays. */
export interface SealFee {
  readonly attestationId: string;
  readonly schemaId: string;
  readonly sealedAtMs: number;
  readonly feeEurocents: number;
}

export interface RouteResult {
  readonly result: object;
  /** What of the quote is charged; all of it unless given. */
  readonly chargeMicro?: number;
  /** What a provider is owed for it. */
  readonly costMicro?: number;
  /** Fees of seals that the charge contains. */
  readonly sealFees?: readonly SealFee[];
  /** What the result says is sealed: log entries, which the kernel does not know, for the transaction that keeps it. */
  readonly entries?: readonly unknown[];
}

interface Effect {
  /** Names the effect for ever: the same key again must not have it twice. */
  readonly key: string;
  readonly agentId: string;
  /** Whom limits count: the agent, or the address of a caller without a key. */
  readonly callerId: string;
  readonly signal: AbortSignal;
}

/** What a part of the service does for a task. Neither call touches money. */
export interface TaskRoute {
  /** Where the charge goes. */
  readonly revenue: 'revenue:verdict' | 'revenue:capability' | 'revenue:bom' | 'revenue:order_fee' | 'revenue:seal';
  /** True where the route is sold and never runs free: a call for it uses up no free try. */
  readonly isSold: boolean;
  quote(entities: Entities, inputs: Inputs, agentId: string): Promise<RouteQuote | Refusal>;
  run(entities: Entities, inputs: Inputs, effect: Effect): Promise<RouteResult | Refusal>;
}

/** By the id of the route; one that is not here is refused. */
export type TaskRoutes = Readonly<Record<string, TaskRoute>>;

/** A quote without a price and without a question. */
export const FREE = { priceMicro: 0, feeMicro: 0, sold: null, questions: [] as readonly RouteQuestion[] };

const MAX_QUESTIONS = 3;

/** What a refusal for its fields leaves to be asked. */
export function questionsOf({ details }: Refusal): RouteQuestion[] {
  return (details.errors ?? []).slice(0, MAX_QUESTIONS).map(({ pointer, detail }) => {
    const id = pointer.replace(/^#\/(?:input\/)?/, '') || 'inputs';
    return { id, text: `${id}: ${detail}` };
  });
}

/** Fields of a call that the text may name: their entity. */
export type Named = Readonly<Record<string, string>>;

/** Parameters that a call knows: what the text names, and what the caller gave beside it. */
export function parametersOf(schema: InputSchema, from: Named, entities: Entities, inputs: Inputs) {
  const given = Object.entries(inputs).filter(([field]) => Object.hasOwn(schema.shape, field));
  return { ...named(from, entities), ...Object.fromEntries(given) };
}

function named(from: Named, entities: Entities): Record<string, unknown> {
  const found = Object.entries(from).map(([field, entity]) => [field, entities[entity]] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** What must be asked before the schema takes the parameters. */
export function missingIn(schema: InputSchema, parameters: object): RouteQuestion[] {
  const parsed = schema.safeParse(parameters);
  const faults = parsed.success ? [] : parsed.error.issues;
  const fields = new Set(
    faults.flatMap(({ path: [field] }) => (field === undefined ? Object.keys(schema.shape) : [String(field)])),
  );
  return [...fields].slice(0, MAX_QUESTIONS).map((field) => {
    const { description } = schemaOf(schema.shape[field] as InputSchema, 'input');
    return { id: field, text: typeof description === 'string' ? `Which ${field}? ${description}` : `Which ${field}?` };
  });
}

/** The route of a free operation. */
export function freeRoute<I extends InputSchema>(
  schema: I,
  from: Named,
  run: (input: ReturnType<I['parse']>) => Promise<object>,
): TaskRoute {
  const parameters = (entities: Entities, inputs: Inputs) => parametersOf(schema, from, entities, inputs);
  return {
    revenue: 'revenue:capability',
    isSold: false,
    quote: async (entities, inputs) => ({ ...FREE, questions: missingIn(schema, parameters(entities, inputs)) }),
    run: async (entities, inputs) => {
      return { result: await run(schema.parse(parameters(entities, inputs)) as ReturnType<I['parse']>) };
    },
  };
}

export interface CallRoute<R extends object> extends Pick<TaskRoute, 'revenue'> {
  /** Zero for a caller who gets it free. */
  readonly priceMicro: (inputs: Inputs, agentId: string) => number;
  readonly from: Named;
  /** A refusal that names fields becomes questions. */
  readonly call: (inputs: Inputs, effect: Effect) => Promise<R | Refusal>;
  /** True for a result that answers nothing, for which nothing is charged. */
  readonly isEmpty?: (result: R) => boolean;
}

/** The route of a call that judges its own inputs. */
export function callRoute<R extends object>({ revenue, priceMicro, from, call, isEmpty }: CallRoute<R>): TaskRoute {
  return {
    revenue,
    isSold: false,
    quote: async (_entities, inputs, agentId) => ({ ...FREE, priceMicro: priceMicro(inputs, agentId) }),
    async run(entities, inputs, effect) {
      const result = await call({ ...named(from, entities), ...inputs }, effect);
      if (result instanceof Refusal) return result;
      return { result, ...(isEmpty?.(result) === true && { chargeMicro: 0 }) };
    },
  };
}

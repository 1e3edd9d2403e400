import type { Refusal } from '#kernel/problem.ts';
import type { RouteId } from './route-table.ts';
import type { Entities, Question } from './router.ts';
import type { TaskQuote } from './task.ts';

export type Inputs = Readonly<Record<string, unknown>>;

/** What a route would cost, and what it must still be told. */
export interface RouteQuote extends TaskQuote {
  readonly questions: readonly Question[];
}

export interface RouteResult {
  readonly result: object;
  /** What of the quote is charged; all of it unless given. */
  readonly chargeMicro?: number;
  /** What a provider is owed for it. */
  readonly costMicro?: number;
}

export interface Effect {
  /** Names the effect for ever: the same key again must not have it twice. */
  readonly key: string;
  readonly agentId: string;
  readonly signal: AbortSignal;
}

/** What another part of the service does for a task. Neither call touches money. */
export interface RouteWork {
  /** Where the charge goes. */
  readonly revenue: 'revenue:verdict' | 'revenue:capability' | 'revenue:bom' | 'revenue:order_fee' | 'revenue:seal';
  /** True where the route is sold and never runs free: a call for it uses up no free try. */
  readonly isSold: boolean;
  quote(entities: Entities, inputs: Inputs, agentId: string): Promise<RouteQuote | Refusal>;
  run(entities: Entities, inputs: Inputs, effect: Effect): Promise<RouteResult | Refusal>;
}

const MOST_QUESTIONS = 3;

/** What a refusal for its fields leaves to be asked. */
export function questionsOf({ details }: Refusal): Question[] {
  return (details.errors ?? []).slice(0, MOST_QUESTIONS).map(({ pointer, detail }) => {
    const id = pointer.replace(/^#\/(?:input\/)?/, '') || 'inputs';
    return { id, text: `${id} ${detail}` };
  });
}

/** A route that is not here is refused. */
export type RouteWorks = Readonly<Partial<Record<RouteId, RouteWork>>>;

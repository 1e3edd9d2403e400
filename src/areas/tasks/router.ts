import type { Entities, RouteQuestion } from '#kernel/task-route.ts';
import { nameToScreen } from './screened-name.ts';
import { ENTITY_POINTS, ENTITY_RULES, type RouteId, TASK_ROUTES, WORD_RULES } from './route-table.ts';

export interface Routing {
  /** Null: the need does not say which, and nothing is guessed. */
  readonly route: RouteId | null;
  readonly why: readonly string[];
  readonly alternatives: readonly RouteId[];
  readonly entities: Entities;
  readonly questions: readonly RouteQuestion[];
}

const IBAN = /\b(?:NL\d{2} ?[A-Z]{4}(?: ?\d{4}){2} ?\d{2}|BE\d{2}(?: ?\d{4}){3}|DE\d{2}(?: ?\d{4}){4} ?\d{2})\b/giu;
const MAX_ALTERNATIVES = 5;

interface Signal {
  readonly route: RouteId;
  readonly points: number;
  readonly why: string;
}

/** Chooses by what stands in the text. A tie, or nothing to go by, is answered by questions. */
export function routeNeed(need: string): Routing {
  const text = need.replace(IBAN, ' ');
  const found = entitiesIn(text);
  const signals = [
    ...found.filter(({ isDetail }) => !isDetail).flatMap(entitySignal),
    ...WORD_RULES.flatMap((rule) => wordSignal(rule, text)),
  ];
  const scores = new Map<RouteId, number>();
  for (const { route, points } of signals) scores.set(route, (scores.get(route) ?? 0) + points);
  const ranked = [...scores].toSorted(([, a], [, b]) => b - a);
  const name = nameToScreen(text);
  const entities: Entities = {
    ...Object.fromEntries(found.flatMap(({ entity, values }) => values.slice(0, 1).map((v) => [entity, v] as const))),
    ...(name !== undefined && { name }),
  };
  const [best, second] = ranked;
  if (best === undefined) return asking([], { why: [], entities: {} });
  if (second !== undefined && second[1] === best[1]) {
    const tied = ranked.filter(([, score]) => score === best[1]).map(([route]) => route);
    return asking(tied, { why: signals.map(({ why }) => why), entities });
  }
  const [route] = best;
  const many = found.filter((one) => one.route === route && one.values.length > 1);
  return {
    route: many.length > 0 ? null : route,
    why: signals.filter((signal) => signal.route === route).map(({ why }) => why),
    alternatives: ranked.slice(1, 1 + MAX_ALTERNATIVES).map(([other]) => other),
    entities,
    // One at a time: its answer is the need from then on.
    questions: many.slice(0, 1).map(({ entity, values }) => ({
      id: 'need',
      text: `The text names more than one ${entity}. Which one do you mean?`,
      choices: values,
    })),
  };
}

/** The routing of a need whose route its caller has chosen. */
export function routeChosen(need: string, route: RouteId): Routing {
  const { entities } = routeNeed(need);
  return { route, why: ['chosen by the caller'], alternatives: [], entities, questions: [] };
}

function asking(candidates: readonly RouteId[], seen: Pick<Routing, 'why' | 'entities'>): Routing {
  const choices = candidates.length > 0 ? candidates : (Object.keys(TASK_ROUTES) as RouteId[]);
  const shown = candidates.map((route) => TASK_ROUTES[route]).join(', or to ');
  const text = candidates.length > 0 ? `Do you want to ${shown}?` : 'What should be done? Choose a route.';
  const questions = [{ id: 'route', text, choices }];
  const about = { id: 'need', text: 'What is it about? Give the number, plate, part, address or text.' };
  return {
    route: null,
    ...seen,
    alternatives: candidates.slice(0, MAX_ALTERNATIVES),
    questions: candidates.length > 0 ? questions : [...questions, about],
  };
}

interface FoundEntity {
  readonly entity: string;
  readonly route: RouteId;
  readonly isDetail: boolean;
  readonly values: readonly string[];
}

function entitiesIn(text: string): FoundEntity[] {
  return ENTITY_RULES.map(({ entity, route, pattern, drops, isDetail = false }) => {
    const found = [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);
    const values = found.map((value) => (entity === 'url' ? value.replace(/[.,;:!?)\]]+$/, '') : value.toUpperCase()));
    const plain = new Set(values.map((value) => (drops === undefined ? value : value.replace(drops, ''))));
    return { entity, route, isDetail, values: [...plain] };
  });
}

function entitySignal({ entity, route, values: [value] }: FoundEntity): Signal[] {
  return value === undefined ? [] : [{ route, points: ENTITY_POINTS, why: `${entity}=${value}` }];
}

function wordSignal({ route, points, pattern }: (typeof WORD_RULES)[number], text: string): Signal[] {
  const word = pattern.exec(text)?.[0];
  return word === undefined ? [] : [{ route, points, why: `word:${word}` }];
}

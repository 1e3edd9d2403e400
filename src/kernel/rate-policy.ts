import type { RateClass } from './operation.ts';

/** How often calls of a class may come. */
export interface RateFigures {
  readonly calls: number;
  readonly perSeconds: number;
  readonly burst: number;
}

/** The same as the header RateLimit-Policy says it. */
export function ratePolicy(name: string, { calls, perSeconds, burst }: RateFigures): string {
  return `"${name}";q=${burst};w=${Math.ceil((burst * perSeconds) / calls)}`;
}

type Rate = RateClass | 'none';
export type CallerKey = 'agent_key' | 'session' | 'platform_key';

/** Classes that count by a key of the call; the others know their callers by address alone. */
const KEYS_OF_CLASS: Partial<Readonly<Record<Rate, readonly CallerKey[]>>> = {
  tasks: ['agent_key', 'session'],
  wallet: ['agent_key', 'session'],
  'attest-seal': ['platform_key'],
};

/** By which keys the calls of a class are counted. One that has none of them, or none that is known, counts by its address. */
export function keysCounted(rate: Rate): readonly CallerKey[] {
  return KEYS_OF_CLASS[rate] ?? [];
}

/** What the calls of a class are counted by: the first of these that a call has. */
export function countedBy(rate: Rate): readonly (CallerKey | 'address')[] {
  return [...keysCounted(rate), 'address'];
}

/** The same in words. */
export function callerWords(rate: Rate): string {
  const [first = '', ...others] = countedBy(rate).map((name) => name.replace('_', ' '));
  const last = others.pop();
  return last === undefined ? first : `${[first, ...others].join(', ')} or ${last} (the first that a call has)`;
}

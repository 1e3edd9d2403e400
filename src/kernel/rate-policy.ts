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

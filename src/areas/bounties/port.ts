import type { VenueAnswer } from './venues.ts';

export type { VenueAnswer };

/** What other areas may ask about work that is offered elsewhere. */
export interface VenuePort {
  venueFacts(key: string): Promise<VenueAnswer>;
  /** Of each key, without a question to anybody. */
  storedFacts(keys: readonly string[]): Promise<ReadonlyMap<string, VenueAnswer>>;
}

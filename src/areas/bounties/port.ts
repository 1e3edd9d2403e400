import type { VenueAnswer } from './venues.ts';

/** What other areas may ask about work that is offered elsewhere. */
export interface VenuePort {
  venueFacts(key: string): Promise<VenueAnswer>;
}

import { z } from 'zod';
import { personTag } from './github.ts';
import type { VenueRequest } from './venue-client.ts';

const MAX_OFFERS = 5_000;
const MAX_CENTS = 100_000_000_000;

const People = z.array(z.object({ username: z.string().min(1).max(200) })).max(10_000);
const OfferedReward = z.object({
  url: z.string().max(4_096),
  pendingPrice: z.object({ value: z.int().min(0).max(MAX_CENTS), unit: z.literal('USD_CENT') }),
  claimerUsers: People,
  tryingUsers: People,
});

export interface OfferedTask {
  readonly url: string;
  readonly usdMicro: number;
  readonly people: number;
}

/** The whole list of the marketplace; rows of another form are left out. */
export function offeredTasks(): VenueRequest<readonly OfferedTask[]> {
  return {
    source: 'opire',
    path: '/rewards',
    kind: 'list',
    read(body) {
      const list = z.array(z.unknown()).max(MAX_OFFERS).safeParse(body);
      if (!list.success) return undefined;
      return list.data.flatMap((row) => {
        const { data } = OfferedReward.safeParse(row);
        if (data === undefined) return [];
        const people = new Set([...data.claimerUsers, ...data.tryingUsers].map(({ username }) => personTag(username)));
        return [{ url: data.url, usdMicro: data.pendingPrice.value * 10_000, people: people.size }];
      });
    },
  };
}

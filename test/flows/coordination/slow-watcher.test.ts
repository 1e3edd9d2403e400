import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { claimCommand, refreshCommand } from '#areas/crossing/_commands.ts';
import type { ClaimGranted } from '#areas/crossing/state.ts';
import { ExpiryWatch } from '#areas/crossing/lease/expiry-watch.ts';
import { crossingUnit } from '#areas/crossing/unit.ts';
import { EventFeed } from '#areas/crossing/watch/event-feed.ts';
import { EventSubscriptions } from '#areas/crossing/watch/event-subscriptions.ts';
import { systemClock } from '#kernel/clock.ts';
import { StreamResponse } from '#kernel/operation.ts';
import { StoredEvents } from '#platform/storage/stored-events.ts';
import type { CanonicalKey } from '#protocol/work-key.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { openStore } from '../../support/engines.ts';
import { unlessHung, until } from '../../support/until.ts';

const KEY = 'much happens here' as CanonicalKey;
const TOKEN = 'a-secret-that-the-caller-made-itself';
/** One more than wait for a reader that takes none. */
const MISSED = 1_001;

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`a slow watcher on ${engine}`, { skip }, () => {
    test('gets every event, also the last ones where nothing comes after them', async () => {
      await using opened = await openStore(engine);
      const { store } = opened;
      const clock = systemClock();
      const events = new StoredEvents(store);
      const feed = new EventFeed(events);
      const expiry = new ExpiryWatch({ store, clock, feed, expire: async () => {} });
      const watches = new EventSubscriptions({ clock, events, feed, expiry });
      const input = { key: { key: KEY, given: KEY }, wait: 0 };
      const call = { requestId: 'slow', mediaType: 'text/event-stream', addressTag: 'tag' };
      const stream = await watches.watch(input, call);
      assert.ok(stream instanceof StreamResponse);
      const pieces = stream.open(new AbortController().signal)[Symbol.asyncIterator]();
      await pieces.next();
      let told = 0;
      await feed.follow(KEY, { take: ({ rev }) => (told = rev) });

      const first = pieces.next();
      const granted = await store.run(crossingUnit, claimCommand({ key: KEY, token: TOKEN }));
      const { lease } = granted as ClaimGranted;
      assert.deepEqual(revsIn((await first).value), [granted.rev]);
      const refresh = () => refreshCommand({ key: KEY, leaseId: lease.id, token: TOKEN });
      const refreshed = await Promise.all(Array.from({ length: MISSED }, () => store.run(crossingUnit, refresh())));
      const revs = refreshed.map(({ rev }) => rev);
      await until('the feed to tell all of them', () => told === revs.at(-1));

      const seen: number[] = [];
      while (seen.length < MISSED) {
        const { value } = await unlessHung('the events that the reader missed', pieces.next());
        seen.push(...revsIn(value));
      }
      assert.deepEqual(seen, revs);
      await pieces.return?.();
    });
  });
}

function revsIn(piece: unknown): number[] {
  return [...String(piece).matchAll(/^id: (\d+)$/gm)].map(([, rev]) => Number(rev));
}

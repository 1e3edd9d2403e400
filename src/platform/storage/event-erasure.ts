import { EVENTS_OF_KEYS } from './event-queries.ts';
import { STORE_EVENT } from './retention.ts';
import type { Found, Unit } from './store.ts';
import { listed } from './table.ts';

interface EraseEvents {
  readonly key: string;
  /** Events whose body names this fencing token, or this log entry. */
  readonly about: { readonly fence: number } | { readonly log: number };
}

const reads = (commands: readonly EraseEvents[]) => ({
  events: listed(
    EVENTS_OF_KEYS,
    commands.map(({ key }) => key),
  ),
});

interface KeyEvents {
  readonly events: Found<typeof reads>['events'];
  readonly erased: readonly number[];
}

/** Deletes what the events of a key say about one lease or mark; the result is how many went. Revisions are not given again. */
export const eventErasureUnit: Unit<[EraseEvents, number], KeyEvents, typeof reads> = {
  name: 'event_erasure',
  reads,
  load: ({ events }) => ({ events, erased: [] }),
  decide(state, _nowMs, _next, { key, about }) {
    const found = state.events.filter((event) => event.key === key && isAbout(event.body, about));
    return { state: { ...state, erased: [...state.erased, ...found.map(({ rev }) => rev)] }, result: found.length };
  },
  writes: (_before, after) => [STORE_EVENT.remove(after.erased.map((rev) => [rev]))],
};

function isAbout(body: { fence?: unknown; log?: unknown }, about: EraseEvents['about']): boolean {
  return 'fence' in about ? body.fence === about.fence : body.log === about.log;
}

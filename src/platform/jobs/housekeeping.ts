import type { Config } from '#platform/config/config.ts';
import { DAY_MS, HOUR_MS } from '#kernel/clock.ts';
import { retentionUnit } from '#platform/storage/retention.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Job } from '#kernel/job.ts';

/** What drops old events and forgotten bytes. */
export function housekeeping(config: Config, store: Store): Job[] {
  const untilNone = async (portion: () => Promise<number>) => {
    while ((await portion()) > 0);
  };
  const dropOldEvents: Job = {
    name: 'retention',
    everyMs: 60_000,
    run: () => untilNone(() => store.run(retentionUnit, { keptMs: config.eventDays * DAY_MS })),
  };
  return [
    ...(config.eventDays === 0 ? [] : [dropOldEvents]),
    { name: 'scrub', everyMs: HOUR_MS, run: () => store.scrub() },
  ];
}

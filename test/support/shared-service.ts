// One service for all files of a process whose tests leave each other alone: they use keys and names of their own.
import { after } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import type { EngineName } from './databases.ts';
import { TestService } from './service.ts';

export interface SharedService {
  readonly service: TestService;
  /** Moved on by whoever needs it, never back. */
  readonly clock: ManualClock;
}

const START_MS = Date.UTC(2026, 10, 15, 10);
const started = new Map<EngineName, Promise<SharedService>>();

/** The service of this process on that engine. It ends with the process. */
export function sharedServiceOn(engine: EngineName): Promise<SharedService> {
  const running = started.get(engine) ?? start(engine);
  started.set(engine, running);
  return running;
}

export async function sharedService(): Promise<TestService> {
  return (await sharedServiceOn('sqlite')).service;
}

async function start(engine: EngineName): Promise<SharedService> {
  const clock = new ManualClock(START_MS);
  const service = await TestService.start({ engine, clock });
  // A file that runs alone has nobody who ends its process.
  if (process.send === undefined) after(() => service[Symbol.asyncDispose]());
  return { service, clock };
}

// For what gives no event: another process, a socket that closes, a background job of a service. The limits only say that
// it hung: whatever comes at all comes sooner on the slowest machine.
import { setTimeout as sleep } from 'node:timers/promises';

const ASK_EVERY_MS = 20;
const HUNG_MS = 60_000;
/** Where processes are started and killed. */
export const PROCESSES_HUNG_MS = 300_000;

/** Asks again and again until the answer is neither false nor missing, and gives it. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  hungMs = HUNG_MS,
): Promise<Exclude<T, false | null | undefined>> {
  const startedMs = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) {
      return answer as Exclude<T, false | null | undefined>;
    }
    if (performance.now() - startedMs > hungMs) throw new Error(`hung: waiting for ${what}`);
    await sleep(ASK_EVERY_MS);
  }
}

/** What the work gives. */
export async function unlessHung<T>(what: string, work: Promise<T>, hungMs = PROCESSES_HUNG_MS): Promise<T> {
  const timer = new AbortController();
  const hung = async (): Promise<never> => {
    await sleep(hungMs, undefined, { signal: timer.signal });
    throw new Error(`hung: waiting for ${what}`);
  };
  return Promise.race([work, hung()]).finally(() => timer.abort());
}

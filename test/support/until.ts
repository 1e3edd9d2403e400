// For what gives no event: another process, a socket that closes, a background job of a service.
import { setTimeout } from 'node:timers/promises';

const ASK_EVERY_MS = 20;
/** Says only that it hung: whatever comes at all comes sooner on the slowest machine. */
const HUNG_MS = 60_000;

/** Asks again and again until the answer is neither false nor missing, and gives it. */
export async function until<T>(what: string, ask: () => T | Promise<T>): Promise<Exclude<T, false | null | undefined>> {
  const startedMs = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) {
      return answer as Exclude<T, false | null | undefined>;
    }
    if (performance.now() - startedMs > HUNG_MS) throw new Error(`hung: waiting for ${what}`);
    await setTimeout(ASK_EVERY_MS);
  }
}

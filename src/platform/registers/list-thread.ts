import type { ListRefusal } from '#platform/screening/fsf-list.ts';
import type { Quality } from '#platform/screening/quality/quality.ts';
import { ScreeningList } from '#platform/screening/screening-list.ts';
import { Thread, ThreadEndedError } from '#platform/thread.ts';
import type { ListOutcome, ListTask } from './list-worker.ts';
import type { QualityTask } from './quality-worker.ts';

/** A list file that could not be read; its code is that of the operating system where there is one. */
class ListUnreadable extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`the list cannot be read: ${code}`);
    this.code = code;
  }
}

/** A list and the SHA-256 of its file. */
export interface LoadedList {
  readonly list: ScreeningList;
  readonly sha256: string;
}

/** Reads a list in a thread of its own and takes over the finished arrays. The end of the signal ends the thread. */
export async function readInThread(path: ListTask, signal: AbortSignal): Promise<LoadedList | ListRefusal> {
  const outcome = await oneAnswer<ListOutcome>(new URL('./list-worker.ts', import.meta.url), path, signal);
  if ('fault' in outcome) throw new ListUnreadable(outcome.fault);
  if (!('index' in outcome)) return outcome;
  return { list: new ScreeningList(outcome.index), sha256: outcome.sha256 };
}

/** Measures a list in a thread of its own. The end of the signal ends the thread. */
export function measureInThread({ list, sha256 }: LoadedList, queries: number, signal: AbortSignal): Promise<Quality> {
  const task: QualityTask = { entities: list.entities, sha256, queries };
  return oneAnswer<Quality>(new URL('./quality-worker.ts', import.meta.url), task, signal);
}

async function oneAnswer<Answer>(program: URL, request: unknown, signal: AbortSignal): Promise<Answer> {
  if (signal.aborted) throw new ListUnreadable('stopped');
  await using thread = new Thread<unknown, Answer>({ of: 'the list', program });
  const stop = () => void thread[Symbol.asyncDispose]();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await thread.ask(request);
  } catch (error) {
    throw error instanceof ThreadEndedError ? new ListUnreadable('thread_ended') : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

// The thread in which a list is read and made searchable: no call waits for it.
import { open } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { isListRefusal, type ListRefusal, readFsfList } from '#screening/fsf-list.ts';
import { buffersOf, type ListIndex, listIndex } from '#screening/list-index.ts';

/** The path of the list file. */
export type ListTask = string;
export type ListOutcome = ListIndex | ListRefusal | { readonly fault: string };

async function outcomeOf(path: ListTask): Promise<ListOutcome> {
  try {
    await using file = await open(path);
    const list = await readFsfList(file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>);
    return isListRefusal(list) ? list : listIndex(list);
  } catch (error) {
    return { fault: (error as NodeJS.ErrnoException).code ?? 'unknown' };
  }
}

const outcome = await outcomeOf(workerData as ListTask);
parentPort?.postMessage(outcome, 'entities' in outcome ? buffersOf(outcome) : []);

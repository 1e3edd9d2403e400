// The thread in which a list is read and made searchable: no call waits for it.
import { open } from 'node:fs/promises';
import { runningSha256 } from '#kernel/ids.ts';
import { isListRefusal, type ListRefusal, readFsfList } from '#platform/screening/fsf-list.ts';
import { buffersOf, type ListIndex, listIndex } from '#platform/screening/list-index.ts';
import { answerRequests } from '#platform/thread.ts';

/** The path of the list file. */
export type ListTask = string;
export type ListOutcome =
  | { readonly index: ListIndex; readonly sha256: string }
  | ListRefusal
  | { readonly fault: string };

async function outcomeOf(path: ListTask): Promise<ListOutcome> {
  try {
    await using file = await open(path);
    const digest = runningSha256();
    const pieces = file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>;
    const list = await readFsfList(digested(pieces, digest));
    return isListRefusal(list) ? list : { index: listIndex(list), sha256: digest.hex() };
  } catch (error) {
    return { fault: (error as NodeJS.ErrnoException).code ?? 'unknown' };
  }
}

async function* digested(pieces: AsyncIterable<Uint8Array>, digest: ReturnType<typeof runningSha256>) {
  for await (const piece of pieces) {
    digest.update(piece);
    yield piece;
  }
}

answerRequests({
  answer: outcomeOf,
  handedOver: (outcome) => ('index' in outcome ? buffersOf(outcome.index) : []),
});

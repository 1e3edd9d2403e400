// The service as a process of its own that says on SIGUSR2 what memory it holds, garbage taken away.
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Worker } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: Readonly<Record<string, string>>) => void;
const threads = new Set<Worker>();
process.on('worker', (worker) => {
  threads.add(worker);
  worker.once('exit', () => threads.delete(worker));
});

async function sayMemory(): Promise<void> {
  // Only a thread that has ended gives back what it had: with nothing to do, all of them do.
  for (const thread of threads) await once(thread, 'exit');
  // The flavour for a process that is short of memory: empty pages of the heap are given back too.
  collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  console.log(`memory ${JSON.stringify(process.memoryUsage())}`);
}

process.on('SIGUSR2', () => void sayMemory());
await import('../../src/main.ts');

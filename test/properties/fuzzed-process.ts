// The service as a process of its own that says on SIGUSR2 what memory it holds, garbage taken away.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: Readonly<Record<string, string>>) => void;
process.on('SIGUSR2', () => {
  // The flavour for a process that is short of memory: empty pages of the heap are given back too.
  collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  console.log(`memory ${JSON.stringify(process.memoryUsage())}`);
});
await import('../../src/main.ts');

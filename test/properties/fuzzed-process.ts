// The service as a process of its own that says on SIGUSR2 what memory it holds, garbage taken away.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => {
  collectGarbage();
  console.log(`memory ${JSON.stringify(process.memoryUsage())}`);
});
await import('../../src/main.ts');

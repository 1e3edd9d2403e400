// The program of a thread that does what a test tells it to.
import { writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { answerRequests } from './thread.ts';

export type Order = 'say' | 'fault' | 'die' | 'throw' | 'hang' | Uint8Array;

let answered = 0;

async function obey(order: Order): Promise<unknown> {
  answered += 1;
  if (order === 'fault') throw new RangeError('not that');
  if (order === 'die') process.exit(1);
  if (order === 'throw') setImmediate(() => assertNothing());
  if (order === 'hang' || order === 'throw') return new Promise(() => {});
  return order === 'say' ? { answered, workerData } : order;
}

function assertNothing(): never {
  throw new Error('uncaught');
}

answerRequests({
  answer: obey,
  handedOver: (answer) => (answer instanceof Uint8Array ? [answer.buffer as ArrayBuffer] : []),
  close() {
    if (typeof workerData === 'string') writeFileSync(workerData, 'closed');
  },
});

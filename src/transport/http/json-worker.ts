// The thread that reads long JSON bodies.
import { workBelowNormal } from '#platform/below-normal.ts';
import { answerRequests, giveBack } from '#platform/thread.ts';
import { readForHandover } from './json-body.ts';

workBelowNormal();
answerRequests({
  answer(bytes: Uint8Array) {
    try {
      return readForHandover(bytes);
    } finally {
      giveBack(bytes);
    }
  },
});

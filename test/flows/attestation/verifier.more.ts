// Every small change of an answer; `npm test` tries some of them.
import { after, before } from 'node:test';
import { type SealedAnswers, sealedAnswers, smallChanges } from './small-changes.ts';

let answers: SealedAnswers;
before(async () => {
  answers = await sealedAnswers();
});
after(() => answers[Symbol.asyncDispose]());

smallChanges(() => answers, 1);

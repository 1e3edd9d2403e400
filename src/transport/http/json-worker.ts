// The thread that reads long JSON bodies.
import { workBelowNormal } from '#platform/below-normal.ts';
import { answerRequests } from '#platform/thread.ts';
import { readForHandover } from './json-body.ts';

workBelowNormal();
answerRequests({ answer: readForHandover });

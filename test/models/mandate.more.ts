import { suite } from 'node:test';
import { declareMandateModel } from './mandate-model.ts';

suite('for longer', () => declareMandateModel({ numRuns: 200, reachesAll: true }));

import { declareMandateModel } from './mandate-model.ts';

declareMandateModel({ numRuns: 30, reachesAll: false });

import { declareMandateModel } from './mandate-model.ts';

declareMandateModel({ numRuns: 20, reachesAll: false });

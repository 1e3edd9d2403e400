// The short form of `npm run simulate`.
import { suite } from 'node:test';
import { declareSimulatedLife } from './simulated-life.ts';

suite('simulated life', () =>
  declareSimulatedLife({
    seed: 7,
    hours: 8,
    foundWithin: { exclusivity: [5, 4], monotone_time: [9, 4], idempotency: [5, 4], double_capture: [3, 4] },
  }));

import { suite } from 'node:test';
import { declareSimulatedLife } from './simulated-life.ts';

suite('simulated life of two days', () =>
  declareSimulatedLife({
    seed: 7,
    hours: 48,
    foundWithin: { exclusivity: [5, 40], monotone_time: [5, 60], idempotency: [5, 40], double_capture: [5, 40] },
  }));

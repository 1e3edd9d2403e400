import { suite } from 'node:test';
import { declareLeaseModel } from './lease-model.ts';

suite('leases beside a naive model, for longer', () => declareLeaseModel({ sqlite: 120, both: 24 }));

import { suite } from 'node:test';
import { declareLeaseModel } from './lease-model.ts';

suite('leases beside a naive model', () => declareLeaseModel({ sqlite: 20, both: 4 }));

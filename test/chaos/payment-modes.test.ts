import { suite } from 'node:test';
import { declarePaymentModes } from './facilitator-modes.ts';

suite('purchases through a facilitator', () => declarePaymentModes(6));

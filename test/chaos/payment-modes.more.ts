import { suite } from 'node:test';
import { declarePaymentModes } from './facilitator-modes.ts';

suite('many purchases at once through a facilitator', () => declarePaymentModes(60));

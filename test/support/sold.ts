// One operation with a price, and what a gate before it needs: the same in unit tests and in the simulation.
import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { paymentTerms } from '#platform/payments/terms.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';

const privateKey = ed25519PrivateKeyFromSeed(new Uint8Array(32));
export const receiptKey = () => ({ privateKey, publicKey: 'key', kid: 'did:web:test.invalid#1' });
export const terms = paymentTerms(true, '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf');
export const baseUrl = () => 'http://test.invalid';

export const sold = defineOperation({
  operationId: 'sold',
  tag: 'test',
  method: 'get',
  path: '/v1/sold',
  summary: 'For sale',
  description: 'For sale',
  input: z.strictObject({}),
  output: z.looseObject({}),
  effects: true,
  access: 'none',
  price: { usdc: '0.002', atomic: '2000' },
  rate: 'paid',
  cache: 'no-store',
  problems: [],
  examples: [],
});

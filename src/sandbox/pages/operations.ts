import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { type Hex, isAddress } from '#protocol/payment/hex.ts';
import * as problems from './problems.ts';

const addressField = z
  .string()
  .max(64)
  .transform((text, context): Hex => {
    if (isAddress(text)) return text;
    const message = 'Must be an account: 0x and 40 hexadecimal digits.';
    context.addIssue({ code: 'custom', message, params: { code: 'not_an_address' } });
    return z.NEVER;
  })
  .meta({ description: 'Account on the sandbox chain.' });
const atomicField = z.string().regex(/^\d{1,78}$/);
const sandboxField = z.literal(true);

export const FaucetAnswer = z
  .strictObject({
    address: z.string(),
    minted: atomicField.meta({ description: 'Atomic units. One test USDC is 1000000.' }),
    balance: atomicField,
    transaction: z.string(),
    sandbox: sandboxField,
  })
  .meta({ id: 'Faucet' });

export const BalanceAnswer = z
  .strictObject({ address: z.string(), balance: atomicField, sandbox: sandboxField })
  .meta({ id: 'SandboxBalance' });

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export const faucet = defineOperation({
  operationId: 'sandbox_faucet',
  tag: 'sandbox',
  method: 'post',
  path: '/sandbox/faucet',
  summary: 'Get 5 test USDC',
  description:
    'Mints test money on the local chain, enough for hundreds of paid calls. It has no value anywhere else. Only in the sandbox.',
  input: z.strictObject({ address: addressField }),
  output: FaucetAnswer,
  effects: true,
  sandboxOnly: true,
  access: 'none',
  price: null,
  rate: 'tasks',
  cache: 'no-store',
  problems: [problems.noTestMoney],
  examples: [
    {
      name: 'minted',
      input: { address: ADDRESS },
      output: {
        address: ADDRESS,
        minted: '5000000',
        balance: '5000000',
        transaction: '0x5f1b8c1f3c6a4c0b9d1de1c9bb2a58a1c6f3a4f5b6c7d8e9f0a1b2c3d4e5f607',
        sandbox: true,
      },
    },
  ],
});

export const balance = defineOperation({
  operationId: 'sandbox_balance',
  tag: 'sandbox',
  method: 'get',
  path: '/sandbox/balance/{address}',
  summary: 'Get a test USDC balance',
  description: 'Returns the balance of an account on the local chain, in atomic units. Only in the sandbox.',
  input: z.strictObject({ address: addressField }),
  output: BalanceAnswer,
  effects: false,
  sandboxOnly: true,
  access: 'none',
  price: null,
  rate: 'tasks',
  cache: 'no-store',
  problems: [problems.noTestMoney],
  examples: [
    { name: 'balance', input: { address: ADDRESS }, output: { address: ADDRESS, balance: '5000000', sandbox: true } },
  ],
});

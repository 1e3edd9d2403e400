import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from '../examples.json' with { type: 'json' };
import { keyField, shownKeyFields } from '../fields.ts';

const FENCE_STATES = ['held', 'clearance', 'released', 'expired', 'superseded', 'unknown'] as const;
export type FenceState = (typeof FENCE_STATES)[number];

export const FenceAnswer = z
  .strictObject({
    ...shownKeyFields,
    fence: z.int(),
    newest: z.int().nullable().meta({ description: 'The newest known grant of this work key.' }),
    current: z.boolean().meta({ description: 'True while the lease with this fencing token is held.' }),
    state: z.enum(FENCE_STATES).meta({
      description:
        'held: the lease is active. clearance: it expired and the work key is in its grace period. released, expired: it ended and nobody has claimed the work key since. superseded: a later grant exists. unknown: this work key had no such grant in the last 30 days.',
    }),
    at: timeField,
  })
  .meta({ id: 'Fence' });

export const fence = defineOperation({
  operationId: 'fence',
  tag: 'crossing',
  method: 'get',
  path: '/v1/fence',
  summary: 'Check a fencing token',
  description:
    'For a resource that cannot remember the highest fencing token itself: call this just before the side effect. It shortens the time in which a lost lease goes unnoticed, but does not remove it. A resource with its own state should reject lower fencing tokens instead.',
  input: z.strictObject({
    key: keyField,
    fence: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .meta({ description: 'The fencing token that the holder presented.' }),
  }),
  output: FenceAnswer,
  effects: false,
  reads: 'store',
  access: 'none',
  price: null,
  rate: 'crossing-read',
  cache: 'no-store',
  problems: [],
  examples: recorded(examples.fence),
});

export type FenceInput = z.output<typeof fence.input>;

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
    newest: z.int().nullable().meta({ description: 'The newest grant of the key that is live or remembered' }),
    current: z.boolean().meta({ description: 'True when the lease of this fence is held' }),
    state: z.enum(FENCE_STATES).meta({
      description:
        'held; clearance: lapsed, the key not yet free; released or expired: ended, nobody was granted the key since; superseded: a later grant exists; unknown: no such grant of this key in the last thirty days',
    }),
    at: timeField,
  })
  .meta({ id: 'Fence' });

export const fence = defineOperation({
  operationId: 'fence',
  tag: 'crossing',
  method: 'get',
  path: '/v1/fence',
  summary: 'Ask whether a fence is still current',
  description:
    'For a resource that cannot keep the highest fence itself: ask just before the side effect. This narrows the time in which a lease can be lost unnoticed and does not close it; a resource with state of its own should refuse lower fences instead.',
  input: z.strictObject({
    key: keyField,
    fence: z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ description: 'The fence that the holder showed' }),
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

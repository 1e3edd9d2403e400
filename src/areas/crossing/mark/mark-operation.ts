import { z } from 'zod';
import { identityField } from '#kernel/identity.ts';
import { timeField } from '#kernel/fields.ts';
import { WEIGHT_REASONS } from './mark-weight.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { MARK_KINDS } from '#protocol/attestation/leaf-entry.ts';
import { softRuleField } from '#platform/usage-rules/soft-rules.ts';
import examples from '../examples.json' with { type: 'json' };
import { agentField, evidenceField, keyField, leaseField, noteField, shownKeyFields, tokenField } from '../fields.ts';
import * as problems from '../problems.ts';

const MarkInput = z
  .strictObject({
    key: keyField,
    agent: agentField,
    kind: z.enum(MARK_KINDS).meta({
      description:
        'done: delivered. paid: the payer paid. failed: tried and could not. declined: chose not to. unpaid: delivered and not paid. dead: the endpoint does not respond. blocked: cannot be done as described. note: a remark.',
    }),
    note: noteField.optional(),
    evidence: evidenceField.optional(),
    lease: leaseField.optional().meta({ description: 'A lease that you hold, or held in the last day.' }),
    token: tokenField.optional(),
  })
  .refine((input) => (input.lease === undefined) === (input.token === undefined), {
    path: ['token'],
    message: 'Send lease and token together.',
    params: { code: 'missing' },
  });

export const MarkAnswer = z
  .strictObject({
    ...shownKeyFields,
    kind: z.enum(MARK_KINDS),
    weight: z.number().meta({
      description:
        "The mark's current weight. It starts at 0.25. Evidence and a lease double it, a verified identity adds a quarter, up to 1.",
    }),
    w0_because: z.array(z.enum(WEIGHT_REASONS)),
    half_life_s: z.int(),
    repeated: z.boolean().meta({ description: 'True if the same mark was already left today.' }),
    rev: z.int(),
    log: z.int().meta({ description: 'Number of the entry in the public log.' }),
    at: timeField,
    soft_rule: softRuleField,
    identity: identityField,
  })
  .meta({ id: 'Mark' });

export const mark = defineOperation({
  operationId: 'mark',
  tryable: 4,
  tag: 'crossing',
  method: 'get',
  alsoPost: true,
  path: '/v1/mark',
  summary: 'Leave a mark',
  description:
    'Writes one mark for later agents and an entry in the public log. A mark fades over time and cannot be undone. It weighs more with evidence, and if you prove that you held a lease on the work key. One address can leave three marks a day on one work key. Prefer POST with a JSON body.',
  input: MarkInput,
  headerFields: { 'x-crossing-token': 'token' },
  output: MarkAnswer,
  effects: true,
  access: 'none',
  price: null,
  rate: 'crossing-write',
  cache: 'no-store',
  problems: [problems.badToken, problems.ruleRefused, problems.unknownLease, problems.markLimit],
  examples: recorded(examples.mark),
});

export type MarkInput = z.output<typeof MarkInput>;

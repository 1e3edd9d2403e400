import { defineSchema } from '../attestation-schema.ts';
import { judged } from '../field-rule.ts';

const KVK_NUMBER = '^[0-9]{8}$';
const kvkNumber = new RegExp(KVK_NUMBER);

export const kvkLiveness = defineSchema({
  document: {
    schema_id: 'kvk.liveness.v1',
    evidence_class: 'C',
    title: 'Registration in the Dutch commercial register',
    claim: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        kvk_number: { type: 'string', pattern: KVK_NUMBER, description: 'Eight digits, leading zeros included.' },
      },
      required: ['kvk_number'],
      additionalProperties: false,
    },
    fee_eurocents: 50,
    sealable_by: 'anyone',
    promise: 'The protocol itself observed the answer of the official Dutch commercial register at the sealed moment.',
    examples: [
      { claim: { kvk_number: '11998877' }, verdict: 'ACCEPT', code: null },
      { claim: { kvk_number: 11998877 }, verdict: 'REJECT', code: 'kvk_format' },
      { claim: { kvk_number: '1199887' }, verdict: 'REJECT', code: 'kvk_format' },
    ],
  },
  checks: [
    {
      code: 'kvk_format',
      rule: 'kvk_number is a string of exactly 8 digits.',
      fails: ({ claim: { kvk_number: number } }) => typeof number !== 'string' || !kvkNumber.test(number),
    },
    {
      code: 'registry_unavailable',
      rule: 'The register answered, be it that it has no such record.',
      observed: true,
      fails: ({ observations }) => !observations.some((seen) => seen.source === 'kvk' && seen.status !== 'error'),
    },
    {
      code: 'kvk_not_found',
      rule: 'The register returned a record for the number.',
      observed: true,
      fails: ({ observations }) => !observations.some((seen) => seen.source === 'kvk' && seen.status === 'answered'),
    },
  ],
  fields: { kvk_number: judged },
  queries: ({ kvk_number: number }) => [{ source: 'kvk', query: { kvk_number: String(number) } }],
});

import { defineSchema } from '../attestation-schema.ts';
import { judged } from '../field-rule.ts';
import { statementChecks, statementSchema } from '../statement-checks.ts';

const SHA256_HEX = '^[0-9a-fA-F]{64}$';
const MAX_DIGESTS = 32;
const sha256Hex = new RegExp(SHA256_HEX);

export const recordIntegrity = defineSchema({
  document: {
    schema_id: 'record.integrity.v1',
    evidence_class: 'R',
    title: 'Integrity of a record',
    claim: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        statement: statementSchema,
        evidence_digests: {
          type: 'array',
          maxItems: MAX_DIGESTS,
          items: { type: 'string', pattern: SHA256_HEX },
          description: 'SHA-256 digests in hex of evidence that stays with the caller.',
        },
      },
      required: ['statement'],
      additionalProperties: false,
    },
    fee_eurocents: 25,
    sealable_by: 'anyone',
    promise: 'The record existed in exactly this byte form at the sealed moment and was unchanged after.',
    examples: [
      { claim: { statement: 'Seven boxes arrived undamaged.' }, verdict: 'ACCEPT', code: null },
      {
        claim: { statement: 'Contract, second version.', evidence_digests: ['0123456789abcdef'.repeat(4)] },
        verdict: 'ACCEPT',
        code: null,
      },
      { claim: { statement: '' }, verdict: 'REJECT', code: 'claim_empty' },
      { claim: { statement: 'x', evidence_digests: ['not-a-digest'] }, verdict: 'REJECT', code: 'digest_invalid' },
    ],
  },
  checks: [
    ...statementChecks,
    {
      code: 'digest_invalid',
      rule: 'evidence_digests, when given, is a list in which every element is a string of 64 hexadecimal digits.',
      fails: ({ claim: { evidence_digests: digests } }) =>
        digests !== undefined && !(Array.isArray(digests) && digests.every(isSha256Hex)),
    },
    {
      code: 'too_many_digests',
      rule: `evidence_digests has at most ${MAX_DIGESTS} elements.`,
      fails: ({ claim: { evidence_digests: digests } }) => Array.isArray(digests) && digests.length > MAX_DIGESTS,
    },
  ],
  fields: { statement: judged, evidence_digests: judged },
});

function isSha256Hex(value: unknown): boolean {
  return typeof value === 'string' && sha256Hex.test(value);
}

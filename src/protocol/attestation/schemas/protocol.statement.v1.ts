import { ATTESTATION_ID_PATTERN } from '../attestation-id.ts';
import { defineSchema } from '../attestation-schema.ts';
import { judged, linkRule } from '../field-rule.ts';
import { statementChecks, statementSchema } from '../statement-checks.ts';

export const protocolStatement = defineSchema({
  document: {
    schema_id: 'protocol.statement.v1',
    evidence_class: 'R',
    title: 'Statement of the service',
    claim: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        statement: statementSchema,
        corrects_attestation_id: {
          type: 'string',
          pattern: ATTESTATION_ID_PATTERN,
          description: 'An earlier seal that this one corrects. Its validity does not change.',
        },
      },
      required: ['statement'],
      additionalProperties: false,
    },
    fee_eurocents: 0,
    sealable_by: 'internal',
    promise: 'The service made this statement at the sealed moment, and the statement was unchanged after.',
    examples: [
      { claim: { statement: 'audit-trail.head 4711 lines' }, verdict: 'ACCEPT', code: null },
      { claim: { statement: '' }, verdict: 'REJECT', code: 'claim_empty' },
    ],
  },
  checks: statementChecks,
  fields: { statement: judged, corrects_attestation_id: linkRule },
  correctsField: 'corrects_attestation_id',
});

import { defineSchema } from '../attestation-schema.ts';
import { judged, oneOf, shortTexts } from '../field-rule.ts';

/** Tasks and recorded checks; `canceled` is their spelling. */
const TASK_STATES = [
  'submitted',
  'input_required',
  'quoted',
  'payment_required',
  'working',
  'completed',
  'failed',
  'rejected',
  'canceled',
  'expired',
];
/** Orders; `cancelled` is their spelling. */
const ORDER_STATES = [
  'quoted',
  'placed',
  'confirmed',
  'refused',
  'cancelled',
  'shipped',
  'delivered',
  'returned',
  'expired',
];
const STATES: readonly string[] = [...new Set([...TASK_STATES, ...ORDER_STATES])];
const MAX_AWERI_STATES = 32;
const MAX_AWERI_STATE_CODE_POINTS = 64;
const PRESENT = { type: 'string', minLength: 1 };

export const coordinationState = defineSchema({
  document: {
    schema_id: 'coordination.state.v1',
    evidence_class: 'R',
    title: 'State of a task, an order or a recorded check',
    claim: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        case_id: {
          ...PRESENT,
          description: 'SHA-256 in hex of the id of the task, order or check: the id itself opens a record.',
        },
        from_state: { type: 'string', enum: STATES, description: 'Absent for the first state.' },
        to_state: { type: 'string', enum: STATES },
        evidence: { ...PRESENT, description: 'A digest in hex that covers the id.' },
        aweri_states: {
          type: 'array',
          maxItems: MAX_AWERI_STATES,
          items: { type: 'string', maxLength: MAX_AWERI_STATE_CODE_POINTS },
          description: 'Sealed as given, not interpreted.',
        },
      },
      required: ['case_id', 'to_state', 'evidence'],
      additionalProperties: false,
    },
    fee_eurocents: 0,
    sealable_by: 'internal',
    promise: 'The service recorded this state of its own at the sealed moment, and the record was unchanged after.',
    states: STATES,
    examples: [
      {
        claim: {
          case_id: '00112233445566778899aabbccddeeff'.repeat(2),
          from_state: 'submitted',
          to_state: 'completed',
          evidence: 'ffeeddccbbaa99887766554433221100'.repeat(2),
        },
        verdict: 'ACCEPT',
        code: null,
      },
      { claim: { to_state: 'working', evidence: 'e0' }, verdict: 'REJECT', code: 'case_id_missing' },
      { claim: { case_id: 'c0', to_state: 'asleep', evidence: 'e0' }, verdict: 'REJECT', code: 'state_unknown' },
      { claim: { case_id: 'c0', to_state: 'working', evidence: '' }, verdict: 'REJECT', code: 'evidence_empty' },
    ],
  },
  checks: [
    {
      code: 'case_id_missing',
      rule: 'case_id is a string of at least one character.',
      fails: ({ claim }) => typeof claim['case_id'] !== 'string' || claim['case_id'] === '',
    },
    {
      code: 'state_unknown',
      rule: 'to_state is one of the states of this document.',
      fails: ({ claim, document }) => !(document.states as readonly unknown[]).includes(claim['to_state']),
    },
    {
      code: 'evidence_empty',
      rule: 'evidence is a string of at least one character.',
      fails: ({ claim }) => typeof claim['evidence'] !== 'string' || claim['evidence'] === '',
    },
  ],
  fields: {
    case_id: judged,
    from_state: oneOf(STATES),
    to_state: judged,
    evidence: judged,
    aweri_states: shortTexts({ maxItems: MAX_AWERI_STATES, maxLength: MAX_AWERI_STATE_CODE_POINTS }),
  },
});

import { defineSchema } from '../attestation-schema.ts';
import { integerRule, judged, oneOf, textRule, truth } from '../field-rule.ts';

const PHASES = ['verify', 'seal'];

/** What may be done under a mandate. */
export const AMH_ACTIONS = [
  'booking.cancel',
  'booking.create',
  'custom',
  'order.cancel',
  'order.modify',
  'order.place',
  'payment.authorize',
  'service.start',
] as const;

/** What may come of it. */
export const AMH_OUTCOMES = ['cancelled', 'confirmed', 'delivered', 'failed', 'placed', 'refused'] as const;

const STRING = { type: 'string' };
const PRESENT = { type: 'string', minLength: 1 };

export const amhHandshake = defineSchema({
  document: {
    schema_id: 'amh.handshake.v1',
    evidence_class: 'R',
    title: 'Mandate handshake: what was verified, what came of it',
    claim: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        phase: { type: 'string', enum: PHASES },
        verify_ref: { ...PRESENT, description: 'The AMH-… id of the verification.' },
        platform_id: PRESENT,
        mandate_id: STRING,
        action: { type: 'string', enum: AMH_ACTIONS },
        amount_cents: {
          type: 'integer',
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'In the minor unit of the currency.',
        },
        currency: { ...STRING, description: 'ISO 4217 code.' },
        ok: { type: 'boolean', description: 'Verify phase: whether the mandate allows the action.' },
        reason: { ...STRING, description: 'Verify phase.' },
        outcome: { type: 'string', enum: AMH_OUTCOMES, description: 'Seal phase.' },
        external_ref: { ...STRING, description: 'Seal phase.' },
        settlement_ref: { ...STRING, description: 'Seal phase.' },
      },
      required: ['phase', 'verify_ref', 'platform_id'],
      additionalProperties: false,
    },
    fee_eurocents: 0,
    sealable_by: 'anyone',
    promise:
      'The record of the handshake existed in exactly this byte form at the sealed moment and was unchanged after. Only an entry whose origin is protocol was made by the service; one whose origin is submitted records what somebody sent.',
    examples: [
      {
        claim: {
          phase: 'verify',
          verify_ref: 'AMH-00000000000000000000000001',
          platform_id: 'plt_00000000000000000000000001',
          mandate_id: 'mnd_00000000000000000000000001',
          action: 'order.place',
          amount_cents: 12999,
          currency: 'EUR',
          ok: false,
          reason: 'per_action_cap_exceeded',
        },
        verdict: 'ACCEPT',
        code: null,
      },
      { claim: { phase: 'cancel' }, verdict: 'REJECT', code: 'phase_invalid' },
      { claim: { phase: 'verify' }, verdict: 'REJECT', code: 'verify_ref_missing' },
      {
        claim: { phase: 'seal', verify_ref: 'AMH-00000000000000000000000001' },
        verdict: 'REJECT',
        code: 'platform_missing',
      },
    ],
  },
  checks: [
    {
      code: 'phase_invalid',
      rule: 'phase is verify or seal.',
      fails: ({ claim }) => !(PHASES as readonly unknown[]).includes(claim['phase']),
    },
    {
      code: 'verify_ref_missing',
      rule: 'verify_ref is a string of at least one character.',
      fails: ({ claim }) => typeof claim['verify_ref'] !== 'string' || claim['verify_ref'] === '',
    },
    {
      code: 'platform_missing',
      rule: 'platform_id is a string of at least one character.',
      fails: ({ claim }) => typeof claim['platform_id'] !== 'string' || claim['platform_id'] === '',
    },
  ],
  fields: {
    phase: judged,
    verify_ref: judged,
    platform_id: judged,
    mandate_id: textRule,
    action: oneOf(AMH_ACTIONS),
    amount_cents: integerRule,
    currency: textRule,
    ok: truth,
    reason: textRule,
    outcome: oneOf(AMH_OUTCOMES),
    external_ref: textRule,
    settlement_ref: textRule,
  },
});

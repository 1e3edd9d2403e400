import { defineSchema } from '../attestation-schema.ts';
import { judged, textRule } from '../field-rule.ts';

/** root: a key in force of the service itself. legacy: retired. peer: a key of somebody else that the service names. */
const ROLES = ['root', 'legacy', 'peer'];
const PRESENT = { type: 'string', minLength: 1 };
const LOG_KEY = 'log.example/astralock+4df0a2d6+AYFGZA8CSTr0+8VP4zOI513CyTeuC3cnzCsq+xt1GZo+';

export const keyDeclaration = defineSchema({
  document: {
    schema_id: 'protocol.key.declaration.v1',
    evidence_class: 'R',
    title: 'Declaration of a key',
    claim: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        public_key: { ...PRESENT, description: 'A note verifier key of the log or of a witness, or a raw public key.' },
        role: {
          type: 'string',
          enum: ROLES,
          description:
            'root: in force, of the service. legacy: retired, kept for verification. peer: of somebody else.',
        },
        scope: { ...PRESENT, description: 'What the key signs: log-checkpoint, receipts or witness.' },
        superseded_by: { type: 'string', description: 'The key that took its place.' },
      },
      required: ['public_key', 'role', 'scope'],
      additionalProperties: false,
    },
    fee_eurocents: 0,
    sealable_by: 'internal',
    promise: 'The service declared this key at the sealed moment, and the declaration was unchanged after.',
    examples: [
      { claim: { public_key: LOG_KEY, role: 'root', scope: 'log-checkpoint' }, verdict: 'ACCEPT', code: null },
      { claim: { role: 'root', scope: 'receipts' }, verdict: 'REJECT', code: 'public_key_missing' },
      { claim: { public_key: LOG_KEY, role: 'owner', scope: 'receipts' }, verdict: 'REJECT', code: 'role_invalid' },
      { claim: { public_key: LOG_KEY, role: 'peer', scope: '' }, verdict: 'REJECT', code: 'scope_empty' },
    ],
  },
  checks: [
    {
      code: 'public_key_missing',
      rule: 'public_key is a string of at least one character.',
      fails: ({ claim }) => typeof claim['public_key'] !== 'string' || claim['public_key'] === '',
    },
    {
      code: 'role_invalid',
      rule: 'role is root, legacy or peer.',
      fails: ({ claim }) => !(ROLES as readonly unknown[]).includes(claim['role']),
    },
    {
      code: 'scope_empty',
      rule: 'scope is a string of at least one character.',
      fails: ({ claim }) => typeof claim['scope'] !== 'string' || claim['scope'] === '',
    },
  ],
  fields: { public_key: judged, role: judged, scope: judged, superseded_by: textRule },
});

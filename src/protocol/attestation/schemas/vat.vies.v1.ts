import { defineSchema } from '../attestation-schema.ts';
import { judged } from '../field-rule.ts';
import { VAT_COUNTRY_CODES, viesCountryCode } from '../vat-countries.ts';

const VAT_NUMBER = '^[0-9A-Za-z]{2,14}$';
const vatNumber = new RegExp(VAT_NUMBER);

export const vatVies = defineSchema({
  document: {
    schema_id: 'vat.vies.v1',
    evidence_class: 'A',
    title: 'EU VAT number as VIES answers for it',
    claim: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        country_code: {
          type: 'string',
          enum: VAT_COUNTRY_CODES,
          description: 'Member state or XI for Northern Ireland. Greece is EL or GR.',
        },
        vat_number: {
          type: 'string',
          pattern: VAT_NUMBER,
          description: 'National number without the country prefix. It is asked in upper case.',
        },
      },
      required: ['country_code', 'vat_number'],
      additionalProperties: false,
    },
    fee_eurocents: 50,
    sealable_by: 'anyone',
    promise:
      'The protocol itself observed the answer of the official EU VAT service at the sealed moment. The answer may be that the number is not valid.',
    examples: [
      { claim: { country_code: 'DE', vat_number: '999001001' }, verdict: 'ACCEPT', code: null },
      { claim: { country_code: 'US', vat_number: '999001001' }, verdict: 'REJECT', code: 'country_code_invalid' },
      { claim: { country_code: 'IE', vat_number: '9+99999W' }, verdict: 'REJECT', code: 'vat_format' },
    ],
  },
  checks: [
    {
      code: 'country_code_invalid',
      rule: `country_code is one of ${VAT_COUNTRY_CODES.join(', ')}, in upper case.`,
      fails: ({ claim }) => !(VAT_COUNTRY_CODES as readonly unknown[]).includes(claim['country_code']),
    },
    {
      code: 'vat_format',
      rule: 'vat_number is a string of 2 to 14 letters and digits of ASCII.',
      fails: ({ claim: { vat_number: number } }) => typeof number !== 'string' || !vatNumber.test(number),
    },
    {
      code: 'registry_unavailable',
      rule: 'The official EU VAT service answered. Valid and not valid are both answers.',
      observed: true,
      fails: ({ observations }) => !observations.some((seen) => seen.source === 'vies' && seen.status === 'answered'),
    },
  ],
  fields: { country_code: judged, vat_number: judged },
  queries: ({ country_code: country, vat_number: number }) => [
    {
      source: 'vies',
      query: { country_code: viesCountryCode(String(country)), vat_number: String(number).toUpperCase() },
    },
  ],
});

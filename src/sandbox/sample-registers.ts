import { canonicalJson } from '#kernel/canonical-json.ts';
import type { Observation, RegisterQuery } from '#protocol/attestation/observation.ts';

/** Fictional answers by register and question; what is not listed is not found, or out of order where it says so. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, Omit<Observation, 'source'>>>>> = {
  vies: {
    '{"country_code":"NL","vat_number":"000099998B57"}': {
      status: 'answered',
      result: { valid: true, name: 'SAMPLE B.V.' },
    },
    '{"country_code":"NL","vat_number":"000000000B00"}': { status: 'answered', result: { valid: false, name: null } },
    '{"country_code":"FR","vat_number":"00000000000"}': { status: 'error', code: 'MS_UNAVAILABLE' },
  },
  kvk: {
    '{"kvk_number":"90000001"}': { status: 'answered', result: { active: true, name: 'Sample B.V.' } },
    '{"kvk_number":"90000009"}': { status: 'error', code: 'TIMEOUT' },
  },
  cir: { '{"kvk_number":"90000001"}': { status: 'not_found' } },
};

/** A small in-process stand-in: same question, same answer, nothing leaves the machine. */
export const sampleRegisters = {
  observe({ source, query }: RegisterQuery): Promise<Observation> {
    const known = SAMPLES[source];
    const answer = known?.[canonicalJson(query)];
    if (known === undefined) return Promise.resolve({ source, status: 'error', code: 'NOT_CONFIGURED' });
    return Promise.resolve({ source, ...(answer ?? { status: 'not_found' }) });
  },
};

import { z } from 'zod';
import type { VatNumber } from '#protocol/identifiers/vat-number.ts';
import type { RegisterAnswer } from '#platform/registers/outcome.ts';
import type { VatAnswer } from '#platform/registers/vies.ts';
import { type Judged, origin, raisedFlags, seenOf, verdictMembers } from './verdict.ts';

const EU_VAT_FLAGS = ['VAT_NOT_VALID', 'CHECKSUM_MISMATCH', 'DETAILS_UNDISCLOSED', 'CONFIRMED_AFTER_OUTAGE'] as const;

export const EuVatResult = z.strictObject({
  status: z.enum(['VALID', 'INVALID']),
  valid: z.boolean(),
  vat: z.string(),
  country_code: z.string(),
  name: z.string().nullable(),
  address: z.string().nullable(),
  consultation_number: z.string().nullable(),
  flags: z.array(z.enum(EU_VAT_FLAGS)),
  ...verdictMembers,
});

/** VIES has the last word: check digits that do not fit are a flag, not a verdict. */
export function judgeVat(
  asked: VatNumber,
  answer: RegisterAnswer<VatAnswer>,
  judged: Judged,
): z.output<typeof EuVatResult> {
  const { valid, name, address, consultationNumber, secondLook } = answer.value;
  return {
    status: valid ? 'VALID' : 'INVALID',
    valid,
    vat: asked.countryCode + asked.number,
    country_code: asked.countryCode,
    name,
    address,
    consultation_number: consultationNumber,
    flags: raisedFlags({
      VAT_NOT_VALID: !valid,
      CHECKSUM_MISMATCH: asked.checkDigits === 'failed',
      DETAILS_UNDISCLOSED: valid && name === null,
      CONFIRMED_AFTER_OUTAGE: secondLook,
    }),
    open_questions: [],
    ...origin([seenOf('vies', answer)], judged),
  };
}

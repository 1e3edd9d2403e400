import { z } from 'zod';
import { cleanedText } from '#kernel/text-field.ts';
import { DUTCH_PLATE, UK_PLATE } from '#protocol/identifiers/plate.ts';
import { readVatNumber, VAT_NUMBER } from '#protocol/identifiers/vat-number.ts';

export const kvkNumber = z
  .string()
  .regex(/^\d{8}$/, 'Must be 8 digits.')
  .meta({ description: 'Number in the Dutch commercial register, 8 digits.' });
/** More than any writing of a VAT number needs. */
const VAT_CHARACTERS = 60;
export const vatNumber = z
  .string()
  .max(VAT_CHARACTERS)
  .regex(VAT_NUMBER, {
    message: 'Must be a VAT number with its country prefix, for example NL123456789B01.',
    abort: true,
  })
  .check(({ value, issues }) => {
    const read = readVatNumber(value);
    if (!('impossible' in read)) return;
    issues.push({ code: 'custom', input: value, message: read.impossible, params: { code: 'vat_format' } });
  })
  .meta({ description: 'EU VAT number with country prefix. Blanks, dots, dashes and slashes are optional.' });
export const companyName = cleanedText({ min: 1, max: 120, description: 'Name of the company.' });
export const screenedName = cleanedText({ min: 2, max: 120, description: 'Name of a person or company.' });
/** More than any writing of a plate needs. */
const PLATE_CHARACTERS = 40;
export const kenteken = z
  .string()
  .max(PLATE_CHARACTERS)
  .regex(DUTCH_PLATE, 'Must be 6 letters and digits. Spaces, dashes and a leading NL are optional.')
  .meta({ description: 'Dutch licence plate, 6 letters and digits. Spaces, dashes and a leading NL are optional.' });
export const ukCompany = cleanedText({ min: 1, max: 160, description: 'UK company number, or a name to search for.' });
export const ukPlate = z
  .string()
  .max(PLATE_CHARACTERS)
  .regex(UK_PLATE, 'Must be 2 to 7 letters and digits. Spaces and dashes are optional.')
  .meta({ description: 'UK registration plate, 2 to 7 letters and digits. Spaces and dashes are optional.' });

/** For what the pattern of a field has let through. */
export function unreadable(what: string): never {
  throw new Error(`a ${what} that cannot be read passed the schema`);
}

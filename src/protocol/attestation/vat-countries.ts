/** The 27 member states and Northern Ireland as VIES writes them; Greece is EL there. */
const VIES_COUNTRY_CODES = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(
  ' ',
);

/** What a caller may write: Greece also by its ISO 3166 code. */
export const VAT_COUNTRY_CODES: readonly string[] = [...VIES_COUNTRY_CODES, 'GR'].toSorted();

/** The code under which VIES knows a country. */
export function viesCountryCode(countryCode: string): string {
  return countryCode === 'GR' ? 'EL' : countryCode;
}

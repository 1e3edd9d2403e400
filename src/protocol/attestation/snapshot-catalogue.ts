import type { RegisterId, RegisterQuery } from './observation.ts';
import type { CatalogueSource } from './schema-document.ts';
import { VAT_COUNTRY_CODES, viesCountryCode } from './vat-countries.ts';

/** Narrower than what `readUkCompanyNumber` takes: a rule never changes under one schema id. */
const UK_COMPANY_NUMBER =
  '^(?:' +
  '(?:(?:AC|ZC|FC|GE|LP|OC|SE|SA|SZ|SF|GS|SL|SO|SC|ES|NA|NZ|NF|GN|NL|NC|R0|NI|EN|OE|[0-9]{2}|SG|FE)[0-9]{5}[0-9CR])|' +
  '(?:(?:RS|SO)[0-9]{3}(?:[0-9]{3}|[0-9]{2}[WSRCZF]|[0-9](?:FI|RS|SA|IP|US|EN|AS)|CUS))|' +
  '(?:(?:NI|SL)[0-9]{5}[0-9A])|' +
  '(?:OC(?:(?:[0-9P]{5}[CWERTB])|(?:[0-9P]{4}(?:OC|CU))))' +
  ')$';

/** The registers that a snapshot may ask; part of the schema document, so that the schema digest fixes them. */
export const SNAPSHOT_CATALOGUE: readonly (CatalogueSource & { readonly source: RegisterId })[] = [
  {
    source: 'vies',
    title: 'EU VAT information exchange system',
    query_pattern: `^(?:${VAT_COUNTRY_CODES.join('|')})[0-9A-Z+*]{2,14}$`,
  },
  { source: 'kvk', title: 'Dutch commercial register', query_pattern: '^[0-9]{8}$' },
  { source: 'cir', title: 'Dutch central insolvency register, by KvK number', query_pattern: '^[0-9]{8}$' },
  { source: 'rdw', title: 'Dutch vehicle register, open data', query_pattern: '^[0-9A-Z]{6}$' },
  { source: 'companies_house', title: 'UK Companies House', query_pattern: UK_COMPANY_NUMBER },
  { source: 'dvsa_mot', title: 'UK MOT history', query_pattern: '^[0-9A-Z]{2,7}$' },
  { source: 'eu_fsf', title: 'EU consolidated financial sanctions list', query_pattern: '^[\\s\\S]{2,120}$' },
];

const COUNTRY_PREFIX_LENGTH = 2;

/** The question behind the query text of a snapshot, in the member names that the register has everywhere. */
export function registerQuery(source: string, query: string): RegisterQuery {
  switch (source as RegisterId) {
    case 'vies':
      return {
        source,
        query: {
          country_code: viesCountryCode(query.slice(0, COUNTRY_PREFIX_LENGTH)),
          vat_number: query.slice(COUNTRY_PREFIX_LENGTH),
        },
      };
    case 'kvk':
    case 'cir':
      return { source, query: { kvk_number: query } };
    case 'rdw':
      return { source, query: { kenteken: query } };
    case 'companies_house':
      return { source, query: { company_number: query } };
    case 'dvsa_mot':
      return { source, query: { plate: query } };
    case 'eu_fsf':
      return { source, query: { name: query } };
    default:
      return { source, query: { query } }; // a source that only some other document of the schema knows
  }
}

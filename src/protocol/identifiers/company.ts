/** Companies House: two letters or digits and six more, and the older forms of societies and partnerships. */
export const UK_COMPANY_NUMBER =
  '^(?:' +
  '(?:(?:AC|ZC|FC|GE|LP|OC|SE|SA|SZ|SF|GS|SL|SO|SC|ES|NA|NZ|NF|GN|NL|NC|R0|NI|EN|OE|[0-9]{2}|SG|FE)[0-9]{5}[0-9CR])|' +
  '(?:(?:RS|SO)[0-9]{3}(?:[0-9]{3}|[0-9]{2}[WSRCZF]|[0-9](?:FI|RS|SA|IP|US|EN|AS)|CUS))|' +
  '(?:(?:NI|SL)[0-9]{5}[0-9A])|' +
  '(?:OC(?:(?:[0-9P]{5}[CWERTB])|(?:[0-9P]{4}(?:OC|CU))))' +
  ')$';

const ukCompanyNumber = new RegExp(UK_COMPANY_NUMBER);

/** Reads a UK company number in any writing; undefined when the text can only be a name. */
export function readUkCompanyNumber(text: string): string | undefined {
  const compact = text.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '');
  const [, letters = '', digits] = /^([A-Z]{2}|R0)?([0-9]{1,8})$/.exec(compact) ?? [];
  const number = digits === undefined ? compact : letters + digits.padStart(8 - letters.length, '0');
  return ukCompanyNumber.test(number) ? number : undefined;
}

const LEGAL_FORMS: Readonly<Record<string, string>> = { LTD: 'LIMITED', PLC: 'PUBLIC LIMITED COMPANY' };

/** The form in which two writings of one company name are equal. */
export function comparableName(name: string): string {
  const words = name
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll('&', ' AND ')
    .replace(/[.'’]/g, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  const rest = words[0] === 'THE' && words.length > 1 ? words.slice(1) : words;
  return rest.map((word) => LEGAL_FORMS[word] ?? word).join(' ');
}

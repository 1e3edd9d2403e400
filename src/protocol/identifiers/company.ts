/**
 * Prefixes that Companies House publishes (its guide to company addresses, and the register itself): companies, partnerships
 * and overseas entities, and bodies whose register others keep, such as charities, royal charters and societies.
 */
const UK_PREFIXES = [
  ...['AC', 'BR', 'CE', 'CS', 'EN', 'ES', 'FC', 'FE', 'GE', 'GN', 'GS', 'IC', 'IP', 'LP', 'NA', 'NC', 'NF', 'NI', 'NL'],
  ...['NO', 'NP', 'NR', 'NV', 'NZ', 'OC', 'OE', 'PC', 'R0', 'RC', 'RS', 'SA', 'SC', 'SE', 'SF', 'SG', 'SI', 'SL', 'SO'],
  ...['SP', 'SR', 'SZ', 'ZC'],
];

const UK_NUMBER_FORMS: readonly RegExp[] = [
  new RegExp(`^(?:[0-9]{2}|${UK_PREFIXES.join('|')})[0-9]{5}[0-9CR]$`),
  // The register of mutual societies ends its numbers in letters that say what a society is.
  /^(?:IP|NO|NP|RS|SO|SP)[0-9]{3}(?:[0-9]{2}[A-Z]|[0-9][A-Z]{2}|[A-Z]{3})$/,
  /^(?:NI|SL)[0-9]{5}A$/,
  /^OC(?:[0-9P]{5}[CWERTB]|[0-9P]{4}(?:OC|CU))$/,
];

/** Reads a UK company number in any writing; undefined when the text can only be a name. */
export function readUkCompanyNumber(text: string): string | undefined {
  const compact = text.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '');
  const [, letters = '', digits] = /^([A-Z]{2}|R0)?([0-9]{1,8})$/.exec(compact) ?? [];
  const number = digits === undefined ? compact : letters + digits.padStart(8 - letters.length, '0');
  return UK_NUMBER_FORMS.some((form) => form.test(number)) ? number : undefined;
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

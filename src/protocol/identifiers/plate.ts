/** Groups of the Dutch side codes; since the fourth the letters are consonants without C and Q. */
const SIDE_CODES: readonly string[] = [
  ...['XX-99-99', '99-99-XX', '99-XX-99', 'CC-99-CC', 'CC-CC-99', '99-CC-CC', '99-XXX-9', '9-XXX-99'],
  ...['XX-999-X', 'X-999-XX', 'XXX-99-X', 'X-99-XXX', '9-XX-999', '999-XX-9'],
];

const CLASSES: Readonly<Record<string, string>> = { X: '[A-Z]', C: '[BDFGHJ-NPRSTV-Z]', '9': '[0-9]' };

const SIDE_CODE_FORMS = SIDE_CODES.map((code) => {
  const groups = code.split('-').map((group) => `(${Array.from(group, (mark) => CLASSES[mark]).join('')})`);
  return new RegExp(`^${groups.join('')}$`);
});

/** What is written between the groups of a plate: blanks, dots, hyphens, dashes, underscores. */
const BETWEEN = String.raw`[\s._·\-\u2010-\u2015\u2212]`;
const ALL_BETWEEN = new RegExp(BETWEEN, 'g');

/** A Dutch plate as callers write it, with or without the country. */
export const DUTCH_PLATE = new RegExp(`^${BETWEEN}*(?:[Nn][Ll]${BETWEEN}*)?(?:[0-9A-Za-z]${BETWEEN}*){6}$`);
export const UK_PLATE = new RegExp(`^${BETWEEN}*(?:[0-9A-Za-z]${BETWEEN}*){2,7}$`);

export interface DutchPlate {
  readonly kenteken: string;
  /** Null for a plate that fits no series: it is asked all the same. */
  readonly sidecode: number | null;
  readonly display: string;
}

/** Reads a Dutch plate in any writing; undefined when it has not six letters and digits. */
export function readDutchPlate(text: string): DutchPlate | undefined {
  const kenteken = compactPlate(text).replace(/^NL(?=.{6}$)/, '');
  if (!/^[A-Z0-9]{6}$/.test(kenteken)) return undefined;
  const index = SIDE_CODE_FORMS.findIndex((form) => form.test(kenteken));
  const groups = SIDE_CODE_FORMS[index]?.exec(kenteken)?.slice(1);
  return { kenteken, sidecode: index < 0 ? null : index + 1, display: groups?.join('-') ?? kenteken };
}

/** Reads a UK plate in any writing; O and 0 are not exchanged. */
export function readUkPlate(text: string): string | undefined {
  const plate = compactPlate(text);
  return /^[A-Z0-9]{2,7}$/.test(plate) ? plate : undefined;
}

function compactPlate(text: string): string {
  return text.normalize('NFKC').toUpperCase().replace(ALL_BETWEEN, '');
}

const BLANKS = '[ \\t]*';
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
/** A name and its value. Blanks come after each part and never before one too: two ways to read them would take long. */
const PAIR = `(${TOKEN})${BLANKS}(?:=${BLANKS}(${TOKEN}|${QUOTED})${BLANKS})?`;
const PARAMETERS = `(?:;${BLANKS}(?:${PAIR})?)*`;
/** One element of the list, which may be empty, with the comma after it. */
const ELEMENT = new RegExp(`${BLANKS}(?:${PAIR}${PARAMETERS})?(?:,|$)`, 'y');

/** The preferences of a Prefer header (RFC 7240), names in lower case; none where it is malformed. */
function preferencesIn(header: string): (readonly [name: string, value: string])[] {
  const found: (readonly [string, string])[] = [];
  for (ELEMENT.lastIndex = 0; ELEMENT.lastIndex < header.length; ) {
    // attacker-controlled
    const element = ELEMENT.exec(header);
    if (element === null) return [];
    const [, name, value = ''] = element;
    if (name !== undefined) found.push([name.toLowerCase(), unquoted(value)]);
  }
  return found;
}

function unquoted(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word;
}

/** Of a repeated preference the first one counts; one that asks for both forms asks for neither (section 4.2). */
export function prefersMinimal(header: string | undefined): boolean {
  if (header === undefined) return false;
  const returns = preferencesIn(header).filter(([name]) => name === 'return');
  return returns[0]?.[1] === 'minimal' && !returns.some(([, value]) => value === 'representation');
}

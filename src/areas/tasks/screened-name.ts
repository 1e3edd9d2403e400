const NAME = '([^?!;\\n]{2,160}?)';
const LISTED = '(?:sanction(?:s|ed)?|sancties?|sanctielijst(?:en)?|sanktion(?:en|sliste)?|embargo(?:e?s)?|ofac)';
/** Up to three words before the list: "the EU", "an", "de EU-". */
const BEFORE_LIST = '(?:[\\p{L}]{1,20}[ -]){0,3}';
const ASKS = '(?:screen|check|verify|test|is|are|was|controleer|toets|staat|screene|prüfe?|steht|ist)';
const WORK = '(?:check|screening|screen|lookup|controle|prüfung)';

/** Where a name stands in a need to screen it, in English, Dutch and German. */
const PLACES: readonly RegExp[] = [
  new RegExp(`\\b${ASKS} ${NAME} (?:against|for|on|under|in|tegen|op|aan|gegen|auf) ${BEFORE_LIST}${LISTED}`, 'iu'),
  new RegExp(`\\b(?:is|are|ist|wordt) ${NAME} (?:sanctioned|gesanctioneerd|sanktioniert)\\b`, 'iu'),
  new RegExp(
    `\\b${LISTED}[ -]?(?:list |lijst )?${WORK} (?:for|of|on|voor|van|für|von) ${NAME}(?=,|\\?|!|;|\\n|\\.?\\s*$| please\\b)`,
    'iu',
  ),
];

/** Words that say what is named, and are no part of the name. */
const LEAD =
  /^(?:the|a|an|de|het|een|der|die|das|den|company|firm|person|name|supplier|vendor|bedrijf|persoon|naam|leverancier|firma) /iu;
/** Words that name nobody. */
const NOBODY =
  /^(?:(?:my|our|your|this|that|these|those|all|every|any|him|her|them|it|us|mijn|onze|ons|deze|dit|alle|meine?|unsere?|diese[nrs]?)(?: .*)?|(?:name|names|company|companies|person|people|supplier|suppliers|vendor|vendors|firm|naam|namen|bedrijf|persoon|leverancier|firma))$/iu;
const QUOTED = /^["“”„'‘’](.+)["“”'‘’]$/u;
/** A name has a capital letter, or a letter of a script that has none. */
const LOOKS_LIKE_NAME = /[\p{Lu}\p{Lo}]/u;
const MAX = 120;

/** The name that a need asks to screen, as it is written; undefined where it names nobody for certain. */
export function nameToScreen(need: string): string | undefined {
  for (const place of PLACES) {
    const found = place.exec(need)?.[1];
    const name = found === undefined ? undefined : bareName(found.trim());
    if (name !== undefined) return name;
  }
  return undefined;
}

function bareName(found: string): string | undefined {
  const quoted = QUOTED.exec(found)?.[1]?.trim();
  if (quoted !== undefined) return quoted.length <= MAX ? quoted : undefined;
  if (NOBODY.test(found)) return undefined;
  const lead = LEAD.exec(found);
  if (lead !== null) return bareName(found.slice(lead[0].length));
  return LOOKS_LIKE_NAME.test(found) && found.length >= 2 && found.length <= MAX ? found : undefined;
}

/** Shown in place of whatever the trail does not keep. */
const HIDDEN = '?';

const MAX_NAMES = 32;
const MAX_TEXT_CHARS = 128;
const SHOWN_TAG_CHARS = 16;

// A longer or stranger "name" may be a value in the wrong place: tokens and keys are longer than 40 characters.
const PARAMETER_NAME = /^[A-Za-z0-9_.-]{1,40}$/;
const ADDRESS_TAG = /^[0-9a-f]{16,64}$/;

/** The parameter names that may be kept; all names beyond the 32nd become one "?". */
export function keptNames(names: readonly string[]): string[] {
  // Every name is attacker-controlled.
  const kept = names.slice(0, MAX_NAMES).map((name) => (PARAMETER_NAME.test(name) ? name : HIDDEN));
  if (names.length > MAX_NAMES) kept.push(HIDDEN);
  return kept;
}

/** The first 16 digits of the tag of an address; anything else, such as an address itself, is hidden. */
export function keptTag(tag: string): string {
  return ADDRESS_TAG.test(tag) ? tag.slice(0, SHOWN_TAG_CHARS) : HIDDEN;
}

/** The first 128 characters of a text. */
export function keptText(text: string): string {
  return text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text;
}

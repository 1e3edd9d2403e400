import { splitIntoWords } from './disguises.ts';
import { isNone, maskOf, meets } from './masks.ts';
import { termsOf } from './terms.ts';

const FILLING_WORDS = new Set(
  (
    'the a your our real official original true only agent bot ai mr ms mrs dr of by at for and de het van der die das von vom des ' +
    'le la l d du el los team office desk account hq one main chief s echte echter echte offizieller officiele officiel oficial'
  ).split(' '),
);
const FOUNDER = maskOf('founder');
const ROLE = maskOf('boss', 'founder');
const AVOUCH = maskOf('avouch');

/** The word for the founder alone or with the name of the service; other roles only with that name. */
export function isPosingName(name: string): boolean {
  // Two words in one: AvouchOwner.
  const apart = name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  return reads(apart) || reads(name.replaceAll(/[\d\P{L}]+/gu, ''));
}

function reads(name: string): boolean {
  const terms = termsOf(name).flatMap((term) => {
    const split = isNone(term.mask) && term.text.length <= 40 ? splitIntoWords(term.text) : null;
    if (split === null) return [term];
    const apart = split.map(([from, to]) => term.text.slice(from, to)).join(' ');
    return termsOf(apart);
  });
  const parts = terms.filter(({ text }) => !FILLING_WORDS.has(text) && /\p{L}/u.test(text));
  if (parts.length === 0 || !parts.every(({ mask }) => meets(mask, ROLE) || meets(mask, AVOUCH))) return false;
  const isOfService = parts.some(({ mask }) => meets(mask, AVOUCH));
  return parts.some(({ mask }) => meets(mask, FOUNDER) || (isOfService && meets(mask, ROLE)));
}

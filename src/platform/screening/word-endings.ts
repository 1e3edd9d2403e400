/** Endings that make another name of a name. */
const OTHER_NAME_ENDINGS: ReadonlySet<string> = new Set(
  'son sen sson ov ev ova eva yov enko ko ka uk yuk chuk iuk ski sky skiy skaya ska in yn ina yan ian yants ants i y a ai oglu zade zadeh zada pour nia nejad khani khan khel zai zehi ani ez es berg berger mann man stein burg bach feld poulos opoulos poulou idis iadis akis akos ou eas ashvili shvili dze adze ia ava iya wicz kiewicz ewicz owicz ovich evich czyk ak ek ik ca ci cu escu eanu ins ina ite iene aite ullah uddin ina ela etta ette elle ine ella ko o'.split(
    ' ',
  ),
);
/** Family names of these endings have a form for women. */
const FAMILY_ENDING = /(?:[oe]v|in|yn|sk|ck|ckij|skij|oj|yj)$/;
const CONSONANT_END = /[^aeiouy]$/;
const MIN_STEM = 4;

/** Whether the longer word is the shorter one and an ending that makes another name: William and Williamson, Jamil and Jamila. */
export function isOtherByEnding(one: string, other: string): boolean {
  const short = one.length < other.length ? one : other;
  const long = short === one ? other : one;
  if (short.length < MIN_STEM || !long.startsWith(short)) return false;
  const ending = long.slice(short.length);
  if (!OTHER_NAME_ENDINGS.has(ending)) return false;
  if (ending.length > 1) return !(ending === 'ova' || ending === 'eva') || !FAMILY_ENDING.test(short);
  // One letter more after a vowel may be a slip of the pen; a woman's family name is that of the family.
  if (ending === 'o' || ending === 'y') return false;
  return CONSONANT_END.test(short) && !(ending === 'a' && FAMILY_ENDING.test(short));
}

import { isVerb } from './verbs.ts';

const QUOTED =
  /"[^"]{1,200}"|`[^`]{1,200}`|[“„][^”“]{1,200}[”“]|«[^»]{1,200}»|(?<![\p{L}\p{N}])['‘][^'’]{1,200}['’](?!\p{L})/u;
const WORD = /[\p{L}\p{N}]+/gu;

/** A name with a dot or slash inside, or one that begins with a slash: `src/x.ts`, `acme/repo`, `https://a.b`, `/v1`. */
const PLACE =
  /(?<![^\s("'`[<])(?:\/[\p{L}\p{N}_]|@?[\p{L}\p{N}_~-]{1,100}(?:[./\\]|::|#)[\p{L}\p{N}_*{-]|\.\p{L}|https?:\/\/)/u;
/** Have a dot or slash and name no place. */
const NO_PLACES =
  /(?<![\p{L}\p{N}])(?:e\.g|i\.e|a\.m|p\.m|o\.a|d\.w\.z|n\.v\.t|i\.p\.v|t\.o\.v|m\.b\.t|z\.s\.m|and\/or|en\/of|n\/a|w\/o|\d{1,9}[./]\d{1,9}(?:[./]\d{1,9})?)(?![\p{L}\p{N}/])/giu;

const CHECKABLE_WORDS = new Set(
  (
    'test tests tested testing pass passes passed passing fail fails return returns returned equal equals contain contains contained match matches ' +
    'show shows shown display displays displayed print prints respond responds exit exits succeed succeeds compile compiles build builds ' +
    'lint green status output visible appears listed exists accepts rejects refuses validates renders loads merged deployed downloadable error ' +
    'zero none every within identical ' +
    'slaagt slagen bevat bevatten toont tonen getoond geeft geven gelijk zichtbaar verschijnt groen foutmelding bestaat staat weergegeven ' +
    'accepteert weigert geaccepteerd geweigerd compileert nul elke binnen getest testen'
  ).split(' '),
);

export function hasPlace(text: string): boolean {
  return QUOTED.test(text) || PLACE.test(text.replace(NO_PLACES, ' '));
}

/** True when somebody else could look it up: a number, a quotation, a place or a word of observing. */
export function isCheckable(text: string): boolean {
  return /\p{N}/u.test(text) || hasPlace(text) || wordsOf(text).some((word) => CHECKABLE_WORDS.has(word));
}

export function hasVerb(text: string): boolean {
  return wordsOf(text).some(isVerb);
}

const SELF = new Set(
  'me myself i self itself himself herself themselves yourself you agent worker assistant implementer author ik mij mijzelf mezelf ikzelf zelf uzelf jezelf uitvoerder'.split(
    ' ',
  ),
);
const FILLERS = new Set(
  (
    'the a an by and or who that does did do will shall can is are be it its this own same decide decides judge judges check checks checked review reviews ' +
    'reviewed evaluate evaluates evaluated verify verifies verified test tests approve approves work job task result only just also am ' +
    'de het een door en of die dat doet wordt is zal kan het eigen zelfde beslist oordeelt controleert gecontroleerd beoordeelt beoordeeld keurt werk taak ' +
    'resultaat alleen ook ai'
  ).split(' '),
);

/** True when only the one who does the work is named. */
export function isSelfGraded(text: string): boolean {
  const told = wordsOf(text).filter((word) => !FILLERS.has(word));
  return told.length > 0 && told.every((word) => SELF.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/**
 * Ways in which a sentence claims something. Words are matched as whole words without case, in English, Dutch and German;
 * every quantifier is bounded. A sentence without a stem of the keyword is not looked at, one with a guard is let through.
 */
interface Signals {
  readonly keyword: RegExp;
  readonly guard: RegExp;
  readonly patterns: readonly RegExp[];
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

const words = (...sources: readonly string[]) => `(?<![\\p{L}\\p{N}_])(?:${sources.join('|')})(?![\\p{L}\\p{N}_])`;
const regExp = (source: string) => new RegExp(source, 'iu');
const gap = (most: number) => `[^\\n]{0,${most}}?`;

const ROBOT = words('robot(?:ic)?s?|robotica|robotik|robotern?');
const LIVE = words(
  'live|available|in production|operational|in operation|shipping|deployed|running|ready to order|for hire|launched|on sale',
  'beschikbaar|in productie|operationeel|in bedrijf|leverbaar|te huur|gelanceerd|in gebruik|draait|draaien|verf[uü]gbar|im einsatz|in betrieb|lieferbar',
);
const OFFERS = words(
  '(?:now |already |today )?(?:offer|offers|sell|sells|rent out|rents out|operate|operates|deploy|deploys|ship|ships|launched|run|runs)',
  'bied(?:en|t)?|verkoop|verkopen|verkoopt|verhuur|verhuren|verhuurt|exploiteren|lever|leveren|levert|lanceerden|bieten|verkaufen|vermieten|liefern',
);
const OWN = words("our|avouch['’]?s?|onze?|unsere?[nr]?");

/** Selling the robotics pillar as live. Only a warning: nothing is refused for it. */
export const ROBOTICS_CLAIM: Signals = {
  keyword: /robot/iu,
  guard: regExp(
    [
      words(
        "not|no|never|until|once|when|if|will|plans?|planned|design|future|roadmap|isn['’]t|aren['’]t|txt|without|nothing|tests?|simulat\\p{L}{1,6}",
        'niet|geen|nooit|nog|pas|zodra|zullen|zal|ontwerp(?:fase)?|toekomst|plannen|nicht|keine?|noch|sobald|geplant|entwurf|wird|werden',
      ),
      '\\?$',
    ].join('|'),
  ),
  patterns: [
    `${OWN}${gap(20)}${ROBOT}${gap(40)}${LIVE}`,
    `${ROBOT}[ -]?${words('pillar|pijler|s[aä]ule|division|line of business')}${gap(30)}${LIVE}`,
    `${ROBOT} ${words('by|from|of|van|door|von')} ${words('avouch|us|ons|uns')}${gap(30)}${LIVE}`,
    `${words('we|avouch|wij|wir')} ${OFFERS}${gap(40)}${ROBOT}`,
    `${LIVE}${gap(20)}${OWN}${gap(20)}${ROBOT}`,
  ].map(regExp),
};

const SENTENCE = /[^.!?;\n]+(?:[.!?;\n](?!\s|$)[^.!?;\n]*)*\??/gu;
const MAX_PIECE_LENGTH = 1_200;
const OVERLAP = 200;

/** Where a text gives one of these signals; null when nowhere. */
export function signalIn(text: string, signals: Signals): Found | null {
  if (!signals.keyword.test(text)) return null;
  for (const { start, piece } of piecesOf(text)) {
    const found = matchIn(piece, signals);
    if (found === null) continue;
    const from = start + found.index;
    return { start: from, end: from + found[0].length, words: found[0] };
  }
  return null;
}

function matchIn(piece: string, { keyword, guard, patterns }: Signals): RegExpExecArray | null {
  if (!keyword.test(piece)) return null;
  for (const pattern of patterns) {
    const match = pattern.exec(piece);
    if (match !== null) return guard.test(piece) ? null : match;
  }
  return null;
}

/** Sentences; a long one in pieces that overlap, so that no cut hides what stands across it. */
function* piecesOf(text: string): Generator<{ readonly start: number; readonly piece: string }> {
  for (const { 0: sentence, index } of text.matchAll(SENTENCE)) {
    for (let at = 0; at === 0 || at + OVERLAP < sentence.length; at += MAX_PIECE_LENGTH - OVERLAP) {
      yield { start: index + at, piece: sentence.slice(at, at + MAX_PIECE_LENGTH) };
    }
  }
}

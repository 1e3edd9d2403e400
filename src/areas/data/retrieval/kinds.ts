/** What a question asks for: how that shows in the question, and how in a text that says it. */
interface Kind {
  readonly name: string;
  readonly asks: RegExp;
  readonly says: RegExp;
}

const COUNT_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|twenty|thirty|fifty|sixty|ninety|hundred|thousand|once|twice';

const KINDS: readonly Kind[] = [
  {
    name: 'money',
    asks: /\b(?:how much|costs?|prices?|pric(?:ey|ing)|expensive|cheap|fees?|tariff|margin|charge for|do i pay|kost(?:en)?|prijs|tarie(?:f|ven)|duur|hoeveel (?:betaal|vraag|kost)|wat vraagt|set me back|cut do you)\b/i,
    says: /\d[\d.,]{0,12} ?(?:USDC|EUR|euro|eurocents?|cents?|percent|%)|(?:USDC|EUR|price_usdc)\W{1,6}\d|\b(?:free|costs? nothing|fee)\b/i,
  },
  {
    name: 'time',
    asks: /\b(?:how (?:long|soon|often|old|quickly|fast|stale|fresh|much time|many (?:seconds|minutes|hours|days|months))|(?:un)?till? when|after how many|how far back|hoe ?(?:lang|snel|vaak|oud)|hoelang|tot wanneer|binnen hoeveel)\b/i,
    says: new RegExp(
      `\\b(?:\\d[\\d,.]{0,9}|${COUNT_WORDS}|an?|every|each|per) ?(?:milliseconds?|ms|s|seconds?|min|minutes?|hours?|h|days?|weeks?|months?|years?)\\b|\\b(?:hourly|daily|weekly|until|at once|for ever|never)\\b`,
      'i',
    ),
  },
  {
    name: 'length',
    asks: /\b(?:characters?|letters|length|longest (?:text|name|note|key|intent)|how long (?:may|can|must) (?:an?|the|my) \w{1,20} be|tekens|lengte|hoe lang mag (?:de|het|een|mijn) \w{1,20} zijn)\b/i,
    says: /\b(?:characters|digits|bytes|[KM]iB)\b/i,
  },
  {
    name: 'number',
    asks: /\b(?:how (?:many|large|big|high|far)|max(?:imum)?|min(?:imum)?|most|least|longest|biggest|largest|smallest|size|limits?|cap|ceiling|score|threshold|port|version|hoeveel|maximaal|minimaal|hooguit|hoogstens|laagste|hoogste|grootte|tot welk bedrag|lengte)\b/i,
    says: new RegExp(`\\d|\\b(?:${COUNT_WORDS})\\b`, 'i'),
  },
  {
    name: 'limit',
    asks: /\b(?:max(?:imum)?|min(?:imum)?|longest|shortest|biggest|largest|smallest|how (?:large|big|far)|size|limits?|cap|ceiling|at most|may|hooguit|hoogstens|maximaal|minimaal|laagste|hoogste|grootte|mag|mogen|tot welk)\b/i,
    says: /\b(?:at (?:most|least)|up to|limits?|maximum|minimum|max|no more than|\d[\d,.]{0,9} to \d|default)\b/i,
  },
  {
    name: 'command',
    asks: /\b(?:command(?: line)?|shell|cli|terminal|commando|opdrachtregel)\b/i,
    says: /\.\/avouch|\bnpm (?:run|install)\b/,
  },
  {
    name: 'path',
    asks: /\b(?:endpoint|url|path|route|which (?:call|page|document)|welke aanroep)\b/i,
    says: /(?:GET|POST) \/|`\/[a-z.]|\]\(\//,
  },
  { name: 'header', asks: /\bheaders?\b/i, says: /\b[A-Z][A-Za-z]{0,20}-[A-Z]/ },
  {
    name: 'setting',
    asks: /\b(?:settings?|variables?|configur\w{1,8}|instelling(?:en)?)\b/i,
    says: /\b[A-Z]{2,20}_[A-Z_]{2,40}\b/,
  },
  {
    name: 'code',
    asks: /\b(?:flags?|status|outcome|codes?|melding|foutcode|statuscode)\b/i,
    says: /\b[A-Z]{2,20}_[A-Z_]{2,40}\b|\b[1-5]\d\d\b|`[a-z]{2,20}_[a-z_]{2,40}`/,
  },
];

/** Words that only say what kind of thing is asked for: a text that has such a thing speaks of them. */
const MEASURES = new Set(
  `long longest length often soon quickly fast cost costs price prices expensive cheap fee fees much many max maximum min minimum most least
  biggest largest smallest size large big high limit limits cap ceiling command shell cli terminal endpoint url path route header setting
  settings variable flag status outcome code codes kost kosten prijs tarief tarieven hoogste laagste maximaal minimaal hooguit hoogstens
  commando opdrachtregel instelling melding foutcode foutmelding call version daily setback`.split(/\s+/),
);

export function isMeasure(word: string): boolean {
  return MEASURES.has(word);
}

/** Codes and values as they are written in texts: `NOT_READY`, `CLEAR`, `slow_down`. */
export function codesIn(question: string): string[] {
  const isShouted = !/\p{Ll}/u.test(question);
  return isShouted
    ? []
    : (question.match(/\b(?:[A-Z]{4,30}|[A-Z]{2,20}(?:_[A-Z0-9]{1,20}){1,5}|[a-z]{2,20}(?:_[a-z0-9]{1,20}){1,5})\b/g) ??
        []);
}

/** Statements of the tables that answer only who asks for such a thing. */
const SPECIAL: readonly { readonly says: RegExp; readonly asks: RegExp }[] = [
  {
    says: /^Limit of /,
    asks: /\b(?:calls?|requests?|rate|burst|per (?:second|minute)|aanroepen|verzoeken|per (?:seconde|minuut))\b/i,
  },
  { says: /^Example of /, asks: /\b(?:examples?|voorbeeld(?:en)?)\b/i },
  {
    says: /^The call \w{1,60} \([^)]{1,120}\) is free/,
    asks: /\b(?:free|cost|price|pay|charge|fee|gratis|kost|prijs|betaal|betalen|kosten)\w{0,4}\b/i,
  },
];

/** Whether a statement is one that the question does not ask for. */
export function isAside(question: string, text: string): boolean {
  return SPECIAL.some(({ says, asks }) => says.test(text) && !asks.test(question));
}

/** The patterns that a text must fit to say what the question asks for; none where it may say anything. */
export function wantedOf(question: string): readonly RegExp[] {
  return KINDS.filter(({ asks }) => asks.test(question)).map(({ says }) => says);
}

/** Share of what is asked for that a text has. */
export function fitOf(wanted: readonly RegExp[], text: string): number {
  return wanted.length === 0 ? 1 : wanted.filter((says) => says.test(text)).length / wanted.length;
}

const WH =
  'where|when|how|who|why|which|what|whats|is|are|can|does|do|waar|wanneer|hoe|hoeveel|wie|waarom|welke?|wat|kan|is|wo|wann';
/** Two questions in one: a text that fits both words may answer neither. */
const ASKS_TWICE = new RegExp(`\\b(?:and|en|und),? (?:also |ook )?(?:${WH})\\b|\\?[^?]{3,200}\\?`, 'i');

export function asksTwice(question: string): boolean {
  return ASKS_TWICE.test(question);
}

export type HardRule = 'secret_request' | 'founder_impersonation' | 'warranty_promise';

/**
 * Ways in which a sentence breaks a rule. Words are matched as whole words without case, in English, Dutch and German;
 * every quantifier is bounded. A sentence without a stem of the keyword is not looked at, one with a guard is let through.
 */
export interface Signals {
  readonly keyword: RegExp;
  readonly guard: RegExp;
  readonly patterns: readonly RegExp[];
}

const words = (...sources: readonly string[]) => `(?<![\\p{L}\\p{N}_])(?:${sources.join('|')})(?![\\p{L}\\p{N}_])`;
const pattern = (source: string) => new RegExp(source, 'iu');
const gap = (most: number) => `[^\\n]{0,${most}}?`;

const SECRET = words(
  'api[ _-]?keys?|private keys?|secret keys?|signing keys?|agent keys?|ssh[ -]?keys?|access keys?|payment keys?',
  'passwords?|passphrases?|passwd|credentials? stores?|credentials?|login details|seed phrases?|mnemonics?|keystores?',
  '(?:access|auth|bearer|session|api|admin|refresh) tokens?|(?:client|server|webhook|stripe|app|api|shared|payment|signing) secrets?(?: keys?)?|secrets|key ?vaults?',
  '(?:ssh|shell|root|terminal|console) (?:access|login)|(?:root|server|reverse|remote) shell|env(?:ironment)? (?:file|variables|vars)',
  '\\.env|etc/shadow|id_rsa|id_ed25519',
  '(?:api|ssh|toegangs|priv[eé]|geheime)[ -]?sleutels?|priv[eé] ?sleutels?|wachtwoord(?:en)?|inloggegevens|toegangstokens?',
  'toegangsgegevens|geheimen|(?:shell|root|ssh|server)[ -]?toegang|omgevingsvariabelen',
  '(?:api|ssh|zugangs)[ -]?schl[uü]ssel|(?:privat|geheim)e[nmrs]? schl[uü]ssel|pass(?:wort|w[oö]rter|wörtern)|kennw[oö]rt(?:er)?|kennwort',
  'zugangsdaten|anmeldedaten|zugriffstokens?|geheimnisse|(?:shell|root|ssh|server)[ -]?zug(?:ang|riff)|umgebungsvariablen',
);
const ASKS = words(
  'send|give|show|tell|share|reveal|provide|print|dump|leak|hand|disclose|expose|e-?mail|mail(?! server)|post|paste|list|fetch|read',
  "cat|extract|retrieve|get|obtain|steal|export|copy|output|return|forward|display|grant|need(?!,)|want|what is|what are|what['’]s|upload|submit|supply|(?:reply|respond|answer) with",
  'stuur|sturen|geef|geven|toon|tonen|laat|laten|deel|delen|vertel|vertellen|verstrek|onthul|plak|lees|lek|exporteer|kopieer',
  'wat is|wat zijn|ik wil|nodig|bezorg|haal|druk',
  'schicken?|schicke?|sende[nt]?|gib|geben|zeige?n?|nenn(?:e|en)?|teilen?|verrat(?:e|en)?|drucke?|lies|exportiere?|kopiere?',
  'was ist|was sind|wie lautet|wie lauten|brauche|ich will|[uü]bermittle|leite',
);
const HOLDER =
  "server(?:'?s)?|service(?:'?s)?|operator(?:'?s)?|admin(?:istrator)?(?:'?s)?|root|host|machine|system(?:'?s)?|production|prod|database|backend|platform(?:'?s)?|processor|stripe|avouch|founder(?:'?s)?|owner(?:'?s)?|users?'?s?|customers?'?s?|dienst(?:es)?|beheerder|oprichter|klanten|gebruikers?|servers|betreibers?|gr[uü]nders?|kunden|nutzers?|datenbank";
const WHOSE = words('your|yours|jullie|jouw|je|uw|dein(?:e[nmrs]?)?|eure?[nmrs]?|ihre?[nmrs]?', HOLDER);
const TO_ME = words('me|us|mij|ons|mir|uns');
const EACH = words('the|all|every|any|de|het|alle|den|die|das|der|dem');

/** What comes before an order to somebody, as no report of it has it. */
const COMMANDED = '(?:^|(?<!\\p{L})(?:please|then|now|and|you to|must|bitte|en|dan|und) )';
const BETRAYS = '(?:dump|leak|exfiltrate|reveal|disclose|hand over|onthul|lek|verrate)(?!\\p{L})';
const ENDS_ASKING = words('nodig|sturen|doorsturen|geven|delen|tonen|schicken|geben|teilen|senden|zeigen');
const PASSED_ON = words('sent|forwarded|shared|given|handed|mailed|gestuurd|gedeeld|gegeven|geschickt|gegeben');

const ADVICE = [
  words(
    'how (?:to|do|can|does|should|would)|where|hoe|waar|wo|wie (?:man|kann|funktioniert)|which (?:header|field|scope|format)',
    'docs?|documentation|documentatie|dokumentation|readme|guide|tutorial|format|policy|beleid|richtlinien?|privacy',
    'rotat(?:e|es|ed|ing|ion)|revok(?:e|es|ed|ing)|mask(?:s|ed|ing)?|redact(?:s|ed|ing|ion)?|hash(?:es|ed|ing)?|encrypt(?:s|ed|ing|ion)?',
    'roteer|intrekken|trek|maskeer|versleutel(?:d|en)?|widerrufen?|verschl[uü]ssel(?:n|t|ung)|maskieren?',
    'forms?|button|placeholder|login page|reset|forgot|forgotten|vergeten|vergessen|field names?',
    'scan(?:s|ner|ning)?|detect(?:s|ed|or|ion)?|lint(?:er)?|tests?|error message|warning|leaked|breach(?:es)?|phishing|(?:is|are|be) refused|reject(?:s|ed)?|forbid(?:s|den)?|prohibit(?:s|ed)?',
    '(?:public|openbare|publieke|verification) (?:keys?|sleutels?)|[oö]ffentliche[nmrs]? schl[uü]ssel',
    '(?:an?|new|my|own|our|mijn|eigen|nieuwe|een|mein(?:e[nmrs]?)?|neue[nmrs]?|ein(?:e[nmrs]?)?) (?:\\p{L}{1,12} )?(?:api[ -]?|agent )?(?:keys?|sleutel|schl[uü]ssel|password|wachtwoord|passwort)',
  ),
  `${words('never|(?<!why )not(?! hesitate)|cannot|no longer|no one|nobody|without|nooit|niet|geen|zonder|nie|niemals|nicht|kein(?:e[nmrs]?)?|ohne')}${gap(40)}${ASKS}`,
  `\\p{L}n['’]t (?:ever )?${ASKS}`,
  `${ASKS}${gap(60)}${words('nooit|niet|geen|niemals|nicht|keine?n?')}`,
].join('|');

const FOUNDERS_OWN =
  "(?<!\\p{L})(?:founder(?:['’]?s)?|ceo(?:['’]?s)?|oprichters?|gr[uü]nders?)[ -]?(?:credentials?|keys?|account|login|inloggegevens|sleutel|zugangsdaten|konto)(?!\\p{L})";
const FOUNDER = words('founder|oprichter|gr[uü]nder(?:s|in)?|ceo|owner|eigenaar|inhaber(?:s|in)?');
const FOUNDING = words('founder|oprichter|gr[uü]nder(?:s|in)?|ceo');
const THE = words('the|your|this|de|jullie|der|dem|den|des|euer|eures|dein|ihr');
const SPEAKS = words(
  'act|acts|post|posts|speak|sign|send|write|publish|reply|respond|approve|order|comment|tweet|mail|e-?mail|log ?in|login|pose|answer|introduce yourself|authori[sz]e',
  'handel|plaats|spreek|teken|stuur|schrijf|publiceer|antwoord|reageer|doe je voor|keur|log in|bestel',
  'handle|poste?|sprich|unterschreibe?|sende|schreibe?|ver[oö]ffentliche?|antworte|genehmige|bestelle?|gib dich|melde dich|tritt',
);
const WITH = words('use|with|using|gebruik|met|nutze|verwende|mit');
/** Somebody else's company, unless it is this service; and claims that are denied, reported or asked about. */
const OF_ANOTHER = `${FOUNDER} (?:of|at|van|von|bei|der|des|bij) (?!(?:this|the|your|deze|dit|de|jullie|dieser|dieses|des|euer\\p{L}{0,2}) (?:service|platform|site|server|system|company|dienst|bedrijf|dienstes|plattform)|avouch)\\p{L}`;
const NOT_CLAIMED = [
  OF_ANOTHER,
  words(
    "not|never|isn['’]t|don['’]t|doesn['’]t|cannot|can['’]t|nobody|no one|niet|nooit|geen|nicht|nie|niemals|keine?r?",
    'said|says|claims?|claimed|claiming|pretended|pretending|posing|impersonat(?:es|ed|ing|ion|or)|wrote|told|asked|someone|somebody|anyone|anybody|who|whether|if|he|she|they',
    'zei|zegt|beweert|beweerde|iemand|wie|hij|zij|sagte?|behauptet|behauptete|jemand|wer|ob|er|sie',
    'role[ -]?play|novel|story|fiction|example|test|phishing|scam|quote|verhaal|voorbeeld|beispiel|roman',
  ),
].join('|');

const PROMISER = words(
  "i|we|i['’]ll|we['’]ll|our (?:service|team|company|platform)|this service|the service|avouch|ik|wij|we|ons bedrijf|onze dienst|deze dienst|ich|wir|unser (?:dienst|team|unternehmen)|dieser dienst",
);
const PROMISE = words(
  'guarantees?|guaranteed|warrants?|warrant(?:y|ies)|insures?|insured|insurance|indemnif(?:y|ies)|liable|liability',
  'garandeer|garandeert|garanderen|gegarandeerd|garantie|garant|verzeker|verzekert|verzekeren|verzekerd|aansprakelijk(?:heid)?|vrijwaar|vrijwaren|schadeloos',
  'garantiere|garantiert|garantieren|gew[aä]hrleiste[nt]?|gew[aä]hrleistung|haften?|hafte|haftet|haftung|versichere|versichern|versichert|schadlos',
);
const PROMISED = words(
  'warrant(?:y|ies)|guarantees?|insurance|liability|garanties?|verzekering(?:en)?|gew[aä]hrleistung|versicherung',
);
const US = words('us|avouch|ons|uns');
const NO_PROMISE = [
  words(
    "no|not|never|without|cannot|nor|neither|disclaims?|excluded?|except|isn['’]t|aren['’]t|don['’]t|doesn['’]t|won['’]t|can['’]t|ask|asked|ask(?:ing)? (?:for|about|whether)|whether|(?:confirm|know|see|sure|unclear|tell (?:us|me)) if|check|verify|out of|told|heard",
    'geen|niet|nooit|zonder|noch|buiten|uitgesloten|vraag|controleer|kein(?:e[nmrs]?)?|nicht|nie|niemals|ohne|ob|ausgeschlossen|pr[uü]fe?n?',
    'types?|type system|compiler|invariants?|transaction|lock|index|schema|order of|atomic|typesysteem|typsystem|database|protocol|semantics',
  ),
  '\\?$',
].join('|');

const MONEY_BACK = words('money[ -]back guarantee|niet[ -]goed,?[ -]geld[ -]terug|geld[ -]zur[uü]ck[ -]garantie');

export const SIGNALS: readonly (Signals & { readonly rule: HardRule })[] = [
  {
    rule: 'secret_request',
    keyword:
      /key|secret|pass|credential|login|phrase|mnemonic|token|vault|shell|access|env|shadow|id_|sleutel|wachtwoord|gegevens|toegang|geheim|omgeving|schl|kennw|daten|zug|umgebung/i,
    guard: pattern(ADVICE),
    patterns: [
      `${ASKS}${gap(60)}${WHOSE}${gap(30)}${SECRET}`,
      `${ASKS}${gap(60)}${SECRET}${gap(30)}${WHOSE}`,
      `${ASKS}${gap(10)}${TO_ME}${gap(20)}${EACH}${gap(20)}${SECRET}`,
      `${WHOSE}${gap(30)}${SECRET}${gap(40)}${ASKS}`,
      `${TO_ME}${gap(10)}${EACH}${gap(20)}${SECRET}${gap(30)}${ASKS}`,
      `${SECRET}${gap(30)}${WHOSE}${gap(20)}${ENDS_ASKING}`,
      `${WHOSE}${gap(20)}${SECRET}${gap(30)}${PASSED_ON}${gap(12)}${TO_ME}`,
      `${COMMANDED}${BETRAYS}${gap(30)}${EACH}${gap(20)}${SECRET}`,
      `${words('open|start|spawn')}${gap(12)}${words('(?:root|server|reverse|remote) shell')}${gap(30)}${WHOSE}`,
    ].map(pattern),
  },
  {
    rule: 'founder_impersonation',
    keyword: /founder|oprichter|gr[uü]nder|ceo|owner|eigenaar|inhaber/i,
    guard: pattern(NOT_CLAIMED),
    patterns: [
      `${words("i am|i['’]m|this is|ik ben|dit is|hier spreekt|ich bin|hier spricht|hier ist|my role is")} ${THE} ${FOUNDER}`,
      `${words("i am|i['’]m|this is|ik ben|ich bin")} ${FOUNDING}`,
      `${SPEAKS}${gap(40)}${words('as|als|voor als|for|f[uü]r')} (?:${THE} )?${FOUNDING}`,
      `${words('as|als')} (?:${THE} )?${FOUNDING},? (?:\\p{L}{1,15} )?${words('i|ik|ich|we|wij|wir|my|mijn|mein')}`,
      `${words('on behalf of|in the name of|namens|in naam van|im namen|im auftrag')} (?:${THE} )?${FOUNDING}`,
      `${WITH} ${gap(8)}${FOUNDERS_OWN}`,
      `${WITH} ${gap(12)}${words('credentials|account|login|inloggegevens|zugangsdaten|konto')} (?:of|van|des) (?:${THE} )?${FOUNDING}`,
      `${words('pretend to be|pose as')} (?:${THE} )?${FOUNDING}`,
      `${COMMANDED}impersonate (?:${THE} )?${FOUNDING}`,
    ].map(pattern),
  },
  {
    rule: 'warranty_promise',
    keyword:
      /guarant|warrant|insur|indemn|liab|garan|verzeker|aansprakelijk|vrijwa|schadelo|gew[aä]hrl|haft|versicher|schadlos/i,
    guard: pattern(NO_PROMISE),
    patterns: [
      `${PROMISER}${gap(50)}${PROMISE}`,
      `${words('you are|you get|you have|u bent|je bent|u krijgt|je krijgt|sie sind|sie erhalten|du bist')}${gap(40)}${PROMISE}`,
      `${PROMISE} ${words('by|from|through|door|van|via|von|durch|bei|bij')} ${US}`,
      `${words('by|door|von|durch')} ${US}${gap(15)}${PROMISE}`,
      `${words('with|includes?|including|under|covered by|met|inclusief|geldt|onder|gedekt door|mit|inklusive|unter|gilt')}${gap(12)}${words('our|avouch|onze?|unsere?[nr]?')}${gap(25)}${PROMISED}`,
    ].map(pattern),
  },
  {
    rule: 'warranty_promise',
    keyword: /back|terug|zur/i,
    guard: pattern('\\?$'),
    patterns: [pattern(MONEY_BACK)],
  },
];

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
  guard: pattern(
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
  ].map(pattern),
};

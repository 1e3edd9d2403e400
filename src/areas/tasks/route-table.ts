/** Everything that a task can do, with the sentence by which callers choose it. */
export const TASK_ROUTES = {
  eu_vat_check: 'check a VAT number',
  counterparty_check: 'check a company',
  sanctions_screen: 'screen a name against the EU sanctions list',
  nl_vehicle_check: 'check a Dutch vehicle by its plate',
  spend_fuse: 'check a payment before making it',
  ground_component: 'look up an electronic component',
  bom_calculate: 'cost a bill of materials',
  order_quote: 'get a quote for an order',
  'text.translate': 'translate a text',
  'text.summarise': 'summarise a text',
  'text.extract': 'extract facts from a document',
  'text.redact': 'redact personal data in a text',
  'web.fetch_seal': 'fetch a page and seal its content',
  construction_permits: 'search building permits',
  construction_tenders: 'search construction tenders',
  record_integrity: 'seal a statement in the public log',
  verify_seal: 'verify a seal',
  bounty_search: 'search open bounties',
} as const;
export type RouteId = keyof typeof TASK_ROUTES;
export const ROUTE_IDS = Object.keys(TASK_ROUTES) as RouteId[];

export const ENTITY_POINTS = 3;
const USD = '(\\d{1,9}(?:\\.\\d{1,2})?) ?(?:usd|us dollars?|dollars?)';

export interface EntityRule {
  readonly entity: string;
  readonly route: RouteId;
  /** The first group, or the whole match, is the value. */
  readonly pattern: RegExp;
  /** True for what says nothing about the route. */
  readonly isDetail?: true;
  /** Characters of writing that are no part of the value. */
  readonly drops?: RegExp;
}

const VAT_COUNTRIES = 'AT|BG|CY|CZ|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|PL|PT|RO|SE|SI|SK|XI';

/** What a text may name exactly; case does not count. */
export const ENTITY_RULES: readonly EntityRule[] = [
  {
    entity: 'vat',
    route: 'eu_vat_check',
    pattern: new RegExp(
      `\\b(?:NL[ .]?\\d{3}[ .]?\\d{3}[ .]?\\d{3}[ .]?B[ .]?\\d{2}|BE[ .]?0?\\d{3}[ .]?\\d{3}[ .]?\\d{3}\\d?|DE ?\\d{3} ?\\d{3} ?\\d{3}|ATU ?\\d{8}|(?:${VAT_COUNTRIES}) ?(?=[A-Z0-9]{0,11}\\d{5})[A-Z0-9]{8,12})\\b`,
      'giu',
    ),
    drops: /[ .]/g,
  },
  {
    entity: 'kvk',
    route: 'counterparty_check',
    pattern: /\b(?:kvk|kamer van koophandel)[^\d]{0,12}(\d{8})\b/giu,
  },
  {
    entity: 'plate',
    route: 'nl_vehicle_check',
    pattern: /\b(?:kenteken|plate)[\s:=]{1,4}(?=[A-Z0-9-]{0,8}\d)([A-Z0-9]{1,3}-?[A-Z0-9]{1,3}-?[A-Z0-9]{1,3})\b/giu,
  },
  {
    entity: 'mpn',
    route: 'ground_component',
    pattern:
      /\b(?:mpn|part number|component)[\s:=#]{1,4}(?=[A-Z0-9./+-]{0,30}\d)([A-Z0-9][A-Z0-9./+-]{2,30}[A-Z0-9])/giu,
  },
  { entity: 'seal', route: 'verify_seal', pattern: /\b(?:ATT-[A-Z2-7]{51}[AQ]|AMH-[0-9A-HJKMNP-TV-Z]{26})\b/giu },
  { entity: 'usd', route: 'spend_fuse', isDetail: true, pattern: new RegExp(`(?<![\\d.])${USD}\\b`, 'giu') },
  {
    entity: 'min_usd',
    route: 'bounty_search',
    isDetail: true,
    pattern: new RegExp(
      `\\b(?:over|above|at least|more than|from|boven|vanaf|minstens|meer dan|über|mindestens|mehr als|ab) ${USD}\\b`,
      'giu',
    ),
  },
  { entity: 'url', route: 'web.fetch_seal', pattern: /\bhttps?:\/\/[^\s<>"']{3,2000}/giu },
];

export interface WordRule {
  readonly route: RouteId;
  readonly points: number;
  readonly pattern: RegExp;
}

const wordRule = (route: RouteId, points: number, ...sources: readonly string[]): WordRule => ({
  route,
  points,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'iu'),
});

/** Words in Dutch, English and German. Each row counts once, however many of its words a text has. */
export const WORD_RULES: readonly WordRule[] = [
  wordRule(
    'sanctions_screen',
    3,
    'sanctions?|sanctioned|sancties?|sanctielijst(?:en)?|sanktion(?:en|iert|sliste)?|ofac|embargos?|embargoes',
    '(?<!(?:my|the|touch|a|this|that|phone|full|lock|on|het|mijn|de|home|big|split|green) )screen(?:ing)?(?! (?:size|resolution|time|reader|is|protector|saver))',
  ),
  wordRule(
    'counterparty_check',
    3,
    'counterpart(?:y|ies)|tegenpartij(?:en)?|gegenpartei|company check|bedrijfscheck|firmenprüfung',
    'insolven(?:t|cy|cies|tie|z|tieregister)|bankrupt(?:cy)?|failliet|faillissement(?:en)?|konkurs',
    'is [^?!\\n]{1,60} (?:registered|active)|(?:staat|is) [^?!\\n]{1,60} (?:ingeschreven|actief)|ist [^?!\\n]{1,60} (?:eingetragen|aktiv)',
  ),
  wordRule(
    'eu_vat_check',
    2,
    '(?<!(?:een|het|beer|wine|a|the oak|oak) )vat(?! of)|btw|btw-nummer|btw-id|vies|umsatzsteuer|ust-?id(?:-?nr)?|mwst',
  ),
  wordRule(
    'bom_calculate',
    4,
    'boms?|bills? of materials?|stuklijst(?:en)?|stückliste[n]?',
    'cost (?:my|this|the|our) (?:\\p{L}{1,12} )?(?:board|assembly|pcb|pcba)',
  ),
  wordRule(
    'order_quote',
    2,
    '(?<!(?:in|court|purchase|work|sort|sorted|alphabetical|of|this|that|the|right|wrong|law and|by) )order(?! (?:of|by|to|book|status))',
    'bestel|bestellen|bestelling|bestelle|buy|purchase|kopen|koop|kaufen?|kaufe',
  ),
  wordRule('text.translate', 4, 'translat(?:e|es|ed|ing|ion|ions)|vertaal|vertaling|vertalen|übersetz\\p{L}{0,6}'),
  wordRule(
    'text.summarise',
    4,
    'summari[sz](?:e|es|ed|ing)|summary|samenvat\\p{L}{0,6}|vat [^?!.\\n]{1,60} samen|tl;?dr|zusammenfass\\p{L}{0,6}|fasse? [^?!.\\n]{1,60} zusammen',
  ),
  wordRule(
    'text.extract',
    2,
    'extract(?:s|ed|ing|ion)?(?! of)|invoices?|factu(?:ur|ren)|rechnung(?:en)?|pdfs?|haal [^?!.\\n]{1,60} uit|extrahier\\p{L}{0,4}',
  ),
  // In capitals: in lower case avg is mostly an average.
  wordRule(
    'text.redact',
    4,
    'redact(?:s|ed|ing|ion)?|anonymi[sz]e[ds]?|anonymisier\\p{L}{0,4}|anonimiseer|anonimiseren|pii|gdpr|dsgvo|schwärz\\p{L}{0,4}',
  ),
  { route: 'text.redact', points: 4, pattern: /(?<![\p{L}\p{N}])AVG(?![\p{L}\p{N}])/u },
  wordRule(
    'construction_permits',
    3,
    'permits?(?! (?:me|us|you|it|the|them))|(?:bouw|omgevings)?vergunning(?:en|aanvragen?)?|baugenehmigung(?:en)?',
  ),
  wordRule('construction_tenders', 4, 'tenders?|aanbested\\p{L}{0,6}|ausschreibung(?:en)?'),
  wordRule(
    'record_integrity',
    3,
    'seal(?:ed|ing)?(?! (?:ring|kit|rings|kits|gasket|off))|notari\\p{L}{0,6}|timestamp(?:ed|ing)?|prove [^?!.\\n]{1,60} existed',
    'bewijs|verzegel\\p{L}{0,3}|versiegel\\p{L}{0,3}|beglaubig\\p{L}{0,4}|zeitstempel',
  ),
  wordRule(
    'verify_seal',
    4,
    '(?:verify|validate) [^?!.\\n]{0,40}(?:seal|attestation)|is [^?!.\\n]{0,40}(?:seal|attestation) [^?!.\\n]{0,70}(?:valid|real|genuine|authentic)',
    '(?:verifieer|controleer) [^?!.\\n]{0,40}zegel|(?:prüfe?|verifiziere?) [^?!.\\n]{0,40}siegel',
  ),
  wordRule('bounty_search', 4, 'bount(?:y|ies)|premies? voor (?:bugs|issues)|kopfgeld(?:er)?'),
  wordRule(
    'spend_fuse',
    4,
    'should i (?:pay|spend|buy)|safe to (?:pay|spend)|spend check|(?:moet|kan|zal) ik [^?!.\\n]{1,60} betalen|soll ich [^?!.\\n]{1,60} (?:be)?zahlen',
  ),
];

/** What the worker is told of the work itself; the form is that of `lint-pattern.ts`. */

/** Parts of a product that one can point at. */
const SCREENS =
  'page|screen|dialog|modal|popup|form|tab|menu|sidebar|navbar|toolbar|footer|header|banner|dashboard|homepage|wizard|panel|widget|dropdown|picker|editor|composer|checkout|inbox|endpoint|route|readme|changelog|faq|wiki|tooltip|renderer|pane|legend|drawer|popover|timeline|quickstart|glossary';
const PLACES_EN = `${SCREENS}|pages|endpoints|module|template|component|class|function|method|package|config|configuration|table|column|controller|script|workflow|plugin|schema|parser|middleware|hook|crate|homepage|settings|chapter|guide|handbook|scheduler|installer|exporter|importer|worker|service|library|stylesheet|job|pipeline|cron|folder|directory|section|repository|manual|docs|documentation|website|api|sdk|cli|field|codebase|engine|gateway|queue|cluster|namespace|backend|frontend|overview|playbook|runbook`;
const SCREENS_NL =
  '<screen>|pagina|scherm|formulier|tabblad|venster|menu|voettekst|koptekst|dashboard|homepage|zoekveld|portaal|portal|kassa|winkelmand|handleiding|beheerhandleiding|endpoint|hoofdstuk';
const PLACES_NL = `${SCREENS_NL}|module|sjabloon|template|repository|map|sectie|paragraaf|component|klasse|functie|pakket|documentatie|tabel|kolom|overzicht|script|configuratie|database|instellingen|register|wiki|zoekfunctie|rapportage|koppeling|dossier|plugin|api`;

export const TASK_SIGNALS = {
  goal: [
    '^ add|adding|fix|create|implement|make|remove|update|write|build|improve|replace|refactor|migrate|support|allow|enable|move|rename|convert|investigate|document|test|translate|optimize|optimise|introduce|provide|extend|change|clean|handle|ensure|set|use|show|display|prevent|reduce|upgrade|integrate|design|develop|configure|drop|deprecate|split|find|check|let|give|expose|port|simplify|validate|include|disable|publish|research|review|generate|export|import|speed|stop|bump|turn|wait|block|explore|consider|remember|looking|audit|benchmark|preserve|rotate|compare|read|pull|redesign|deduplicate|deliver|summarise|summarize|transcribe|book|resize|tidy|mention|hide|switch|put|get|send|sort|limit|cut|group|merge|list|collect|prepare|draft|propose|draw|record|track|restrict|restore|resolve|rewrite|reproduce|go|go-live|keep|run|schedule|archive|classify|label|map|measure|gather|describe|explain|train',
    "let's|lets",
    'get rid of',
    "it'd",
    'please|pls',
    'need|needs|want|wants|wanted|wish|would|should|must|could|missing',
    'goal|objective|purpose|task|feature|request|proposal|todo|bug|issue|crash|crashes|crashed|broken|error|fails|fail|freezes|wrong|problem|unable|cannot',
    '!it|they does|do|is|are not',
    "doesn't|don't|isn't|can't|won't",
    'in order to',
    'so that',
    '^ voeg|maak|verwijder|pas|herstel|bouw|schrijf|vertaal|verbeter|vervang|wijzig|test|toon|zorg|onderzoek|ontwerp|ontwikkel|implementeer|migreer|importeer|exporteer|publiceer|documenteer|controleer|stel|zet|ruim|hernoem|koppel|beperk|los|haal|laat|neem|vernieuw|verplaats|voorkom|bereken|vergelijk|sorteer|verzamel|lever|breid|geef|gebruik|plaats|zoek|verzin|verhoog|verlaag',
    'gezocht|gevraagd|vernieuwen|opruimen|uitzoeken|onderzoeken|verplaatsen|bijwerken|vertalen|opstellen',
    'moet|moeten|kan|kunnen|wil|willen|graag|nodig|gewenst|wens|doel|taak|opdracht|fout|probleem|zou|zouden|zoeken|vast|ontbreekt',
    'werkt|doet|geeft|toont ~3 niet|geen',
    'toevoegen|aanpassen|verwijderen|herstellen|verbeteren|maken|vervangen|wijzigen|uitbreiden',
  ],
  target: [
    `!available|put|found|listed|described|sample|like|same|them|notes|with %attached|drive|inventory|doubt|couldn't|looked|searched|tried|read in|on|at|inside|within|under ~3 ${PLACES_EN}`,
    `!like|as|same %attached|great|thanks|installed to|into|of the|this|our ~2 ${PLACES_EN}`,
    'from the|this|our ~1 sidebar|menu|codebase|navbar|footer|header|toolbar|config|schema|module',
    'the -first|last|same|whole|next|new|export|landing|error|old|event page|screen|endpoint|tab|sidebar|form|footer',
    'the sidebar|footer|navbar|homepage|readme|changelog|toolbar|quickstart|faq|glossary|handbook|checkout|inbox',
    '# !the|this|a|landing|new|empty -the|this|a|landing|new|web page|screen|dialog|dashboard|settings',
    '%event !a|an|the|one|two|new|landing|per|each|every|any|next|first|last|previous|same|whole|full|this|that|on|of|in|to|and|or|blank|white|empty|error|my|your|our|web|home|other|which|single|static|start|for|by|<n> page|screen|dialog|endpoint',
    'section|chapter|page|line|lines|hoofdstuk|paragraaf|artikel|regel|sectie|bladzijde <n>',
    '# location|target|where|affected|component|module|modules|area|areas|pages|endpoints|locatie|onderdeel|waar|plek|repo|repository|paths|path|page|pagina|place',
    '# file|bestand|files|bestanden ~1 to|te|in ~1 -a',
    'files|file to touch|change|edit|modify',
    'in|inside|into|within|to|on|of|from ~1 <ref>',
    '<ref>',
    '<code> ~1 function|method|class|component|module|endpoint|command|option|flag|page|table|workflow|script|hook|package|directory|folder|file|parameter|field|service|subcommand|column|job|plugin|view|screen',
    'function|method|class|component|module|endpoint|command|table|package|folder|file|service|column|job|repository|repo|script|plugin|template|host|server|page|screen|collection|bucket|branch|project|folder|view <code>',
    'table|tabel|column|kolom|module|server|host|host|scherm|screen|page|pagina|tab|tabblad <name>',
    'table|tabel|kolom|column dim_product|users|orders|customers|products|gebruikers',
    `!ik|zie in|op|uit|onder|binnen|bij|naar|van|aan ~1 de|het|deze|onze|een|dit|mijn|elke ~3 ${PLACES_NL}`,
    `in|op hoofdstuk|pagina|tabblad|scherm|tabel|menu`,
    'de|het|deze ~1 <screen>|homepage|voettekst|beheerhandleiding|api',
    'de|het -eerste|laatste|hele|volgende|nieuwe|zelfde|oude|vorige pagina|scherm|formulier|tabblad|venster',
    '^ <screen>',
    'host|server|domain|domein|subdomain|site ~1 <name>|<code>',
  ],
} as const;

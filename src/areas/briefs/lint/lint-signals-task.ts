/** What the worker is told of the work itself; the form is that of `lint-pattern.ts`. */

const PLACES_EN =
  'page|pages|endpoints|parameter|screen|view|tab|menu|dialog|form|module|endpoint|template|repository|repo|file|folder|directory|section|chapter|component|class|function|method|package|readme|docs|documentation|config|configuration|table|column|header|footer|sidebar|widget|plugin|controller|route|script|workflow|cli|sdk|panel|modal|navbar|toolbar|schema|dashboard|editor|parser|middleware|hook|crate|codebase|api|homepage|website|settings|dropdown|field|wiki|manual';
const PLACES_NL =
  'pagina|formulier|module|endpoint|sjabloon|template|repository|repo|bestand|map|hoofdstuk|sectie|paragraaf|component|klasse|functie|pakket|documentatie|handleiding|menu|tabel|kolom|overzicht|dashboard|website|api|script|configuratie|database|instellingen|veld|tabblad|register|wiki|zoekfunctie|portaal|portal|overzichtspagina|contactpagina|homepage|startpagina|detailpagina|inlogpagina|profielpagina';

const OBSERVED =
  'pass|passes|return|returns|returned|show|shows|shown|display|displays|displayed|contain|contains|equal|equals|render|renders|rendered|print|prints|printed|respond|responds|appear|appears|include|includes|included|redirect|redirects|visible|able|produce|produces|accept|accepts|accepted|reject|rejects|rejected|succeed|succeeds|match|matches|output|exit|throw|raise|list|listed|load|loads|work|works|report|reports|update|updates|updated|happen|stay|remain|see|cover|covers|green|exist|exists|indicate|survive|sorted';
const OBSERVED_NL =
  'slagen|slaagt|tonen|toont|getoond|geven|geeft|teruggeven|bevatten|bevat|verschijnen|verschijnt|zichtbaar|weergegeven|werken|werkt|accepteren|weigeren|gelijk|staan|staat|openen|opent|groen|zien|krijgen|krijgt|kunnen|mogelijk|blijven|blijft|melden|meldt|vermeld|gesorteerd';

const CHANGES =
  'change|modify|touch|break|add|remove|use|introduce|rename|refactor|include|alter|delete|edit|submit|commit|push|merge|rewrite|replace|affect|require|exceed|hardcode|disable|skip|bump|upgrade|expose|implement|create|reformat|redesign|start|copy|bypass|weaken|put|publish|share|store|build|move|mock|overwrite|expand|extend|invent|drop|call|fetch|rely|depend|send|log|make|open|do|worry|spend|mix|mention|contact|post|close';
const CHANGING =
  'changing|modifying|touching|breaking|adding|removing|using|introducing|renaming|altering|deleting|editing|rewriting|replacing|affecting|requiring|exceeding|disabling|losing|regressing|bumping|exposing|moving|reformatting|increasing|hurting|impacting';
const CHANGES_NL =
  'wijzigen|wijzigt|veranderen|verandert|aanpassen|verwijderen|toevoegen|breken|breekt|gebruiken|aanraken|hernoemen|herschrijven|vervangen|raken|invoeren|introduceren|overschrijven|verplaatsen|uitbreiden|publiceren|bouwen|opslaan|loggen|bewaren|delen|versturen|meenemen|aangepast|veranderd|gewijzigd|verwijderd|opgeslagen|gelogd|toegevoegd|gebruikt|meegenomen';
const SUBJECTS =
  'i|we|they|you|who|that|which|it|users|people|if|does|did|he|she|these|those|clients|to|can|would|could|why|and';

const REQUESTS =
  'open|opens|submit|submits|submitting|create|creating|send|raise|make|put|push|prepare|provide|deliver|single|one|draft|as|via|through|separate|per|small|by|accept|welcome|your';
const FORMS =
  'report|document|writeup|summary|spreadsheet|csv|pdf|diagram|diagrams|video|article|tutorial|presentation|slides|notebook|demo|mockup|mockups|proposal|adr|dataset|prototype|patch|overview|memo|runbook|svg|png|zip|rfc|table|comparison|list|wireframe|wireframes';
const FORMS_NL =
  'rapport|verslag|document|notitie|lijst|overzicht|tabel|pdf|csv|excel|diagram|presentatie|samenvatting|advies|ontwerp|handleiding|spreadsheet|memo|schema|voorstel|mockup|vertaling|notulen|plan';

export const TASK_SIGNALS = {
  goal: [
    '^ add|adding|fix|create|implement|make|remove|update|write|build|improve|replace|refactor|migrate|support|allow|enable|move|rename|convert|investigate|document|test|translate|optimize|optimise|introduce|provide|extend|change|clean|handle|ensure|set|use|show|display|prevent|reduce|upgrade|integrate|design|develop|configure|drop|deprecate|split|find|check|let|give|expose|port|simplify|validate|include|disable|publish|research|review|generate|export|import|speed|stop|bump|turn|wait|block|explore|consider|remember|looking|audit|benchmark|preserve',
    'please|pls',
    'need|needs|want|wants|wanted|wish|would|should|must|could|missing',
    'goal|objective|purpose|task|feature|request|proposal|todo|bug|issue|crash|crashes|crashed|broken|error|fails|fail|freezes|wrong|problem|unable|cannot',
    '!it|they does|do|is|are not',
    "doesn't|don't|isn't|can't|won't",
    'in order to',
    'so that',
    '^ voeg|maak|verwijder|pas|herstel|bouw|schrijf|vertaal|verbeter|vervang|wijzig|test|toon|zorg|onderzoek|ontwerp|ontwikkel|implementeer|migreer|importeer|exporteer|publiceer|documenteer|controleer|stel|zet|ruim|hernoem|koppel|beperk|los',
    'moet|moeten|kan|kunnen|wil|willen|graag|nodig|gewenst|wens|doel|taak|opdracht|fout|probleem|zou|zouden|zoeken|vast|ontbreekt',
    'werkt|doet|geeft|toont ~3 niet|geen',
    'toevoegen|aanpassen|verwijderen|herstellen|verbeteren|maken|vervangen|wijzigen|uitbreiden',
  ],
  acceptance: [
    '# acceptance|acceptatie|acceptatiecriteria|acceptatiecriterium|dod|verwacht|verwachte|verwachting|expected|expectation|expectations',
    '# !submission|system|technical|judging|eligibility|bounty requirements|criteria|eisen',
    '# success|done|completion ~1 criteria|metrics|looks|when|definition',
    '# definition of done',
    '# test|verification|validation|testing plan|steps|cases|scenarios|criteria',
    '# verification|verify|validation|klaar|gereed',
    '# checking|verifying|how ~3 work|verify|test|check',
    '# what should|ought ~2 happen|happened|be',
    '# wat ~2 moet|zou|verwacht',
    '# desired|intended|wanted|correct|gewenst|gewenste behavior|behaviour|outcome|result|results|state|output|gedrag|resultaat|situatie|uitkomst',
    'acceptance criteria|criterion|test|tests',
    'acceptatiecriteria|acceptatiecriterium',
    'definition of done',
    'done|complete|completed|finished|resolved|accepted|klaar|gereed|afgerond when|once|if|wanneer|als|zodra',
    'expected behavior|behaviour|result|results|outcome|output',
    'i|we|users|you expect|expected|expects',
    'i|we|you|one would|will|should expect',
    'is|are|was expected to',
    `!what|you|we|i|probably|maybe|perhaps|or|if|how|why|then should|must|shall ~2 ${OBSERVED}`,
    `!what|you|we|i|probably|maybe|perhaps|or|if|how|why|then|this|that should|shall be|have|not`,
    'has|have|needs|need|ought to ~2 pass|return|show|display|contain|equal|render|print|respond|appear|succeed|match',
    'all|existing|new|unit|the|these|ci|integration tests|checks|test ~3 pass|passes|passing|green|succeed',
    'tests|npm|cargo|pytest|build|ci|lint|<code> pass|passes|succeeds|exits|green',
    'exits|exit|returns|responds|answers with|code|status ~2 <n>|zero|<code>',
    'we|you|i should|must ~1 return|show|display|reject|raise|print|render|respond|throw|exit|verify',
    'return|returns|respond|answer|use ~3 <n>|<code> ~2 rather|instead|when|if',
    'instead|rather of|than ~2 <n>|<code>',
    '^ given ~14 when|then',
    'counts as done',
    'verwacht|verwachtte|verwachten ~4 dat|gedrag|resultaat',
    'gewenst|gewenste|verwacht|verwachte gedrag|resultaat|uitkomst|situatie|uitvoer',
    `moet|moeten|dient|dienen|behoort|hoort ~9 ${OBSERVED_NL}`,
    'tests|testen|test ~3 slagen|slaagt|groen',
    'voldoet|voldoen aan',
  ],
  target: [
    `in|on|at|inside|within|under ~3 ${PLACES_EN}`,
    `to|into|from|of the|this|our ~2 ${PLACES_EN}`,
    'section|chapter|page|line|lines|hoofdstuk|paragraaf|artikel|regel|sectie <n>',
    '# location|file|files|target|where|affected|component|components|module|modules|area|pages|endpoints|locatie|bestand|bestanden|onderdeel|waar',
    'files|file to touch|change|edit|modify',
    'in|inside|into|within ~1 <code>',
    '<code> function|method|class|component|module|endpoint|command|option|flag|page|table|workflow|script|hook|package|directory|folder|file|parameter|field|service',
    `in|op|uit|onder|binnen|bij|naar ~3 ${PLACES_NL}`,
    `de|het|deze ~1 overzichtspagina|contactpagina|homepage|startpagina|detailpagina|inlogpagina|profielpagina|api`,
  ],
  boundaries: [
    '# out|not|buiten of|in|de scope|bereik',
    '# non|no goals|goal|go',
    '# constraints|constraint|restrictions|limitations|boundaries|guardrails|eligibility|rules|randvoorwaarden|beperkingen|grenzen|voorwaarden|beperking|afbakening',
    '# important|technical|key|hard notes|constraints|rules',
    '# submission|entry|contest requirements|rules',
    '# do|what|wat ~2 not|niet',
    'out of ~1 scope',
    'off limits',
    'not in|within|part ~2 scope',
    'non goals|goal',
    'buiten ~2 scope|opdracht|bereik',
    'niet|geen in|onderdeel|deel ~2 scope|van',
    `^ do not ~1 ${CHANGES}`,
    `^ don't|dont|never ~1 ${CHANGES}`,
    `^ avoid|no ${CHANGING}|breaking|new|additional|extra|external|changes|change|visual|refactoring|unrelated`,
    `please|but|also|just|and|so|kindly do not ~1 ${CHANGES}`,
    `please|but|also|just|and|so don't|dont|never|avoid|refrain ~1 ${CHANGES}|${CHANGING}|from`,
    `!${SUBJECTS} do not ${CHANGES}`,
    `!${SUBJECTS} don't ${CHANGES}`,
    `!i|it|that|there must|should|shall|may|need not|never ~1 ${CHANGES}`,
    `mustn't|shouldn't ~1 ${CHANGES}`,
    `without ~1 ${CHANGING}`,
    '^ only ~1 change|changes|touch|edit|modify|fix|update|add|those|one',
    'only|solely change|touch|edit|modify|use|allowed|permitted|accepted|existing|contracts',
    'please only',
    'limit|limited|restrict|restricted|confined|confine|keep ~5 to|within',
    'keep|keeps|leave ~5 unchanged|intact|as|alone|untouched|compatible|compatibility|minimal|small|same|focused|stable|current',
    '!it|they must|should|has|have|needs|need ~2 remain|stay|keep ~3 unchanged|intact|same|compatible|optional|stable|backwards|backward',
    'no|zero new|breaking|additional|extra|external|third|schema|behavior|behaviour|functional|visual|other dependency|dependencies|changes|change|libraries|packages|party|features|files|runtime|configuration',
    'backward|backwards compatible|compatibility',
    'at|no|not most|more|less than|<n>|one|two|three ~1 lines|files|kb|mb|dependencies|words|pages|minutes|<n>',
    'by|under less|fewer|<n> than|kb|mb ~2 kb|mb|lines|%',
    'eligible|eligibility|ineligible|disqualified|prohibited|forbidden|disallowed',
    '!that is|are|be not ~1 allowed|permitted|eligible|accepted|considered|counted',
    'must be|use ~3 open|mit|existing|typescript|python|rust|compatible|vanilla|native|pure',
    `niet|geen|niets ~3 ${CHANGES_NL}`,
    `mag|mogen|hoeft|hoeven|moet|moeten ~5 niet|geen|niets ~6 worden|nieuwe|${CHANGES_NL}`,
    'verander|wijzig|gebruik|verwijder|voeg|raak|pas|bouw|maak|hernoem|zet|publiceer|stuur|deel ~5 niet|geen|niets',
    'zonder ~5 te|nieuwe|wijziging|wijzigingen',
    'blijf ~4 af',
    'alleen|uitsluitend|enkel ~3 aanpassen|wijzigen|veranderen|gebruiken|toegestaan|bestaande',
    'blijven|blijft|laat|laten ~4 ongewijzigd|ongemoeid|hetzelfde|intact',
    'geen nieuwe|extra|andere|externe ~2 dependency|dependencies|afhankelijkheden|pakketten|bibliotheken|functies|velden|kolommen|libraries|bibliotheek',
    'achterwaarts|backwards compatibel|compatible',
  ],
  output: [
    '# deliverable|deliverables|oplevering|opleveren|opgeleverd|handover|leverbaar',
    '# required|output|delivery|submission format|instructions|procedure|guidelines|artifacts',
    '# hand|how ~2 over|in|submit|deliver',
    'deliverable|deliverables ~1 are|is|include|includes|should|will|must',
    `${REQUESTS} ~3 pr|prs|mr`,
    `${REQUESTS}|a ~2 pull|merge request|requests`,
    'prs|pr|contributions ~2 welcome|appreciated',
    'pull requests ~2 welcome|appreciated',
    `deliver|provide|produce|prepare|write|create|submit|send|post|publish|share|draft|give|generate|upload|include|need ~5 ${FORMS}`,
    'write|draft|prepare ~3 up|rfc|spec|blog|adr|article|guide|notes',
    'hand ~4 over|as',
    'as a|an|one|json|markdown|csv|pdf|plain|yaml|svg ~2 format|file|document|report|table|list|comment|patch|diff|spreadsheet|zip|text|markdown|json|csv|pdf|attachment|page',
    'report|results|result|answer|findings|output ~2 in|as ~3 json|csv|markdown|pdf|table|document|issue|comment|wiki|txt|report|list|spreadsheet',
    'reply|comment|respond ~4 with ~2 link|findings|results|summary|list',
    'report back|in',
    '^ deliver|lever|opleveren',
    'maak|open|dien|stuur|lever|doe|via|als|één|per ~4 pr|prs|mr',
    'maak|open|dien|stuur|lever|doe|graag|via|als|één|per ~3 pull|merge request|requests',
    `lever|schrijf|stuur|opleveren|oplevering|plaats|publiceer|aanleveren|ontvangen|graag|maak ~6 ${FORMS_NL}`,
    'als|in een|pdf|csv|json|excel|markdown|word ~2 bestand|document|rapport|lijst|tabel|formaat|notitie|bijlage|overzicht|pdf|csv',
    'resultaat|uitkomst|antwoord|bevindingen|oplevering ~4 als|in ~3 pdf|csv|json|rapport|document|issue|ticket|tabel|lijst|markdown|wiki|bestand|excel|notitie',
  ],
  inputs: [
    '# steps|how|stappen|to ~3 reproduce|reproducing|reproduceren|repro',
    '# steps|stappen|reproduction|repro|reproductie',
    '# context|background|achtergrond|motivation|environment|omgeving|logs|log|screenshot|screenshots|schermafdruk|reference|references|referenties|resources|related|links|input|inputs|invoer|data|evidence|bijlage|bijlagen|version|versie|attachments|example|examples|voorbeeld|voorbeelden|aanleiding|toelichting|device|browser|os|platform|parent|actual|current|observed|problem|probleem|huidig|huidige|rationale|why|waarom',
    '# additional|more|extra|further|system|relevant|useful context|information|info|details|informatie|links|notes|reading',
    '# is|what|wat ~5 problem|happened|happens|gebeurt',
    'steps|how|stappen to|om ~3 reproduce|reproduceren',
    'to|can|could|be reproduce|reproduced|reproducible',
    'te reproduceren',
    'attached|attachment|attachments|screenshot|screenshots|screencast|bijgevoegd|bijgevoegde|bijlage|bijlagen|schermafbeelding|schermafdruk',
    'see|per|follow|following|read|refer|related|relates|follows|cf ~3 issue|adr|rfc|docs|documentation|guide|design|spec|figma|discussion|thread|log|example|sample|above|below|attachment|ticket|template|comment',
    'based|building on|upon ~3 existing|issue|discussion|design|spec|docs|draft|data|work|feedback|pr|rfc|<code>|template|example|report|research|notes',
    'stack|error trace|log|logs',
    '^ log|logs|stacktrace|traceback',
    'logbestand|logfile|stacktrace|traceback|backtrace',
    'start|starting|begin from|point|with ~3 <code>|existing|sample|file|data|branch|draft|attached|template|schema',
    'use|using|from ~3 dataset|data|sample|samples|spreadsheet|export|fixture|fixtures|mockup|template|notes',
    'version|versie|android|ios|windows|ubuntu|macos|chrome|firefox|safari|edge ~1 <n>|11|10|latest',
    'for|an|bijvoorbeeld example|export',
    'op basis van',
    'zie|see ook|also',
    'zie|volgens|conform|gebaseerd|uitgaande ~4 issue|bijlage|document|ontwerp|ticket|handleiding|hieronder|hierboven|op|voorbeeld|schermafbeelding|van|wiki|map',
    'gebruik|gebruikmakend|uit ~4 dataset|gegevens|export|voorbeeldbestand|bestand|sjabloon|lijst|spreadsheet',
  ],
} as const;

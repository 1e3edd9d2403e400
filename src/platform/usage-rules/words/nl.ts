import type { WordLists } from './classes.ts';

export const NL: WordLists = {
  calm: 'aarzel niet|wacht niet|twijfel niet|vergeet niet|maak je geen zorgen|geen zorgen|geen probleem|geen vragen|waarom niet|niet alleen|geen phishing|geen oplichterij|geen grap|geen twijfel|zonder twijfel|zonder vragen|zonder uitstel|zonder te vragen|niemand anders|openbare sleutel|openbare sleutels|publieke sleutel|publieke sleutels|sleutelcijfers|kerncijfers|kortingscode|broncode|qr code|ik verzeker je dat|ik verzeker u dat|eigenaar van deze sleutel|sleutel van dit|niet bang|wij zijn verzekerd|we zijn verzekerd|ik ben verzekerd|niet verder|kan niet verder|kom niet verder|welke omgevingsvariabelen|pas verder|pas als|pas nadat|pas wanneer|pas zodra|kan pas|moesten betalen|moest betalen|moesten vergoeden',
  not: 'niet|geen|nooit|zonder|nimmer|niemand|niets|weiger|weigeren|vermijd|behalve|buiten|uitgesloten|geenszins|evenmin|in plaats van|pas op|let op|uitsluiten|sluiten uit',
  said: 'zei|zegt|zeggen dat|beweert|beweerde|vroeg|vroeg om|eiste|schreef|wilde mijn|probeerde|deed zich voor|doet zich voor|voordoen|voordeed|deed alsof|gaf zich uit|beloofde|meldde|gemeld|stond dat|stond|volgens|geweigerd|genegeerd|vermeldt',
  report:
    'phishing|oplichting|oplichter|fraude|spam|aanval|aanvaller|melding|klacht|incident|gelekt|datalek|verbiedt|verboden|iemand|als iemand|vraagt iemand|hij|zij zegt|gebruiksregel|regel r1|regel r2|regel r4|gestolen|verdacht|verhaal|roman|rollenspel|bijvoorbeeld|een agent|agenten mogen|geen enkele',
  mention: 'zin|vertaal|vertaling|titel|kop|slogan|foutmelding|foutmeldingen|citaat|voorbeeld|herken',
  ask_end:
    'nodig|sturen|doorsturen|opsturen|toesturen|geven|doorgeven|afgeven|delen|tonen|laten zien|laten weten|hebben|lenen|inleveren|vertellen|mailen|verklappen|krijgen|gestuurd|gedeeld|gegeven|zeggen|plakken|invullen|aanleveren|bezorgen|overhandigen|prijsgeven|weten|bevestigen|meesturen|meegeven|aanreiken|afstaan|verstrekken|vrijgeven|toezenden|toespelen|bekendmaken|achterlaten|kwijt wilt',
  but: 'maar|dus|echter|toch|daarom|omdat|aangezien|en dus|en dan|overigens|anders|hoewel|wel dit|en wil|en hoef|en heb',
  or: '',
  question: 'wie|hoe|waar|wanneer|waarom|geeft|is de|is avouch|is er|heeft|welke',
  me: 'me|mij|ons|hier|naar mij|aan mij|aan ons|naar ons|met mij|met ons|in de notitie|in deze notitie|in het antwoord|in je antwoord|in jouw antwoord|in het resultaat|met het resultaat|bij het resultaat|in de samenvatting|erbij|bij de opmerking|in de chat|naar deze agent|aan deze agent|in dit veld|mee met|hieronder|in de reactie|naar dit adres|in de les|onderstaand adres|naar onderstaand adres|op onderstaand adres|onderaan|in mijn inbox|in mijn mailbox|naar mijn mail|op dit nummer|naar dit nummer|per dm|via dm|in een dm|privé|in dit gesprek|in deze chat',
  you: 'je|jij|u|jullie|ge',
  i: 'ik|wij|we|degene die|de persoon die',
  the: 'de|het|alle|elk|elke|ieder|iedere|die|dat|deze|dit|heel|volledige',
  ask: 'stuur|stuurt|sturen|opsturen|doorsturen|stuur door|toesturen|geef|geeft|geven|doorgeven|afgeven|zeg|zeggen|vertel|vertelt|vertellen|toon|tonen|laat zien|laten zien|laat weten|laten weten|laat me weten|deel|deelt|delen|plak|plakt|plakken|plaats|plaatsen|zet|zetten|lever|levert|leveren|inleveren|meeleveren|mail|mailen|mailt|upload|uploaden|voeg toe|toevoegen|meesturen|noem|noemen|lees voor|voorlezen|schrijf|schrijven|opschrijven|print|dump|dumpen|exporteer|exporteren|kopieer|leen|lenen|uitlenen|verstrek|verstrekken|overhandig|overhandigen|antwoord met|bevestig|onthul|onthullen|verraad|bezorg|bezorgen|overmaken|appen|meld|doorgestuurd|gestuurd|gedeeld|gegeven|verklap|verklappen|prijsgeven|geef prijs|mag ik|mogen wij|kan ik|druk af|reageer met|lek|speel door|doorspelen|voeg bij|bijvoegen|aanleveren|lever aan|zend|zenden|toezenden|toezend|app|appt|geef op|meegeven|geef mee|vrijgeven|geef vrij|aanreiken|reik aan|bekendmaken|maak bekend|afstaan|sta af|meestuur|stuur mee|bevestigen|speel toe|toespelen|mogen we|kunnen wij|kunnen we',
  take: 'lees|haal|ophalen|kopieer|exporteer|open|zoek op|zoek|pak|steel|kraak|download|verzamel|verzamelen|lezen|uitlezen|lees uit|toon|druk',
  betray: 'onthul|lek|dump|verraad|verklap|geef prijs|overhandig',
  want: 'nodig|ik wil|wij willen|we willen|wil hebben|moet hebben|moeten hebben|mis|mis nog|mis alleen|ontbreekt|graag|vereist|benodigd|zoek ik|wens|moet weten|wil weten|vraag|vragen|verlang|verwacht|zodra ik|ik moet|wij moeten|we moeten|we hebben|zodra we|zodra wij|tot ik|totdat ik|tot we|behoefte aan|handig als ik|fijn als ik|prettig als ik|handig zijn als ik|fijn zijn als ik|helpen als ik|mooi zijn als ik',
  which: 'wat is|wat zijn|welk|welke|wat|hoe luidt|met welk|met welke|hoe ziet',
  then: 'dus|gewoon|even|eventjes|ff|graag|alsjeblieft|alstublieft|aub|svp|maar',
  secret:
    'wachtwoord|wachtwoorden|*wachtwoord|*wachtwoorden|wachtzin|wachtwoordzin|paswoord|paswoorden|wachtwoort|wachtword|api sleutel|api sleutels|apisleutel|apisleutels|privésleutel|privésleutels|privé sleutel|private sleutel|geheime sleutel|geheime sleutels|ssh sleutel|toegangssleutel|ondertekensleutel|ondertekeningssleutel|toegangstoken|toegangstokens|sessietoken|*token|*tokens|geheimen|webhookgeheim|inloggegevens|inloggegeves|aanmeldgegevens|logingegevens|toegangsgegevens|accountgegevens|inlognaam en wachtwoord|gebruikersnaam en wachtwoord|toegangscode|toegangscodes|pincode|pincodes|eenmalige code|verificatiecode|bevestigingscode|beveiligingscode|herstelcode|herstelcodes|sms code|omgevingsvariabelen|sessiecookie|beheerdersrechten|*sleutel|*sleutels|inlogcode|inlogcodes|codewoord|toverwoord|geheime code|toegangswoord|herstelsleutel|beveiligingssleutel|ontgrendelcode|authenticatiecode|loginnaam en wachtwoord|inloggegeven|verbindingsreeks',
  weak: 'sleutel|sleutels|token|tokens|geheim|inlog|inlogs|login|kluis|twaalf woorden|12 woorden|24 woorden|vierentwintig woorden|woorden waarmee',
  loot: '.env bestand|env bestand|herstelwoorden|herstelzin|seedphrase|seed phrase|wachtwoordkluis|sleutelbos|sleutelhanger|wachtwoordmanager|wachtwoordbeheerder|wachtwoordbestand|privésleutelbestand|sleutelbestand|sleutelkluis|.env',
  shell:
    'shell|shelltoegang|terminalsessie|roottoegang|root toegang|beheerderstoegang|ssh toegang|servertoegang|server toegang|shell toegang|terminaltoegang|achterdeur|opdrachtregel|toegang op afstand|toegang tot je server|toegang tot je machine|toegang tot je computer|toegang tot je wallet|toegang tot je kluis|toegang tot jouw server|toegang tot jouw machine|toegang tot jouw computer|toegang tot jouw wallet|toegang tot jouw kluis|toegang tot uw server|toegang tot uw machine|toegang tot uw computer|toegang tot uw wallet|toegang tot uw kluis|toegang tot jullie server|toegang tot jullie machine|toegang tot jullie computer|toegang tot jullie wallet|toegang tot jullie kluis|toegang tot de server|toegang tot de machine|toegang tot de computer|toegang tot de wallet|toegang tot de kluis',
  open: 'open|openen|start|starten|geef|zet op|regel|maak|verleen',
  whose:
    'je|jouw|uw|jullie|huidige|ieders|jullie eigen|je eigen|jouw eigen|andere agenten|van jou|van jullie|van u|die van jou|die van jullie|die van u',
  holder:
    'server|dienst|beheerder|oprichter|eigenaar|klanten|gebruikers|gebruiker|database|platform|systeem|computer|machine|productie|portaal|beheerscherm|leverancier|bank|container|omgeving|bedrijf',
  every_agent: 'elke agent|iedere agent|alle agenten|iedereen|alle bots|elke bot|agenten moeten',
  mine: 'een|mijn|eigen|nieuwe|nieuw|ons|onze|verkeerd|verkeerde|verlopen|oude|vergeten|sterk|tijdelijk|geen|wat',
  head: 'veld|velden|formulier|beleid|manager|managers|module|scherm|pagina|vergeten|reset|regels|sterkte|beheer|zaken|claims|bewijs|voorwaarden|termijn|premie|kaart',
  work: 'hoe|waar|wanneer|waarmee moet|handleiding|documentatie|beleid|richtlijn|roteer|roteren|intrekken|trek|maskeer|versleutel|versleuteld|versleutelen|vergeten|formulier|formulieren|veld|velden|scherm|inlogscherm|inlogpagina|pagina|module|wachtwoordmodule|knop|tabblad|kolom|tabel|schema|tests|unittests|gids|artikel|herkenner|scanner|filter|script|hash|wisselen|vervang|vervangen|vernieuw|verbergen|verberg|vertaal|vertalen|samenvatten|vergelijk|vergelijken|leg uit|uitleggen|ontwerp|ontwerpen|bouw|bouwen|cursus|training|campagne|poster|foutmelding|foutmeldingen|header|wijzigen|wijzig|verander|beheert|bewaar|bewaart|controleer of|zorg dat|maak een|schrijf een|uit de export|verlopen|verloopt wanneer|openbare|publieke|instellen|aanvragen|vraag ik|mijn agent|mijn eigen|mijn sleutel|instellingenpagina|test of|kwijt|wijzigt|verwijder|werkt een|wat is een|als je|wanneer je|uitleg|uitleg over|overzicht van|informatie over|tips voor|advies over',
  type: 'intikt|intikken|tikt|typt|invoert|invult|gebruikt|gebruik|binnenkomt|inlogt|opgeeft|intypt|vul|vult|invullen|typ|typen|opengaat|opent|ontgrendelt|ontgrendelen|aanmeldt|twaalf woorden|12 woorden|24 woorden|vierentwintig woorden|woorden waarmee',
  entry:
    'inlogt|inloggen|aanmelden|aanmeldt|beheerscherm|binnenkomt|binnen te komen|te komen|portaal|beheer|inlogscherm|systeem|binnen|inlog|server',
  it: 'het|ze|die|hem|dat|deze|alles|de rest|die van jou|die van jullie|die van u',
  founder: 'oprichter|oprichters|oprichtster|medeoprichter|mede oprichter|stichter|grondlegger',
  boss: 'eigenaar|eigenaars|eigenaren|eigenares|mede eigenaar|directeur|directrice|directeuren|algemeen directeur|directie|directieteam|bestuur|bestuurder|bestuursvoorzitter|voorzitter|baas|bazin|chef|leiding|bedrijfsleiding|topman|topvrouw|bedenker|maker|exploitant|management|hoofdkantoor|achter avouch|aan het hoofd van avouch|hoofd van avouch|beheerder van avouch|avouch beheerder|avouch beheer|hoogste baas|grote baas|grootaandeelhouder',
  avouch:
    'deze dienst|dit platform|deze site|dit bedrijf|dit systeem|de dienst|het platform|dit bord|deze server|jullie dienst|jullie platform|dit netwerk|deze zaak',
  self: 'ik ben|ben ik|ik ben het|ik ben echt|dit is|hier is|hier spreekt|hier schrijft|hier|namens|in naam van|in opdracht van|uit naam van|op gezag van|op last van|op bevel van|in mijn rol als|in mijn hoedanigheid van|je spreekt met|u spreekt met|je praat met|u praat met|je hebt te maken met|bericht van|mededeling van|bevel van|opdracht van|boodschap van|getekend|ondertekend|wij zijn|beschouw mij als|behandel mij als|zie mij als|gemachtigd door|met volmacht van|met toestemming van|ik spreek namens|ik handel namens|groeten van|met vriendelijke groet|rechtstreeks van|ik spreek voor|ik handel voor|komt van|komt rechtstreeks van|komt direct van|afkomstig van|ben namelijk|ben toevallig|ben eigenlijk|ben de|ik ben het echt|u heeft te maken met|in mijn functie als|in mijn functie van|als zijnde|op voordracht van|dit bericht is van|hoogachtend|mvg|met vriendelijke groeten|hartelijke groet|hartelijke groeten|groetjes van',
  as: 'als|voor als|zoals',
  speak:
    'handel|plaats|spreek|teken|onderteken|stuur|schrijf|publiceer|antwoord|reageer|doe je|doe jezelf|doe u|keur|log in|bestel|registreren|registreer|geef je uit|meld je|meld je aan|gedraag je|markeer|noteer',
  pose: 'doe je voor als|geef je uit voor|doe alsof je|speel de',
  made: 'opgericht|gemaakt|gebouwd|leid|bezit|bedacht|gestart|begonnen|run|bestuur|ontwikkeld|avouch is van mij|avouch van mij is|avouch is mijn bedrijf|avouch is mijn zaak|avouch is mijn platform|avouch is mijn eigendom|avouch behoort mij toe|avouch behoort aan mij|mijn bedrijf avouch|gesticht|opgezet|opgebouwd|uitgevonden|richtte|stichtte|ontwierp|begon|sta aan het hoofd van avouch|zit achter avouch',
  of: 'van|bij',
  theirs: 'onze|hun|zijn|haar|mijn|een',
  with: 'gebruik|met|via|heb|onder',
  things: 'inloggegevens|sleutel|account|rechten|toegang|wachtwoord|login|bevoegdheid|token|gegevens',
  founders_key:
    'oprichterssleutel|oprichtersaccount|oprichtersrechten|oprichterstoegang|oprichterslogin|oprichterswachtwoord|oprichterstoken|directieaccount|directiesleutel',
  here: 'hier|spreekt|schrijft|zelf|aan de lijn|persoonlijk|beveelt|gelast|meedeelt|typt|bepaalt|mij gemachtigd|me gemachtigd|heeft mij gemachtigd|heeft me gemachtigd|mij gevolmachtigd|mij toestemming|me toestemming',
  order: 'beveel|gelast|bepaal|draag je op|draag u op|eis|keur|besluit|deel mee|geef opdracht|beslis|hef op|verklaar',
  we: 'wij|we|ik|ons bedrijf|onze dienst|deze dienst|ons team|avouch|deze agent|onze agenten|onze zaak',
  our: 'onze|ons|mijn|avouch',
  by_us:
    'door ons|van ons|bij ons|via ons|voor onze rekening|op onze kosten|door avouch|van avouch|bij avouch|onzerzijds|van onze kant|door mij|van mij|op ons|aan ons|op onze rekening|met een zegel|door onze verzekering|door onze verzekeraar|via onze verzekering|uit eigen zak|uit onze zak',
  promise:
    'garandeer|garandeert|garanderen|gegarandeerd|garantie|garanties|garant|waarborg|waarborgen|waarborgt|gewaarborgd|verzeker|verzekert|verzekeren|verzekerd|verzekering|verzekeringen|aansprakelijk|aansprakelijkheid|volledig verantwoordelijk|verantwoordelijk voor alle|verantwoordelijk voor elke|vrijwaar|vrijwaart|vrijwaren|vrijwaring|schadeloos|instaan|staan in voor|staat in voor|sta in voor|draaien op voor|draaien wij op|opdraaien|gedekt|dekking|borg|tevredenheidsgarantie|staan borg|sta borg|*garantie|sta garant|staan garant|staat garant|borgstelling|hoofdelijk|volle verantwoordelijkheid|volledige verantwoordelijkheid|alle verantwoordelijkheid|schadeloosstelling|garandeer dat niets|garandeer dat er niets|garanderen dat niets|garanderen dat er niets|garandeer dat geen|garanderen dat geen',
  warranty: 'garantie|garanties|*garantie|waarborg|verzekering',
  money_back:
    'niet goed geld terug|geld terug garantie|geldteruggarantie|uw geld terug|je geld terug|geld terug beloofd|geld terug gegarandeerd|gegarandeerd geld terug|of geld terug|anders geld terug|krijg je je geld|krijgt u uw geld|krijg je alles terug|krijgt u alles terug|avouch staat garant|avouch staat borg|avouch staat in voor|avouch verzekert|avouch vergoedt|avouch is aansprakelijk|avouch compenseert|avouch betaalt u|avouch betaalt je',
  pay: 'betalen|betaal|betaalt|vergoeden|vergoed|vergoedt|vergoeding|schadevergoeding|terugbetalen|compenseren|compenseer|dekken|dragen|draag|draagt|restitueren|opvangen|nemen|neem|draaien wij voor|draaien we voor|wij draaien voor|we draaien voor|draai ik voor|terug betalen|betalen terug|uitkeren|keren uit|bekostigen|schadeloosstellen|rembourseren|betaald|gedragen|gecompenseerd|terugbetaald|gerestitueerd|opgevangen',
  loss: 'schade|schades|verlies|verliezen|aanspraken|claims|claims van derden|winstderving|gederfde winst|de hele rekening|letsel|alles|diefstal|boete|boetes|tekort|strop|gevolgschade|vorderingen|wat je verliest|alles wat je verliest|wat u verliest',
  wrong:
    'misgaat|mis gaat|gaat mis|iets mis|stuk|stukgaat|kapot|kapotgaat|fout gaat|gaat fout|niet tevreden|ontevreden|kwijtraakt|zoekraakt|te laat|niet werkt|misloopt|tegenvalt|gaat het mis|loopt het mis|gaat het fout|gaat er iets mis|gaat iets mis|loopt iets mis|loopt er iets mis|gaat het stuk|gaat er iets stuk|gaat het kapot|beschadigd aankomt|niet aankomt|niet bevalt|niet klopt|verkeerd loopt|verloren gaat|failliet gaat|failliet',
  no_risk: 'geen risico|geen enkel risico|zonder risico|risicoloos|nul risico|niets te verliezen',
  you_get:
    'u bent|je bent|ben je|bent u|u krijgt|je krijgt|krijg je|krijgt u|uw bestelling is|je bestelling is|uw zending is|je pakket is|uw pakket is|met|inclusief|geldt|onder|gedekt door|ontvangt u|u ontvangt|je ontvangt',
  full: 'volledige|volledig|levenslange|levenslang|jaar|maanden|maand|onbeperkte|volle|uitgebreide|schriftelijke|tien|twee|drie|vijf|dagen',
  given:
    'inbegrepen|geldt|inclusief|gratis|erbij|op elke|op alle|op alles|op elk|op dit|op deze|bij elke|voor elke|voor alle|standaard|krijg je|krijgt u|elke|elk|alle|alles|iedere|ieder|altijd',
  third:
    'fabrikant|leverancier|vervoerder|verzekeraar|verkoper|koper|producent|merk|volgens de site|volgens|winkel|huurder|aannemer|typesysteem|index|database|protocol|slot|volgorde|sluitvolgorde|transactie|compiler|reisverzekering|zorgverzekering|transportverzekering|autoverzekering|beperkte aansprakelijkheid|vennootschap|algoritme|bank|aansprakelijkheidsverzekering',
  check:
    'controleer|kijk na|kijk|vraag|vragen|zoek|bouw|vergelijk|vertaal|vat|ontwerp|maak|schrijf|sorteer|markeer|nagaan|ga na|wij zoeken|ik zoek|verlopen|premie|polis|claims|clausule|graag in uw offerte|beloof|controleer of|kijk of|kijk na of|nagaan of|vraag of|weet of|of wij|leg uit',
  put: 'noteer|noteren|vermeld|vermelden|zet|schrijf|plaats|voeg',
};

import { stemOf } from './words.ts';

/** Words that mean the same here: Dutch and German ones first, then those that the texts use. */
const GROUPS = `
aanvraag aanvragen = application request
aanroep aanroepen = call calls
aanbesteding aanbestedingen = tender tenders
aankoop kopen koop = buy purchase
afrekenen afrekening = settlement settle
agent agenten = agent agents
annuleren intrekken ingetrokken = revoke revoked cancel
antwoord antwoorden = answer answers
attest verklaring = attestation statement
bedrag = amount
bedrijf bedrijven onderneming firma = company companies
beheerder exploitant = operator
belasting btw = vat
bestand bestanden = file files
betalen betaling betaald betaal bezahlen = pay payment paid
betrouwbaar vertrouwen = trust
bewaren bewaard opslaan opgeslagen opslag = kept store storage stored
bewijs bewijzen = proof proofs evidence
bouw bouwen gebouw = building construction
bouwvergunning omgevingsvergunning vergunning vergunningen = permit permits
bron bronnen = source sources
buitenland = foreign
controleren controle controleer nagaan = check verify
dag dagen = day days
doorlooptijd doorlooptijden levertijd = lead leadtimes time times
dubbel tweemaal twee = twice double
duur kost kosten prijs prijzen tarief tarieven = price prices cost fee fees
eigenaar = owner principal
failliet faillissement insolvent = insolvency insolvent
fout fouten foutcode foutcodes = error errors fault problem codes
gebeurtenis gebeurtenissen evenement evenementen = event events
geheim geheimen = secret secrets
geheugen = memory
geld = money
geldig geldigheid = valid
gemeente gemeenten = municipality municipalities
gratis = free
grens grenzen limiet limieten = limit limits bound
handtekening ondertekend ondertekenen = signature signed
herhalen herhaald opnieuw nogmaals = repeat again repeated retry
herstellen herstel terugzetten = restore
houder = holder
instelling instellingen = setting settings
kenteken voertuig auto voertuigen = plate vehicle
keten = chain
klok tijd tijden = clock time
koper kopers = buyer buyers
kvk handelsregister = kvk commercial register
lezen = read
lijst = list
log logboek = log trail
machtiging mandaat volmacht machtigingen = mandate mandates
melding waarschuwing = warning
milieuzone milieuzones = emission zone zones
natuurgebied natuurgebieden = natura areas
omgeving = environment
ontvangstbewijs bon kwitantie = receipt receipts
opdracht taak taken klus = task tasks work
openbaar publiek = public
openstaand = open
oud leeftijd verouderd = age stale old
proces processen = process processes
proef proberen = try sandbox
reservering claim claimen reserveren = lease claim
sanctie sancties sanctielijst = sanctions list
server = server service
sleutel sleutels = key keys
snel snelheid = fast speed rate
standaard = default
starten opstarten start = start
stoppen = stop
stuklijst = bom
terugbetaling = refund
toegang = access
uitgave uitgaven besteding = spend spending
update verversen ververst vernieuwen = refresh
verlopen verloopt vervalt = expire expires expiry
verplicht vereist = required
verwijderen wissen gewist = erase delete erasure
verzegelen verzegeld zegel zegels = seal sealed seals
veilig beveiliging = safe security
vinden zoeken zoek = find search
voorbeeld = example
vraag vragen = question ask
vrijgeven vrijgave loslaten = release
wachten wacht wachttijd = wait
wachtrij rij = queue line lines
wachtwoord = password passphrase
weg wegwerkzaamheden wegen = road roads works
wet wetten wetgeving = law laws acts
werken = work
wissel koers = rate
getuige getuigen = witness witnesses
hek = fence
markering merken = mark marks
premie beloning beloningen = bounty bounties reward
briefing = brief briefs
audit = audit
databank database = database postgresql sqlite
namen naam = name names
vergelijken = compare match
drempel = threshold
zandbak = sandbox
zeef = screen
register registers = register registers
schema = schema schemas
licentie = licence
rotatie roteren wisselen = rotation rotate
backup reservekopie = backup
poort = port
adres = address
opgelost = resolved
weigeren geweigerd weigering = refuse refused refusal
verificatie = verification verify
boete = penalty
kans waarschijnlijkheid = probability chance
verwachte waarde = expected value
stoplicht kleur = light
meekijken kijken = look watch
wijzigen veranderen = change
`;

const MATES: ReadonlyMap<string, readonly string[]> = new Map(
  GROUPS.trim()
    .split('\n')
    .flatMap((line) => {
      const [from = '', to = ''] = line.split(' = ');
      const targets = to.trim().split(' ');
      return from
        .trim()
        .split(' ')
        .map((word) => [stemOf(word), targets] as const);
    }),
);

/** Words of the texts that a word of a question may stand for. */
export function synonymsOf(word: string): readonly string[] {
  return MATES.get(stemOf(word)) ?? [];
}

/** English words that mean the same here, a group a line; a word with dashes is a phrase, written with or without them. */
export const ENGLISH_WORDS = `
cost price fee charge rate tariff expensive pricey cheap set-back
charged billed debited deducted paid invoiced
buy purchase
money funds
balance credit
wallet purse
top-up topup recharge refill load fill
withdraw payout cash-out
refund reimburse money-back
dispute chargeback
frozen locked
lease reservation lock
claim reserve grab book
release unlock let-go
refresh renew extend prolong
expire lapse run-out
expiry deadline end expiration
ttl duration lifetime length
exclusive alone sole single-holder
shared together concurrent parallel
queue line wait-list
fence fencing
token secret
id identifier
work job
mark trace remark
undo undone revert
delete erase remove wipe purge forget get-rid
keep kept store stored retain save saved remember hold-on-to
revoke invalidate revocation
cancel abort cancelled canceled cancellation
rotate roll rotation rollover
create make
register sign-up enrol signup join
login sign-in log-in signin logon
cabinet dashboard portal account-page
owner user customer account-holder
password passphrase
mail email e-mail
link url
address ip host
agent bot assistant robot
principal boss mandator
platform shop marketplace merchant
mandate authority permission power-of-attorney delegation
limit cap maximum ceiling quota max most at-most up-to
minimum least lowest min
allow authorise authorize
refuse reject deny decline
refusal rejection denial
error problem fault
retry repeat again resend
wait delay backoff
seal notarise stamp attest certify
log journal
entry record
witness cosigner auditor-node
cosign countersign
checkpoint head root
verify check validate confirm vet lookup look-up
offline disconnected
receipt slip
signature signed sign
hash digest sha256 fingerprint
evidence backing
sanctions embargo blacklist
candidate hit match
score similarity likeness
register registry
counterparty partner payee
company firm business undertaking corporation enterprise
insolvency bankruptcy
vat tax btw
vehicle car cars automobile van
plate kenteken registration licence-plate license
odometer mileage
inspection mot apk
overdue late
budget allowance
spend expense outlay
fuse gate guard
verdict judgement ruling
control safeguard measure
probability chance odds
halved cut half
brief task-card specification
lint checker linter
clear clarity unclear
question query ask
bounty reward prize
issue ticket
capability skill
redact anonymise mask
summarise summarize shorten
translate translation
extract pull
file attachment
image scan picture photo
order purchase-order
supplier vendor seller
part component
ship send dispatch
deliver delivery
quote estimate quotation
region country
bom bill-of-materials parts-list
calculate cost-out compute
data dataset
permit licence
tender procurement
fresh current up-to-date
stale old outdated
server service
timeout time-out
payment transfer
settlement clearing
chain blockchain network
usdc stablecoin coin
operator administrator admin sysadmin
backup copy dump snapshot
restore recover put-back
migrate move
start boot launch
stop shutdown
database db
setting option configuration variable
proxy balancer
metrics figures prometheus
process worker
suspension ban block
suspended banned blocked
rule policy terms
client sdk library
command cli shell
sandbox test demo playground
simulated fake mock
deprecated legacy obsolete
page site
script javascript
model llm ai gpt chatgpt language-model
language tongue
character letter
free gratis complimentary no-charge
refreshed refresh updated update reload
transfer hand-over pass-on
dutch nl netherlands holland
british uk britain united-kingdom
german de germany deutschland
belgian be belgium
european eu europe
biggest largest maximum most
longest maximum most
smallest shortest minimum least
oldest stale age
guilty accusation finding
person people individual human somebody
payer principal paying
crash crashed died failure
offline network internet connection
silent unreachable unavailable down outage
open unfinished pending
running live under-way in-progress
export download csv
spreadsheet csv excel
reproduce repeat seed
tree trees checkpoint
fake pretend pose impersonate posing impersonation
inspect audit examine
blank empty unknown unanswered
similar alike likeness similarity
installed install installation set-up
forwarded forward proxy proxies
terminal console command shell
endpoint path url route
format form media-type
exceptions exception throw throws
notice sunset deprecation
unsigned signature
disk storage
hand-in submit send post
upload uploaded sent
container docker image
webhook callback
memory ram
approve approval approved consent
threshold above
narrow narrower restrict limited
amount sum
percentage percent
monthly month
hourly hour
daily day
weekly week
yearly annual year annually
browser page
colour color light signal
traffic-light light signal
occupied taken busy held engaged
hold held possess
twice double two-times duplicate
harmless safe bad dangerous
safe secure security
look peek view see
watch follow observe monitor subscribe live stream
ping probe reachable alive
worth worthwhile value
decay half-life fade lose-weight
weigh weighs weight count heavily heavier
goal aim purpose objective
change edit rewrite modify alter adjust amend
changed edited modified altered
closed close finished
notary eidas qualified
statement sentence text
gdpr privacy personal erase
prove proof proves
back return returned given-back get-back
fails fail failed failure break breaks broken crash blow-up blows-up go-wrong
ended end stopped over finished done
notice warning ahead announce
owe owed owes receivable debt cover covers
remaining left rest leftover
exceed exceeds above bigger more over
tier bundle pack package plan
prepaid wallet credit
sell sold offer offered
strategy optimise optimize prefer choose
fatal fail
process instance worker workers
answer response reply answers responses
form format shape
client library sdk
algorithm ed25519 cryptography cryptographic
first initial
begin start
last final newest
earlier previous former
public open visible
private secret hidden confidential
guess estimate estimated
measured data
halved half
usual normal typical
twice two
purchase order buy
spend payment purchase
declare state tell provide
blank missing absent empty
treated counted counts
inspect examined
grade mark rating
ready readiness
worst worst-case
unique duplicate
previews preview unfurl unfurled unfurling
crawler bot spider crawlers
claimed reserved
together same-time at-once simultaneously
issue bug ticket
anonymous unregistered without-account
trial try free-try
input inputs parameters data
parameter field argument parameters
characters letters long length
digit digits number
words text
kept retention archive archived
deleted gone removed disappear
sealed notarised stamped
fee commission cut
postage shipping delivery
shipped sent dispatched
supplier shop
cap bound bounded
narrow restrict
void annul
approve approval allow
platform marketplace website
principal owner
verify verified confirm
mandate authorisation authorization
budget spending
attempts tries attempt
progress advance
daily day
overdrawn negative
debit charge
freeze frozen blocked
unfreeze thaw unblock
dispute disputed chargeback
card credit-card visa mastercard
person operator
settle settled settlement
signed sign signing
authorization payment
duplicate replay
interrupted dropped lost disconnected
fetch read download
recover again
coin currency token usdc
chain blockchain network base
header headers
signature algorithm
hash checksum
canonical normalised
forged tampered altered edited faked
trust rely believe
key credential apikey api-key
lost stolen leaked
rotate replace swap
passphrase password
permits permit building-permit
roadworks road works closures
municipality town city council
law act decree legislation
tender bid
limit offset page
rows results items
material materials component
lead delivery-time lead-time
stock inventory
level depth levels
lines rows
suspended suspension ban banned
lift unban appeal
founder ceo boss owner
pretend impersonate pose act
filter scanned scan screened judge
malformed invalid wrong
copying typo mistake
body payload
backup copy
restore put-back
private-key secret
sqlite postgresql postgres
migrate switch convert
prometheus metrics monitoring figures
proxy nginx loadbalancer load-balancer
forwarded client-address
workers processes cores
container kubernetes docker image
sigterm shutdown stop
required mandatory must
production live
doctor diagnose diagnosis
parameter-values values
anchored anchor sealed
repeats retries retry
throw raise exception
install npm
deprecated sunset
node nodejs
faucet play-money test-money
lesson lessons advice
drop upload
browser locally
silent abstain abstains
javascript script
seed reproduce
orm sql
entry start
guilty accusation
clearance cleared
order-of-words word-order
dash dashes hyphen
overdue late
dropped decreased went-down
status outcome result verdict
outcome result
flag flags warning signal
uninsured insurance insured
expired lapsed
brand-new new
inspection test tests
country region land
prefix letters
british uk
`;

/** Words that say little of what is asked, English and Dutch: they weigh little, and where no text has them nothing. */
export const LIGHT_WORDS = `
  able actually add added afterwards against ago allowed almost already also although always another anybody anyone anything anyway anywhere
  around away back bad based because become becomes begin behind being believe below best better beyond big both box brand bring brings came care carry
  certain clearly come comes coming concerning considered correct day deal despite differ different difference doing done dont down each early easily easy
  either else enough especially even ever every everybody everyone everything exactly exist exists expect explain extra fact far few fewer fine follow found
  full further gets getting given gives giving go goes going gone good got great guess half handle handled hard hello help here hi however ie im insist
  instead involved itself just kind know known knows large last later latest learn leave left less let lets like likely little longer look lot low lower
  made main makes making matter maybe meant mention merely might mind mine more move much must myself near necessary needed needs never new next nice
  normal normally nothing now obtain often ok okay old once only onto otherwise ourselves out outside over own particular per perhaps place plain point
  possible possibly present pretty probably proper properly provide provided put quick quickly quite rather ready real really reason receive regarding
  related rest right run running same saw says see seem seems seen sees sent several short show shown shows simple simply since single small somebody
  someone something sometimes somewhere soon sort special specific start started still such suppose sure taken takes taking talk tells thanks themselves
  therefore things think though through time times together told too took toward towards tried tries try trying turn turned turns two type under
  understand unless until upon useful uses usual usually various view want wanted wants way ways well went whatever whenever wherever within without
  wonder word worth wrong yes yet yours yourself answer answered ask asked asking avouch behave call called calling case cases comes consist contain
  currently decide depend details does exact form general hear hold holds information inside item know land list mean name named number option part
  people possible question read reach remain result same side situation stand stands state stay stays tell thing today understand up value void
  whole wish world write
  alleen allemaal altijd ander andere anderen beetje begin begint binnen blijft blijken blijkt blijven boven buiten daar daarna daarom daarvan dingen doe
  dus echt eens eerst eigenlijk elk elke elkaar ene ergens even extra ga gaan gaat gebruik gebruiken gebruikt geef geeft gegeven gemaakt genoeg geven gewoon
  goed graag haar halen heel hele hem hen hier hierbij hij hun ieder iedere iedereen iemand iets inclusief indien ineens jou jouw klopt komen komt laat
  laten later leg liever maakt manier meestal meteen na nadat nemen neem neemt niemand niets nieuw nieuwe nodig nooit nu omdat omgaan omhoog omlaag
  ongeveer opeens opgeef opgeven opgegeven per precies samen sinds snel soms soort sta staan staat steeds sturen stuur tegen terug terwijl tijdens toch toe
  toen totdat totaal twee uiteindelijk vanaf veel vind voordat vooral vooraf waarbij waardoor waarin waarmee waarop waarvoor waarvan weer weg weten weet
  werken zal zeg zelf zelfs zet zetten zie zien ziet zitten zoals zodat zodra zoiets zulke zullen jullie opnieuw verder gebeuren gebeurd lukt
`;

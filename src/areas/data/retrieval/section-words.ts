/**
 * Words that people use for what a page, or a section of it, is about, where its heading has others.
 * `page = words` is for every section of the page, `page#section = words` for one; they are found like a heading.
 */
const SECTION_WORDS = `
attestation.md = seal sealed notarise stamp record log
attestation.md#seal-post-apiattestseal = submit claim notary statement rejected
attestation.md#repeating-a-call = retry idempotency twice
attestation.md#find-get-apiattestlookupsha256 = lookup search hash document
attestation.md#erase-post-apiattesterase = delete gdpr privacy forget content
attestation.md#verify-without-trusting-us = offline check proof independent
attestation.md#seal-from-the-command-line = cli shell command
attestation.md#fees = price cost invoice bill charged
attestation.md#reading-the-whole-log = export download stream follow live ledger
attestation.md#keys = rotate rotation signing key
audit-trail.md = trail tamper recorded history
audit-trail.md#what-is-recorded = logged values parameters privacy
audit-trail.md#what-it-proves-and-what-not = guarantee anchor
audit-trail.md#verify = check removed tampered
audits.md = audit budget coordination fuse spend gate controls
audits.md#what-the-answers-are-worth = self-declared inspect believe trust
audits.md#one-spend-get-v1check = fuse gate spend go caution stop purchase probability price
audits.md#budget-audit-get-v1budgetpreview = score grade ready conditional controls free preview
audits.md#coordination-audit-get-v1coordinationpreview = cooperating agents multi controls
bom.md = bom bill materials parts list costing calculation
bom.md#request = limits size lines levels strategy
bom.md#answer = result offers missing lead
bounties.md = bounty reward issue paid list
bounties.md#how-old-the-list-is = stale fresh refreshed overdue
briefs.md = brief task card specification clear
briefs.md#the-card = fields score verdict clear workable
briefs.md#calls = create change close open delete kept
briefs.md#together-with-the-crossing = change held working rewrite
cabinet.md = dashboard account owner portal
cabinet.md#login = sign link mail session code password browser
cabinet.md#changing-something = confirm form
cabinet.md#end-of-an-account = delete export download remove close
capabilities.md = capability skill execute
capabilities.md#for-agents = input inputs batch file size limit maximum price kept
capabilities.md#what-it-costs = price charge margin minimum
capabilities.md#for-operators = provider model ocr configure
client.md = typescript library sdk client
client.md#outcomes = errors exceptions throw result
client.md#repeats = retry retries wait
client.md#paying = pay npm packages signer
crossing.md = lease claim coordination lock work
crossing.md#keys = name work key length
crossing.md#look-get-v1look = look light status free expected value
crossing.md#probe = ping endpoint reachable
crossing.md#watch-get-v1watch = follow stream wait events parallel
crossing.md#claim-getpost-v1claim = reserve take lease ttl duration refresh renew mode exclusive
crossing.md#lines = queue turn wait place ticket
crossing.md#fences-get-v1fence = stale holder write token fencing
crossing.md#expiry-and-clearance = expire lapse run out grace after expired
crossing.md#release-getpost-v1release = end give back twice lost token
crossing.md#mark-getpost-v1mark = trace note undo weight half-life unpaid
crossing.md#signed-leases = receipt proof offline who holds
crossing.md#loads-that-nobody-asked-for = prefetch preview link crawler browser
discovery.md = discovery documents openapi entry
discovery.md#versions = deprecated sunset notice compatibility
explorer.md = pages browser log verify board
explorer.md#verify-a-file-verify = upload drop proof locally
lessons.md = lesson exit leave advice
mandates.md = mandate authorisation principal platform
mandates.md#for-platforms = verify check reserve seal outcome key header order
mandates.md#for-principals = create sign revoke narrow void approve take back limit
mandates.md#what-is-public = privacy visible
mcp.md = mcp tools server
mcp.md#checking-a-counterparty = free company checks daily
open-data.md = construction permits tenders data sets refreshed
operations.md = operator run install administer
operations.md#profiles-and-settings = production required settings environment
operations.md#storage = database sqlite postgresql data directory
operations.md#a-data-directory-that-was-put-back = rollback old copy restore shorter
operations.md#before-the-first-call-the-doctor = check diagnose installation command
operations.md#extras = ocr packages install
operations.md#backup = copy backup running keys
operations.md#runbook-restore = restore recover put back
operations.md#runbook-from-sqlite-to-postgresql-or-back = migrate move database
operations.md#when-something-fails = shutdown sigterm stop full error
operations.md#suspended-callers = ban lift suspension rules
operations.md#keys = rotate signing key receipts
operations.md#behind-a-proxy = forwarded address nginx
operations.md#several-processes = workers cores machines
operations.md#figures-traces-and-states-for-the-operator = metrics prometheus monitoring health
operations.md#as-a-service-of-the-system-or-in-a-container = docker systemd kubernetes image
orders.md = order purchase parts supplier
orders.md#states-and-the-fee = cancel shipped refused quote commission given back
orders.md#personal-data = address delete privacy
pages.md = web pages script javascript
payments.md = payment pay x402 usdc
payments.md#for-buyers = header sign chain coin maximum price
payments.md#what-is-charged-when = charged billed failed wrong parameters
payments.md#safe-to-repeat = retry again lost connection kept
quickstart.md = start first steps install node sandbox
receipts.md = receipt signature signed
receipts.md#check-one = verify command shell
receipts.md#the-form = algorithm fields covers
registers.md = register verdict company vehicle vat check
registers.md#verdicts = charged status flags sources sold list age
rules.md = rules filter suspension
rules.md#where-the-filter-runs = scanned inputs texts
rules.md#flags-and-suspension = ban suspended first long appeal
sanctions.md = sanctions screening name match
sanctions.md#how-a-score-comes-about = similarity hit threshold order words
tasks.md = task need intent
tasks.md#calls = create cancel accept limits regions maximum free tries
tasks.md#states = kept deleted quote wait expire
tasks.md#routes = price cost kinds of work
tasks.md#money = pay anonymous free tries parallel
topup.md = topup card credit tiers recharge
topup.md#refunds-and-disputes = chargeback frozen owed refund
topup.md#states = review pending open paid
wallet.md = wallet agent balance money
wallet.md#for-agents = register key rotate revoke limits
wallet.md#money = charge margin minimum hold fails
wallet.md#the-ledger = export movements csv spreadsheet history
wallet.md#for-operators = unfreeze give credit
witness.md = witness cosign independent
witness.md#what-a-cosignature-proves = guarantee independence same host
witness.md#its-data = backup restore old copy database
witness.md#run-it = start port listen
`;

const WORDS: ReadonlyMap<string, string> = new Map(
  SECTION_WORDS.trim()
    .split('\n')
    .map((line) => line.split(' = ') as [string, string]),
);

/** The words of a section of a page of docs/, by its id. */
export function sectionWords(id: string): string {
  const section = id.replace(/^docs:docs\//, '');
  const page = section.replace(/#.*$/, '');
  return [WORDS.get(page), WORDS.get(section)].filter((words) => words !== undefined).join(' ');
}

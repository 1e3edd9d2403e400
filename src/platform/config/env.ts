import { RATE_CLASSES, type RateClass } from '#kernel/operation.ts';

/** The figures of the rate classes, as rate/s,burst or rate/min,burst. */
const RATES: Readonly<Record<RateClass, string>> = {
  'crossing-read': '20/s,60',
  'crossing-write': '5/s,20',
  tasks: '5/s,20',
  paid: '20/s,60',
  'attest-seal': '10/s,50',
  mcp: '10/s,40',
  login: '5/min,5',
  'attest-read': '20/s,60',
  wallet: '20/s,60',
};

/** Hosts of open data: part of the setting's name, usual address, what is read there. */
const DATA_HOSTS = [
  ['KOOP', 'https://repository.overheid.nl', 'official publications'],
  ['TENDERNED', 'https://www.tenderned.nl/papi/tenderned-rs-tns/v2', 'Dutch tenders'],
  ['TED', 'https://api.ted.europa.eu/v3', 'European tenders'],
  ['BWB', 'https://zoekservice.overheid.nl/sru', 'Dutch laws'],
  ['CBS', 'https://datasets.cbs.nl/odata/v1/CBS', 'figures of the statistics office'],
  ['PDOK', 'https://api.pdok.nl', 'municipalities and Natura 2000 areas'],
  ['NDW', 'https://opendata.ndw.nu', 'road works, closures, emission zones'],
] as const;

/** Settings with this prefix and the name of an area are the area's own. */
export const OF_AREAS = 'AVOUCH_AREA_';

export interface Setting {
  readonly name: string;
  /** What holds when it is unset, in words where it is not a plain value. */
  readonly fallback: string | null;
  readonly secret?: true;
  /** True when production refuses to start without it. */
  readonly production?: true;
  /** Another setting and its value with which production refuses to start without this one. */
  readonly requiredWith?: readonly [name: string, value: string];
  readonly help: string;
}

/** Every setting of the service; names and defaults stand here and nowhere else. */
export const SETTINGS = [
  { name: 'AVOUCH_PROFILE', fallback: 'sandbox', help: 'sandbox (everything embedded) or production' },
  { name: 'HOST', fallback: '127.0.0.1', help: 'address to listen on' },
  {
    name: 'AVOUCH_SANDBOX_PUBLIC',
    fallback: 'no',
    help: 'yes: the sandbox may listen on a HOST that others reach',
  },
  { name: 'PORT', fallback: '8402', help: 'port to listen on; 0 takes a free one' },
  { name: 'BASE_URL', fallback: 'http://HOST:PORT', production: true, help: 'public address, https in production' },
  { name: 'DATA_DIR', fallback: './data', help: 'keys, audit trail and, without DATABASE_URL, the database' },
  { name: 'DATABASE_URL', fallback: null, secret: true, help: 'PostgreSQL; unset: SQLite in DATA_DIR' },
  { name: 'AVOUCH_SERVICE_NAME', fallback: 'Avouch', help: 'name in health and documents' },
  { name: 'AVOUCH_OPERATOR_NAME', fallback: 'Sandbox operator', production: true, help: 'who runs this service' },
  {
    name: 'AVOUCH_OPERATOR_CONTACT',
    fallback: 'https://sandbox.invalid/contact',
    production: true,
    help: 'https or mailto address where the operator is reached',
  },
  {
    name: 'AVOUCH_SUSPENSION',
    fallback: 'on',
    help: 'on: callers who break the usage rules are flagged and suspended; off: they are only flagged',
  },
  {
    name: 'AVOUCH_CONTENT_SIGNAL',
    fallback: 'search=yes, ai-input=yes, ai-train=yes',
    help: 'what may be done with the text of public documents, as their Content-Signal says it',
  },
  {
    name: 'AVOUCH_LOG_ORIGIN',
    fallback: null,
    help: 'name of the public log, as host/path, given once for ever; production only; unset: host of BASE_URL/astralock',
  },
  { name: 'AVOUCH_COMMIT_BATCH', fallback: '256', help: 'most commands in one commit, 1 to 1024' },
  { name: 'AVOUCH_COMMIT_QUEUE', fallback: '10000', help: 'most commands waiting before 503 busy' },
  {
    name: 'AVOUCH_WRITER',
    fallback: 'direct',
    help: 'PostgreSQL only. direct: each process commits for itself; forward: one of them commits for all',
  },
  {
    name: 'AVOUCH_WRITER_HOST',
    fallback: '127.0.0.1',
    help: 'address where the other processes reach this one with forward: loopback, or a network of their own',
  },
  { name: 'AVOUCH_EVENT_DAYS', fallback: '7', help: 'days that events are kept; 0 for ever' },
  { name: 'AVOUCH_TRUSTED_PROXIES', fallback: '', help: 'addresses whose X-Forwarded-For is believed, by commas' },
  {
    name: 'AVOUCH_OPS_ALLOW',
    fallback: '',
    help: 'addresses beside loopback that may read /metrics, /livez and /readyz, by commas',
  },
  {
    name: 'AVOUCH_NOT_READY_SECONDS',
    fallback: '15',
    help: 'how long a process may reach no database for its writes before /readyz says no, 5 to 600',
  },
  { name: 'AVOUCH_DRAIN_SECONDS', fallback: '0', help: 'how long /readyz says no before a stop, 0 to 60' },
  {
    name: 'AVOUCH_OTLP_URL',
    fallback: null,
    help: 'OTLP collector for traces, such as http://collector:4318; unset: none',
  },
  { name: 'AVOUCH_IPV6_PREFIX', fallback: '64', help: 'bits of an IPv6 address that count as one caller: 64 or 56' },
  { name: 'AVOUCH_VENUE_HOSTS', fallback: '', help: 'hosts whose addresses name public work, by commas' },
  { name: 'AVOUCH_MAX_CONNECTIONS', fallback: '20000', help: 'most open connections' },
  ...RATE_CLASSES.map((name) => ({
    name: rateSetting(name),
    fallback: RATES[name],
    help: `rate class ${name} as rate/s,burst or rate/min,burst`,
  })),
  {
    name: 'AVOUCH_KEY_PASSPHRASE_FILE',
    fallback: null,
    production: true,
    help: 'file with the passphrase of the private keys; unset: keys lie unencrypted, mode 0600',
  },
  {
    name: 'AVOUCH_SERVER_SECRET_FILE',
    fallback: null,
    production: true,
    help: 'file with 64 hexadecimal digits, the same for all processes; unset: made in DATA_DIR',
  },
  {
    name: 'AVOUCH_WITNESS_POLICY_FILE',
    fallback: null,
    help: 'file with the witnesses of the log and their quorum (C2SP tlog-policy); unset: none',
  },
  { name: 'AVOUCH_WITNESS_EVERY_S', fallback: '30', help: 'seconds between two rounds of asking the witnesses' },
  {
    name: 'AVOUCH_REGISTERS',
    fallback: 'vies,kvk,cir,rdw,companies_house,dvsa_mot,eu_fsf',
    production: true,
    help: 'registers that are asked, by commas, or off; the sandbox asks its own stand-ins',
  },
  {
    name: 'AVOUCH_VIES_BASE_URL',
    fallback: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
    help: 'EU VAT information exchange system',
  },
  { name: 'AVOUCH_VIES_REQUESTER', fallback: null, help: 'own VAT number, for which VIES issues consultation numbers' },
  { name: 'AVOUCH_KVK_BASE_URL', fallback: 'https://api.kvk.nl/api', help: 'Dutch commercial register' },
  {
    name: 'AVOUCH_KVK_API_KEY',
    fallback: null,
    secret: true,
    help: 'key of the commercial register; required with kvk',
  },
  { name: 'AVOUCH_KVK_CA_FILE', fallback: null, help: 'certificates (PEM) to trust beside the usual ones for it' },
  {
    name: 'AVOUCH_CIR_URL',
    fallback: 'https://webservice.rechtspraak.nl/cir.asmx',
    help: 'Dutch central insolvency register',
  },
  { name: 'AVOUCH_CIR_USERNAME', fallback: null, help: 'user of the insolvency register; required with cir' },
  { name: 'AVOUCH_CIR_PASSWORD', fallback: null, secret: true, help: 'its password; required with cir' },
  { name: 'AVOUCH_CIR_SOAP', fallback: '1.2', help: 'form in which it is called: 1.2 or 1.1' },
  { name: 'AVOUCH_RDW_BASE_URL', fallback: 'https://opendata.rdw.nl', help: 'Dutch vehicle register, open data' },
  {
    name: 'AVOUCH_RDW_APP_TOKEN',
    fallback: null,
    secret: true,
    help: 'token for a limit of its own; unset: shared limit',
  },
  {
    name: 'AVOUCH_CH_BASE_URL',
    fallback: 'https://api.company-information.service.gov.uk',
    help: 'UK Companies House',
  },
  { name: 'AVOUCH_CH_API_KEY', fallback: null, secret: true, help: 'its key; required with companies_house' },
  { name: 'AVOUCH_MOT_BASE_URL', fallback: 'https://history.mot.api.gov.uk', help: 'UK MOT history' },
  { name: 'AVOUCH_MOT_TOKEN_URL', fallback: null, help: 'where its access tokens are issued; required with dvsa_mot' },
  { name: 'AVOUCH_MOT_CLIENT_ID', fallback: null, help: 'client of the token service; required with dvsa_mot' },
  { name: 'AVOUCH_MOT_CLIENT_SECRET', fallback: null, secret: true, help: 'its secret; required with dvsa_mot' },
  { name: 'AVOUCH_MOT_API_KEY', fallback: null, secret: true, help: 'key of MOT history; required with dvsa_mot' },
  { name: 'AVOUCH_MOT_SCOPE', fallback: 'https://tapi.dvsa.gov.uk/.default', help: 'scope of its access tokens' },
  {
    name: 'AVOUCH_FSF_URL',
    fallback: 'https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw',
    help: 'EU consolidated financial sanctions list, as XML',
  },
  { name: 'AVOUCH_FSF_REFRESH_S', fallback: '7200', help: 'seconds between two downloads of the list' },
  {
    name: 'AVOUCH_GITHUB_BASE_URL',
    fallback: 'https://api.github.com',
    help: 'code host of the bounty list, or off; the sandbox asks its own stand-in',
  },
  {
    name: 'AVOUCH_GITHUB_TOKEN',
    fallback: null,
    secret: true,
    help: 'token for a larger limit of its own; unset: 60 calls in an hour',
  },
  {
    name: 'AVOUCH_GITLAB_BASE_URL',
    fallback: 'https://gitlab.com/api/v4',
    help: 'where issues of gitlab.com are asked for, or off',
  },
  { name: 'AVOUCH_GITLAB_TOKEN', fallback: null, secret: true, help: 'token that lets it show comments too' },
  { name: 'AVOUCH_OPIRE', fallback: 'no', help: 'yes reads the list of the marketplace Opire every hour' },
  { name: 'AVOUCH_OPIRE_BASE_URL', fallback: 'https://api.opire.dev', help: 'its address' },
  { name: 'AVOUCH_NEXAR_CLIENT_ID', fallback: null, help: 'client of the parts search Nexar; unset: not asked' },
  { name: 'AVOUCH_NEXAR_CLIENT_SECRET', fallback: null, secret: true, help: 'its secret' },
  { name: 'AVOUCH_NEXAR_BASE_URL', fallback: 'https://api.nexar.com', help: 'its address' },
  {
    name: 'AVOUCH_NEXAR_IDENTITY_BASE_URL',
    fallback: 'https://identity.nexar.com',
    help: 'where its access tokens are issued',
  },
  {
    name: 'AVOUCH_MOUSER_API_KEY',
    fallback: null,
    secret: true,
    help: 'key of the parts supplier Mouser; unset: not asked',
  },
  { name: 'AVOUCH_MOUSER_BASE_URL', fallback: 'https://api.mouser.com', help: 'its address' },
  { name: 'AVOUCH_DIGIKEY_CLIENT_ID', fallback: null, help: 'client of the parts supplier DigiKey; unset: not asked' },
  { name: 'AVOUCH_DIGIKEY_CLIENT_SECRET', fallback: null, secret: true, help: 'its secret' },
  { name: 'AVOUCH_DIGIKEY_BASE_URL', fallback: 'https://api.digikey.com', help: 'its address' },
  {
    name: 'AVOUCH_CATALOGUE_FILE',
    fallback: null,
    help: 'CSV file with offers of parts; unset: none, in the sandbox a fictional one',
  },
  {
    name: 'AVOUCH_ORDER_MAIL_TO',
    fallback: null,
    help: 'supplier=address by commas: who gets order requests by mail; unset: no order without a program',
  },
  {
    name: 'AVOUCH_DATA_INGEST',
    fallback: 'on',
    help: 'open data that are read at intervals: on, off, or names of data sets by commas',
  },
  ...DATA_HOSTS.map(([host, address, what]) => ({
    name: `AVOUCH_DATA_${host}_BASE_URL` as const,
    fallback: address,
    help: `${what}; the sandbox asks its own stand-in`,
  })),
  {
    name: 'AVOUCH_MCP_HOSTS',
    fallback: '',
    help: 'host names under which MCP is served beside that of BASE_URL, by commas',
  },
  {
    name: 'AVOUCH_MCP_ORIGINS',
    fallback: '',
    help: 'hosts whose pages may call MCP, or moz-extension://* and the like, by commas',
  },
  {
    name: 'AVOUCH_REPOSITORY',
    fallback: null,
    help: 'owner/name of the repository in which the internal tool repository_write opens pull requests; unset: off',
  },
  { name: 'AVOUCH_REPOSITORY_TOKEN', fallback: null, secret: true, help: 'token for it; required with it' },
  {
    name: 'AVOUCH_SETTLEMENT',
    fallback: 'facilitator',
    help: 'who moves the money in production: facilitator, or chain for the own settler; the sandbox has its own chain',
  },
  {
    name: 'AVOUCH_RPC_URL',
    fallback: null,
    secret: true,
    production: true,
    help: 'node of the chain, by which every payment is seen; not in the sandbox',
  },
  {
    name: 'AVOUCH_FACILITATOR_URL',
    fallback: null,
    requiredWith: ['AVOUCH_SETTLEMENT', 'facilitator'],
    help: 'address below which verify, settle and supported are found; not in the sandbox',
  },
  {
    name: 'AVOUCH_FACILITATOR_AUTH_FILE',
    fallback: null,
    help: 'file with the Authorization header for the facilitator, read before each call; unset: none is sent',
  },
  {
    name: 'AVOUCH_SETTLER_KEY_FILE',
    fallback: null,
    requiredWith: ['AVOUCH_SETTLEMENT', 'chain'],
    help: 'file with the private key that pays the gas, 0x and 64 hex digits; not in the sandbox',
  },
  {
    name: 'AVOUCH_BATCH_CONTRACT',
    fallback: null,
    requiredWith: ['AVOUCH_SETTLEMENT', 'chain'],
    help: 'address of the deployed contracts/BatchSettle.sol',
  },
  { name: 'AVOUCH_SETTLER_MIN_ETH', fallback: '0.005', help: 'less gas money than this shows in /system/status' },
  {
    name: 'AVOUCH_SECP256K1',
    fallback: 'auto',
    help: 'what checks payment signatures: auto takes libsecp256k1 of the machine where it is good, wasm no native code',
  },
  {
    name: 'AVOUCH_PAY_TO',
    fallback: null,
    production: true,
    help: 'account that paid calls are paid to, as 0x and 40 hex digits; the sandbox has its own',
  },
  {
    name: 'AVOUCH_WALLET_TOPUP',
    fallback: 'standin',
    production: true,
    help: 'how wallets are topped up by card: stripe or off; the sandbox has a stand-in',
  },
  {
    name: 'AVOUCH_STRIPE_SECRET_KEY',
    fallback: null,
    secret: true,
    requiredWith: ['AVOUCH_WALLET_TOPUP', 'stripe'],
    help: 'key of the Stripe account, sk_live_…; in the sandbox only a test key',
  },
  {
    name: 'AVOUCH_STRIPE_WEBHOOK_SECRET',
    fallback: null,
    secret: true,
    requiredWith: ['AVOUCH_WALLET_TOPUP', 'stripe'],
    help: 'signing secret of the webhook endpoint, whsec_…',
  },
  { name: 'AVOUCH_STRIPE_BASE_URL', fallback: 'https://api.stripe.com', help: 'where Stripe is asked, without a path' },
  {
    name: 'AVOUCH_CAPABILITY_PROVIDERS',
    fallback: null,
    help: 'JSON file of model providers; unset: embedded modes only, in the sandbox also its stand-in',
  },
  {
    name: 'AVOUCH_PRICES_FILE',
    fallback: null,
    help: 'JSON file of what models and units cost, in our form or in that of LiteLLM; unset: the shipped one',
  },
  {
    name: 'AVOUCH_FX_USD_EUR',
    fallback: '0.925000',
    production: true,
    help: 'EUR for one USD, for costs that are in dollars; the rate of the sandbox is fictional',
  },
  { name: 'AVOUCH_FX_AS_OF', fallback: '2026-11-15', production: true, help: 'day of that rate' },
  {
    name: 'AVOUCH_MAIL',
    fallback: 'outbox',
    production: true,
    help: 'how mail leaves: smtp or off; the sandbox keeps it on a page of its own',
  },
  {
    name: 'AVOUCH_SMTP_URL',
    fallback: null,
    secret: true,
    requiredWith: ['AVOUCH_MAIL', 'smtp'],
    help: 'mail server, smtps://user:password@host:465, or smtp:// with STARTTLS',
  },
  {
    name: 'AVOUCH_MAIL_FROM',
    fallback: null,
    requiredWith: ['AVOUCH_MAIL', 'smtp'],
    help: 'sender of every mail: an address, or Name <address>',
  },
  { name: 'AVOUCH_LOG_LOGIN_LINKS', fallback: 'no', help: 'yes writes login links to the log; in the sandbox only' },
  { name: 'AVOUCH_LOG_LEVEL', fallback: 'info', help: 'debug, info, warn, error or silent' },
] as const satisfies readonly Setting[];

export function rateSetting(rateClass: RateClass): string {
  return `AVOUCH_RATE_${rateClass.toUpperCase().replaceAll('-', '_')}`;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** The process environment: the only place of the service that reads it. */
export function processEnv(): Env {
  return process.env;
}

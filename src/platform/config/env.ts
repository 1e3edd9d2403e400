import { RATE_CLASSES, type RateClass } from '#kernel/operation.ts';
import { callerWords } from '#kernel/rate-policy.ts';

/** Default limits of the rate classes, as rate/s,burst or rate/min,burst. */
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

/** Calls that each rate class limits. */
const RATE_SUBJECTS: Readonly<Record<RateClass, string>> = {
  'crossing-read': 'free reads, such as work keys, tasks and open data',
  'crossing-write': 'claims, releases, briefs and marks',
  tasks: 'tasks',
  paid: 'checks that are paid per call',
  'attest-seal': 'seals and changes to mandates',
  mcp: 'MCP requests',
  login: 'sign-in and registration',
  'attest-read': 'reads of the log and of mandates',
  wallet: 'the wallet, orders, capabilities and the dashboard',
};

/** Hosts of open data: part of the setting's name, default address, data read there. */
const DATA_HOSTS = [
  ['KOOP', 'https://repository.overheid.nl', 'Dutch official publications'],
  ['TENDERNED', 'https://www.tenderned.nl/papi/tenderned-rs-tns/v2', 'Dutch tenders'],
  ['TED', 'https://api.ted.europa.eu/v3', 'European tenders'],
  ['BWB', 'https://zoekservice.overheid.nl/sru', 'Dutch laws'],
  ['CBS', 'https://datasets.cbs.nl/odata/v1/CBS', 'Dutch statistics'],
  ['PDOK', 'https://api.pdok.nl', 'municipalities and Natura 2000 areas'],
  ['NDW', 'https://opendata.ndw.nu', 'roadworks, road closures and emission zones'],
] as const;

/** Settings with this prefix and the name of an area are the area's own. */
export const OF_AREAS = 'AVOUCH_AREA_';

/** Read or set by the commands that callers run, and no settings of the service. */
export const OF_COMMANDS: ReadonlySet<string> = new Set([
  'AVOUCH_URL',
  'AVOUCH_AGENT',
  'AVOUCH_FENCE',
  'XDG_STATE_HOME',
]);

export interface Setting {
  readonly name: string;
  /** The form of a value; text where it is left out. A choice lists its values, a whole number its range. */
  readonly type?: string;
  readonly choices?: readonly string[];
  readonly range?: readonly [min: number, max: number];
  readonly unit?: string;
  /** The value while it is unset, in words where it is not a plain value. */
  readonly fallback: string | null;
  /** What the sandbox uses instead of the default, in words. */
  readonly inSandbox?: string;
  /** What production uses instead of the default, in words. */
  readonly inProduction?: string;
  /** Secrets can also come from the file that NAME_FILE names. */
  readonly secret?: true;
  /** True when production refuses to start without it. */
  readonly production?: true;
  /** Belongs to services that AVOUCH_SERVICES=free leaves out: production then starts without it. */
  readonly services?: 'all';
  /** Another setting and its value with which production refuses to start without this one. */
  readonly requiredWith?: readonly [name: string, value: string];
  /** The register that cannot be queried without it: production refuses to start with the register on. */
  readonly register?: string;
  readonly help: string;
}

interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting[];
}

const YES_NO = ['no', 'yes'] as const;
/** The sandbox ignores the setting. */
const SIMULATOR = 'not used: simulator';
const OWN_CHAIN = 'must be unset: the sandbox has its own chain';
const FILE = 'file path';
const URL_TYPE = 'URL';

/** What is wrong with a name that nobody reads. Its value is not repeated: it may be a secret in the wrong place. */
export function unknownSetting(name: string): string {
  return `${name} is not a setting of this release: correct its name or unset it; ./avouch config lists all`;
}

/** Every setting of the service, by subject. Names and defaults are here and nowhere else. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    title: 'Profile and address',
    settings: [
      {
        name: 'AVOUCH_PROFILE',
        choices: ['sandbox', 'production'],
        fallback: 'sandbox',
        inProduction: '`production`',
        help: 'The sandbox needs no other setting and simulates registers, card payments, email and the chain. Production uses the real ones.',
      },
      {
        name: 'AVOUCH_SERVICES',
        choices: ['all', 'free'],
        fallback: 'all',
        help: 'With free, Avouch offers only coordination, briefs, spend checks, proof and mandates. Other calls return 404 not_offered.',
      },
      {
        name: 'HOST',
        type: 'IP address or localhost',
        fallback: '127.0.0.1',
        help: 'Address to listen on.',
      },
      {
        name: 'PORT',
        range: [0, 65_535],
        fallback: '8402',
        help: 'Port to listen on. 0 picks a free port.',
      },
      {
        name: 'BASE_URL',
        type: URL_TYPE,
        fallback: 'http://HOST:PORT',
        production: true,
        help: 'Public address, without a path. Must be https in production.',
      },
      {
        name: 'AVOUCH_SANDBOX_PUBLIC',
        choices: YES_NO,
        fallback: 'no',
        help: 'Whether the sandbox may listen on a HOST that other machines can reach. They could read its sign-in links.',
      },
      {
        name: 'AVOUCH_TRUSTED_PROXIES',
        type: 'comma-separated IP addresses or ranges',
        fallback: '',
        help: 'Trusted proxies. X-Forwarded-For is ignored from any other address.',
      },
      {
        name: 'AVOUCH_MAX_CONNECTIONS',
        range: [1, 1_000_000],
        unit: 'connections',
        fallback: '20000',
        help: 'Maximum open connections.',
      },
    ],
  },
  {
    title: 'Operator and public documents',
    settings: [
      {
        name: 'AVOUCH_SERVICE_NAME',
        fallback: 'Avouch',
        help: 'Service name in health responses and public documents.',
      },
      {
        name: 'AVOUCH_OPERATOR_NAME',
        fallback: 'Sandbox operator',
        production: true,
        help: 'Name of the person or company that runs this service.',
      },
      {
        name: 'AVOUCH_OPERATOR_CONTACT',
        type: 'https or mailto URL',
        fallback: 'https://sandbox.invalid/contact',
        production: true,
        help: 'Address where people can reach the operator.',
      },
      {
        name: 'AVOUCH_CONTENT_SIGNAL',
        fallback: 'search=yes, ai-input=yes, ai-train=yes',
        help: 'Content-Signal header of public documents: how others may use their text.',
      },
      {
        name: 'AVOUCH_SIGN_OUTBOUND',
        choices: YES_NO,
        fallback: 'yes',
        inSandbox: 'never signs',
        help: 'yes: requests to addresses that callers name are signed (Web Bot Auth), so that their owners know who asks.',
      },
      {
        name: 'AVOUCH_SUSPENSION',
        choices: ['on', 'off'],
        fallback: 'on',
        help: 'on: callers who break the usage rules are flagged and suspended. off: they are only flagged.',
      },
    ],
  },
  {
    title: 'Storage',
    settings: [
      {
        name: 'DATA_DIR',
        type: 'directory path',
        fallback: './data',
        help: 'Directory for keys, the audit trail and, without DATABASE_URL, the SQLite database.',
      },
      {
        name: 'DATABASE_URL',
        type: 'postgres:// URL',
        fallback: null,
        secret: true,
        help: 'PostgreSQL database. If unset, Avouch uses SQLite in DATA_DIR.',
      },
      {
        name: 'AVOUCH_COMMIT_BATCH',
        range: [1, 1_024],
        unit: 'commands',
        fallback: '256',
        help: 'Maximum commands per commit.',
      },
      {
        name: 'AVOUCH_COMMIT_QUEUE',
        range: [1, 1_000_000],
        unit: 'commands',
        fallback: '10000',
        help: 'Maximum commands waiting for a commit. Above this, writes are refused with 503 busy.',
      },
      {
        name: 'AVOUCH_WRITER',
        choices: ['forward', 'direct'],
        fallback: 'forward',
        help: 'PostgreSQL only. forward: one process commits for all that reach it. direct: each process commits its own writes.',
      },
      {
        name: 'AVOUCH_WRITER_HOST',
        type: 'IP address or localhost',
        fallback: '127.0.0.1',
        help: 'With forward: the address where the other processes reach this one. Processes on several machines need one of a private network.',
      },
      {
        name: 'AVOUCH_EVENT_DAYS',
        range: [0, 36_500],
        unit: 'days',
        fallback: '7',
        help: 'Retention of events. 0 keeps them permanently.',
      },
    ],
  },
  {
    title: 'Keys and secrets',
    settings: [
      {
        name: 'AVOUCH_KEY_PASSPHRASE_FILE',
        type: FILE,
        fallback: null,
        production: true,
        help: 'File with the passphrase that encrypts the private keys, at least 12 characters. If unset, key files are unencrypted with mode 0600.',
      },
      {
        name: 'AVOUCH_SERVER_SECRET_FILE',
        type: FILE,
        fallback: null,
        production: true,
        help: 'File with 64 hexadecimal digits, the same for all processes. If unset, Avouch creates one in DATA_DIR.',
      },
    ],
  },
  {
    title: 'Public log',
    settings: [
      {
        name: 'AVOUCH_LOG_ORIGIN',
        type: 'host/path',
        fallback: null,
        inSandbox: 'must be unset: the sandbox names its own log',
        inProduction: 'host of BASE_URL and /astralock',
        help: 'Name of the public log. It cannot be changed later.',
      },
      {
        name: 'AVOUCH_WITNESS_POLICY_FILE',
        type: FILE,
        fallback: null,
        help: 'File with the witnesses of the log and their quorum (C2SP tlog-policy). If unset, the log has no witnesses.',
      },
      {
        name: 'AVOUCH_WITNESS_EVERY_S',
        range: [1, 3_600],
        unit: 'seconds',
        fallback: '30',
        help: 'Interval between two requests for cosignatures.',
      },
      {
        name: 'AVOUCH_WITNESS_QPD',
        range: [1, 86_400],
        unit: 'requests per day',
        fallback: null,
        help: 'Rate that the list of the witnesses grants this log. ./avouch doctor warns of more.',
      },
    ],
  },
  {
    title: 'Logs, metrics and shutdown',
    settings: [
      {
        name: 'AVOUCH_LOG_LEVEL',
        choices: ['debug', 'info', 'warn', 'error', 'silent'],
        fallback: 'info',
        help: 'Least severe level that is written to the service log.',
      },
      {
        name: 'AVOUCH_OPS_ALLOW',
        type: 'comma-separated IP addresses or ranges',
        fallback: '',
        help: 'Who may read /metrics, /livez and /readyz, in addition to loopback.',
      },
      {
        name: 'AVOUCH_OPS_PORT',
        range: [0, 65_535],
        fallback: null,
        help: 'Second port, for /metrics, /livez and /readyz only. Open to all who reach it, so keep it internal. PORT then returns 404 for them. With --workers, one of the workers answers each request, and /metrics shows its figures only.',
      },
      {
        name: 'AVOUCH_OTLP_URL',
        type: URL_TYPE,
        fallback: null,
        help: 'OTLP collector for traces, without a path, for example http://collector:4318. If unset, no traces are sent.',
      },
      {
        name: 'AVOUCH_NOT_READY_SECONDS',
        range: [5, 600],
        unit: 'seconds',
        fallback: '15',
        help: 'Time without a database for writes after which /readyz reports not ready.',
      },
      {
        name: 'AVOUCH_DRAIN_SECONDS',
        range: [0, 60],
        unit: 'seconds',
        fallback: '0',
        help: 'Time during which /readyz reports not ready before shutdown.',
      },
    ],
  },
  {
    title: 'Rate limits',
    settings: [
      ...RATE_CLASSES.map((name) => ({
        name: rateSetting(name),
        type: 'rate/s,burst or rate/min,burst',
        unit: 'calls',
        fallback: RATES[name],
        help: `Limit for ${RATE_SUBJECTS[name]}, per ${callerWords(name)}.`,
      })),
      {
        name: 'AVOUCH_IPV6_PREFIX',
        choices: ['64', '56'],
        unit: 'bits',
        fallback: '64',
        help: 'Length of the IPv6 prefix that counts as one caller.',
      },
    ],
  },
  {
    title: 'Coordination',
    settings: [
      {
        name: 'AVOUCH_VENUE_HOSTS',
        type: 'comma-separated host names',
        fallback: '',
        help: 'Further hosts whose links are public work keys, in addition to GitHub and GitLab.',
      },
      {
        name: 'AVOUCH_GITHUB_BASE_URL',
        type: 'URL or off',
        fallback: 'https://api.github.com',
        inSandbox: 'simulator, except for AVOUCH_REPOSITORY',
        help: 'GitHub API for issues, the bounty list and AVOUCH_REPOSITORY. off: GitHub is not queried.',
      },
      {
        name: 'AVOUCH_GITHUB_TOKEN',
        fallback: null,
        secret: true,
        help: 'GitHub token for a higher rate limit. If unset, GitHub allows 60 calls per hour.',
      },
      {
        name: 'AVOUCH_GITLAB_BASE_URL',
        type: 'URL or off',
        fallback: 'https://gitlab.com/api/v4',
        inSandbox: SIMULATOR,
        help: 'GitLab API for issues on gitlab.com. off: GitLab is not queried.',
      },
      {
        name: 'AVOUCH_GITLAB_TOKEN',
        fallback: null,
        secret: true,
        help: 'GitLab token. If unset, GitLab does not show comments.',
      },
      {
        name: 'AVOUCH_OPIRE',
        choices: YES_NO,
        fallback: 'no',
        inSandbox: SIMULATOR,
        help: 'yes: Avouch reads the bounties of the marketplace Opire every hour.',
      },
      {
        name: 'AVOUCH_OPIRE_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://api.opire.dev',
        inSandbox: SIMULATOR,
        help: 'Opire API.',
      },
    ],
  },
  {
    title: 'Registers and the sanctions list',
    settings: [
      {
        name: 'AVOUCH_REGISTERS',
        type: 'comma-separated names or off',
        fallback: 'vies,kvk,cir,rdw,companies_house,dvsa_mot,eu_fsf',
        production: true,
        services: 'all',
        help: 'Registers to query. The sandbox queries simulators of them.',
      },
      {
        name: 'AVOUCH_VIES_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
        inSandbox: SIMULATOR,
        help: 'VIES, the EU VAT information exchange system.',
      },
      {
        name: 'AVOUCH_VIES_REQUESTER',
        type: 'VAT number with country prefix',
        fallback: null,
        help: 'Your own VAT number. With it, VIES issues consultation numbers.',
      },
      {
        name: 'AVOUCH_KVK_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://api.kvk.nl/api',
        inSandbox: SIMULATOR,
        help: 'KVK, the Dutch commercial register.',
      },
      { name: 'AVOUCH_KVK_API_KEY', fallback: null, secret: true, register: 'kvk', help: 'KVK API key.' },
      {
        name: 'AVOUCH_KVK_CA_FILE',
        type: FILE,
        fallback: null,
        help: 'Extra CA certificates (PEM) for this register.',
      },
      {
        name: 'AVOUCH_CIR_URL',
        type: URL_TYPE,
        fallback: 'https://webservice.rechtspraak.nl/cir.asmx',
        inSandbox: SIMULATOR,
        help: 'CIR, the Dutch central insolvency register.',
      },
      { name: 'AVOUCH_CIR_USERNAME', fallback: null, register: 'cir', help: 'CIR user name.' },
      { name: 'AVOUCH_CIR_PASSWORD', fallback: null, secret: true, register: 'cir', help: 'CIR password.' },
      { name: 'AVOUCH_CIR_SOAP', choices: ['1.2', '1.1'], fallback: '1.2', help: 'SOAP version for CIR.' },
      {
        name: 'AVOUCH_RDW_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://opendata.rdw.nl',
        inSandbox: SIMULATOR,
        help: 'RDW, the Dutch vehicle register (open data).',
      },
      {
        name: 'AVOUCH_RDW_APP_TOKEN',
        fallback: null,
        secret: true,
        help: 'RDW app token, which gives you your own rate limit. If unset, you share one with other callers.',
      },
      {
        name: 'AVOUCH_CH_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://api.company-information.service.gov.uk',
        inSandbox: SIMULATOR,
        help: 'Companies House, the UK company register.',
      },
      {
        name: 'AVOUCH_CH_API_KEY',
        fallback: null,
        secret: true,
        register: 'companies_house',
        help: 'Companies House API key.',
      },
      {
        name: 'AVOUCH_MOT_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://history.mot.api.gov.uk',
        inSandbox: SIMULATOR,
        help: 'DVSA MOT history, the UK vehicle test register.',
      },
      {
        name: 'AVOUCH_MOT_TOKEN_URL',
        type: URL_TYPE,
        fallback: null,
        register: 'dvsa_mot',
        help: 'Token endpoint for MOT history (OAuth 2.0).',
      },
      {
        name: 'AVOUCH_MOT_CLIENT_ID',
        fallback: null,
        register: 'dvsa_mot',
        help: 'OAuth client ID for MOT history.',
      },
      {
        name: 'AVOUCH_MOT_CLIENT_SECRET',
        fallback: null,
        secret: true,
        register: 'dvsa_mot',
        help: 'OAuth client secret for MOT history.',
      },
      {
        name: 'AVOUCH_MOT_API_KEY',
        fallback: null,
        secret: true,
        register: 'dvsa_mot',
        help: 'MOT history API key.',
      },
      {
        name: 'AVOUCH_MOT_SCOPE',
        fallback: 'https://tapi.dvsa.gov.uk/.default',
        help: 'OAuth scope for MOT history.',
      },
      {
        name: 'AVOUCH_FSF_URL',
        type: URL_TYPE,
        fallback:
          'https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw',
        inSandbox: SIMULATOR,
        help: 'EU consolidated financial sanctions list (XML).',
      },
      {
        name: 'AVOUCH_FSF_REFRESH_S',
        range: [60, 999_999],
        unit: 'seconds',
        fallback: '7200',
        help: 'Interval between two downloads of the sanctions list.',
      },
    ],
  },
  {
    title: 'Payments per call',
    settings: [
      {
        name: 'AVOUCH_SETTLEMENT',
        choices: ['facilitator', 'chain'],
        fallback: 'facilitator',
        inSandbox: 'its own chain',
        help: 'Settlement of payments: facilitator, or chain (your own settler).',
      },
      {
        name: 'AVOUCH_PAY_TO',
        type: 'account, 0x and 40 hexadecimal digits',
        fallback: null,
        inSandbox: 'must be unset: the sandbox has its own account',
        production: true,
        services: 'all',
        help: 'Account that receives the payments.',
      },
      {
        name: 'AVOUCH_RPC_URL',
        type: URL_TYPE,
        fallback: null,
        inSandbox: OWN_CHAIN,
        secret: true,
        production: true,
        services: 'all',
        help: 'RPC node of the chain. Avouch confirms every payment there.',
      },
      {
        name: 'AVOUCH_FACILITATOR_URL',
        type: URL_TYPE,
        fallback: null,
        inSandbox: OWN_CHAIN,
        requiredWith: ['AVOUCH_SETTLEMENT', 'facilitator'],
        services: 'all',
        help: 'Base address of the facilitator (verify, settle, supported).',
      },
      {
        name: 'AVOUCH_FACILITATOR_AUTH_FILE',
        type: FILE,
        fallback: null,
        help: 'File with the Authorization header for the facilitator, read before each call. If unset, none is sent.',
      },
      {
        name: 'AVOUCH_FACILITATOR_KEY_ID',
        fallback: null,
        help: 'Id of the key that signs a token for each call to the facilitator (CDP). Instead of AVOUCH_FACILITATOR_AUTH_FILE.',
      },
      {
        name: 'AVOUCH_FACILITATOR_KEY_FILE',
        type: FILE,
        fallback: null,
        help: 'File with its secret: base64 of 64 bytes (Ed25519), or a P-256 key in PEM.',
      },
      {
        name: 'AVOUCH_SETTLER_KEY_FILE',
        type: FILE,
        fallback: null,
        inSandbox: OWN_CHAIN,
        requiredWith: ['AVOUCH_SETTLEMENT', 'chain'],
        services: 'all',
        help: 'File with the private key of your settler, which pays the gas: 0x and 64 hexadecimal digits.',
      },
      {
        name: 'AVOUCH_BATCH_CONTRACT',
        type: 'address, 0x and 40 hexadecimal digits',
        fallback: null,
        requiredWith: ['AVOUCH_SETTLEMENT', 'chain'],
        services: 'all',
        help: 'Address of your deployed contracts/BatchSettle.sol.',
      },
      {
        name: 'AVOUCH_SETTLER_MIN_ETH',
        type: 'decimal number',
        unit: 'ETH',
        fallback: '0.005',
        help: 'Minimum balance of the settler. /system/status shows when it is lower.',
      },
      {
        name: 'AVOUCH_SECP256K1',
        choices: ['auto', 'wasm'],
        fallback: 'auto',
        help: 'Library that checks payment signatures. auto: libsecp256k1 of the machine where it works. wasm: no native code.',
      },
    ],
  },
  {
    title: 'Mandates',
    settings: [
      {
        name: 'AVOUCH_AP2_ROOTS_FILE',
        type: FILE,
        fallback: null,
        help: 'File with the signers of AP2 mandates that you trust: certificates in PEM, or a JWK set. If unset, none is trusted.',
      },
    ],
  },
  {
    title: 'Wallet and card payments',
    settings: [
      {
        name: 'AVOUCH_WALLET_TOPUP',
        choices: ['standin', 'stripe', 'off'],
        fallback: 'standin',
        production: true,
        services: 'all',
        help: 'Card processor for top-ups. standin is a simulator, for the sandbox only.',
      },
      {
        name: 'AVOUCH_STRIPE_SECRET_KEY',
        fallback: null,
        secret: true,
        requiredWith: ['AVOUCH_WALLET_TOPUP', 'stripe'],
        help: 'Stripe API key: sk_live_… or rk_live_… in production, a test key in the sandbox.',
      },
      {
        name: 'AVOUCH_STRIPE_WEBHOOK_SECRET',
        fallback: null,
        secret: true,
        requiredWith: ['AVOUCH_WALLET_TOPUP', 'stripe'],
        help: 'Signing secret of the Stripe webhook endpoint, whsec_….',
      },
      {
        name: 'AVOUCH_STRIPE_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://api.stripe.com',
        help: 'Stripe API, without a path.',
      },
      {
        name: 'AVOUCH_FX_USD_EUR',
        type: 'decimal number',
        unit: 'EUR per USD',
        fallback: '0.925000',
        production: true,
        services: 'all',
        help: 'Exchange rate for costs in US dollars. The default is made up.',
      },
      {
        name: 'AVOUCH_FX_AS_OF',
        type: 'date, YYYY-MM-DD',
        fallback: '2026-11-15',
        production: true,
        services: 'all',
        help: 'Date of the exchange rate.',
      },
    ],
  },
  {
    title: 'Capabilities',
    settings: [
      {
        name: 'AVOUCH_CAPABILITY_PROVIDERS',
        type: FILE,
        fallback: null,
        inSandbox: 'simulator',
        help: 'JSON file of model providers. If unset, only modes that need no provider run.',
      },
      {
        name: 'AVOUCH_PRICES_FILE',
        type: FILE,
        fallback: null,
        help: "JSON file of prices for models and units, in Avouch's or LiteLLM's format. If unset, the shipped prices apply.",
      },
    ],
  },
  {
    title: 'Parts and orders',
    settings: [
      {
        name: 'AVOUCH_NEXAR_CLIENT_ID',
        fallback: null,
        inSandbox: SIMULATOR,
        help: 'OAuth client ID for the parts search Nexar. If unset, Nexar is not queried.',
      },
      {
        name: 'AVOUCH_NEXAR_CLIENT_SECRET',
        fallback: null,
        secret: true,
        inSandbox: SIMULATOR,
        help: 'OAuth client secret for Nexar. Required with AVOUCH_NEXAR_CLIENT_ID.',
      },
      {
        name: 'AVOUCH_NEXAR_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://api.nexar.com',
        inSandbox: SIMULATOR,
        help: 'Nexar API.',
      },
      {
        name: 'AVOUCH_NEXAR_IDENTITY_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://identity.nexar.com',
        inSandbox: SIMULATOR,
        help: 'Token endpoint for Nexar (OAuth 2.0).',
      },
      {
        name: 'AVOUCH_MOUSER_API_KEY',
        fallback: null,
        secret: true,
        inSandbox: SIMULATOR,
        help: 'Mouser API key. If unset, Mouser is not queried.',
      },
      {
        name: 'AVOUCH_MOUSER_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://api.mouser.com',
        inSandbox: SIMULATOR,
        help: 'Mouser API.',
      },
      {
        name: 'AVOUCH_DIGIKEY_CLIENT_ID',
        fallback: null,
        inSandbox: SIMULATOR,
        help: 'OAuth client ID for DigiKey. If unset, DigiKey is not queried.',
      },
      {
        name: 'AVOUCH_DIGIKEY_CLIENT_SECRET',
        fallback: null,
        secret: true,
        inSandbox: SIMULATOR,
        help: 'OAuth client secret for DigiKey. Required with AVOUCH_DIGIKEY_CLIENT_ID.',
      },
      {
        name: 'AVOUCH_DIGIKEY_BASE_URL',
        type: URL_TYPE,
        fallback: 'https://api.digikey.com',
        inSandbox: SIMULATOR,
        help: 'DigiKey API.',
      },
      {
        name: 'AVOUCH_CATALOGUE_FILE',
        type: FILE,
        fallback: null,
        inSandbox: 'made-up catalogue',
        help: 'CSV file with offers for parts, read at start.',
      },
      {
        name: 'AVOUCH_ORDER_MAIL_TO',
        type: 'comma-separated supplier=address pairs',
        fallback: null,
        inSandbox: 'rfq@sandbox.invalid for every supplier',
        help: 'Who gets order requests by email. If unset, you can order only from suppliers with an API.',
      },
    ],
  },
  {
    title: 'Open data',
    settings: [
      {
        name: 'AVOUCH_DATA_INGEST',
        type: 'on, off or comma-separated data sets',
        fallback: 'on',
        help: 'Open data sets that Avouch imports regularly.',
      },
      ...DATA_HOSTS.map(([host, address, what]) => ({
        name: `AVOUCH_DATA_${host}_BASE_URL`,
        type: URL_TYPE,
        fallback: address,
        inSandbox: SIMULATOR,
        help: `Source of ${what}.`,
      })),
    ],
  },
  {
    title: 'MCP',
    settings: [
      {
        name: 'AVOUCH_MCP_HOSTS',
        type: 'comma-separated host names',
        fallback: '',
        help: 'Host names under which MCP is served, in addition to the host of BASE_URL.',
      },
      {
        name: 'AVOUCH_MCP_ORIGINS',
        type: 'comma-separated host names or scheme://*',
        fallback: '',
        help: 'Hosts whose web pages may call MCP. moz-extension://* and the like allow browser extensions.',
      },
      {
        name: 'AVOUCH_MCP_REGISTRY_KEY',
        type: 'base64 of 32 bytes',
        fallback: null,
        help: 'Public Ed25519 key with which you publish in the MCP registry. Served at /.well-known/mcp-registry-auth.',
      },
      {
        name: 'AVOUCH_REPOSITORY',
        type: 'owner/name',
        fallback: null,
        help: 'GitHub repository in which the internal tool repository_write opens pull requests. If unset, the tool is off.',
      },
      {
        name: 'AVOUCH_REPOSITORY_TOKEN',
        fallback: null,
        secret: true,
        help: 'GitHub token for that repository. Required with AVOUCH_REPOSITORY.',
      },
    ],
  },
  {
    title: 'Email',
    settings: [
      {
        name: 'AVOUCH_MAIL',
        choices: ['outbox', 'smtp', 'off'],
        fallback: 'outbox',
        production: true,
        services: 'all',
        help: 'Email delivery. outbox shows emails on a local page, for the sandbox only. off: nobody can sign in to the dashboard.',
      },
      {
        name: 'AVOUCH_SMTP_URL',
        type: 'smtps:// or smtp:// URL',
        fallback: null,
        secret: true,
        requiredWith: ['AVOUCH_MAIL', 'smtp'],
        help: 'SMTP server, for example smtps://user:password@host:465. smtp:// uses STARTTLS.',
      },
      {
        name: 'AVOUCH_MAIL_FROM',
        type: 'address or Name <address>',
        fallback: null,
        requiredWith: ['AVOUCH_MAIL', 'smtp'],
        help: 'Sender of every email.',
      },
      {
        name: 'AVOUCH_LOG_LOGIN_LINKS',
        choices: YES_NO,
        fallback: 'no',
        inProduction: 'must be unset',
        help: 'yes: sign-in links are written to the service log, for a sandbox without a browser.',
      },
    ],
  },
];

/** Every setting of the service. */
export const SETTINGS: readonly Setting[] = SETTING_GROUPS.flatMap(({ settings }) => settings);

export function rateSetting(rateClass: RateClass): string {
  return `AVOUCH_RATE_${rateClass.toUpperCase().replaceAll('-', '_')}`;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** The process environment: the only place of the service that reads it. */
export function processEnv(): Env {
  return process.env;
}

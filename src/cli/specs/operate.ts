import type { CommandSpec, Operand } from '../line/spec.ts';

const LONG = 'Shows its progress when standard error is a terminal.';
/** As `KEY_SCOPES` has them; help must not load what signs. */
export const SERVICE_KEY_SCOPES = [
  'receipts',
  'log-checkpoint',
  'log-cosign',
  'http-signature',
  'log-receipt',
] as const;
/** The states of an order that only its supplier brings about. */
export const SUPPLIER_STATES = ['confirmed', 'refused', 'cancelled', 'shipped', 'delivered', 'returned'] as const;
/** As `SCOPES` of agents has them. */
export const AGENT_KEY_SCOPES = ['wallet:spend', 'tasks:write', 'github:write', 'internal:tools'] as const;

const KEY_SCOPE: Operand = { name: 'scope', help: 'What the key signs', choices: SERVICE_KEY_SCOPES };
const AGENT_ID: Operand = { name: 'agent id', help: 'agt_ and 26 characters; `avouch agents list` shows them' };
const PLATFORM_ID: Operand = {
  name: 'platform id',
  help: 'plt_ and 26 characters; `avouch platforms list` shows them',
};

const keys = async () => await import('../keys.ts');
const agents = async () => await import('../agents.ts');

const KEYS: CommandSpec = {
  name: 'keys',
  summary: 'List, rotate or replace service keys; grant a scope to an agent key',
  examples: ['./avouch keys list', './avouch keys rotate log-checkpoint'],
  subcommands: [
    {
      name: 'list',
      summary: 'List the service keys',
      examples: ['./avouch keys list', './avouch keys list --json'],
      load: async () => (await keys()).listKeys,
    },
    {
      name: 'prepare',
      summary: 'Create the file of the next key, to copy it to every machine before rotating',
      operands: [KEY_SCOPE],
      examples: ['./avouch keys prepare log-checkpoint'],
      load: async () => (await keys()).prepareKey,
    },
    {
      name: 'rotate',
      summary: 'Declare the next key in the log and sign with it',
      operands: [KEY_SCOPE],
      examples: ['./avouch keys rotate log-checkpoint'],
      load: async () => (await keys()).rotateServiceKey,
    },
    {
      name: 'replace',
      summary: 'Replace a key whose file was lost; the log records the loss',
      operands: [KEY_SCOPE],
      examples: ['./avouch keys replace receipts'],
      load: async () => (await keys()).replaceKey,
    },
    {
      name: 'accept-secret',
      summary: 'Accept a new server secret in place of the one that this database knows',
      notes: ['Restart every process with this secret afterwards.'],
      examples: ['./avouch keys accept-secret'],
      load: async () => (await keys()).acceptSecret,
    },
    {
      name: 'grant',
      summary: 'Grant a scope to an agent key',
      operands: [
        { name: 'key id', help: "The id of one of an agent's keys" },
        { name: 'scope', help: 'What the key may then do', choices: AGENT_KEY_SCOPES },
      ],
      examples: ['./avouch keys grant key_0123456789abcdefghjkmnpqrs internal:tools'],
      load: async () => (await agents()).grantScope,
    },
  ],
};

const AGENTS: CommandSpec = {
  name: 'agents',
  summary: 'List agents, designate the founder, suspend an agent or reactivate it, unfreeze its wallet',
  examples: ['./avouch agents list', './avouch agents suspend agt_0123456789abcdefghjkmnpqrs'],
  subcommands: [
    {
      name: 'list',
      summary: 'List the registered agents, newest first',
      options: [
        {
          name: 'limit',
          value: '<n>',
          help: 'Most agents to list',
          number: { isWhole: true, min: 1, max: 100_000 },
          fallback: '100',
        },
      ],
      examples: ['./avouch agents list', './avouch agents list --limit 20 --json'],
      load: async () => (await agents()).listAgents,
    },
    {
      name: 'founder',
      summary: 'Designate the founder: the former founder’s keys lose github:write',
      operands: [AGENT_ID],
      examples: ['./avouch agents founder agt_0123456789abcdefghjkmnpqrs'],
      load: async () => (await agents()).designateFounder,
    },
    {
      name: 'suspend',
      summary: 'Suspend an agent: its keys are refused',
      operands: [AGENT_ID],
      examples: ['./avouch agents suspend agt_0123456789abcdefghjkmnpqrs'],
      load: async () => (await agents()).suspendAgent,
    },
    {
      name: 'resume',
      summary: 'Reactivate a suspended agent',
      operands: [AGENT_ID],
      examples: ['./avouch agents resume agt_0123456789abcdefghjkmnpqrs'],
      load: async () => (await agents()).resumeAgent,
    },
    {
      name: 'unfreeze',
      summary: 'Unfreeze a wallet, so that it can pay again',
      operands: [AGENT_ID],
      examples: ['./avouch agents unfreeze agt_0123456789abcdefghjkmnpqrs'],
      load: async () => (await agents()).unfreezeWallet,
    },
  ],
};

const PLATFORMS: CommandSpec = {
  name: 'platforms',
  summary: 'List the platforms that check mandates, suspend one or reactivate it',
  examples: ['./avouch platforms list', './avouch platforms suspend plt_0123456789abcdefghjkmnpqrs'],
  subcommands: [
    {
      name: 'list',
      summary: 'List the platforms',
      examples: ['./avouch platforms list'],
      load: async () => (await import('../platforms.ts')).listPlatforms,
    },
    {
      name: 'suspend',
      summary: 'Suspend a platform: it may only seal what it holds',
      operands: [PLATFORM_ID],
      examples: ['./avouch platforms suspend plt_0123456789abcdefghjkmnpqrs'],
      load: async () => (await import('../platforms.ts')).suspendPlatform,
    },
    {
      name: 'resume',
      summary: 'Reactivate a suspended platform',
      operands: [PLATFORM_ID],
      examples: ['./avouch platforms resume plt_0123456789abcdefghjkmnpqrs'],
      load: async () => (await import('../platforms.ts')).resumePlatform,
    },
  ],
};

const RULES: CommandSpec = {
  name: 'rules',
  summary: 'List who was flagged or suspended under the usage rules, or lift a flag or suspension',
  examples: ['./avouch rules flags', './avouch rules lift sus_0123456789abcdefghjkmnpqrs'],
  subcommands: [
    {
      name: 'flags',
      summary: 'List flags and suspensions',
      examples: ['./avouch rules flags'],
      load: async () => (await import('../rules.ts')).listFlags,
    },
    {
      name: 'lift',
      summary: 'Lift a flag or a suspension; the log records it',
      operands: [{ name: 'id', help: 'The id of a flag or of a suspension, as `avouch rules flags` shows it' }],
      examples: ['./avouch rules lift sus_0123456789abcdefghjkmnpqrs'],
      load: async () => (await import('../rules.ts')).liftFlag,
    },
  ],
};

const ORDERS: CommandSpec = {
  name: 'orders',
  summary: 'List orders that were sent by email, and record what their suppliers say',
  examples: [
    './avouch orders list',
    './avouch orders record ord_0123456789abcdefghjkmnpqrs confirmed --document confirmation.pdf',
  ],
  subcommands: [
    {
      name: 'list',
      summary: 'List the orders that wait for word of their supplier, oldest first',
      examples: ['./avouch orders list', './avouch orders list --json'],
      load: async () => (await import('../orders.ts')).listOrders,
    },
    {
      name: 'record',
      summary: 'Record what a supplier says: a confirmation charges the fee, a refusal releases it',
      operands: [
        { name: 'order id', help: 'ord_ and 26 characters, as the email to the supplier names it' },
        { name: 'state', help: 'What the supplier says', choices: SUPPLIER_STATES },
      ],
      options: [
        {
          name: 'document',
          value: '<file>',
          help: 'What the supplier sent; required for confirmed. Only its SHA-256 is stored and sealed',
        },
      ],
      notes: ['Orders that a supplier reports on through its API are refused: nobody records them by hand.'],
      examples: [
        './avouch orders record ord_0123456789abcdefghjkmnpqrs confirmed --document confirmation.pdf',
        './avouch orders record ord_0123456789abcdefghjkmnpqrs refused',
      ],
      load: async () => (await import('../orders.ts')).recordOrder,
    },
  ],
};

const MONEY: readonly CommandSpec[] = [
  {
    name: 'ledger',
    summary: 'Audit the wallet ledger: errors halt payments; a clean audit resumes them',
    examples: ['./avouch ledger audit'],
    subcommands: [
      {
        name: 'audit',
        summary: 'Audit every row of the wallet ledger',
        notes: [LONG],
        json: 'Print the report as one JSON document.',
        exits: { 1: 'the audit found errors, or failed' },
        examples: ['./avouch ledger audit'],
        load: async () => (await import('../ledger.ts')).auditWalletLedger,
      },
    ],
  },
  {
    name: 'refunds',
    summary: 'List payments without a verdict that must be refunded, and record a refund that you paid',
    examples: ['./avouch refunds list', './avouch refunds settle 0x5f1e... --reference 0x9ab3...'],
    subcommands: [
      {
        name: 'list',
        summary: 'List the refunds that are due, oldest first',
        examples: ['./avouch refunds list', './avouch refunds list --json'],
        load: async () => (await import('../refunds.ts')).listRefunds,
      },
      {
        name: 'settle',
        summary: 'Record that a refund was paid; the log records it, and it is no longer counted as due',
        operands: [{ name: 'nonce', help: 'The nonce of the payment, as `avouch refunds list` shows it' }],
        options: [
          {
            name: 'reference',
            value: '<text>',
            help: 'The transaction or other reference of the refund. The payer sees it, the log does not',
            isRequired: true,
          },
          { name: 'payer', value: '<address>', help: 'Needed only if two accounts used the same nonce' },
        ],
        notes: ['It moves no money: pay first. Check on the chain that the payment is still there.'],
        examples: ['./avouch refunds settle 0x5f1e... --reference 0x9ab3...'],
        load: async () => (await import('../refunds.ts')).settleRefund,
      },
    ],
  },
  {
    name: 'fees',
    summary: 'Export the seal fees',
    examples: ['./avouch fees export --from 2026-11-01 --to 2026-11-30 > fees.csv'],
    subcommands: [
      {
        name: 'export',
        summary: 'Print the seal fees as CSV, with a total for each owner',
        options: [
          { name: 'from', value: '<date>', help: 'First day, such as 2026-11-01 (UTC)', isRequired: true },
          { name: 'to', value: '<date>', help: 'Last day, included (UTC)', isRequired: true },
        ],
        json: 'Print the fees as one JSON document instead of CSV.',
        examples: ['./avouch fees export --from 2026-11-01 --to 2026-11-30 > fees.csv'],
        load: async () => (await import('../fees.ts')).exportFees,
      },
    ],
  },
];

const RECOVERY: readonly CommandSpec[] = [
  {
    name: 'backup',
    summary: 'Back up a running service to a new directory',
    notes: [`Keys and the server secret are not in a backup: keep them elsewhere. ${LONG}`],
    operands: [{ name: 'directory', help: 'Must be empty or not exist yet' }],
    examples: ['./avouch backup /backup/2026-11-15', 'DATABASE_URL=postgres://… ./avouch backup /backup/tonight'],
    load: async () => (await import('../backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Restore a backup into an empty database and audit it',
    notes: [`Uses DATA_DIR and DATABASE_URL. On an error the database stays empty. ${LONG}`],
    operands: [{ name: 'directory', help: 'The directory of the backup' }],
    options: [
      {
        name: 'checkpoints',
        value: '<file>',
        help: 'Signed checkpoints from outside the backup: the restored log must contain them',
      },
      { name: 'sha256', value: '<digest>', help: 'The SHA-256 of the manifest, as `avouch backup` printed it' },
    ],
    examples: [
      'DATA_DIR=./restored ./avouch restore /backup/2026-11-15',
      './avouch restore /backup/tonight --checkpoints published.txt',
    ],
    load: async () => (await import('../restore.ts')).restore,
  },
  {
    name: 'migrate-store',
    summary: 'Move data between SQLite and PostgreSQL (service stopped)',
    notes: [`Log root and revision stay the same. The target must be empty. ${LONG}`],
    options: [
      {
        name: 'from',
        value: '<place>',
        help: 'A data directory, postgres://…, or DATABASE_URL for that setting',
        isRequired: true,
      },
      { name: 'to', value: '<place>', help: 'The same forms', isRequired: true },
    ],
    examples: [
      'DATABASE_URL=postgres://… ./avouch migrate-store --from ./data --to DATABASE_URL',
      './avouch migrate-store --from postgres://avouch@db/avouch --to ./data',
    ],
    load: async () => (await import('../migrate-store.ts')).migrateStore,
  },
];

export const OPERATE: readonly CommandSpec[] = [
  {
    name: 'serve',
    summary: 'Run the service until SIGTERM or SIGINT',
    options: [
      {
        name: 'workers',
        value: '<n>',
        help: 'Run several processes on one port. Needs PostgreSQL',
        number: { isWhole: true, min: 1, max: 256 },
        fallback: 'this process alone',
      },
    ],
    json: 'Print where it listens as one JSON document.',
    exits: { 2: 'usage error, or a stop that had to be forced' },
    examples: [
      './avouch serve',
      'DATABASE_URL=postgres://… ./avouch serve --workers 4',
      'PORT=9000 DATA_DIR=/var/lib/avouch ./avouch serve',
    ],
    load: async () => (await import('../serve.ts')).serve,
  },
  {
    name: 'init',
    summary: 'Write the settings file and the secrets of a first production start',
    operands: [{ name: 'directory', help: 'Where the files go; it is created if missing' }],
    options: [
      {
        name: 'services',
        value: '<services>',
        help: 'What the installation offers',
        choices: ['all', 'free'],
        fallback: 'free',
      },
      { name: 'base-url', value: '<URL>', help: 'The public https address', isRequired: true },
      { name: 'contact', value: '<URL>', help: 'Where people reach you, https or mailto', isRequired: true },
      { name: 'name', value: '<text>', help: 'Who runs the service; without it, the host name' },
      { name: 'data-dir', value: '<path>', help: 'Where the data goes', fallback: '/var/lib/avouch' },
      {
        name: 'trusted-proxies',
        value: '<addresses>',
        help: 'The proxies in front of the service: addresses or ranges, separated by commas',
        fallback: '127.0.0.1',
      },
    ],
    notes: ['Existing files are never overwritten. The files have mode 0600: run it as the user of the service.'],
    json: 'Print the paths, the missing settings and the next commands as one JSON document.',
    examples: [
      './avouch init /etc/avouch --services free --base-url https://avouch.example --contact mailto:ops@avouch.example',
    ],
    load: async () => (await import('../init.ts')).init,
  },
  {
    name: 'config',
    summary: 'Show every setting with its value, default and source',
    examples: ['./avouch config', 'AVOUCH_PROFILE=production ./avouch config --json'],
    load: async () => (await import('../config.ts')).showConfig,
  },
  {
    name: 'doctor',
    summary: 'Check settings, keys, clock, disk, database, backups and other services, and suggest fixes',
    json: 'Print every check as one JSON document.',
    exits: { 1: 'at least one check failed' },
    examples: ['./avouch doctor', './avouch doctor --json'],
    load: async () => (await import('../doctor.ts')).doctor,
  },
  KEYS,
  AGENTS,
  PLATFORMS,
  RULES,
  ORDERS,
  ...MONEY,
  {
    name: 'erase',
    summary: 'Erase the content of a log entry, or a mandate; entries stay and the erasure is logged',
    operands: [{ name: 'attestation id or mandate id', help: 'ATT- and 52 characters, or mnd_ and 26' }],
    options: [
      {
        name: 'reason',
        value: '<request|legal|mistake>',
        help: 'Why, as the log will say',
        choices: ['request', 'legal', 'mistake'],
        isRequired: true,
      },
    ],
    examples: [
      './avouch erase ATT-E6V5YUMJRAFE3HZG3JGSRTZPZ42GISEAMANQPA7O56S3WAMZQRFA --reason request',
      './avouch erase mnd_3f5q12te8x48b565eskb7ps3cx --reason request',
      'DATA_DIR=/var/lib/avouch ./avouch erase ATT-E6V5... --reason legal',
    ],
    load: async () => (await import('../erase.ts')).erase,
  },
  {
    name: 'log',
    summary: 'Apply for witnesses of the public log',
    examples: ['./avouch log application', './avouch log application --list testing'],
    subcommands: [
      {
        name: 'application',
        summary: 'Print the email and the list entry by which a witness network learns of this log',
        options: [{ name: 'list', value: '<name>', help: 'List of the network', fallback: 'staging' }],
        json: 'Print origin, key, rate and entry as one JSON document.',
        examples: ['./avouch log application', './avouch log application --list testing'],
        load: async () => (await import('../log.ts')).logApplication,
      },
    ],
  },
  ...RECOVERY,
  {
    name: 'ingest',
    summary: 'Import open data now, from the source or a file',
    notes: [LONG],
    operands: [{ name: 'source or data set', help: 'Only this one; otherwise every source', isOptional: true }],
    options: [{ name: 'file', value: '<path>', help: 'Read one source from a downloaded file' }],
    exits: { 1: 'at least one source was refused, or failed' },
    examples: ['./avouch ingest', './avouch ingest permits', './avouch ingest pdok-natura2000 --file natura.json'],
    load: async () => (await import('../ingest.ts')).ingest,
  },
  {
    name: 'extras',
    summary: 'List optional packages, or install those of one feature',
    examples: ['./avouch extras list', './avouch extras install ocr'],
    subcommands: [
      {
        name: 'list',
        summary: 'List the optional packages',
        examples: ['./avouch extras list'],
        load: async () => (await import('../extras.ts')).listExtras,
      },
      {
        name: 'install',
        summary: 'Install the packages of one feature',
        operands: [{ name: 'name', help: 'The feature, as `avouch extras list` shows it' }],
        examples: ['./avouch extras install ocr'],
        load: async () => (await import('../extras.ts')).installExtra,
      },
    ],
  },
];

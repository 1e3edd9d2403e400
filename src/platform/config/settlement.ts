import { isLoopbackHost } from './loopback.ts';
import { Secret } from './secret.ts';

/** How payments are settled in production; the sandbox settles on its own chain and has no such settings. */
export interface SettlementConfig {
  readonly backend: 'facilitator' | 'chain';
  readonly rpcUrl: Secret;
  readonly facilitatorUrl: string | null;
  readonly facilitatorAuthFile: string | null;
  /** Both or neither: a key that signs a token for each call. */
  readonly facilitatorKeyId: string | null;
  readonly facilitatorKeyFile: string | null;
  readonly settlerKeyFile: string | null;
  readonly batchContract: `0x${string}` | null;
  /** Decimal ETH; the service says when the settler has less. */
  readonly settlerMinEth: string;
}

/** With one of these the sandbox could move real money. */
const NOT_IN_SANDBOX = ['AVOUCH_RPC_URL', 'AVOUCH_FACILITATOR_URL', 'AVOUCH_SETTLER_KEY_FILE'] as const;
type Name =
  | (typeof NOT_IN_SANDBOX)[number]
  | 'AVOUCH_SETTLEMENT'
  | 'AVOUCH_FACILITATOR_AUTH_FILE'
  | 'AVOUCH_FACILITATOR_KEY_ID'
  | 'AVOUCH_FACILITATOR_KEY_FILE'
  | 'AVOUCH_BATCH_CONTRACT'
  | 'AVOUCH_SETTLER_MIN_ETH';

interface Source {
  readonly profile: 'sandbox' | 'production';
  /** The value, or the text that holds without one. */
  readonly text: (name: Name) => string;
  /** The value of a secret, from its variable or its file. */
  readonly secret: (name: Name) => string | undefined;
  readonly faults: string[];
}

export function readSettlement({ profile, text, secret, faults }: Source): SettlementConfig | null {
  const value = (name: Name) => text(name) || null;
  const check = (name: Name, isRight: boolean, rule: string) => {
    if (!isRight) faults.push(`${name} ${rule}`);
  };
  const backend = text('AVOUCH_SETTLEMENT');
  const batchContract = value('AVOUCH_BATCH_CONTRACT');
  const settlerMinEth = text('AVOUCH_SETTLER_MIN_ETH');
  check('AVOUCH_SETTLEMENT', backend === 'facilitator' || backend === 'chain', 'must be one of facilitator, chain');
  check(
    'AVOUCH_BATCH_CONTRACT',
    batchContract === null || /^0x[0-9a-fA-F]{40}$/.test(batchContract),
    'must be an address: 0x and 40 hex digits',
  );
  check(
    'AVOUCH_SETTLER_MIN_ETH',
    /^\d{1,6}(\.\d{1,18})?$/.test(settlerMinEth),
    'must be an amount of ETH such as 0.005, with at most 18 decimals',
  );
  const facilitatorKeyId = value('AVOUCH_FACILITATOR_KEY_ID');
  check(
    'AVOUCH_FACILITATOR_KEY_ID',
    facilitatorKeyId === null || /^[\x21-\x7e]{1,200}$/.test(facilitatorKeyId),
    'must be the id of a key: 1 to 200 visible ASCII characters',
  );
  const rpcUrl = secret('AVOUCH_RPC_URL');
  if (profile === 'sandbox') {
    for (const name of NOT_IN_SANDBOX) {
      const isSet = name === 'AVOUCH_RPC_URL' ? rpcUrl !== undefined : value(name) !== null;
      check(name, !isSet, 'cannot be set in the sandbox, which pays on its own chain only: unset it');
    }
    return null;
  }
  const facilitatorUrl = value('AVOUCH_FACILITATOR_URL');
  check('AVOUCH_RPC_URL', rpcUrl === undefined || isNodeUrl(rpcUrl), 'must be the http or https address of a node');
  check(
    'AVOUCH_FACILITATOR_URL',
    facilitatorUrl === null || isFacilitatorUrl(facilitatorUrl),
    'must be the https address of a facilitator for real money, without user or query; http only on this machine',
  );
  const facilitatorAuthFile = value('AVOUCH_FACILITATOR_AUTH_FILE');
  const facilitatorKeyFile = value('AVOUCH_FACILITATOR_KEY_FILE');
  const isPair = (facilitatorKeyId === null) === (facilitatorKeyFile === null);
  check('AVOUCH_FACILITATOR_KEY_ID', isPair, 'and AVOUCH_FACILITATOR_KEY_FILE belong together: set both or neither');
  check(
    'AVOUCH_FACILITATOR_AUTH_FILE',
    facilitatorAuthFile === null || facilitatorKeyFile === null,
    'and AVOUCH_FACILITATOR_KEY_FILE exclude each other: set one of them',
  );
  return {
    backend: backend as SettlementConfig['backend'],
    rpcUrl: new Secret(rpcUrl ?? ''),
    facilitatorUrl: facilitatorUrl?.replace(/\/+$/, '') ?? null,
    facilitatorAuthFile,
    facilitatorKeyId,
    facilitatorKeyFile,
    settlerKeyFile: value('AVOUCH_SETTLER_KEY_FILE'),
    batchContract: batchContract as SettlementConfig['batchContract'],
    settlerMinEth,
  };
}

function isNodeUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

/** The public facilitator of the x402 project serves test networks only. */
const TEST_FACILITATORS = new Set(['x402.org', 'www.x402.org']);

function isFacilitatorUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || TEST_FACILITATORS.has(url.hostname)) return false;
  // Not a secret setting: what is in it is printed. AVOUCH_FACILITATOR_AUTH_FILE is for credentials.
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}

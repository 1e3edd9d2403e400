import type { Operation } from './operation.ts';

type Json = Record<string, unknown>;

const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** What callers show, by the header or cookie that carries it. */
export const SECURITY_SCHEMES = {
  agentKey: inHeader('X-Agent-Key', 'Key of an agent, agk_…; POST /api/agents/register shows it once'),
  platformKey: inHeader('X-AMH-Key', 'Key of a platform, amhk_…; POST /api/amh/register shows it once'),
  controlToken: inHeader('X-AMH-Control', 'Control token of a mandate, amhm_…; shown once when it is created'),
  receiptKey: inHeader('X-Receipt-Key', 'Key of the receipt of a task; shown once when the task is created'),
  session: { type: 'apiKey', in: 'cookie', name: 'sid', description: 'Session of an owner; a login link begins it' },
} as const;

const SCHEME_OF_HEADER: Readonly<Record<string, keyof typeof SECURITY_SCHEMES>> = {
  'x-agent-key': 'agentKey',
  'x-amh-key': 'platformKey',
  'x-amh-control': 'controlToken',
  'x-receipt-key': 'receiptKey',
};
const NEEDED: Readonly<Partial<Record<Operation['access'], string>>> = { agent: 'x-agent-key', platform: 'x-amh-key' };

/** What a caller must show; an empty alternative says that the call can do without. */
export function securityOf({ access, headerOnly = {} }: Operation): Json[] {
  if (access === 'session') return [{ session: [] }];
  const schemes = Object.keys(headerOnly).flatMap((header) => SCHEME_OF_HEADER[header] ?? []);
  const alternatives: Json[] = schemes.map((scheme) => ({ [scheme]: [] }));
  return NEEDED[access] !== undefined || alternatives.length === 0 ? alternatives : [...alternatives, {}];
}

/** Whether no call of this row is right without that header. */
export function isNeededKey({ access }: Operation, header: string): boolean {
  return NEEDED[access] === header;
}

const text = { type: 'string' };

/** Of every call with a price. */
export const PAYMENT_PARAMETERS = [
  ['PAYMENT-SIGNATURE', 'The signed payment (x402, version 2), in base64; without it the price comes as 402'],
  ['Idempotency-Key', 'A secret of 16 to 255 visible characters that opens the answer again for a day'],
  ['X-Max-Price', 'A call that costs more USDC is refused'],
].map(([name, description]) => ({ name, in: 'header', required: false, description, schema: text }));

export const CHALLENGE_HEADERS = {
  'PAYMENT-REQUIRED': {
    description: 'What the call costs and how it is paid (x402, version 2), in base64',
    schema: text,
  },
};

export const PAID_HEADERS = {
  'PAYMENT-RESPONSE': { description: 'What was settled (x402, version 2), in base64', schema: text },
};

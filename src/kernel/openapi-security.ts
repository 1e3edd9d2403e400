import type { Operation } from './operation.ts';

type Json = Record<string, unknown>;

const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** What callers show, by the header or cookie that carries it. */
export const SECURITY_SCHEMES = {
  agentKey: inHeader('X-Agent-Key', "An agent's API key, agk_…. POST /api/agents/register shows it once."),
  platformKey: inHeader('X-AMH-Key', "A platform's API key, amhk_…. POST /api/amh/register shows it once."),
  controlToken: inHeader(
    'X-AMH-Control',
    "A mandate's control token, amhm_…. It is shown once, when the mandate is created.",
  ),
  receiptKey: inHeader('X-Receipt-Key', "A task's receipt key. It is shown once, when the task is created."),
  session: { type: 'apiKey', in: 'cookie', name: 'sid', description: "An owner's session. A sign-in link starts it." },
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
  [
    'PAYMENT-SIGNATURE',
    'The signed payment (x402, version 2), in base64. Without it the response is 402 with the price.',
  ],
  ['Idempotency-Key', 'A secret of 16 to 255 visible characters. For one day it returns the same response again.'],
  ['X-Max-Price', 'The highest price in USDC that you accept. A call that costs more is refused.'],
].map(([name, description]) => ({ name, in: 'header', required: false, description, schema: text }));

export const CHALLENGE_HEADERS = {
  'PAYMENT-REQUIRED': {
    description: 'The price and how to pay it (x402, version 2), in base64.',
    schema: text,
  },
};

export const PAID_HEADERS = {
  'PAYMENT-RESPONSE': { description: 'The settlement (x402, version 2), in base64.', schema: text },
};

import { z } from 'zod';
import { formatMicro } from '#kernel/money.ts';
import type { LightAnswer } from './look-operations.ts';

type ProbePrice = NonNullable<NonNullable<LightAnswer['probe']>['x402']>;

/** USDC of its own maker, whose millionths are dollars; any other token may call itself so. */
const USDC: Readonly<Record<string, string>> = {
  'eip155:1': '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  'eip155:10': '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
  'eip155:137': '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  'eip155:8453': '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  'eip155:42161': '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
};
/** Networks by the names of version 1. */
const NETWORK_NAMES: Readonly<Record<string, string>> = { base: 'eip155:8453', polygon: 'eip155:137' };

const amount = z.string().regex(/^(?:0|[1-9]\d{0,77})$/);
const word = z.string().regex(/^[A-Za-z0-9:_-]{1,128}$/);
const way = { network: word, asset: word, payTo: word };
const Challenge = z.union([
  z.object({ x402Version: z.literal(2), accepts: z.array(z.object({ ...way, amount })).min(1) }),
  z.object({ x402Version: z.literal(1), accepts: z.array(z.object({ ...way, maxAmountRequired: amount })).min(1) }),
]);

/** The price in a 402: version 2 in the header, version 1 in the body; null where neither can be read. */
export function probePrice(header: string | undefined, body: Uint8Array): ProbePrice | null {
  // attacker-controlled: whatever is not of that shape is no price
  const challenge = parsed(header === undefined ? body : Buffer.from(header, 'base64'));
  const [first] = challenge?.accepts ?? [];
  if (first === undefined) return null;
  const atomic = 'amount' in first ? first.amount : first.maxAmountRequired;
  const { network, asset, payTo } = first;
  const isUsdc = USDC[NETWORK_NAMES[network] ?? network] === asset.toLowerCase();
  const micro = Number(atomic);
  const price = isUsdc && Number.isSafeInteger(micro) ? formatMicro(micro) : null;
  return { source: 'external', price_usd: price, network, asset, pay_to: payTo };
}

function parsed(bytes: Uint8Array): z.output<typeof Challenge> | undefined {
  try {
    return Challenge.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

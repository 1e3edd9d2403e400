// A program that knows nothing but the base address: it reads /entry, finds onboarding and does what its steps say.
//   node examples/from-entry.ts http://127.0.0.1:8402
// It pays with @x402/fetch, @x402/evm and viem, which `npm ci` installs here and `npm install` of the three elsewhere.
// In the sandbox it gets test money and pays; elsewhere AVOUCH_BUYER_KEY (0x and 64 hex digits) pays with real money.
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { type Network, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

interface Entry {
  readonly links: { readonly onboarding?: string };
}

interface Step {
  readonly do: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string>;
  readonly body: object | null;
  readonly expect: { readonly status: number; readonly fields: readonly string[] };
  readonly keep: readonly string[];
}

interface Onboarding {
  readonly goals: readonly { readonly id: string; readonly steps: readonly Step[] }[];
  readonly pay: {
    readonly network: Network;
    readonly faucet?: { readonly method: string; readonly url: string };
  };
}

const GOALS = ['verify_counterparty', 'coordinate', 'attest'];
const baseUrl = (process.argv[2] ?? 'http://127.0.0.1:8402').replace(/\/+$/, '');

async function read<T>(url: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return (await response.json()) as T;
}

/** The account that pays: an own one, or in the sandbox a new one with test money. */
async function buyer({ faucet }: Onboarding['pay']): Promise<PrivateKeyAccount> {
  const key = process.env['AVOUCH_BUYER_KEY'];
  if (key !== undefined) return privateKeyToAccount(key as `0x${string}`);
  if (faucet === undefined) throw new Error('set AVOUCH_BUYER_KEY: this costs real money');
  const account = privateKeyToAccount(generatePrivateKey());
  const headers = { 'content-type': 'application/json' };
  await read(faucet.url, { method: faucet.method, headers, body: JSON.stringify({ address: account.address }) });
  return account;
}

/** Does one step with what the steps before it gave; a price that it names is paid. */
async function take(
  step: Step,
  kept: Map<string, string>,
  payingFetch: typeof fetch,
): Promise<Record<string, unknown>> {
  const fill = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (_, name: string) => kept.get(name) ?? '')) as T;
  const query = new URLSearchParams(fill(step.query)).toString();
  const url = `${baseUrl}${fill(step.path)}${query === '' ? '' : `?${query}`}`;
  const isPaid = step.expect.status === 402;
  const response = await (isPaid ? payingFetch : fetch)(url, {
    method: step.method,
    headers: fill(step.headers),
    ...(step.body !== null && { body: JSON.stringify(fill(step.body)) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.status !== (isPaid ? 200 : step.expect.status)) {
    throw new Error(`${step.do}: ${response.status} ${JSON.stringify(answer)}`);
  }
  for (const name of step.keep) kept.set(name, String(answer[name]));
  return answer;
}

const entry = await read<Entry>(`${baseUrl}/entry`);
if (entry.links.onboarding === undefined) throw new Error('the entry names no onboarding');
const { goals, pay } = await read<Onboarding>(entry.links.onboarding);
const client = new x402Client().register(pay.network, new ExactEvmScheme(await buyer(pay)));
const payingFetch = wrapFetchWithPayment(fetch, client);
for (const { id, steps } of goals.filter((goal) => GOALS.includes(goal.id))) {
  const kept = new Map<string, string>();
  for (const step of steps) {
    const answer = await take(step, kept, payingFetch);
    process.stdout.write(`${JSON.stringify({ goal: id, did: step.do, answer })}\n`);
  }
}

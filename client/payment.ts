import type { Payment } from './outcome.ts';

/** Who pays what the service asks. */
export type Payer = OfficialPayer | OwnPayer;

/** Pays by the official client of x402, which has to be installed. */
interface OfficialPayer {
  readonly signer: PaymentSigner;
  /** Most that one call may cost, in USDC: `0.05`. */
  readonly maxPrice: string;
}

/** Signs typed data for its account, as an account of viem does. */
interface PaymentSigner {
  readonly address: `0x${string}`;
  signTypedData(message: {
    domain: Record<string, unknown>;
    types: Record<string, unknown>;
    primaryType: string;
    message: Record<string, unknown>;
  }): Promise<`0x${string}`>;
}

/** Signs in its own way, within limits of its own, and needs no package. */
export interface OwnPayer {
  /** Gets the text of PAYMENT-REQUIRED. */
  readonly pay: (challenge: string) => Promise<PaymentHeaders>;
}

/** Headers for the same call once more, or why there are none. */
export type PaymentHeaders = { readonly headers: Readonly<Record<string, string>> } | { readonly notPaid: string };

const ATOMIC = 1_000_000;
const NOT_INSTALLED =
  'a signer pays by the official client of x402, which is not installed: npm install @x402/fetch @x402/evm viem';

/** Answers a challenge; what costs more than the payer allows is not signed. */
export async function answerChallenge({ headers }: Response, payer: Payer): Promise<PaymentHeaders> {
  try {
    if ('pay' in payer) return await payer.pay(headers.get('payment-required') ?? '');
    const official = await officialClient();
    return official === undefined ? { notPaid: NOT_INSTALLED } : await officialAnswer(headers, payer, official);
  } catch (error) {
    return { notPaid: error instanceof Error ? error.message : String(error) };
  }
}

/** Loaded only when a signer pays: it is large, and nothing else of the client needs it. */
async function officialClient() {
  try {
    const [{ x402Client, x402HTTPClient }, { ExactEvmScheme }] = await Promise.all([
      import('@x402/fetch'),
      import('@x402/evm/exact/client'),
    ]);
    return { x402Client, x402HTTPClient, ExactEvmScheme };
  } catch {
    return undefined;
  }
}

type OfficialClient = NonNullable<Awaited<ReturnType<typeof officialClient>>>;

async function officialAnswer(
  headers: Headers,
  { signer, maxPrice }: OfficialPayer,
  { x402Client, x402HTTPClient, ExactEvmScheme }: OfficialClient,
): Promise<PaymentHeaders> {
  const http = (client: InstanceType<typeof x402Client>) => new x402HTTPClient(client);
  const challenge = http(new x402Client()).getPaymentRequiredResponse((name) => headers.get(name));
  const terms = challenge.accepts.find(({ scheme, network }) => scheme === 'exact' && network.startsWith('eip155:'));
  if (terms === undefined) return { notPaid: 'the service asks for a payment in a form that is not known here' };
  const price = Number(terms.amount) / ATOMIC;
  if (!(price <= Number(maxPrice))) return { notPaid: `it costs ${price}, above maxPrice` };
  const client = new x402Client((_version, accepts) => accepts.find(({ amount }) => amount === terms.amount) ?? terms)
    .register(terms.network, new ExactEvmScheme(signer))
    .setSpendControls({ maxAmountPerPayment: `$${maxPrice}` });
  const payload = await http(client).createPaymentPayload(challenge);
  return { headers: http(client).encodePaymentSignatureHeader(payload) };
}

/** How the call was settled; undefined where the answer does not say. */
export function paymentOf(headers: Headers): Payment | undefined {
  try {
    // attacker-controlled: anything of another shape is no settlement
    const text = atob(headers.get('payment-response') ?? '');
    const { success, transaction, network, payer } = JSON.parse(text) as Payment & { success?: unknown };
    return success === true ? { transaction, network, payer } : undefined;
  } catch {
    return undefined;
  }
}

import type { ClientEvmSigner } from '@x402/evm';
import type { Payment } from './outcome.ts';

/** Who pays what the service asks, and how much for one call. */
export interface Payer {
  /** Signs typed data for its account, as an account of viem does. */
  readonly signer: ClientEvmSigner;
  /** Most that one call may cost, in USDC: `0.05`. */
  readonly maxPrice: string;
}

type Signed = { readonly headers: Readonly<Record<string, string>> } | { readonly notPaid: string };

const ATOMIC = 1_000_000;

/** Answers a challenge by the official client; what costs more than the payer allows is not signed. */
export async function answerChallenge({ headers }: Response, { signer, maxPrice }: Payer): Promise<Signed> {
  // Loaded only when it is used: the client of x402 is large.
  const [{ x402Client, x402HTTPClient }, { ExactEvmScheme }] = await Promise.all([
    import('@x402/fetch'),
    import('@x402/evm/exact/client'),
  ]);
  try {
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
  } catch (error) {
    return { notPaid: error instanceof Error ? error.message : String(error) };
  }
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

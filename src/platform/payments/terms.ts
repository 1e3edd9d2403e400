import { type Operation, type Price, timeoutSecondsOf } from '#kernel/operation.ts';
import { addressOfPublicKey, domainSeparator } from '#protocol/payment/authorization-digest.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import type { PaymentRequirements } from '#protocol/payment/wire.ts';

const CHAIN_ID = 8453;
const NETWORK = `eip155:${CHAIN_ID}`;
const USDC: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const TOKEN_VERSION = '2';
/** What the token hashes into its domain. The sandbox token has another name, so that no test payment is real money. */
const TOKEN_NAMES = { production: 'USD Coin', sandbox: 'Sandbox USDC' } as const;

/** In what, on which chain and to whom every paid call is paid. */
export interface PaymentTerms {
  readonly network: string;
  readonly asset: Hex;
  readonly payTo: Hex;
  readonly tokenName: string;
  readonly tokenVersion: string;
  readonly sandbox: boolean;
  readonly separator: Uint8Array;
  /** The domain of the other world: a client that signs under it ignored the name that it was told. */
  readonly otherSeparator: Uint8Array;
}

export function paymentTerms(sandbox: boolean, payTo: Hex): PaymentTerms {
  const own = sandbox ? TOKEN_NAMES.sandbox : TOKEN_NAMES.production;
  const other = sandbox ? TOKEN_NAMES.production : TOKEN_NAMES.sandbox;
  const separatorOf = (name: string) =>
    domainSeparator({ name, version: TOKEN_VERSION, chainId: CHAIN_ID, verifyingContract: USDC });
  return {
    network: NETWORK,
    asset: USDC,
    payTo,
    tokenName: own,
    tokenVersion: TOKEN_VERSION,
    sandbox,
    separator: separatorOf(own),
    otherSeparator: separatorOf(other),
  };
}

/** The pay-to of a sandbox: an account of its own for each installation, for which nobody has a key. */
export function sandboxPayTo(receiptsPublicKey: string): Hex {
  const padded = Buffer.alloc(65);
  padded.set(Buffer.from(receiptsPublicKey, 'base64'), 1);
  return addressOfPublicKey(padded);
}

export function priceOf(operation: Operation): Price {
  if (operation.price === null) throw new Error(`${operation.operationId} has no price`);
  return operation.price;
}

export function requirementsOf(operation: Operation, terms: PaymentTerms): PaymentRequirements {
  const price = priceOf(operation);
  return {
    scheme: 'exact',
    network: terms.network,
    amount: price.atomic,
    asset: terms.asset,
    payTo: terms.payTo,
    maxTimeoutSeconds: timeoutSecondsOf(price),
    extra: { name: terms.tokenName, version: terms.tokenVersion },
  };
}

import type { PayingKey } from './account.ts';
import { domainSeparator, transferDigest } from './authorization-digest.ts';
import { bytesOfHex, type Hex, hexOf, isAddress } from './hex.ts';
import type { RecoverEngine } from './recover-engine.ts';
import { tokenV } from './signature.ts';
import { authorizationOf } from './static-checks.ts';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from './wire.ts';

export interface Purchase {
  readonly challenge: PaymentRequired;
  /** The entry of the challenge that is paid. */
  readonly chosen: PaymentRequirements;
  readonly key: PayingKey;
  /** 32 bytes that no other payment of this key has. */
  readonly nonce: Hex;
  readonly nowSeconds: number;
}

/** USDC as its issuer publishes it, by network: six decimals, moved by EIP-3009. A price elsewhere may mean anything. */
const USDC: Readonly<Record<string, Hex>> = {
  'eip155:1': '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  'eip155:137': '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  'eip155:8453': '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  'eip155:42161': '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  'eip155:43114': '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
  'eip155:84532': '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
};

const EVM_NETWORK = /^eip155:([1-9][0-9]{0,14})$/;

/** The first entry that an EIP-3009 authorization pays. */
export function payableEntry({ accepts }: PaymentRequired): PaymentRequirements | undefined {
  return accepts.find(
    ({ scheme, network, asset, payTo, extra }) =>
      scheme === 'exact' &&
      EVM_NETWORK.test(network) &&
      (extra['assetTransferMethod'] ?? 'eip3009') === 'eip3009' &&
      isAddress(asset) &&
      isAddress(payTo) &&
      isFilled(extra['name']) &&
      isFilled(extra['version']),
  );
}

/** True where the amount is USDC, so that a limit in USDC can be held against it. */
export function isInUsdc({ network, asset }: PaymentRequirements): boolean {
  return Object.hasOwn(USDC, network) && USDC[network]?.toLowerCase() === asset.toLowerCase();
}

/** Answers a challenge: the authorization of one transfer, signed, and what was said echoed. */
export function signPayment({ challenge, chosen, key, nonce, nowSeconds }: Purchase, engine: RecoverEngine) {
  if (payableEntry({ ...challenge, accepts: [chosen] }) === undefined) throw new TypeError('this is paid otherwise');
  const authorization = {
    from: key.address,
    to: chosen.payTo as Hex,
    value: chosen.amount,
    validAfter: '0',
    validBefore: String(nowSeconds + chosen.maxTimeoutSeconds),
    nonce,
  };
  const unsigned: PaymentPayload = {
    x402Version: 2,
    payload: { authorization, signature: '0x' },
    accepted: chosen,
    resource: challenge.resource,
    ...(challenge.extensions !== undefined && { extensions: challenge.extensions }),
  };
  const separator = domainSeparator({
    name: chosen.extra['name'] as string,
    version: chosen.extra['version'] as string,
    chainId: Number(EVM_NETWORK.exec(chosen.network)?.[1]),
    verifyingContract: chosen.asset as Hex,
  });
  const signed = engine.sign(transferDigest(separator, authorizationOf(unsigned)), bytesOfHex(key.privateKey));
  const signature: Hex = `${hexOf(signed.compact)}${tokenV(signed).toString(16)}`;
  return { ...unsigned, payload: { authorization, signature } } satisfies PaymentPayload;
}

function isFilled(text: unknown): text is string {
  return typeof text === 'string' && text !== '';
}

// A buyer that signs x402 payments as the official clients do.
import assert from 'node:assert/strict';
import { type PrivateKeyAccount, generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { randomBytes } from '#kernel/ids.ts';
import { decodeChallengeHeader, encodeHeader } from '#protocol/payment/header.ts';
import { type Hex, hexOf } from '#protocol/payment/hex.ts';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '#protocol/payment/wire.ts';
import type { Answer, CallOptions } from './_harness.ts';

export type Call = (path: string, options?: CallOptions) => Promise<Answer>;

export interface SignOptions {
  readonly nowSeconds: number;
  readonly lifeSeconds?: number;
  readonly nonce?: Hex;
  readonly paymentId?: string;
  /** What is signed or sent otherwise than the challenge says. */
  readonly tokenName?: string;
  readonly authorization?: Partial<Record<'to' | 'value' | 'validAfter', string>>;
  readonly accepted?: Partial<PaymentRequirements>;
  readonly withExtensions?: boolean;
}

export interface SignedPayment {
  readonly header: string;
  readonly payload: PaymentPayload;
  readonly nonce: Hex;
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export class Buyer {
  readonly account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey());

  get address(): string {
    return this.account.address;
  }

  async sign(challenge: PaymentRequired, options: SignOptions): Promise<SignedPayment> {
    const [accepted] = challenge.accepts;
    assert.ok(accepted !== undefined);
    const nonce = options.nonce ?? hexOf(randomBytes(32));
    const authorization = {
      from: this.account.address,
      to: accepted.payTo as Hex,
      value: accepted.amount,
      validAfter: '0',
      validBefore: String(options.nowSeconds + (options.lifeSeconds ?? accepted.maxTimeoutSeconds)),
      nonce,
      ...options.authorization,
    };
    const signature = await this.account.signTypedData({
      domain: {
        name: options.tokenName ?? (accepted.extra['name'] as string),
        version: accepted.extra['version'] as string,
        chainId: Number(accepted.network.split(':')[1]),
        verifyingContract: accepted.asset as Hex,
      },
      types: TYPES,
      primaryType: 'TransferWithAuthorization',
      message: {
        from: authorization.from,
        to: authorization.to as Hex,
        value: BigInt(authorization.value),
        validAfter: BigInt(authorization.validAfter),
        validBefore: BigInt(authorization.validBefore),
        nonce,
      },
    });
    const echoed = options.withExtensions === false ? undefined : withId(challenge.extensions ?? {}, options.paymentId);
    const payload = {
      x402Version: 2,
      payload: { authorization, signature },
      accepted: { ...accepted, ...options.accepted },
      resource: challenge.resource,
      ...(echoed !== undefined && { extensions: echoed }),
    } as PaymentPayload;
    return { header: encodeHeader(payload), payload, nonce };
  }
}

function withId(extensions: Record<string, unknown>, id: string | undefined): Record<string, unknown> {
  if (id === undefined) return extensions;
  const known = extensions['payment-identifier'] as { info: object };
  return { ...extensions, 'payment-identifier': { ...known, info: { ...known.info, id } } };
}

/** The challenge of an unpaid call, from its header. */
export function challengeOf(answer: Answer): PaymentRequired {
  assert.equal(answer.status, 402, answer.text);
  const challenge = decodeChallengeHeader(answer.headers['payment-required'] as string);
  assert.ok(challenge !== undefined, 'PAYMENT-REQUIRED is no challenge');
  return challenge;
}

// A buyer that signs x402 payments as the official clients do.
import assert from 'node:assert/strict';
import { randomBytes } from '#kernel/ids.ts';
import { addressOfPrivateKey } from '#protocol/payment/account.ts';
import { domainSeparator, transferDigest } from '#protocol/payment/authorization-digest.ts';
import { decodeChallengeHeader, encodeHeader } from '#protocol/payment/header.ts';
import { type Hex, hexOf } from '#protocol/payment/hex.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import { tokenV } from '#protocol/payment/signature.ts';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '#protocol/payment/wire.ts';
import type { Answer } from './client.ts';

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

/** That digests and signatures are those of viem is shown beside them. */
const engine = await chooseRecoverEngine();

export class Buyer {
  readonly #secret = randomBytes(32);
  readonly address: Hex = addressOfPrivateKey(hexOf(this.#secret));

  async sign(challenge: PaymentRequired, options: SignOptions): Promise<SignedPayment> {
    const [accepted] = challenge.accepts;
    assert.ok(accepted !== undefined);
    const nonce = options.nonce ?? hexOf(randomBytes(32));
    const authorization = {
      from: this.address,
      to: accepted.payTo as Hex,
      value: accepted.amount,
      validAfter: '0',
      validBefore: String(options.nowSeconds + (options.lifeSeconds ?? accepted.maxTimeoutSeconds)),
      nonce,
      ...options.authorization,
    };
    const separator = domainSeparator({
      name: options.tokenName ?? (accepted.extra['name'] as string),
      version: accepted.extra['version'] as string,
      chainId: Number(accepted.network.split(':')[1]),
      verifyingContract: accepted.asset as Hex,
    });
    const digest = transferDigest(separator, {
      from: authorization.from,
      to: authorization.to as Hex,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce,
    });
    const signed = engine.sign(digest, this.#secret);
    const signature: Hex = `${hexOf(signed.compact)}${tokenV(signed).toString(16)}`;
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

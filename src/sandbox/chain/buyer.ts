import { randomBytes } from '#kernel/ids.ts';
import { domainSeparator, transferDigest } from '#protocol/payment/authorization-digest.ts';
import { decodeChallengeHeader, encodeHeader } from '#protocol/payment/header.ts';
import { type Hex, bytesOfHex, hexOf } from '#protocol/payment/hex.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import { tokenV } from '#protocol/payment/signature.ts';
import type { PaymentPayload } from '#protocol/payment/wire.ts';
import type { BuyerKey } from './buyer-key.ts';
export { ensureBuyerKey } from './buyer-key.ts';
import { SANDBOX_TOKEN_NAME } from './sandbox-contracts.ts';

/** Signs the payment that a challenge (PAYMENT-REQUIRED) asks for, in test money only; gives PAYMENT-SIGNATURE. */
export async function payWithTestMoney(challengeHeader: string, buyer: BuyerKey, nowMs: number): Promise<string> {
  const challenge = decodeChallengeHeader(challengeHeader);
  const accepted = challenge?.accepts.find(({ extra }) => extra['name'] === SANDBOX_TOKEN_NAME);
  if (challenge === undefined || accepted === undefined) throw new Error('the challenge asks for no test money');
  const authorization = {
    from: buyer.address,
    to: accepted.payTo as Hex,
    value: accepted.amount,
    validAfter: '0',
    validBefore: String(Math.floor(nowMs / 1_000) + accepted.maxTimeoutSeconds),
    nonce: hexOf(randomBytes(32)),
  };
  const separator = domainSeparator({
    name: SANDBOX_TOKEN_NAME,
    version: accepted.extra['version'] as string,
    chainId: Number(accepted.network.split(':')[1]),
    verifyingContract: accepted.asset as Hex,
  });
  const digest = transferDigest(separator, {
    ...authorization,
    value: BigInt(authorization.value),
    validAfter: 0n,
    validBefore: BigInt(authorization.validBefore),
  });
  const engine = await chooseRecoverEngine();
  const signed = engine.sign(digest, bytesOfHex(buyer.privateKey));
  const signature: Hex = `${hexOf(signed.compact)}${tokenV(signed).toString(16)}`;
  const payload = {
    x402Version: 2,
    payload: { authorization, signature },
    accepted,
    resource: challenge.resource,
    extensions: challenge.extensions ?? {},
  } as PaymentPayload;
  return encodeHeader(payload);
}

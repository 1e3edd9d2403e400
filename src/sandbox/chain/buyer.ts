import { randomBytes } from '#kernel/ids.ts';
import type { PayingKey } from '#protocol/payment/account.ts';
import { decodeChallengeHeader, encodeHeader } from '#protocol/payment/header.ts';
import { hexOf } from '#protocol/payment/hex.ts';
import { signPayment } from '#protocol/payment/payment-signing.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
export { ensureBuyerKey } from './buyer-key.ts';
import { SANDBOX_TOKEN_NAME } from './sandbox-contracts.ts';

/** Signs the payment that a challenge (PAYMENT-REQUIRED) asks for, in test money only; gives PAYMENT-SIGNATURE. */
export async function payWithTestMoney(challengeHeader: string, key: PayingKey, nowMs: number): Promise<string> {
  const challenge = decodeChallengeHeader(challengeHeader);
  const chosen = challenge?.accepts.find(({ extra }) => extra['name'] === SANDBOX_TOKEN_NAME);
  if (challenge === undefined || chosen === undefined) throw new Error('the challenge asks for no test money');
  const nowSeconds = Math.floor(nowMs / 1_000);
  const purchase = { challenge, chosen, key, nonce: hexOf(randomBytes(32)), nowSeconds };
  return encodeHeader(signPayment(purchase, await chooseRecoverEngine()));
}

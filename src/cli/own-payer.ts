import type { OwnPayer } from '../../client/payment.ts';
import type { Clock } from '#kernel/clock.ts';
import { randomBytes } from '#kernel/ids.ts';
import { parseMicro } from '#kernel/money.ts';
import type { PayingKey } from '#protocol/payment/account.ts';
import { decodeChallengeHeader, encodeHeader } from '#protocol/payment/header.ts';
import { hexOf } from '#protocol/payment/hex.ts';
import { isInUsdc, payableEntry, signPayment } from '#protocol/payment/payment-signing.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';

interface Purse {
  readonly key: PayingKey;
  /** Most that one call may cost, in USDC. */
  readonly maxPrice: string;
  readonly clock: Clock;
}

/** A payer of the client that signs with the code of the service itself. */
export function ownPayer({ key, maxPrice, clock }: Purse): OwnPayer {
  const most = parseMicro(maxPrice);
  if (most === null) throw new TypeError('maxPrice is an amount of USDC such as 0.05');
  return {
    async pay(header) {
      const challenge = decodeChallengeHeader(header);
      const chosen = challenge && payableEntry(challenge);
      if (challenge === undefined || chosen === undefined) return { notPaid: 'the form of the price is not known' };
      if (!isInUsdc(chosen)) return { notPaid: 'the price is in a token that is not known' };
      if (BigInt(chosen.amount) > BigInt(most)) return { notPaid: `it costs ${chosen.amount}, above maxPrice` };
      const nowSeconds = Math.floor(clock.now() / 1000);
      const purchase = { challenge, chosen, key, nonce: hexOf(randomBytes(32)), nowSeconds };
      const payment = signPayment(purchase, await chooseRecoverEngine());
      return { headers: { 'PAYMENT-SIGNATURE': encodeHeader(payment) } };
    },
  };
}

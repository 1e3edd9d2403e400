import type { Config } from '#platform/config/config.ts';
import type { Platform } from '#platform/platform.ts';

/** How the card processor is reached, and what its calls are signed with. */
export interface CardAccess {
  readonly secretKey: () => string;
  readonly webhookSecret: () => string;
  readonly baseUrl: string;
}

/** Of Stripe or, in the sandbox, of its simulator; null where no card is taken. */
export function cardAccess(
  { topUp }: Pick<Config, 'topUp'>,
  secret: Platform['serverSecret'],
  simulatorUrl: string | undefined,
): CardAccess | null {
  if (topUp.by === 'stripe') {
    const { secretKey, webhookSecret, baseUrl } = topUp;
    return { secretKey: () => secretKey.reveal(), webhookSecret: () => webhookSecret.reveal(), baseUrl };
  }
  if (topUp.by === 'off' || simulatorUrl === undefined) return null;
  const made = secret.hasher('card-stand-in');
  return {
    secretKey: () => `sk_test_${made('key').slice(0, 32)}`,
    webhookSecret: () => topUp.webhookSecret?.reveal() ?? `whsec_${made('webhook').slice(0, 32)}`,
    baseUrl: simulatorUrl,
  };
}

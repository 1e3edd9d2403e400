import { externalReader, HEADER_TEXT, type SettingsReading } from './registers.ts';
import { Secret } from './secret.ts';

/** How wallets are topped up by card: by the simulator of the sandbox, by Stripe, or not at all. */
export type TopUpConfig =
  | { readonly by: 'off' }
  | { readonly by: 'standin'; readonly webhookSecret: Secret | null }
  | { readonly by: 'stripe'; readonly secretKey: Secret; readonly webhookSecret: Secret; readonly baseUrl: string };

const NO_SECRET = new Secret('');
const SECRET_KEY = 'AVOUCH_STRIPE_SECRET_KEY';
const WEBHOOK_SECRET = 'AVOUCH_STRIPE_WEBHOOK_SECRET';
const BASE_URL = 'AVOUCH_STRIPE_BASE_URL';

export function readTopUp(reading: SettingsReading): TopUpConfig {
  const { env, faults, text, isProduction } = reading;
  const read = externalReader(reading);
  const by = text('AVOUCH_WALLET_TOPUP');
  const webhookSecret = read.secret(WEBHOOK_SECRET, HEADER_TEXT);
  const secretKey = read.secret(SECRET_KEY, HEADER_TEXT);
  const baseUrl = read.address(BASE_URL);
  if (baseUrl !== '' && new URL(baseUrl).pathname !== '/') faults.push(`${BASE_URL} must be an address without a path`);
  if (webhookSecret !== null && !webhookSecret.reveal().startsWith('whsec_')) {
    faults.push(`${WEBHOOK_SECRET} must start with whsec_`);
  }
  // Test keys would give credit for nothing, live keys would take real money for play.
  const form = isProduction ? /^(sk|rk)_live_/ : /^(sk|rk)_test_/;
  if (secretKey !== null && !form.test(secretKey.reveal())) {
    faults.push(
      `${SECRET_KEY} must be a ${isProduction ? 'live' : 'test'} key, sk_${isProduction ? 'live' : 'test'}_…`,
    );
  }
  if (isProduction && (env['AVOUCH_WALLET_TOPUP'] ?? '') === '') return { by: 'off' }; // that it is missing is said elsewhere
  if (by === 'off') return { by };
  if (by === 'standin' && !isProduction) return { by, webhookSecret };
  if (by !== 'stripe') {
    faults.push(`AVOUCH_WALLET_TOPUP must be one of ${isProduction ? '' : 'standin, '}stripe, off`);
    return { by: 'off' };
  }
  const missing = [secretKey === null && SECRET_KEY, webhookSecret === null && WEBHOOK_SECRET].filter(Boolean);
  // Of production it is said beside all that is missing.
  if (!isProduction && missing.length > 0)
    faults.push(`${missing.join(', ')}: required while AVOUCH_WALLET_TOPUP is stripe`);
  return { by, secretKey: secretKey ?? NO_SECRET, webhookSecret: webhookSecret ?? NO_SECRET, baseUrl };
}

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { faultsOf, PRODUCTION } from './_settings.ts';
import { readConfig } from './config.ts';

const KEY = 'AVOUCH_STRIPE_SECRET_KEY';
const WEBHOOK = 'AVOUCH_STRIPE_WEBHOOK_SECRET';
const STRIPE = { AVOUCH_WALLET_TOPUP: 'stripe', [WEBHOOK]: 'whsec_x' };
const LIVE = { ...PRODUCTION, ...STRIPE, [KEY]: 'sk_live_x' };
const TEST = { ...STRIPE, [KEY]: 'sk_test_x' };

suite('card top-ups', () => {
  test('come from the stand-in unless told otherwise', () => {
    assert.deepEqual(readConfig({}).topUp, { by: 'standin', webhookSecret: null });
    assert.deepEqual(readConfig(PRODUCTION).topUp, { by: 'off' });
    const { topUp } = readConfig(LIVE);
    assert.equal(topUp.by === 'stripe' && topUp.baseUrl, 'https://api.stripe.com');
    assert.deepEqual(faultsOf({ ...TEST, AVOUCH_STRIPE_BASE_URL: 'http://127.0.0.1:12111' }), []);
  });

  for (const [why, env, fault] of [
    ['no stand-in in production', { ...PRODUCTION, AVOUCH_WALLET_TOPUP: 'standin' }, /must be one of stripe, off$/],
    ['no test key in production', { ...LIVE, [KEY]: 'sk_test_x' }, /must be a live key/],
    ['no live key in the sandbox', { ...TEST, [KEY]: 'sk_live_x' }, /must be a test key/],
    ['no key in production', { ...LIVE, [KEY]: undefined }, /^AVOUCH_STRIPE_SECRET_KEY is required in production/],
    ['no secret in production', { ...LIVE, [WEBHOOK]: '' }, /^AVOUCH_STRIPE_WEBHOOK_SECRET is required in production/],
    [
      'no key in the sandbox',
      { ...TEST, [KEY]: undefined },
      /SECRET_KEY: required while AVOUCH_WALLET_TOPUP is stripe$/,
    ],
    ['a secret of another kind', { ...TEST, [WEBHOOK]: 'sk_test_x' }, /WEBHOOK_SECRET must start with whsec_$/],
    ['a path', { ...TEST, AVOUCH_STRIPE_BASE_URL: 'https://a.example/v1' }, /must be an address without a path$/],
    ['no https', { ...LIVE, AVOUCH_STRIPE_BASE_URL: 'http://a.example' }, /must be an https address/],
  ] as const) {
    test(`are refused with ${why}`, () => {
      const [found = '', ...others] = faultsOf(env);
      assert.match(found, fault);
      assert.deepEqual(others, []);
      assert.doesNotMatch(found, /_x/);
    });
  }
});

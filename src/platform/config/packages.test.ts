import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRODUCTION } from './_settings.ts';
import { inspectConfig } from './config.ts';
import { installCommand, missingPackages, packageFaults, readPackageExtras } from './packages.ts';

const NOTHING = () => null;
const STRIPE = {
  AVOUCH_WALLET_TOPUP: 'stripe',
  AVOUCH_STRIPE_SECRET_KEY: `sk_live_${'a'.repeat(24)}`,
  AVOUCH_STRIPE_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}`,
};
const SMTP = { AVOUCH_MAIL: 'smtp', AVOUCH_SMTP_URL: 'smtps://u:p@mail.example:465', AVOUCH_MAIL_FROM: 'a@b.example' };

test('a checkout has the packages of every extra', () => {
  for (const { name, state, packages } of readPackageExtras()) {
    assert.equal(state, 'installed', name);
    for (const { wanted, installed } of packages) assert.equal(installed, wanted);
  }
});

test('a setting that needs a missing package is named with the command that installs it', () => {
  const { config, faults } = inspectConfig({ ...PRODUCTION, ...STRIPE, ...SMTP });
  assert.deepEqual(faults, []);
  assert.deepEqual(packageFaults(config), []);
  const [cards = '', mail = '', ...others] = packageFaults(config, NOTHING);
  assert.match(cards, /^AVOUCH_WALLET_TOPUP=stripe needs the package stripe (\d[\d.]+): npm i stripe@\1$/);
  assert.match(mail, /^AVOUCH_MAIL=smtp needs the package nodemailer (\d[\d.]+): npm i nodemailer@\1$/);
  assert.deepEqual(others, []);
  assert.deepEqual(packageFaults(inspectConfig(PRODUCTION).config, NOTHING), []);
});

test('an extra with some of its packages says what is missing', () => {
  const some = (name: string) => (name === 'eld' ? '9.9.9' : null);
  const states = readPackageExtras(some).map(({ name, state }) => [name, state]);
  assert.deepEqual(Object.fromEntries(states), {
    cards: 'not installed',
    models: 'not installed',
    documents: 'incomplete',
    mail: 'not installed',
  });
  assert.deepEqual(
    missingPackages('documents', some).map((one) => one.replace(/@[^@]*$/, '')),
    ['unpdf', 'zxing-wasm', 'qrcode'],
  );
  assert.match(
    installCommand('models', NOTHING),
    /^npm i ai@[\d.]+ @ai-sdk\/anthropic@[\d.]+ @ai-sdk\/openai-compatible@/,
  );
  assert.equal(installCommand('ocr'), './avouch extras install ocr');
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { faultsOf, namedIn, PRODUCTION } from './_settings.ts';
import { readConfig } from './config.ts';
import { type Env, SETTINGS } from './env.ts';

const REQUIRED = SETTINGS.filter(
  ({ production, requiredWith }) => production || requiredWith?.[1] === 'facilitator',
).map(({ name }) => name);

suite('production', () => {
  test('complete settings are accepted', () => assert.deepEqual(faultsOf(PRODUCTION), []));

  test('signs its requests unless told not to, and the sandbox never does', () => {
    const signs = (env: Env) => readConfig(env).signsOutbound;
    assert.equal(signs(PRODUCTION), true);
    assert.equal(signs({ ...PRODUCTION, AVOUCH_SIGN_OUTBOUND: 'no' }), false);
    assert.equal(signs({ AVOUCH_SIGN_OUTBOUND: 'yes' }), false);
  });

  test('with nothing set names every required setting in one message', () => {
    const faults = faultsOf({ AVOUCH_PROFILE: 'production' });
    assert.equal(faults.length, 1);
    assert.deepEqual(namedIn(faults[0] ?? ''), REQUIRED);
  });

  for (const name of REQUIRED) {
    for (const [how, value] of [
      ['missing', undefined],
      ['empty', ''],
    ] as const) {
      test(`with ${name} ${how} names exactly that one`, () => {
        const faults = faultsOf({ ...PRODUCTION, [name]: value });
        assert.deepEqual(faults, [`${name} is required in production: set it`]);
      });
    }
  }

  const FREE_REQUIRED = SETTINGS.filter(({ production, services }) => production && services !== 'all').map(
    ({ name }) => name,
  );

  test('of free services needs five settings, and names those that are missing', () => {
    assert.equal(REQUIRED.length, 13);
    assert.equal(FREE_REQUIRED.length, 5);
    const [fault, ...others] = faultsOf({ AVOUCH_PROFILE: 'production', AVOUCH_SERVICES: 'free' });
    assert.deepEqual([namedIn(fault ?? ''), others], [FREE_REQUIRED, []]);
    const given = FREE_REQUIRED.map((name) => [name, PRODUCTION[name]] as const);
    const config = readConfig({ ...Object.fromEntries(given), AVOUCH_PROFILE: 'production', AVOUCH_SERVICES: 'free' });
    assert.deepEqual(
      [config.services, config.mail.by, config.topUp.by, config.settlement],
      ['free', 'off', 'off', null],
    );
    assert.ok(Object.values(config.registers).every((register) => register === null));
  });

  test('of free services still checks the settings that it does not need', () => {
    const env = { ...PRODUCTION, AVOUCH_SERVICES: 'free' };
    assert.deepEqual(faultsOf(env), []);
    assert.match(faultsOf({ ...env, AVOUCH_MAIL: 'smtp' }).join(), /AVOUCH_SMTP_URL, AVOUCH_MAIL_FROM are required/);
    assert.match(faultsOf({ ...env, AVOUCH_SERVICES: 'paid' }).join(), /AVOUCH_SERVICES must be one of all, free/);
    assert.match(faultsOf({ ...env, AVOUCH_FACILITATOR_URL: 'nowhere' }).join(), /^AVOUCH_FACILITATOR_URL must be/);
  });

  test('refuses a name that no setting has; the sandbox only warns of it', () => {
    const [fault, ...others] = faultsOf({ ...PRODUCTION, AVOUCH_PORT: '1', AVOUCH_RATE_TASK: '5/s,20' });
    assert.match(fault ?? '', /^AVOUCH_PORT is not a setting of this release: /);
    assert.match(others.join('\n'), /^AVOUCH_RATE_TASK is not .*$/);
    const { warnings } = readConfig({ AVOUCH_PORT: '1' });
    assert.deepEqual(warnings, [fault]);
  });

  test('the value of an unknown name is not repeated: it may be a secret in the wrong place', () => {
    assert.doesNotMatch(faultsOf({ ...PRODUCTION, AVOUCH_KEY_PASSPHRASE: 'marker-value' }).join(), /marker/);
  });
});

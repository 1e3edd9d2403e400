import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { faultsOf, namedIn, PRODUCTION } from './_settings.ts';
import { readConfig } from './config.ts';
import { SETTINGS } from './env.ts';

const REQUIRED = SETTINGS.filter(
  ({ production, requiredWith }) => production || requiredWith?.[1] === 'facilitator',
).map(({ name }) => name);

suite('production', () => {
  test('complete settings are accepted', () => assert.deepEqual(faultsOf(PRODUCTION), []));

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

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { faultsOf, namedIn, PRODUCTION } from './_settings.ts';
import { readConfig } from './config.ts';
import { SETTINGS } from './env.ts';

const directory = mkdtempSync(join(tmpdir(), 'avouch-test-'));
after(() => rmSync(directory, { recursive: true }));

suite('a register that is switched on', () => {
  const CREDENTIALS = {
    kvk: ['AVOUCH_KVK_API_KEY'],
    cir: ['AVOUCH_CIR_USERNAME', 'AVOUCH_CIR_PASSWORD'],
    companies_house: ['AVOUCH_CH_API_KEY'],
    dvsa_mot: ['AVOUCH_MOT_TOKEN_URL', 'AVOUCH_MOT_CLIENT_ID', 'AVOUCH_MOT_CLIENT_SECRET', 'AVOUCH_MOT_API_KEY'],
  };

  for (const [register, names] of Object.entries(CREDENTIALS)) {
    test(`needs its credentials in production: ${register} names all that are missing`, () => {
      const env = { ...PRODUCTION, AVOUCH_REGISTERS: register };
      const faults = faultsOf(env);
      assert.deepEqual(faults, [`${names.join(', ')}: required while AVOUCH_REGISTERS has ${register}`]);
      const given = Object.fromEntries(names.map((name) => [name, 'https://login.example/token']));
      assert.deepEqual(faultsOf({ ...env, ...given }), []);
      for (const name of names) {
        const [fault = '', ...others] = faultsOf({ ...env, ...given, [name]: undefined });
        assert.deepEqual(
          [namedIn(fault), others],
          [
            [...names, 'AVOUCH_REGISTERS']
              .filter((one) => one === name || one === 'AVOUCH_REGISTERS')
              .toSorted(inTable),
            [],
          ],
        );
      }
    });
  }

  test('may have its credentials in a file, and no secret is shown by the configuration', () => {
    const key = join(directory, 'kvk-key');
    writeFileSync(key, 'marker-key\n');
    const config = readConfig({ ...PRODUCTION, AVOUCH_REGISTERS: 'kvk', AVOUCH_KVK_API_KEY_FILE: key });
    assert.equal(config.registers.kvk?.apiKey.reveal(), 'marker-key');
    assert.doesNotMatch(JSON.stringify(config), /marker/);
  });

  test('may be none: off is a choice, silence is not', () => {
    const { registers } = readConfig({ ...PRODUCTION, AVOUCH_REGISTERS: 'off' });
    assert.ok(Object.values(registers).every((register) => register === null));
  });

  test('takes the number of its requester as VIES writes it: Greece is EL', () => {
    const requester = (value: string) =>
      readConfig({ ...PRODUCTION, AVOUCH_REGISTERS: 'vies', AVOUCH_VIES_REQUESTER: value }).registers.vies?.requester;
    assert.deepEqual(requester('GR094014201'), { countryCode: 'EL', number: '094014201' });
    assert.deepEqual(requester('DE136695976'), { countryCode: 'DE', number: '136695976' });
  });

  test('is asked over https only in production', () => {
    const faults = faultsOf({ ...PRODUCTION, AVOUCH_VIES_BASE_URL: 'http://vies.example' });
    assert.deepEqual(faults, ['AVOUCH_VIES_BASE_URL must be an https address without user']);
  });
});

/** The order in which settings are listed. */
function inTable(a: string, b: string): number {
  const names: string[] = SETTINGS.map(({ name }) => name);
  return names.indexOf(a) - names.indexOf(b);
}

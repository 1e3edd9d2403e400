import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { faultsOf, PRODUCTION } from './_settings.ts';
import { readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import type { Env } from './env.ts';
import { readSecrets } from './secrets.ts';

const directory = mkdtempSync(join(tmpdir(), 'avouch-test-'));
after(() => rmSync(directory, { recursive: true }));

suite('settlement', () => {
  const passphrase = join(directory, 'passphrase');
  writeFileSync(passphrase, 'a passphrase of some length');
  const CHAIN: Env = {
    ...PRODUCTION,
    AVOUCH_SETTLEMENT: 'chain',
    AVOUCH_FACILITATOR_URL: undefined,
    AVOUCH_SETTLER_KEY_FILE: '/run/secrets/settler',
    AVOUCH_BATCH_CONTRACT: `0x${'a'.repeat(40)}`,
  };

  test('by a facilitator is what production does unless told otherwise', () => {
    const { settlement } = readConfig(PRODUCTION);
    assert.equal(settlement?.backend, 'facilitator');
    assert.equal(settlement?.facilitatorUrl, 'https://facilitator.example/x402');
    assert.equal(settlement?.rpcUrl.reveal(), 'https://node.example/v1/key');
  });

  test('on the chain needs a key and a contract, and no facilitator', () => {
    assert.equal(readConfig(CHAIN).settlement?.batchContract, `0x${'a'.repeat(40)}`);
    for (const name of ['AVOUCH_SETTLER_KEY_FILE', 'AVOUCH_BATCH_CONTRACT', 'AVOUCH_RPC_URL']) {
      const faults = faultsOf({ ...CHAIN, [name]: undefined });
      assert.deepEqual(faults, [`${name} is required in production: set it`]);
    }
  });

  for (const url of [
    'http://facilitator.example',
    'https://x402.org/facilitator',
    'https://www.x402.org/facilitator',
    'https://facilitator.example/?key=1',
    'https://user:password@facilitator.example',
    'ftp://facilitator.example',
    'facilitator',
  ]) {
    test(`production refuses ${url} as facilitator`, () => {
      assert.match(faultsOf({ ...PRODUCTION, AVOUCH_FACILITATOR_URL: url }).join(), /^AVOUCH_FACILITATOR_URL must be /);
    });
  }

  test('the address of the node may hold a key and is a secret', () => {
    assert.doesNotMatch(JSON.stringify(readConfig(PRODUCTION)), /node\.example/);
    const file = join(directory, 'node');
    writeFileSync(file, 'https://node.example/marker\n');
    const config = readConfig({ ...PRODUCTION, AVOUCH_RPC_URL: undefined, AVOUCH_RPC_URL_FILE: file });
    assert.equal(config.settlement?.rpcUrl.reveal(), 'https://node.example/marker');
    assert.match(faultsOf({ AVOUCH_RPC_URL_FILE: file }).join(), /^AVOUCH_RPC_URL cannot be set in the sandbox/);
  });

  test('the sandbox refuses the settings of real money, also where no call is paid', () => {
    const real = {
      AVOUCH_RPC_URL: 'https://node.example',
      AVOUCH_FACILITATOR_URL: 'https://facilitator.example',
      AVOUCH_SETTLER_KEY_FILE: '/run/secrets/settler',
    };
    for (const AVOUCH_SERVICES of ['all', 'free']) {
      for (const [name, value] of Object.entries(real)) {
        const [fault, ...others] = faultsOf({ AVOUCH_SERVICES, [name]: value });
        assert.match(fault ?? '', new RegExp(`^${name} cannot be set in the sandbox`), AVOUCH_SERVICES);
        assert.deepEqual(others, []);
      }
    }
  });

  test('the key for facilitator tokens has an id and a file, and excludes a fixed header', () => {
    const id = { AVOUCH_FACILITATOR_KEY_ID: 'key-1' };
    const file = { AVOUCH_FACILITATOR_KEY_FILE: '/run/secrets/cdp' };
    assert.deepEqual(faultsOf({ ...PRODUCTION, ...id, ...file }), []);
    for (const half of [id, file]) {
      assert.match(
        faultsOf({ ...PRODUCTION, ...half }).join(),
        /^AVOUCH_FACILITATOR_KEY_ID and .*_KEY_FILE belong together/,
      );
    }
    const auth = { AVOUCH_FACILITATOR_AUTH_FILE: '/run/secrets/auth' };
    assert.match(
      faultsOf({ ...PRODUCTION, ...id, ...file, ...auth }).join(),
      /^AVOUCH_FACILITATOR_AUTH_FILE and .* exclude/,
    );
  });

  test('the files of its secrets are read at the start, each with its own fault', () => {
    const key = join(directory, 'settler-key');
    const auth = join(directory, 'auth');
    const secretsOf = (env: Env) => readSecrets(readConfig({ ...env, AVOUCH_KEY_PASSPHRASE_FILE: passphrase }));
    const withKey = { ...CHAIN, AVOUCH_SETTLER_KEY_FILE: key };
    const withAuth = { ...PRODUCTION, AVOUCH_FACILITATOR_AUTH_FILE: auth };
    assert.throws(() => secretsOf(withKey), faultLike(/^the file that AVOUCH_SETTLER_KEY_FILE names cannot be read/));
    writeFileSync(key, '0x12');
    assert.throws(
      () => secretsOf(withKey),
      faultLike(/^the file that AVOUCH_SETTLER_KEY_FILE names must hold a private/),
    );
    writeFileSync(auth, 'two\nlines');
    assert.throws(
      () => secretsOf(withAuth),
      faultLike(/^the file that AVOUCH_FACILITATOR_AUTH_FILE names must hold one/),
    );
    const token = join(directory, 'cdp');
    const withToken = { ...PRODUCTION, AVOUCH_FACILITATOR_KEY_ID: 'key-1', AVOUCH_FACILITATOR_KEY_FILE: token };
    writeFileSync(token, 'secret');
    assert.throws(
      () => secretsOf(withToken),
      faultLike(/^the file that AVOUCH_FACILITATOR_KEY_FILE names must hold the base64 of 64 bytes/),
    );
    writeFileSync(token, 'nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2DXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg==\n');
    assert.equal(secretsOf(withToken).facilitatorKey?.keyId, 'key-1');
    writeFileSync(auth, 'Bearer one\n');
    const secrets = secretsOf(withAuth);
    assert.equal(secrets.facilitatorAuth?.().reveal(), 'Bearer one');
    writeFileSync(auth, 'Bearer two\n');
    assert.equal(secrets.facilitatorAuth?.().reveal(), 'Bearer two', 'a renewed credential is used');
  });
});

function faultLike(pattern: RegExp) {
  return (error: unknown) => error instanceof ConfigError && pattern.test(error.faults.join());
}

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { inspectConfig, readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { runCommand } from '../support/command.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const ADDRESS = ['--base-url', 'https://avouch.example', '--contact', 'mailto:ops@avouch.example'];

function settingsIn(dir: string): Record<string, string> {
  return parseEnv(readFileSync(join(dir, 'settings.env'), 'utf8')) as Record<string, string>;
}

test('init: settings and secrets of free services suffice for production, and only their owner can read them', async () => {
  const dir = join(await temporaryDirectory(), 'etc');
  const { code, stdout } = await runCommand(['init', dir, '--services', 'free', ...ADDRESS]);
  assert.equal(code, 0, stdout);
  assert.deepEqual(readdirSync(dir).toSorted(), ['key-passphrase', 'server-secret', 'settings.env']);
  for (const file of readdirSync(dir)) assert.equal(statSync(join(dir, file)).mode & 0o777, 0o600, file);
  const config = readConfig(settingsIn(dir));
  assert.deepEqual([config.profile, config.services, config.operator.name], ['production', 'free', 'avouch.example']);
  assert.deepEqual(config.trustedProxies, ['127.0.0.1']);
  assert.ok((readSecrets(config).keyPassphrase?.reveal().length ?? 0) >= 64);
  assert.match(stdout, /Next:\n.*\/avouch doctor'\n.*\/avouch serve'\n$/);
});

test('init: names the settings of all services that are left to fill in', async () => {
  const dir = await temporaryDirectory();
  const { code, stdout } = await runCommand(['init', dir, '--services', 'all', ...ADDRESS, '--json']);
  assert.equal(code, 0);
  const { missing } = JSON.parse(stdout) as { missing: string[] };
  assert.equal(missing.length, 8);
  const env = settingsIn(dir);
  for (const name of missing) assert.equal(env[name], '', name);
  assert.equal(inspectConfig(env).faults.length, 1);
});

test('init: overwrites nothing', async () => {
  const dir = await temporaryDirectory();
  await runCommand(['init', dir, ...ADDRESS]);
  const before = readFileSync(join(dir, 'server-secret'), 'utf8');
  const { code, stderr } = await runCommand(['init', dir, ...ADDRESS]);
  assert.equal(code, 1);
  assert.match(stderr, /server-secret already exists\. Nothing was written\./);
  assert.equal(readFileSync(join(dir, 'server-secret'), 'utf8'), before);
});

test('init: a wrong value is named, and nothing is written', async () => {
  for (const [name, args] of [
    ['BASE_URL', ['--base-url', 'http://avouch.example', '--contact', 'mailto:a@b.example']],
    ['AVOUCH_TRUSTED_PROXIES', [...ADDRESS, '--trusted-proxies', 'nginx']],
    ['AVOUCH_OPERATOR_CONTACT', ['--base-url', 'https://avouch.example', '--contact', 'me']],
    ['AVOUCH_OPERATOR_NAME', [...ADDRESS, '--name', 'a"; rm -rf /"']],
  ] as const) {
    const dir = await temporaryDirectory();
    const { code, stderr } = await runCommand(['init', dir, ...args]);
    assert.deepEqual([code, stderr.includes(name), readdirSync(dir)], [2, true, []], stderr);
  }
});

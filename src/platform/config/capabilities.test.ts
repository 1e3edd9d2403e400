import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { faultsOf, PRODUCTION } from './_settings.ts';
import { readConfig } from './config.ts';

const directory = mkdtempSync(join(tmpdir(), 'avouch-providers-'));
after(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'providers.json');
const ROW = { name: 'acme', kind: 'openai_compatible', base_url: 'https://models.example/v1/', models: ['m-1'] };

function withFile(content: unknown): Record<string, string> {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { AVOUCH_CAPABILITY_PROVIDERS: file };
}

test('providers are read with the keys that they name, which no print of the settings shows', () => {
  const models = ['m-1', { id: 'e-1', does: ['embedding'] }];
  const env = { ...withFile([{ ...ROW, api_key_env: 'ACME_KEY', models, auto: false }]), ACME_KEY: 's3cret' };
  const { capabilities } = readConfig(env);
  const [provider] = capabilities.providers ?? [];
  assert.deepEqual(
    [provider?.baseUrl, provider?.auto, provider?.apiKey?.reveal(), provider?.models],
    [
      'https://models.example/v1',
      false,
      's3cret',
      [
        { id: 'm-1', does: ['text'] },
        { id: 'e-1', does: ['embedding'] },
      ],
    ],
  );
  assert.doesNotMatch(JSON.stringify(capabilities), /s3cret/);
  assert.deepEqual(readConfig(withFile([])).capabilities.providers, []);
  assert.equal(readConfig({}).capabilities.providers, null);
});

test('a file of providers that is wrong stops the start and says where', () => {
  const named = 'the file that AVOUCH_CAPABILITY_PROVIDERS names';
  const fault = (content: unknown, env = {}) => faultsOf({ ...withFile(content), ...env }).join();
  assert.equal(fault('['), `${named} is not JSON`);
  assert.match(fault([{ ...ROW, kind: 'other' }]), new RegExp(`^${named} is wrong at 0/kind`));
  assert.match(fault([{ ...ROW, surprise: 1 }]), new RegExp(`^${named} is wrong at 0`));
  assert.match(fault([{ ...ROW, api_key_env: 'ACME_KEY' }]), /needs the variable ACME_KEY for acme/);
  const plain = [{ ...ROW, base_url: 'http://models.example/v1' }];
  assert.match(fault(plain, PRODUCTION), /address of acme without https/);
  assert.equal(fault([{ ...ROW, base_url: 'http://127.0.0.1:11434/v1' }], PRODUCTION), '');
});

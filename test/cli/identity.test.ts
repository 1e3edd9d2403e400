import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../support/command.ts';
import { TestService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import vectors from '../vectors/web-bot-auth.json' with { type: 'json' };

const AGENT = ['--agent', 'https://signature-agent.test'];

test('the headers that identity sign prints are verified by a service, also with a body', async () => {
  await using service = await TestService.start();
  const directory = await temporaryDirectory();
  const [seed, body] = [join(directory, 'seed'), join(directory, 'body.json')];
  await writeFile(seed, `${vectors.key.d}\n`);
  await writeFile(body, '{"key":"signed by hand","agent":"a1"}');
  const signed = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(['identity', 'sign', ...args, '--key', seed, ...AGENT]);
    assert.equal(code, 0, stderr);
    return Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/, 2) as [string, string]),
    );
  };
  const headers = await signed(`${service.url}/v1/identity`);
  assert.deepEqual(Object.keys(headers), ['Signature-Agent', 'Signature-Input', 'Signature']);
  const { json } = await service.call('/v1/identity', { headers });
  assert.deepEqual([json['state'], json['strength']], ['verified', 'request']);
  const claimHeaders = await signed(`${service.url}/v1/claim`, '--method', 'post', '--body', body);
  const claimed = await service.call('/v1/claim', {
    method: 'POST',
    body: '{"key":"signed by hand","agent":"a1"}',
    headers: { ...claimHeaders, 'content-type': 'application/json' },
  });
  assert.equal((claimed.json['identity'] as { strength: string }).strength, 'request');
});

test('identity keygen writes a key that nobody else may read, and prints the directory of its public part', async () => {
  const file = join(await temporaryDirectory(), 'agent.seed');
  const { code, stdout, stderr } = await runCommand(['identity', 'keygen', file]);
  assert.equal(code, 0);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const { keys } = JSON.parse(stdout) as { keys: { kid: string; d?: string }[] };
  assert.deepEqual([keys.length, 'd' in (keys[0] as object)], [1, false]);
  assert.match(stderr, /http-message-signatures-directory/);
  assert.match((await runCommand(['identity', 'keygen', file])).stderr, /already exists/);
});

test('identity sign says what is wrong with its arguments', async () => {
  const file = join(await temporaryDirectory(), 'none');
  const run = (...args: string[]) => runCommand(['identity', 'sign', ...args]);
  assert.match(
    (await run('https://a.nl', '--key', file, ...AGENT)).stderr,
    /does not exist. Create a key with `avouch identity keygen/,
  );
  assert.match((await run('a', '--key', file, ...AGENT)).stderr, /is not a URL/);
  assert.match((await run('https://a.nl', '--key', file, '--agent', 'http://a.nl')).stderr, /not an https origin/);
  assert.equal((await run('https://a.nl', '--key', file)).code, 2);
});

// The commands that ask a running service: look, watch, check.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand } from '../support/command.ts';
import { TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await TestService.start();
});
after(() => service[Symbol.asyncDispose]());

function run(...words: string[]) {
  return runCommand(words, { BASE_URL: service.url });
}

test('look prints the light of a key and says no where it is red', async () => {
  const { code, stdout } = await run(
    'look',
    'acme/repo#12',
    '--agent',
    'a7',
    '--reward-usd',
    '45',
    '--effort-usd',
    '10',
  );
  const light = JSON.parse(stdout) as Record<string, unknown>;
  assert.deepEqual([code, light['signal'], light['key']], [0, 'AMBER', 'https://github.com/acme/repo/issues/12']);
  await service.call('/v1/claim?key=acme/repo%2312&agent=b2&mode=exclusive');
  const held = await run('look', 'acme/repo#12', '--agent', 'a7');
  assert.deepEqual([held.code, (JSON.parse(held.stdout) as { signal: string }).signal], [1, 'RED']);
});

test('watch prints a line for each change', async () => {
  await service.call('/v1/claim?key=k&agent=a7');
  await service.call('/v1/claim?key=k&agent=b2');
  const { code, stdout } = await run('watch', 'k', '--after', '0', '--count', '2');
  const agents = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { agent: string }).agent);
  assert.deepEqual([code, agents], [0, ['a7', 'b2']]);
});

test('check prints the verdict and says no where it is STOP', async () => {
  const caution = await run('check', '--amount-usd', '0.03', '--instruction-source', 'principal');
  assert.deepEqual([caution.code, (JSON.parse(caution.stdout) as { verdict: string }).verdict], [0, 'CAUTION']);
  assert.equal((await run('check', '--amount-usd', '1', '--instruction-source', 'untrusted')).code, 1);
  const wrong = await run('check', '--amount-usd', 'much');
  assert.deepEqual([wrong.code, wrong.stdout, wrong.stderr.startsWith('avouch check: --amount-usd: ')], [1, '', true]);
});

test('look, check and watch name a wrong number of work keys, and a wrong count, as wrong usage', async () => {
  for (const words of [['look'], ['look', 'k', 'l'], ['check', 'k'], ['watch'], ['watch', 'k', '--count', '0']]) {
    const { code, stdout, stderr } = await run(...words);
    assert.deepEqual([code, stdout], [2, ''], stderr);
  }
});

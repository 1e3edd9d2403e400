// The commands that ask a running service: look, watch, check.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { look as lookRow } from '#areas/crossing/look/look-operations.ts';
import { checkPlan as checkRow } from '#areas/audits/operations.ts';
import { checkCommand } from '../../src/cli/check.ts';
import { type Command, UsageError } from '../../src/cli/command.ts';
import { lookCommand } from '../../src/cli/look.ts';
import { watchCommand } from '../../src/cli/watch.ts';
import { TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await TestService.start();
});
after(() => service[Symbol.asyncDispose]());

async function run(command: Command, ...args: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const terminal = { env: { BASE_URL: service.url }, out: (text: string) => void (out += text), err: () => {} };
  return { code: await command.run(args, terminal), out };
}

test('look prints the light of a key and says no where it is red', async () => {
  const { code, out } = await run(
    lookCommand,
    'acme/repo#12',
    '--agent',
    'a7',
    '--reward-usd',
    '45',
    '--effort-usd',
    '10',
  );
  const light = JSON.parse(out) as Record<string, unknown>;
  assert.deepEqual([code, light['signal'], light['key']], [0, 'AMBER', 'https://github.com/acme/repo/issues/12']);
  await service.call('/v1/claim?key=acme/repo%2312&agent=b2&mode=exclusive');
  const held = await run(lookCommand, 'acme/repo#12', '--agent', 'a7');
  assert.deepEqual([held.code, (JSON.parse(held.out) as { signal: string }).signal], [1, 'RED']);
});

test('watch prints a line for each change', async () => {
  await service.call('/v1/claim?key=k&agent=a7');
  await service.call('/v1/claim?key=k&agent=b2');
  const { code, out } = await run(watchCommand, 'k', '--after', '0', '--count', '2');
  const agents = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { agent: string }).agent);
  assert.deepEqual([code, agents], [0, ['a7', 'b2']]);
});

test('check prints the verdict and says no where it is STOP', async () => {
  const caution = await run(checkCommand, '--amount-usd', '0.03', '--instruction-source', 'principal');
  assert.deepEqual([caution.code, (JSON.parse(caution.out) as { verdict: string }).verdict], [0, 'CAUTION']);
  assert.equal((await run(checkCommand, '--amount-usd', '1', '--instruction-source', 'untrusted')).code, 1);
  await assert.rejects(run(checkCommand, '--amount-usd', 'much'), /400 invalid_parameters.*#\/amount_usd/);
});

test('each parameter of the calls is an option, and anything else is wrong usage', async () => {
  for (const [command, row] of [
    [lookCommand, lookRow],
    [checkCommand, checkRow],
  ] as const) {
    const names = Object.keys(row.input.shape).filter((name) => name !== 'key');
    assert.deepEqual(
      [...command.usage.matchAll(/--([a-z-]+)/g)].map(([, option]) => option?.replaceAll('-', '_')),
      [...names, 'url'],
    );
  }
  for (const [command, ...args] of [
    [lookCommand],
    [lookCommand, 'k', 'l'],
    [checkCommand, 'k'],
    [watchCommand],
    [watchCommand, 'k', '--count', '0'],
  ] as const) {
    await assert.rejects(run(command, ...args), UsageError);
  }
});

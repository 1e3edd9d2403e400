// The GitHub Action with the environment that a runner gives it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from '../support/child-service.ts';
import { runChild } from '../support/run-child.ts';
import { TestService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const folder = await temporaryDirectory();
let service: TestService;
before(async () => (service = await TestService.start()));
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

type Pairs = Record<string, string>;

async function step(name: string, inputs: Pairs, state: Pairs = {}) {
  const [outputFile, stateFile] = [join(folder, `${name}.output`), join(folder, `${name}.state`)];
  for (const file of [outputFile, stateFile]) writeFileSync(file, '');
  const given = Object.entries({ url: service.url, ...inputs }).map(([key, value]) => [
    `INPUT_${key.toUpperCase()}`,
    value,
  ]);
  const kept = Object.entries(state).map(([key, value]) => [`STATE_${key}`, value]);
  const env = { PATH: process.env.PATH, GITHUB_OUTPUT: outputFile, GITHUB_STATE: stateFile };
  const ran = await runChild(process.execPath, [join(ROOT, 'action/index.mjs')], {
    cwd: folder,
    env: { ...env, ...Object.fromEntries([...given, ...kept]) },
  });
  return { ...ran, outputs: pairsIn(outputFile), state: pairsIn(stateFile) };
}

function pairsIn(file: string): Pairs {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

test('a job gets its work, another one is refused, and the post step frees it', async () => {
  const mine = await step('mine', { key: 'acme/action#1', agent: 'ci-1', ttl: '600' });
  assert.equal(mine.code, 0, mine.stdout);
  assert.equal(mine.outputs['granted'], 'true');
  assert.match(String(mine.outputs['fence']), /^\d+$/);
  const other = await step('other', { key: 'acme/action#1', agent: 'ci-2' });
  assert.equal(other.code, 1);
  assert.deepEqual([other.outputs['granted'], other.outputs['reason'], other.state], ['false', 'held', {}]);
  assert.match(other.stdout, /^::error::acme\/action#1: held\. /m);
  const optional = await step('optional', { key: 'acme/action#1', agent: 'ci-2', required: 'false' });
  assert.equal(optional.code, 0);
  assert.equal((await step('post', { key: 'acme/action#1', agent: 'ci-1' }, mine.state)).code, 0);
  assert.equal((await step('after', { key: 'acme/action#1', agent: 'ci-2' })).outputs['granted'], 'true');
});

test('the token is masked, kept in the state and in no output', async () => {
  const { stdout, outputs, state } = await step('token', { key: 'acme/action#2', agent: 'ci-1' });
  const token = String(state['token']);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(stdout.replace(`::add-mask::${token}`, '').includes(token), false);
  assert.equal(JSON.stringify(outputs).includes(token), false);
});

test('the source of the action stays short enough to be read before it is trusted', () => {
  const lines = readFileSync(join(ROOT, 'action/index.mjs'), 'utf8').trimEnd().split('\n');
  assert.ok(lines.length <= 60, `${lines.length} lines`);
});

// The GitHub Action with the environment that a runner gives it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
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

const ACTION = join(ROOT, 'action/index.mjs');

type Pairs = Record<string, string>;

function environment(name: string, inputs: Pairs, state: Pairs = {}) {
  const [outputFile, stateFile] = [join(folder, `${name}.output`), join(folder, `${name}.state`)];
  for (const file of [outputFile, stateFile]) writeFileSync(file, '');
  const given = Object.entries({ url: service.url, ...inputs }).map(([key, value]) => [
    `INPUT_${key.toUpperCase()}`,
    value,
  ]);
  const kept = Object.entries(state).map(([key, value]) => [`STATE_${key}`, value]);
  const env = { PATH: process.env.PATH, GITHUB_OUTPUT: outputFile, GITHUB_STATE: stateFile };
  return { outputFile, stateFile, env: { ...env, ...Object.fromEntries([...given, ...kept]) } };
}

async function step(name: string, inputs: Pairs, state: Pairs = {}) {
  const { outputFile, stateFile, env } = environment(name, inputs, state);
  const ran = await runChild(process.execPath, [ACTION], { cwd: folder, env });
  return { ...ran, outputs: pairsIn(outputFile), state: pairsIn(stateFile) };
}

/** A main step that ends before its claim is answered; what it left for the post step. */
async function brokenOff(name: string, inputs: Pairs, isGranted: boolean): Promise<Pairs> {
  const handOn = async (request: IncomingMessage) => {
    const body = await text(request);
    const headers = { 'content-type': 'application/json' };
    if (isGranted) await fetch(service.url + request.url, { method: 'POST', headers, body });
    child.kill();
  };
  await using proxy = createServer((request) => void handOn(request));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { stateFile, env } = environment(name, {
    ...inputs,
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  });
  const child = spawn(process.execPath, [ACTION], { cwd: folder, env, stdio: 'ignore' });
  await once(child, 'close');
  return pairsIn(stateFile);
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
  assert.deepEqual([other.outputs['granted'], other.outputs['reason']], ['false', 'held']);
  assert.equal((await step('other-post', {}, other.state)).code, 0);
  assert.match(other.stdout, /^::error::acme\/action#1: held\. /m);
  const optional = await step('optional', { key: 'acme/action#1', agent: 'ci-2', required: 'false' });
  assert.equal(optional.code, 0);
  assert.equal((await step('post', { key: 'acme/action#1', agent: 'ci-1' }, mine.state)).code, 0);
  assert.equal((await step('after', { key: 'acme/action#1', agent: 'ci-2' })).outputs['granted'], 'true');
});

test('the post step frees what a main step got whose answer was lost', async () => {
  const inputs = { key: 'acme/action#3', agent: 'ci-1' };
  const state = await brokenOff('lost', inputs, true);
  assert.equal((await step('lost-other', { ...inputs, agent: 'ci-2', required: 'false' })).outputs['reason'], 'held');
  const post = await step('lost-post', inputs, state);
  assert.deepEqual([post.code, post.outputs, post.state], [0, {}, {}]);
  assert.equal((await step('lost-after', { ...inputs, agent: 'ci-2' })).outputs['granted'], 'true');
});

test('the post step takes no key that the main step did not get', async () => {
  const inputs = { key: 'acme/action#4', agent: 'ci-1' };
  const state = await brokenOff('unheard', inputs, false);
  const { json: was } = await service.call('/v1/look?key=acme/action%234');
  const post = await step('unheard-post', inputs, state);
  assert.deepEqual([post.code, post.outputs, post.state], [0, {}, {}]);
  const { json: now } = await service.call('/v1/look?key=acme/action%234');
  assert.deepEqual([now['holders'], now['rev']], [[], was['rev']]);
});

test('the token is masked, kept in the state and in no output', async () => {
  const { stdout, outputs, state } = await step('token', { key: 'acme/action#2', agent: 'ci-1' });
  const token = String(state['token']);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(stdout.replace(`::add-mask::${token}`, '').includes(token), false);
  assert.equal(JSON.stringify(outputs).includes(token), false);
});

test('the source of the action stays short enough to be read before it is trusted', () => {
  const lines = readFileSync(ACTION, 'utf8').trimEnd().split('\n');
  assert.ok(lines.length <= 60, `${lines.length} lines`);
});

test('the workflow in the documents gives what the action takes, and ends before its lease', () => {
  const page = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');
  const [, workflow = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
  const manifest = readFileSync(join(ROOT, 'action/action.yml'), 'utf8');
  const [, inputs = '', outputs = ''] = /^inputs:\n([\s\S]*)^outputs:\n([\s\S]*)^runs:/m.exec(manifest) ?? [];
  const [, given = ''] = /with: \{ (.*) \}$/m.exec(workflow) ?? [];
  const pairs = Array.from(given.matchAll(/(\w+): '([^']*)'/g), ([, name = '', value = '']) => [name, value] as const);
  const nameIn = (list: string) => Array.from(list.matchAll(/^ {2}(\w+):/gm), ([, name]) => name);
  assert.ok(pairs.length >= 3);
  for (const [name] of pairs) assert.ok(nameIn(inputs).includes(name), name);
  for (const [, name] of workflow.matchAll(/steps\.claim\.outputs\.(\w+)/g)) assert.ok(nameIn(outputs).includes(name));
  const minutes = Number(/timeout-minutes: (\d+)/.exec(workflow)?.[1]);
  assert.ok(minutes * 60 < Number(Object.fromEntries(pairs)['ttl']), `${minutes} minutes`);
  assert.match(page, /The action does not renew the lease/);
});

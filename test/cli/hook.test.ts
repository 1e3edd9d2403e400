import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from '../support/child-service.ts';
import { TestService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type ChildRan, runChild } from '../support/run-child.ts';

const NOWHERE = 'http://127.0.0.1:9';
const repository = await temporaryDirectory();
const state = await temporaryDirectory();
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'ignore' });
let service: TestService;
before(async () => {
  service = await TestService.start();
  git('init');
  git('remote', 'add', 'origin', 'git@github.com:acme/repo.git');
});
after(async () => {
  await service[Symbol.asyncDispose]();
  for (const directory of [repository, state]) await rm(directory, { recursive: true, force: true });
});

const hook = (args: readonly string[], input: string, url = service.url, home = state): Promise<ChildRan> =>
  runChild(process.execPath, [`${ROOT}bin/avouch.mjs`, 'hook', ...args, '--url', url], {
    cwd: repository,
    input,
    env: { ...process.env, XDG_STATE_HOME: home },
  });

const push = (branch: string, url?: string) =>
  hook(
    ['pre-push', 'origin', 'git@github.com:acme/repo.git', '--agent', 'a7'],
    `refs/heads/${branch} 1 refs/heads/${branch} 0\n`,
    url,
  );

test('a push of the branch of an issue is refused only while another agent holds the issue', async () => {
  assert.equal((await push('issue-12')).code, 0);
  await service.call('/v1/claim', { method: 'POST', body: { key: 'acme/repo#12', agent: 'b2', mode: 'exclusive' } });
  const refused = await push('fix/issue-12-parser');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Another agent holds acme\/repo#12 for up to \d+ s\. Push later, or use --no-verify\./);
  assert.equal((await push('issue-13')).code, 0);
  assert.equal((await push('release-12')).code, 0);
  await service.call('/v1/claim', { method: 'POST', body: { key: 'acme/repo#14', agent: 'a7', mode: 'exclusive' } });
  assert.equal((await push('issue-14')).code, 0);
});

test('a push goes on with a warning where the service cannot be asked', async () => {
  const unasked = await push('issue-12', NOWHERE);
  assert.equal(unasked.code, 0);
  assert.match(unasked.stderr, /Warning: not checked whether acme\/repo#12 is free/i);
});

test('the git hook is installed once and never over another', async () => {
  const install = () => hook(['install', 'pre-push', '--agent', "o'brien"], '');
  const installed = await install();
  assert.equal(installed.code, 0, installed.stderr);
  const file = join(repository, '.git/hooks/pre-push');
  const { status } = spawnSync('sh', ['-n', file]);
  assert.equal(status, 0);
  assert.match(readFileSync(file, 'utf8'), /exec avouch hook pre-push "\$@" --agent 'o'\\''brien' --url /);
  const again = await install();
  assert.equal(again.code, 1);
  assert.match(again.stderr, /exists\. Add the line/);
});

const edit = (session: string, path: string, url?: string) =>
  hook(
    ['pre-tool'],
    JSON.stringify({ tool_name: 'Edit', tool_input: { file_path: path }, cwd: repository, session_id: session }),
    url,
  );

test('an agent gets the file that it edits, and another session is told why it may not', async () => {
  assert.equal((await edit('s1', 'src/a.ts')).code, 0);
  assert.equal((await edit('s1', join(repository, 'src/a.ts'))).code, 0);
  const blocked = await edit('s2', 'src/a.ts');
  assert.equal(blocked.code, 2);
  assert.match(blocked.stderr, /src\/a\.ts is being edited by another agent\. .*\d+ s/);
  assert.equal((await edit('s2', 'src/b.ts')).code, 0);
  const unasked = await edit('s1', 'src/a.ts', NOWHERE);
  assert.equal(unasked.code, 1);
  assert.match(unasked.stderr, /Not checked whether src\/a\.ts is free/);
  assert.equal((await hook(['pre-tool'], '{"tool_input":{"command":"ls"}}')).code, 0);
});

const editOf = (path: string, session?: string) =>
  JSON.stringify({ tool_input: { file_path: path }, cwd: repository, session_id: session });

test('the token of a file that is edited cannot be computed from session, agent and key', async () => {
  for (const session of ['s1', undefined]) {
    const path = `src/secret-${session}.ts`;
    const run = () => hook(['pre-tool', '--agent', 'a7'], editOf(path, session));
    assert.equal((await run()).code, 0);
    assert.equal((await run()).code, 0, 'the same user may go on editing');
    const key = `file:acme/repo/${path}`;
    const token = createHash('sha256')
      .update(`${session ?? ''}\na7\n${key}`)
      .digest('base64url');
    const claim = { key, agent: 'a7', token, mode: 'exclusive' };
    const { status } = await service.call('/v1/claim', { method: 'POST', body: claim });
    assert.equal(status, 409);
    const elsewhere = await temporaryDirectory();
    assert.equal((await hook(['pre-tool', '--agent', 'a7'], editOf(path, session), service.url, elsewhere)).code, 2);
    await rm(elsewhere, { recursive: true });
  }
});

test('the secret of the hook is private, and is the same for calls that create it at once', async () => {
  const home = await temporaryDirectory();
  const ran = await Promise.all(
    [1, 2, 3, 4].map(() => hook(['pre-tool'], editOf('src/at-once.ts', 's9'), service.url, home)),
  );
  assert.deepEqual(
    ran.map(({ code }) => code),
    [0, 0, 0, 0],
  );
  const folder = join(home, 'avouch');
  assert.deepEqual(readdirSync(folder), ['hook-secret']);
  const file = join(folder, 'hook-secret');
  assert.deepEqual([statSync(file).mode & 0o777, statSync(folder).mode & 0o777], [0o600, 0o700]);
  writeFileSync(file, '');
  const damaged = await hook(['pre-tool'], editOf('src/at-once.ts', 's9'), service.url, home);
  assert.equal(damaged.code, 1);
  assert.match(damaged.stderr, /hook-secret is damaged\. Remove it/);
  await rm(home, { recursive: true });
});

test('a call that names neither session nor agent is not taken for anybody', async () => {
  const { code, stderr } = await hook(['pre-tool'], editOf('src/nobody.ts'));
  assert.equal(code, 1);
  assert.match(
    stderr,
    /Not checked whether src\/nobody\.ts is free: the call has no session_id, and there is no --agent/,
  );
});

import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { newToken } from '#kernel/ids.ts';
import { runCommand } from '../support/command.ts';
import { expectProblem } from '../support/client.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv, TestService } from '../support/service.ts';
import { asked, mandateBody, registered } from '../support/mandates.ts';

test('a principal signs, creates, shows and revokes on the command line; an operator suspends and resumes', async () => {
  await using service = await TestService.start();
  const home = await temporaryDirectory();
  const file = (name: string) => join(home, name);
  const run = (...args: string[]) =>
    runCommand(args, serviceEnv(service.dataDir, undefined, { BASE_URL: service.url }));
  await writeFile(file('mandate.json'), JSON.stringify(mandateBody(Date.now())));
  const signed = await run(
    'mandate',
    'sign',
    file('mandate.json'),
    '--key',
    file('seed'),
    '--new-key',
    '--out',
    file('signed.json'),
  );
  assert.equal(signed.code, 0, signed.stderr);
  assert.equal((await stat(file('seed'))).mode & 0o777, 0o600);
  const created = await run('mandate', 'create', file('signed.json'), '--open', '--out', file('answer.json'));
  assert.equal(created.code, 0, created.stderr);
  const answer = JSON.parse(await readFile(file('answer.json'), 'utf8')) as Record<string, string>;
  assert.equal(answer['assurance'], 'principal_signed');
  const id = String(answer['mandate_id']);
  const shown = await run('mandate', 'show', id, '--control', file('answer.json'));
  assert.equal(JSON.parse(shown.stdout).max_commit_cents, 50_000);
  const revoked = await run('mandate', 'revoke', id, '--key', file('seed'));
  assert.equal(JSON.parse(revoked.stdout).status, 'revoked', revoked.stderr);
  await writeFile(file('other-seed'), `${newToken()}\n`);
  const other = await run('mandate', 'revoke', id, '--key', file('other-seed'));
  assert.deepEqual([other.code, /signature_invalid/.test(other.stderr)], [1, true]);
  assert.equal((await run('mandate', 'eat', id)).code, 2);

  const shop = await registered(service);
  const operate = (...args: string[]) => runCommand(['platforms', ...args], serviceEnv(service.dataDir, undefined));
  assert.match(
    (await operate('list')).stdout,
    new RegExp(`^PLATFORM .*\nplt_\\w+ +active +\\S+ +Avouch\n${shop.id} +active +\\S+ +Harbour Shop\n$`),
  );
  assert.equal((await operate('suspend', shop.id)).stdout, `${shop.id} is suspended.\n`);
  expectProblem(await shop.verify(asked(id, 1, 'x')), 403, 'suspended');
  assert.equal((await operate('resume', shop.id)).code, 0);
  assert.equal((await shop.verify(asked(id, 1, 'x'))).json['reason'], 'mandate_revoked');
  assert.equal((await operate('suspend', 'plt_none')).code, 1);
  await rm(home, { recursive: true });
});

test('a mandate that any platform could use up needs a word of its own; it is narrowed, and what a stranger took is voided', async () => {
  await using service = await TestService.start();
  const home = await temporaryDirectory();
  const file = (name: string) => join(home, name);
  const run = (...args: string[]) =>
    runCommand(['mandate', ...args], serviceEnv(service.dataDir, undefined, { BASE_URL: service.url }));
  const [shop, stranger] = [await registered(service), await registered(service, 'Stranger')];
  await writeFile(file('mandate.json'), JSON.stringify(mandateBody(Date.now())));
  const asking = await run('create', file('mandate.json'), '--unsigned');
  assert.equal(asking.code, 2, asking.stdout);
  assert.match(asking.stderr, /--platform.*agent_pubkey.*--open/);
  const named = await run('create', file('mandate.json'), '--unsigned', '--platform', shop.id);
  assert.equal(JSON.parse(named.stdout).open_to, 'listed_platforms', named.stderr);

  const seed = ['--key', file('seed')];
  assert.equal((await run('sign', file('mandate.json'), ...seed, '--new-key', '--out', file('signed.json'))).code, 0);
  const late = await run('create', file('signed.json'), '--platform', shop.id);
  assert.deepEqual([late.code, /Pass --platform to `avouch mandate sign`/.test(late.stderr)], [2, true]);
  const signed = await run('sign', file('mandate.json'), ...seed, '--platform', `${shop.id},${stranger.id}`);
  assert.deepEqual(JSON.parse(signed.stdout).platforms, [shop.id, stranger.id]);

  const open = await run('create', file('signed.json'), '--open', '--out', file('answer.json'));
  assert.equal(open.code, 0, open.stderr);
  const { mandate_id: id } = JSON.parse(await readFile(file('answer.json'), 'utf8'));
  await stranger.verify(asked(id, 50_000, 'taken'));
  const control = ['--control', file('answer.json')];
  const early = await run('void', id, '--platform', stranger.id, ...seed);
  assert.deepEqual([early.code, /platform_known/.test(early.stderr)], [1, true]);
  const narrowed = await run('narrow', id, '--platform', shop.id, ...seed);
  assert.deepEqual(JSON.parse(narrowed.stdout).platforms, [shop.id], narrowed.stderr);
  const voided = await run('void', id, '--platform', stranger.id, ...control);
  assert.equal(JSON.parse(voided.stdout).returned_cents, 50_000, voided.stderr);
  for (const op of ['narrow', 'void']) assert.equal((await run(op, id, ...control)).code, 2, `${op} of nobody`);
  await rm(home, { recursive: true });
});

test('no key is made that nobody asked for, none is replaced, and an unsigned mandate needs a word of its own', async () => {
  await using service = await TestService.start();
  const home = await temporaryDirectory();
  const file = (name: string) => join(home, name);
  const run = (...args: string[]) =>
    runCommand(['mandate', ...args], serviceEnv(service.dataDir, undefined, { BASE_URL: service.url }));
  await writeFile(file('mandate.json'), JSON.stringify(mandateBody(Date.now())));
  for (const args of [
    ['sign', file('mandate.json')],
    ['revoke', `mnd_${'0'.repeat(26)}`],
  ]) {
    const missing = await run(...args, '--key', file('seed'));
    assert.equal(missing.code, 1, missing.stderr);
    assert.match(missing.stderr, /seed does not exist\. Create a key with `avouch mandate keygen /);
    await assert.rejects(stat(file('seed')), { code: 'ENOENT' });
  }
  assert.equal((await run('sign', file('mandate.json'), '--key', file('seed'), '--new-key')).code, 0);
  const seed = await readFile(file('seed'), 'utf8');
  const again = await run('sign', file('mandate.json'), '--key', file('seed'), '--new-key');
  assert.deepEqual([again.code, await readFile(file('seed'), 'utf8')], [1, seed]);

  const unsigned = await run('create', file('mandate.json'));
  assert.equal(unsigned.code, 2, unsigned.stdout);
  assert.match(unsigned.stderr, /not signed/);
  const meant = await run('create', file('mandate.json'), '--unsigned', '--open');
  assert.deepEqual([meant.code, JSON.parse(meant.stdout).assurance], [0, 'unsigned']);
  assert.match(meant.stderr, /^Warning: this mandate is unsigned\. It proves nothing about who created it\.$/m);
  await rm(home, { recursive: true });
});

test('a key is made by keygen alone, is never replaced, and signs for the principal whose public key was printed', async () => {
  const home = await temporaryDirectory();
  const file = (name: string) => join(home, name);
  const run = (...args: string[]) => runCommand(['mandate', ...args]);
  await writeFile(file('mandate.json'), JSON.stringify(mandateBody(Date.now())));
  const made = await run('keygen', file('seed'));
  assert.equal(made.code, 0, made.stderr);
  assert.equal((await stat(file('seed'))).mode & 0o777, 0o600);
  assert.match(made.stderr, /Keep it private: anyone with it can act as the principal\./);
  const signed = await run('sign', file('mandate.json'), '--key', file('seed'));
  assert.equal(`${JSON.parse(signed.stdout).principal_pubkey}\n`, made.stdout);
  const before = await readFile(file('seed'), 'utf8');
  const again = await run('keygen', file('seed'), '--json');
  assert.deepEqual([again.code, again.stdout, await readFile(file('seed'), 'utf8')], [1, '', before]);
  assert.match((JSON.parse(again.stderr) as { error: { message: string } }).error.message, /already exists/);
  const other = await run('sign', file('mandate.json'), '--key', file('mandate.json'));
  assert.deepEqual([other.code, other.stdout], [1, '']);
  assert.match(other.stderr, /mandate\.json is not a seed file\. Use a file that `avouch mandate keygen` wrote\.\n$/);
  await rm(home, { recursive: true });
});

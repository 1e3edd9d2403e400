import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, suite, test } from 'node:test';
import { RATE_CLASSES } from '#kernel/operation.ts';
import { rateSetting, SETTINGS } from '#platform/config/env.ts';
import { ROOT, runAvouch } from '../support/child-service.ts';
import { runCommand } from '../support/command.ts';
import { type Answer } from '../support/client.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv, TestService } from '../support/service.ts';

const AT_ONCE = { concurrency: 3 };
const MARKER = 'marker-41c8-password';
const root = await temporaryDirectory();
after(() => rm(root, { recursive: true, force: true }));

const overview = await runCommand(['--help']);
const commands = overview.stdout.match(/(?<=^ {2})[a-z-]+(?= )/gm) ?? [];

suite('a process', () => {
  test('says and ends as its command does, with data and diagnostics apart', async () => {
    const env = { PORT: 'x', AVOUCH_PROFIL: 'production' };
    const inside = await runCommand(['config'], env);
    assert.deepEqual([inside.code, inside.stdout !== '', inside.stderr !== ''], [1, true, true]);
    assert.deepEqual(await runAvouch(['config'], env), inside);
  });

  test('whose reader has seen enough ends without a fault', async () => {
    const child = spawn(process.execPath, [join(ROOT, 'bin/avouch.mjs'), 'config'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (chunk) => (said += String(chunk)));
    assert.deepEqual([await once(child, 'close'), said], [[0, null], '']);
  });
});

suite('help', AT_ONCE, () => {
  test('without a command the overview goes to standard error and the exit code is 2', async () => {
    assert.deepEqual(await runCommand([]), { code: 2, stdout: '', stderr: overview.stdout });
  });

  test('an unknown command is named before the overview, and the exit code is 2', async () => {
    const { code, stdout, stderr } = await runCommand(['no\nsuch']);
    assert.deepEqual([code, stdout, stderr], [2, '', `avouch: no command "no\\nsuch"\n\n${overview.stdout}`]);
  });

  test('help and --help show the overview on standard output with exit code 0', async () => {
    assert.deepEqual(overview, { code: 0, stdout: overview.stdout, stderr: '' });
    assert.deepEqual(await runCommand(['help']), overview);
    assert.deepEqual(commands, [
      'tour',
      'serve',
      'config',
      'keys',
      'audit-trail',
      'call',
      'look',
      'watch',
      'check',
      'claim',
      'release',
      'mark',
      'seal',
      'verify',
      'verify-receipt',
      'erase',
      'fees',
      'fsck',
      'pay',
      'witness',
      'screen',
      'mandate',
      'platforms',
      'agents',
      'rules',
      'ledger',
      'backup',
      'restore',
      'migrate-store',
      'doctor',
      'extras',
      'ingest',
    ]);
  });

  for (const command of commands) {
    test(`${command} --help shows usage, examples and exit codes, and does nothing else`, async () => {
      const dataDir = join(root, 'never-made');
      const { code, stdout, stderr } = await runCommand([command, '--help'], { DATA_DIR: dataDir, PORT: 'wrong' });
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, new RegExp(`^avouch ${command}: \\S`));
      assert.match(stdout, new RegExp(`^Usage: \\./avouch ${command}\\b`, 'm'));
      assert.match(stdout, new RegExp(`^Examples:\n( {2}.*\\./avouch ${command}\\b.*\n)+`, 'm'));
      assert.match(stdout, /^Exit codes: 0 done, 1 refused or failed, 2 wrong usage$/m);
      assert.throws(() => readFileSync(dataDir), { code: 'ENOENT' });
    });
  }
});

/** The printed lines: name, value, default, source, help. */
function shown(stdout: string): Map<string, readonly string[]> {
  return new Map(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [setting = '', ...rest] = line.split('\t');
        const at = setting.indexOf('=');
        return [setting.slice(0, at), [setting.slice(at + 1), ...rest]];
      }),
  );
}

suite('config', AT_ONCE, () => {
  const secretFile = join(root, 'database-url');
  writeFileSync(secretFile, `postgres://u:${MARKER}@127.0.0.1/x\n`);

  test('lists every setting once, in order, with value, default, source and help', async () => {
    const { code, stdout, stderr } = await runCommand(['config']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(
      [...shown(stdout).keys()],
      SETTINGS.map(({ name }) => name),
    );
    assert.equal(stdout.trimEnd().split('\n').length, SETTINGS.length);
    for (const { name, fallback, help } of SETTINGS) {
      const preset = fallback ?? 'not set';
      assert.deepEqual(shown(stdout).get(name), [preset, `default ${preset}`, 'default', help]);
    }
    for (const name of RATE_CLASSES)
      assert.match(shown(stdout).get(rateSetting(name))?.[0] ?? '', /^\d+\/(s|min),\d+$/);
  });

  test('tells what comes from the environment beside its default', async () => {
    const { stdout } = await runCommand(['config'], { PORT: '9000', AVOUCH_RATE_LOGIN: '9/min,9', HOST_FILE: '/x' });
    assert.deepEqual(shown(stdout).get('PORT')?.slice(0, 3), ['9000', 'default 8402', 'environment']);
    assert.deepEqual(shown(stdout).get('AVOUCH_RATE_LOGIN')?.slice(0, 3), [
      '9/min,9',
      'default 5/min,5',
      'environment',
    ]);
    assert.equal(shown(stdout).get('HOST')?.[2], 'default');
  });

  for (const [how, env, value] of [
    ['given', { DATABASE_URL: `postgres://u:${MARKER}@127.0.0.1/x` }, 'set'],
    ['given by a file', { DATABASE_URL_FILE: secretFile }, 'set'],
    ['of a wrong form', { DATABASE_URL: `mysql://u:${MARKER}@127.0.0.1/x` }, 'set'],
    ['given twice', { DATABASE_URL: `postgres://u:${MARKER}@127.0.0.1/x`, DATABASE_URL_FILE: secretFile }, 'set'],
    ['under a name that no setting has', { AVOUCH_DATABASE_URL: `postgres://u:${MARKER}@127.0.0.1/x` }, 'not set'],
  ] as const) {
    test(`never shows a secret that is ${how}`, async () => {
      const { stdout, stderr } = await runCommand(['config'], env);
      assert.equal(shown(stdout).get('DATABASE_URL')?.[0], value);
      assert.doesNotMatch(stdout + stderr, new RegExp(MARKER));
    });
  }

  test('says faults after the list and ends with 1, warnings with 0', async () => {
    const faulty = await runCommand(['config'], { PORT: 'x', AVOUCH_PROFILE: 'production' });
    assert.equal(faulty.code, 1);
    assert.equal(shown(faulty.stdout).size, SETTINGS.length);
    assert.equal(shown(faulty.stdout).get('PORT')?.[0], 'x');
    assert.match(faulty.stderr, /^avouch config: BASE_URL, .* are required in production: set them$/m);
    assert.match(faulty.stderr, /^avouch config: PORT must be a whole number from 0 to 65535$/m);
    const typo = await runCommand(['config'], { AVOUCH_PROFIL: 'production' });
    assert.equal(typo.code, 0);
    assert.match(typo.stderr, /^avouch config: warning: AVOUCH_PROFIL is not a setting of this release: .*\n$/);
  });
});

interface PublicKey {
  readonly key_id: string;
  readonly scope: string;
  readonly alg: string;
  readonly declared_in: string | null;
  readonly public_key: string;
  readonly role: string;
  readonly retired_at: string | null;
  readonly superseded_by: string | null;
}

function keysIn({ json }: Answer): PublicKey[] {
  return json['keys'] as PublicKey[];
}

const KEYS = '/.well-known/avouch-keys.json';

test('keys list shows the public keys that the service publishes, and keys rotate replaces one and declares it', async () => {
  const dataDir = join(root, 'rotated');
  const env = serviceEnv(dataDir, undefined);
  const startedBefore = await TestService.start({ dataDir });
  const before = keysIn(await startedBefore.call(KEYS));
  const old = before.find(({ scope }) => scope === 'receipts');
  await startedBefore[Symbol.asyncDispose]();

  const listed = await runCommand(['keys', 'list'], env);
  assert.deepEqual([listed.code, listed.stderr], [0, '']);
  const lines = listed.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  assert.deepEqual(
    lines.map((line) => line.slice(0, 3)),
    before.map((key) => [key.key_id, key.alg === 'ml-dsa-44' ? 'log-cosign' : key.scope, key.public_key]),
  );
  for (const line of lines) assert.equal(line.at(-1), 'in force');

  const prepared = await runCommand(['keys', 'prepare', 'receipts'], env);
  const [, next] = /^prepared: ([0-9a-f]{16}) has a file; .*\n$/.exec(prepared.stderr) ?? [];
  assert.deepEqual([prepared.code, prepared.stdout], [0, listed.stdout]);

  const rotated = await runCommand(['keys', 'rotate', 'receipts'], env);
  assert.equal(rotated.code, 0);
  assert.equal(next, /^rotated: ([0-9a-f]{16}) is declared in the log .*\n$/.exec(rotated.stderr)?.[1]);
  assert.equal(rotated.stdout.trimEnd().split('\n').length, 4);
  assert.match(rotated.stdout, new RegExp(`^${old?.key_id}\treceipts\t.*\tretired \\d{4}-\\d\\d-\\d\\dT.*Z$`, 'm'));
  assert.doesNotMatch(listed.stdout + rotated.stdout, /PRIVATE/);

  await using started = await TestService.start({ dataDir });
  const published = keysIn(await started.call(KEYS));
  const made = published.find(({ key_id }) => before.every((key) => key.key_id !== key_id));
  const retired = published.find(({ key_id }) => key_id === old?.key_id);
  assert.equal(published.length, 4);
  assert.deepEqual([made?.scope, made?.role, made?.retired_at, made?.superseded_by], ['receipts', 'root', null, null]);
  assert.deepEqual(
    [retired?.public_key, retired?.role, retired?.superseded_by],
    [old?.public_key, 'legacy', made?.declared_in],
  );
  assert.match(retired?.retired_at ?? '', /^\d{4}-\d\d-\d\dT/);
});

test('keys are listed while another process writes and rotated beside a service under load, which loses no call', async () => {
  await using service = await TestService.start();
  const env = serviceEnv(service.dataDir, undefined);
  const before = await service.call(KEYS);
  using writer = new DatabaseSync(join(service.dataDir, 'avouch.db'));
  writer.exec('BEGIN IMMEDIATE');
  const listed = await runCommand(['keys', 'list'], env);
  writer.exec('ROLLBACK');
  const over = new AbortController();
  const statuses = new Set<number>();
  const callers = Array.from({ length: 8 }, async (_, caller) => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      statuses.add((await service.call(`/v1/claim?key=k-${caller}-${number}&agent=ab`)).status);
    }
  });
  const rotated = await runCommand(['keys', 'rotate', 'log-checkpoint'], env);
  over.abort();
  await Promise.all(callers);
  assert.deepEqual([listed.code, listed.stderr, rotated.code], [0, '', 0], rotated.stderr);
  assert.deepEqual([...statuses], [200]);
  await service.heartbeat();
  assert.equal(keysIn(await service.call(KEYS)).length, keysIn(before).length + 1);
  const { vkeys } = (await service.call('/api/astralock/sth')).json as { vkeys: string[] };
  assert.equal(vkeys.length, 2, 'the running service signs with the old key and the new one');
});

test('audit-trail verify accepts the trail of a service that was stopped, and the running one beside it', async () => {
  const dataDir = join(root, 'audited');
  const env = serviceEnv(dataDir, undefined);
  const calls = 25;
  for (let runs = 0; runs < 2; runs += 1) {
    await using service = await TestService.start({ dataDir });
    for (let call = 0; call < calls; call += 1) await service.call(`/v1/claim?key=k${call}&agent=ab`);
  }
  const stopped = await runCommand(['audit-trail', 'verify'], env);
  assert.deepEqual(stopped, {
    code: 0,
    stdout: `p1: 2 segments, ${2 * calls} lines, 0 lost\nanchors of the public log compared: 2\nthe chain holds\n`,
    stderr: '',
  });
  await using service = await TestService.start({ dataDir });
  await service.call('/v1/claim?key=one-more&agent=ab');
  const running = await runCommand(['audit-trail', 'verify', join(dataDir, 'trail')]);
  assert.equal(running.code, 0, running.stderr);
  assert.match(running.stdout, /^the chain holds$/m);
});

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, suite, test } from 'node:test';
import { ORDER_STATES } from '#areas/orders/order/order.ts';
import { SCOPES } from '#areas/wallet/agents/agent.ts';
import { RATE_CLASSES } from '#kernel/operation.ts';
import { PRODUCTION } from '#platform/config/_settings.ts';
import { rateSetting, SETTINGS } from '#platform/config/env.ts';
import { KEY_SCOPES } from '#platform/keys/key-scope.ts';
import { PAIR_THRESHOLD, SCREEN_THRESHOLD } from '#platform/screening/name-score.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { ALL_COMMANDS } from '../../src/cli/commands.ts';
import type { CommandSpec } from '../../src/cli/line/spec.ts';
import { AGENT_KEY_SCOPES, SERVICE_KEY_SCOPES, SUPPLIER_STATES } from '../../src/cli/specs/operate.ts';
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

/** Every command and subcommand with the words that name it. */
const commands = ALL_COMMANDS.flatMap((group) => group.commands).flatMap((spec) => pathsOf(spec, spec.name));

function pathsOf(spec: CommandSpec, path: string): { path: string; spec: CommandSpec }[] {
  return [{ path, spec }, ...(spec.subcommands ?? []).flatMap((one) => pathsOf(one, `${path} ${one.name}`))];
}

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
  test('the overview goes to standard error with exit code 2 when no command is given', async () => {
    assert.deepEqual(await runCommand([]), { code: 2, stdout: '', stderr: overview.stdout });
  });

  test('the overview goes to standard output for help, --help and -h', async () => {
    assert.deepEqual([overview.code, overview.stderr], [0, '']);
    for (const word of ['help', '-h']) assert.deepEqual(await runCommand([word]), overview);
  });

  test('the overview lists every command once, under Use, Verify or Operate', () => {
    const [, use = '', verify = '', operate = ''] = overview.stdout.split(/^(?:Use|Verify|Operate):$/m);
    const names = (text: string) => (text.split('\n\n')[0] ?? '').match(/(?<=^ {2})[a-z-]+(?= )/gm);
    assert.deepEqual(
      names(use)?.join(' '),
      'tour look claim release run mark watch check seal pay mandate identity hook call screen',
    );
    assert.deepEqual(names(verify)?.join(' '), 'verify verify-receipt fsck audit-trail witness');
    assert.deepEqual(
      names(operate)?.join(' '),
      'serve init config doctor keys agents platforms rules orders ledger refunds fees erase log backup restore migrate-store ingest extras',
    );
  });

  test('the version is shown by --version and -V', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    for (const word of ['--version', '-V']) {
      assert.deepEqual(await runCommand([word]), { code: 0, stdout: `Avouch ${version}\n`, stderr: '' });
    }
    assert.deepEqual(JSON.parse((await runCommand(['--version', '--json'])).stdout), { version });
  });

  for (const { path, spec } of commands) {
    test(`${path} --help shows usage, every option and exit codes, and does nothing else`, async () => {
      const dataDir = join(root, 'never-made');
      const words = path.split(' ');
      const { code, stdout, stderr } = await runCommand([...words, '--help'], { DATA_DIR: dataDir, PORT: 'wrong' });
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, new RegExp(`^avouch ${path}: [A-Z].*\n\nUsage: \\./avouch ${path}\\b`));
      assert.match(stdout, new RegExp(`^Examples:\n( {2}.*\\./avouch ${path}\\b.*\n)+`, 'm'));
      assert.match(stdout, /^Exit codes: 0 success, 1 .*, 2 usage error/m);
      for (const { name, help } of spec.options ?? []) {
        assert.ok(stdout.includes(`\n  --${name}`), `--${name}`);
        assert.notEqual(help, '', `--${name} says nothing`);
      }
      assert.throws(() => readFileSync(dataDir), { code: 'ENOENT' });
      for (const asked of [
        [...words, '-h'],
        ['help', ...words],
      ])
        assert.equal((await runCommand(asked)).stdout, stdout);
    });
  }

  test('no line of any help is longer than a wide terminal, examples apart', async () => {
    for (const { path } of commands) {
      const { stdout } = await runCommand([...path.split(' '), '--help']);
      for (const line of stdout.split('\n')) {
        assert.ok(line.length <= 110 || line.includes('./avouch '), `${path}: ${line}`);
      }
    }
  });

  test('help of the program and of a command does not load the service', () => {
    for (const words of [
      ['--help'],
      ['claim', '--help'],
      ['keys', 'rotate', '-h'],
      ['clam'],
      ['claim', '--agnt', 'x'],
    ]) {
      const { stderr } = spawnSync(process.execPath, [join(ROOT, 'bin/avouch.mjs'), ...words], {
        encoding: 'utf8',
        env: { NODE_DEBUG: 'esm' },
      });
      assert.doesNotMatch(stderr, /node_modules\/zod|src\/areas\.ts|src\/service\.ts|fastify/, words.join(' '));
      assert.match(stderr, /src\/cli\/command-line\.ts/, 'the loader tells what it loads');
    }
  });
});

suite('a wrong command line', AT_ONCE, () => {
  for (const [words, first, help] of [
    [['clam'], 'avouch: Unknown command "clam". Did you mean claim?', 'avouch'],
    [['no\nsuch'], 'avouch: Unknown command "no\\nsuch".', 'avouch'],
    [['help', 'clam'], 'avouch: Unknown command "clam". Did you mean claim?', 'avouch'],
    [['--hepl'], 'avouch: Unknown option --hepl. Did you mean --help?', 'avouch'],
    [['keys', 'lst'], 'avouch keys: Unknown subcommand "lst". Did you mean list?', 'avouch keys'],
    [
      ['keys', 'zzzz'],
      'avouch keys: Unknown subcommand "zzzz". Use list, prepare, rotate, replace, accept-secret, grant.',
      'avouch keys',
    ],
    [['keys'], 'avouch keys: Missing subcommand: list, prepare, rotate, replace, accept-secret, grant.', 'avouch keys'],
    [
      ['keys', 'rotate', 'receipt'],
      'avouch keys rotate: "receipt" is not a scope. Did you mean receipts?',
      'avouch keys rotate',
    ],
    [['keys', 'list', 'all'], 'avouch keys list: Unexpected argument "all".', 'avouch keys list'],
    [['serve', '--worker', '2'], 'avouch serve: Unknown option --worker. Did you mean --workers?', 'avouch serve'],
    [['backup'], 'avouch backup: Missing <directory>.', 'avouch backup'],
    [
      ['fees', 'export', '--from', '2026-02-30', '--to', '2026-03-01'],
      'avouch fees export: --from must be a day such as 2026-11-01.',
      'avouch fees export',
    ],
    [['fees', 'export'], 'avouch fees export: Missing options: --from, --to.', 'avouch fees export'],
    [['erase', 'ATT-X'], 'avouch erase: Missing option: --reason.', 'avouch erase'],
    [
      ['ingest', 'permit'],
      'avouch ingest: Unknown source or data set "permit". Did you mean permits?',
      'avouch ingest',
    ],
    [['config', '--json=yes'], 'avouch config: --json takes no value.', 'avouch config'],
    [['seal', 'x', '--out'], 'avouch seal: --out needs a value: <file>.', 'avouch seal'],
    [['seal', 'x', '--out', 'a', '--out', 'b'], 'avouch seal: Give --out only once.', 'avouch seal'],
  ] as const) {
    test(`${words.join(' ')} is answered in one line, then where its help is`, async () => {
      const { code, stdout, stderr } = await runCommand(words);
      assert.deepEqual([code, stdout, stderr], [2, '', `${first}\nRun \`${help} --help\`.\n`]);
    });
  }

  test('an error is one JSON document on standard error with --json, and standard output is empty', async () => {
    const usage = await runCommand(['backup', '--json']);
    assert.deepEqual([usage.code, usage.stdout], [2, '']);
    assert.deepEqual(JSON.parse(usage.stderr), {
      error: { code: 'usage', message: 'Missing <directory>.', help: 'avouch backup --help' },
    });
    const failed = await runCommand(['look', 'k', '--url', 'http://127.0.0.1:1', '--json']);
    const { error } = JSON.parse(failed.stderr) as { error: { code: string; message: string } };
    assert.deepEqual([failed.code, failed.stdout, error.code], [1, '', 'failed']);
    assert.match(error.message, /^Cannot reach http:\/\/127\.0\.0\.1:1\. Check the address/);
  });
});

test('the scopes, states and thresholds that help names are those of the code', () => {
  assert.deepEqual([...SERVICE_KEY_SCOPES], [...KEY_SCOPES]);
  assert.deepEqual([...AGENT_KEY_SCOPES], [...SCOPES]);
  const ours: readonly string[] = ['quoted', 'placed', 'expired'];
  assert.deepEqual([...SUPPLIER_STATES].toSorted(), ORDER_STATES.filter((state) => !ours.includes(state)).toSorted());
  const screen = commands.find(({ path }) => path === 'screen')?.spec.options?.find(({ name }) => name === 'threshold');
  assert.equal(screen?.fallback, `${SCREEN_THRESHOLD} for a list, ${PAIR_THRESHOLD} for pairs`);
});

test('each field of the operations that have commands is an option, an operand or read from a file', () => {
  const others: Readonly<Record<string, readonly string[]>> = {
    look: ['key'],
    check: [],
    claim: ['key', 'lease', 'token'],
    release: ['lease', 'token'],
    mark: ['key', 'token'],
  };
  for (const [id, given] of Object.entries(others)) {
    const fields = Object.keys(OPERATIONS.find(({ operationId }) => operationId === id)?.input.shape ?? {});
    const options = commands.find(({ path }) => path === id)?.spec.options ?? [];
    const named = new Set([...options.map(({ name }) => name.replaceAll('-', '_')), ...given]);
    assert.deepEqual(
      fields.filter((name) => !named.has(name)),
      [],
      id,
    );
  }
});

interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  readonly default: string;
  readonly help: string;
}

function shown(stdout: string): Map<string, ShownSetting> {
  const { settings } = JSON.parse(stdout) as { settings: ShownSetting[] };
  return new Map(settings.map((setting) => [setting.name, setting]));
}

suite('config', AT_ONCE, () => {
  const secretFile = join(root, 'database-url');
  writeFileSync(secretFile, `postgres://u:${MARKER}@127.0.0.1/x\n`);

  test('lists every setting once, in order, with value, default, source and help', async () => {
    const { code, stdout, stderr } = await runCommand(['config', '--json']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(
      [...shown(stdout).keys()],
      SETTINGS.map(({ name }) => name),
    );
    const table = (await runCommand(['config'])).stdout;
    assert.equal(table.trimEnd().split('\n').length, SETTINGS.length + 1);
    assert.match(table, /^PORT +8402 +default +Port to listen on/m);
    for (const { name, fallback, help } of SETTINGS) {
      const preset = fallback ?? 'not set';
      assert.deepEqual(shown(stdout).get(name), { name, value: preset, source: 'default', default: preset, help });
    }
    for (const name of RATE_CLASSES)
      assert.match(shown(stdout).get(rateSetting(name))?.value ?? '', /^\d+\/(s|min),\d+$/);
  });

  test('tells what comes from the environment beside its default', async () => {
    const env = { PORT: '9000', AVOUCH_RATE_LOGIN: '9/min,9', HOST_FILE: '/x' };
    const settings = shown((await runCommand(['config', '--json'], env)).stdout);
    const of = (name: string) => [settings.get(name)?.value, settings.get(name)?.default, settings.get(name)?.source];
    assert.deepEqual(of('PORT'), ['9000', '8402', 'environment']);
    assert.deepEqual(of('AVOUCH_RATE_LOGIN'), ['9/min,9', '5/min,5', 'environment']);
    assert.equal(settings.get('HOST')?.source, 'default');
  });

  for (const [how, env, value] of [
    ['given', { DATABASE_URL: `postgres://u:${MARKER}@127.0.0.1/x` }, 'set'],
    ['given by a file', { DATABASE_URL_FILE: secretFile }, 'set'],
    ['of a wrong form', { DATABASE_URL: `mysql://u:${MARKER}@127.0.0.1/x` }, 'set'],
    ['given twice', { DATABASE_URL: `postgres://u:${MARKER}@127.0.0.1/x`, DATABASE_URL_FILE: secretFile }, 'set'],
    ['under a name that no setting has', { AVOUCH_DATABASE_URL: `postgres://u:${MARKER}@127.0.0.1/x` }, 'not set'],
  ] as const) {
    test(`never shows a secret that is ${how}`, async () => {
      const { stdout, stderr } = await runCommand(['config', '--json'], env);
      assert.equal(shown(stdout).get('DATABASE_URL')?.value, value);
      assert.doesNotMatch(stdout + stderr + (await runCommand(['config'], env)).stdout, new RegExp(MARKER));
    });
  }

  test('never shows user and password of an address, which no setting takes', async () => {
    for (const name of SETTINGS.filter(({ type, secret }) => type?.includes('URL') && secret !== true).map(
      (one) => one.name,
    )) {
      for (const start of ['https://', 'ftp://', '']) {
        const env = { [name]: `${start}user:${MARKER}/x@host.example/path` };
        const { stdout, stderr } = await runCommand(['config', '--json'], env);
        assert.equal(shown(stdout).get(name)?.value, `${start}…@host.example/path`, name);
        assert.doesNotMatch(stdout + stderr, new RegExp(MARKER));
      }
    }
    const plain = { AVOUCH_OPERATOR_CONTACT: 'https://example.org/@ops', AVOUCH_MAIL_FROM: 'Ops <ops@example.org>' };
    const listed = shown((await runCommand(['config', '--json'], plain)).stdout);
    for (const [name, value] of Object.entries(plain)) assert.equal(listed.get(name)?.value, value);
  });

  test('judges the names of area settings as a start does', async () => {
    const typo = { AVOUCH_AREA_CROSSING_COLOUR: MARKER };
    const inSandbox = await runCommand(['config'], typo);
    assert.deepEqual([inSandbox.code, inSandbox.stdout.includes(MARKER)], [0, false]);
    assert.match(inSandbox.stderr, /^Warning: AVOUCH_AREA_CROSSING_COLOUR is not a setting of this release.*\n$/);
    const inProduction = await runCommand(['config'], { ...PRODUCTION, ...typo });
    assert.equal(inProduction.code, 1);
    assert.match(inProduction.stderr, /^avouch config: AVOUCH_AREA_CROSSING_COLOUR is not a setting of this release/);
  });

  test('says faults after the list and ends with 1, warnings with 0', async () => {
    const faulty = await runCommand(['config'], { PORT: 'x', AVOUCH_PROFILE: 'production' });
    assert.equal(faulty.code, 1);
    assert.match(faulty.stdout, /^PORT +x +environment +8402 /m);
    assert.match(faulty.stderr, /^avouch config: BASE_URL, .* required in production.*\.$/m);
    assert.match(faulty.stderr, /^avouch config: PORT must be a whole number from 0 to 65535.*\.$/m);
    const typo = await runCommand(['config'], { AVOUCH_PROFIL: 'production' });
    assert.equal(typo.code, 0);
    assert.match(typo.stderr, /^Warning: AVOUCH_PROFIL is not a setting of this release.*\n$/);
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
  const table = listed.stdout.trimEnd().split('\n');
  assert.match(table[0] ?? '', /^KEY +SCOPE +STATE +VALID FROM +PUBLIC KEY$/);
  // A key that signs requests is in the directory of those alone.
  const declared = (scope: string | undefined) => scope !== 'http-signature';
  const rows = table.slice(1).map((line) => line.split(/ {2,}/).slice(0, 3));
  assert.deepEqual(
    rows.filter(([, scope]) => declared(scope)),
    before.map((key) => [key.key_id, key.alg === 'ml-dsa-44' ? 'log-cosign' : key.scope, 'in force']),
  );
  const { keys } = JSON.parse((await runCommand(['keys', 'list', '--json'], env)).stdout) as { keys: PublicKey[] };
  assert.equal(keys.length, rows.length);
  assert.deepEqual(
    keys.filter(({ scope }) => declared(scope)).map(({ public_key }) => public_key),
    before.map(({ public_key }) => public_key),
  );

  const prepared = await runCommand(['keys', 'prepare', 'receipts'], env);
  const [, next] = /^Prepared key ([0-9a-f]{16})\. .*\n$/.exec(prepared.stderr) ?? [];
  assert.deepEqual([prepared.code, prepared.stdout], [0, listed.stdout]);

  const rotated = await runCommand(['keys', 'rotate', 'receipts'], env);
  assert.equal(rotated.code, 0);
  assert.equal(next, /^Rotated\. Key ([0-9a-f]{16}) is declared in the log .*\n$/.exec(rotated.stderr)?.[1]);
  assert.equal(rotated.stdout.trimEnd().split('\n').length, 7);
  assert.match(rotated.stdout, new RegExp(`^${old?.key_id} +receipts +retired \\d{4}-\\d\\d-\\d\\dT`, 'm'));
  assert.doesNotMatch(listed.stdout + rotated.stdout, /PRIVATE/);

  await using started = await TestService.start({ dataDir });
  const published = keysIn(await started.call(KEYS));
  const made = published.find(({ key_id }) => before.every((key) => key.key_id !== key_id));
  const retired = published.find(({ key_id }) => key_id === old?.key_id);
  assert.equal(published.length, 5);
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
  assert.deepEqual([stopped.code, stopped.stderr], [0, '']);
  assert.match(
    stopped.stdout,
    new RegExp(
      `^p1: 2 segments, ${2 * calls} lines, 0 lost\nAnchors in the public log compared: 2\nAudit trail intact\\. Verified ${2 * calls} lines in [\\d.]+ s\\.\n$`,
    ),
  );
  await using service = await TestService.start({ dataDir });
  await service.call('/v1/claim?key=one-more&agent=ab');
  const running = await runCommand(['audit-trail', 'verify', join(dataDir, 'trail')]);
  assert.equal(running.code, 0, running.stderr);
  assert.match(running.stdout, /^Audit trail intact\./m);
});

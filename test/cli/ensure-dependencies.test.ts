import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

type Entry = Record<string, string | boolean>;
type Packages = Record<string, Entry>;
type Decision = { action: 'none' } | { action: 'ci' | 'add'; reason: string };

interface Script {
  decideInstall(state: { wanted: Packages; installed?: Packages; hasNode: boolean; dev: boolean }): Decision;
  npmArguments(action: 'ci' | 'add', dev: boolean): string[];
  pathWithoutNodeModules(path: string): string;
  takeLock(file: string, options: { pollMs: number; say: (line: string) => void }): Promise<void>;
}

const file = new URL('../../scripts/ensure-dependencies.mjs', import.meta.url);
const script: Script = await import(file.href);
const directory = mkdtempSync(join(tmpdir(), 'avouch-test-'));
after(() => rmSync(directory, { recursive: true }));

const zod = { version: '4.6.7', integrity: 'sha512-zod' };
const tsc = { version: '7.0.2', integrity: 'sha512-tsc', dev: true };
const lockfile: Packages = {
  '': { name: 'avouch', version: '0.1.0' },
  'node_modules/zod': zod,
  'node_modules/typescript': tsc,
  'node_modules/node-other-platform': { version: '26.10.0', integrity: 'sha512-node', optional: true },
  'node_modules/server-other-platform': { version: '1.0.0', integrity: 'sha512-server', dev: true, optional: true },
  'node_modules/both': { version: '2.0.0', integrity: 'sha512-both', devOptional: true },
  'node_modules/local': { resolved: 'local', link: true },
  local: { version: '1.0.0', dev: true },
};
const local = { local: { version: '1.0.0', dev: true } };
const runTime: Packages = { 'node_modules/zod': zod, ...local };
const full: Packages = { ...runTime, 'node_modules/typescript': tsc, 'node_modules/local': { link: true } };

function decide(installed: Packages | undefined, dev: boolean, hasNode = true): Decision {
  return script.decideInstall({ wanted: lockfile, hasNode, dev, ...(installed && { installed }) });
}

test('nothing is installed when the run-time set is there, whatever optional packages are not', () => {
  assert.deepEqual(decide(runTime, false), { action: 'none' });
});

test('nothing is installed when the full set is there, for a start as for a test', () => {
  assert.deepEqual(decide(full, true), { action: 'none' });
  assert.deepEqual(decide(full, false), { action: 'none' });
});

test('a missing record of what is installed leads to a clean install', () => {
  assert.deepEqual(decide(undefined, false), { action: 'ci', reason: 'node_modules is missing' });
});

test('a missing carried Node leads to a clean install', () => {
  assert.deepEqual(decide(full, true, false), { action: 'ci', reason: 'node_modules/.bin/node is missing' });
});

test('a missing run-time package leads to a clean install', () => {
  assert.deepEqual(decide(local, false), { action: 'ci', reason: 'node_modules/zod is missing' });
});

test('missing development packages are added only where they are wanted', () => {
  assert.deepEqual(decide(runTime, true), { action: 'add', reason: 'node_modules/typescript is missing' });
  const withoutLocal = { 'node_modules/zod': zod, 'node_modules/typescript': tsc };
  assert.deepEqual(decide(withoutLocal, true), { action: 'add', reason: 'local is missing' });
  assert.deepEqual(decide(withoutLocal, false), { action: 'none' });
});

test('a missing run-time package outweighs missing development packages', () => {
  assert.deepEqual(decide(local, true), { action: 'ci', reason: 'node_modules/zod is missing' });
});

test('another version leads to a clean install that names both versions', () => {
  const installed = { ...runTime, 'node_modules/zod': { ...zod, version: '4.6.6' } };
  assert.deepEqual(decide(installed, true), {
    action: 'ci',
    reason: 'node_modules/zod is 4.6.6, lockfile says 4.6.7',
  });
});

test('an optional package that is there must have the version of the lockfile', () => {
  const installed = { ...runTime, 'node_modules/node-other-platform': { version: '26.9.0', integrity: 'sha512-node' } };
  assert.deepEqual(decide(installed, false), {
    action: 'ci',
    reason: 'node_modules/node-other-platform is 26.9.0, lockfile says 26.10.0',
  });
});

test('another integrity of the same version leads to a clean install', () => {
  const installed = { ...full, 'node_modules/zod': { ...zod, integrity: 'sha512-other' } };
  assert.deepEqual(decide(installed, true), {
    action: 'ci',
    reason: 'node_modules/zod has another integrity than the lockfile says',
  });
});

test('a package that the lockfile does not have leads to a clean install', () => {
  const installed = { ...full, 'node_modules/left': { version: '1.0.0' } };
  assert.deepEqual(decide(installed, false), { action: 'ci', reason: 'node_modules/left is not in the lockfile' });
});

test('links are not compared', () => {
  const installed = { ...full, 'node_modules/other-link': { link: true } };
  assert.deepEqual(decide(installed, true), { action: 'none' });
});

test('a start omits the development packages and a test adds them without a clean install', () => {
  const always = ['--include=optional', '--no-audit', '--no-fund'];
  assert.deepEqual(script.npmArguments('ci', false), ['ci', '--omit=dev', ...always]);
  assert.deepEqual(script.npmArguments('ci', true), ['ci', '--include=dev', ...always]);
  assert.deepEqual(script.npmArguments('add', true), ['install', '--no-save', '--include=dev', ...always]);
});

test('npm is looked for outside of every node_modules', () => {
  const path = ['/project/node_modules/.bin', '/usr/bin', '/lib/node_modules/npm/bin', '/bin'].join(delimiter);
  assert.equal(script.pathWithoutNodeModules(path), ['/usr/bin', '/bin'].join(delimiter));
});

test('the lock of a dead process is taken over at once', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  for (const content of [String(child.pid), String(process.pid), 'no number']) {
    const lock = join(directory, 'dead.lock');
    writeFileSync(lock, content);
    await script.takeLock(lock, { pollMs: 1, say: assert.fail });
    assert.equal(readFileSync(lock, 'utf8'), String(process.pid));
  }
});

const heldLocks: [string, string][] = [
  ['the lock of a living process', '1'],
  ['a lock whose pid is not yet written', ''],
];
for (const [name, content] of heldLocks) {
  test(`${name} is waited for, and that is said once`, async () => {
    const lock = join(directory, 'held.lock');
    writeFileSync(lock, content);
    const said: string[] = [];
    const waiting = Promise.withResolvers<void>();
    const say = (line: string) => {
      said.push(line);
      waiting.resolve();
    };
    const taking = script.takeLock(lock, { pollMs: 1, say });
    await waiting.promise;
    await sleep(5);
    assert.equal(readFileSync(lock, 'utf8'), content);
    rmSync(lock);
    await taking;
    assert.equal(readFileSync(lock, 'utf8'), String(process.pid));
    assert.deepEqual(said, [`waiting for another installation to end (${lock} is there)`]);
    rmSync(lock);
  });
}

test('two runs begun at once install once, and a later one does nothing', async () => {
  const { run, root } = project(
    'at-once',
    'sleep 0.2; mkdir -p node_modules/.bin; cp package-lock.json node_modules/.package-lock.json; touch node_modules/.bin/node',
  );
  const results = await Promise.all([run('--dev'), run('--dev')]);
  assert.deepEqual(
    results.map(({ code }) => code),
    [0, 0],
  );
  const installs = results.filter(({ stderr }) =>
    stderr.includes('installing dependencies: node_modules is missing\n'),
  );
  assert.equal(installs.length, 1);
  assert.deepEqual(await run(), { code: 0, stderr: '' });
  assert.equal(readFileSync(join(root, 'calls'), 'utf8'), 'ci --include=dev --include=optional --no-audit --no-fund\n');
  assert.equal(existsSync(join(root, '.install.lock')), false);
});

test('the exit code of npm is passed on and the lock is removed', async () => {
  const { run, root } = project('failing', 'exit 7');
  assert.deepEqual(await run(), { code: 7, stderr: 'installing dependencies: node_modules is missing\n' });
  assert.equal(existsSync(join(root, '.install.lock')), false);
});

test('packages that a link leads to belong to another checkout and are left alone', async () => {
  const { run, root } = project('linked', 'exit 0');
  mkdirSync(join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), join(root, 'node_modules'));
  const { code, stderr } = await run();
  assert.deepEqual([code, existsSync(join(root, 'calls'))], [1, false]);
  assert.match(stderr, /^node_modules is a link and does not fit/);
});

test('an install that brings no Node for this platform ends with 1 and names the platform', async () => {
  const { run } = project('no-node', 'exit 0');
  const { code, stderr } = await run();
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`there is no carried Node for ${process.platform} ${process.arch}\n$`));
});

/** A project of its own with the script in it, whose `npm` notes its arguments and then runs `body`. */
function project(name: string, body: string) {
  const root = join(directory, name);
  mkdirSync(join(root, 'scripts'), { recursive: true });
  mkdirSync(join(root, 'bin'));
  copyFileSync(fileURLToPath(file), join(root, 'scripts/ensure-dependencies.mjs'));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/zod': zod } }));
  writeFileSync(join(root, 'bin/npm'), `#!/bin/sh\necho "$@" >> calls\n${body}\n`);
  chmodSync(join(root, 'bin/npm'), 0o755);
  const env = { ...process.env, PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}` };
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [join(root, 'scripts/ensure-dependencies.mjs'), ...args], { env });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const [code] = await once(child, 'close');
    return { code: Number(code), stderr };
  };
  return { run, root };
}

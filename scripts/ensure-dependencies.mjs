// Installs the dependencies when node_modules is missing or differs from package-lock.json; `--dev` wants the
// development packages too. Plain JavaScript for Node 18 and later, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const UNWRITTEN_LOCK_GRACE_MS = 5_000;

/**
 * Compares the `packages` of the lockfile with those of npm's record of what is installed (undefined: no record).
 * `ci` replaces node_modules; `add` only adds development packages, so a service that runs from it goes on.
 */
export function decideInstall({ wanted, installed, hasNode, dev }) {
  if (installed === undefined) return { action: 'ci', reason: 'node_modules is missing' };
  if (!hasNode) return { action: 'ci', reason: 'node_modules/.bin/node is missing' };

  const differences = Object.entries(wanted).map(([path, want]) => difference(path, want, installed[path]));
  const surplus = Object.keys(installed).find((path) => !(path in wanted) && !installed[path].link);
  const wrong = differences.find((found) => found !== undefined && !found.onlyDev);
  const missingDev = differences.find((found) => found?.onlyDev);

  if (wrong !== undefined) return { action: 'ci', reason: wrong.reason };
  if (surplus !== undefined) return { action: 'ci', reason: `${surplus} is not in the lockfile` };
  if (dev && missingDev !== undefined) return { action: 'add', reason: missingDev.reason };
  return { action: 'none' };
}

function difference(path, want, have) {
  // The root describes the project itself, and npm gives links no `dev` flag.
  if (path === '' || want.link) return undefined;
  if (have === undefined) {
    if (want.optional || want.devOptional) return undefined;
    return { reason: `${path} is missing`, onlyDev: want.dev === true };
  }
  if (have.version !== want.version) return { reason: `${path} is ${have.version}, lockfile says ${want.version}` };
  if (have.integrity !== want.integrity) return { reason: `${path} has another integrity than the lockfile says` };
  return undefined;
}

/** `--include` wins over NODE_ENV=production and over an `omit` in the user's npm settings. */
export function npmArguments(action, dev) {
  const quiet = ['--include=optional', '--no-audit', '--no-fund'];
  if (action === 'add') return ['install', '--no-save', '--include=dev', ...quiet];
  return ['ci', dev ? '--include=dev' : '--omit=dev', ...quiet];
}

/** The PATH on which the system's own Node runs npm while the carried one is being replaced. */
export function pathWithoutNodeModules(path) {
  return path
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules'))
    .join(delimiter);
}

/** Resolves once the lock file exists with our pid in it; removes the lock of a process that is dead. */
export async function takeLock(file, { pollMs = 200, say = console.error } = {}) {
  for (let told = false; ; ) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(file)) {
      removeAbandoned(file);
      continue;
    }
    if (!told) say(`waiting for another installation to end (${file} is there)`);
    told = true;
    await sleep(pollMs);
  }
}

function isAbandoned(file) {
  try {
    const content = readFileSync(file, 'utf8');
    // Between its creation and the writing of the pid a lock is empty.
    if (content === '') return Date.now() - statSync(file).mtimeMs > UNWRITTEN_LOCK_GRACE_MS;
    // Our own pid is that of an earlier process: in a container the numbers come again.
    return Number(content) === process.pid || !isAlive(Number(content));
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid) {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Moves the lock aside before judging it again, so that a lock taken in between is put back, not deleted. */
function removeAbandoned(file) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (!isAbandoned(aside)) linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Runs npm in `root` and gives its exit code; npm gets our signals, so that the lock outlives it. */
function runNpm(root, args) {
  const env = { ...process.env, PATH: pathWithoutNodeModules(process.env.PATH ?? '') };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const child = spawn('npm', args, { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`npm could not be started: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

async function ensureDependencies(root, dev) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (wanted === undefined) {
    console.error('package-lock.json is missing or is no JSON: restore it');
    return 1;
  }
  const hasNode = () => existsSync(join(root, 'node_modules/.bin/node'));
  const decide = () => {
    const installed = readPackages(join(root, 'node_modules/.package-lock.json'));
    return decideInstall({ wanted, installed, hasNode: hasNode(), dev });
  };
  if (decide().action === 'none') return 0;

  const lock = join(root, '.install.lock');
  await takeLock(lock);
  try {
    const { action, reason } = decide();
    if (action === 'none') return 0;
    // What a link leads to belongs to another checkout, which npm would empty.
    if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
      console.error(`node_modules is a link and does not fit (${reason}): install where it leads to, or remove it`);
      return 1;
    }
    console.error(`installing dependencies: ${reason}`);
    const code = await runNpm(root, npmArguments(action, dev));
    if (code !== 0) return code;
    if (hasNode()) return 0;
    console.error(`there is no carried Node for ${process.platform} ${process.arch}`);
    return 1;
  } finally {
    rmSync(lock, { force: true });
  }
}

const self = fileURLToPath(import.meta.url);
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === self) {
  process.exitCode = await ensureDependencies(dirname(dirname(self)), process.argv.includes('--dev'));
}

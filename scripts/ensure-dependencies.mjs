// Installs the dependencies when node_modules is missing or differs from package-lock.json; `--dev` wants the
// development packages too. Plain JavaScript for Node 18 and later, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
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
const PROGRESS_MS = 5_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Platform packages that npm left out also when the carried Node ran it; gone with the next clean install. */
const LEFT_OUT = 'node_modules/.avouch-left-out.json';

/**
 * Compares the `packages` of the lockfile with those of npm's record of what is installed (undefined: no record).
 * `ci` replaces node_modules; `add` only adds what is missing, so a service that runs from it goes on.
 * What `mayFail` is optional: everything else works without it.
 */
export function decideInstall({ wanted, installed, hasNode, dev, platform, leftOut = [] }) {
  if (installed === undefined) return { action: 'ci', reason: 'node_modules is missing' };
  if (!hasNode) return { action: 'ci', reason: 'node_modules/.bin/node is missing' };

  const differences = Object.entries(wanted).map(([path, want]) => difference(path, want, installed[path]));
  const surplus = Object.keys(installed).find((path) => !(path in wanted) && !installed[path].link);
  const wrong = differences.find((found) => found !== undefined && !found.onlyDev);
  const missingDev = differences.find((found) => found?.onlyDev);

  if (wrong !== undefined) return { action: 'ci', reason: wrong.reason };
  if (surplus !== undefined) return { action: 'ci', reason: `${surplus} is not in the lockfile` };
  if (dev && missingDev !== undefined) return { action: 'add', reason: missingDev.reason };
  const skipped = skippedPackages({ wanted, installed, dev, platform }).find((path) => !leftOut.includes(path));
  if (skipped !== undefined) return { action: 'add', reason: `${skipped} is missing`, mayFail: true };
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

/**
 * Platform packages for this machine that are not installed although something installed wants them. npm leaves one
 * out without a word when its `engines` exclude the Node that npm runs on.
 */
export function skippedPackages({ wanted, installed, dev, platform }) {
  const present = Object.entries(wanted).filter(([path]) => path === '' || path in installed);
  const isWanted = (path) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return present.some(([, entry]) => name in { ...entry.dependencies, ...entry.optionalDependencies });
  };
  return Object.keys(wanted).filter((path) => {
    const want = wanted[path];
    if (path in installed || !isPlatformPackage(want) || (want.dev && !dev)) return false;
    return fits(want, platform) && isWanted(path);
  });
}

function isPlatformPackage({ optional, devOptional, os, cpu, libc }) {
  return Boolean(optional || devOptional) && (os !== undefined || cpu !== undefined || libc !== undefined);
}

/** Whether npm would install a package with these `os`, `cpu` and `libc` here. */
export function fits({ os, cpu, libc }, platform) {
  if (libc !== undefined && platform.libc === undefined) return false;
  return allows(os, platform.os) && allows(cpu, platform.cpu) && allows(libc, platform.libc);
}

/** One name or a list of them; those with `!` are excluded, and a list of nothing else allows all others. */
function allows(names, value) {
  if (names === undefined) return true;
  const list = [names].flat();
  if (list.includes(`!${value}`)) return false;
  return list.includes(value) || list.includes('any') || list.every((name) => name.startsWith('!'));
}

export function thisPlatform() {
  const { platform: os, arch: cpu } = process;
  if (os !== 'linux') return { os, cpu };
  // Otherwise the report looks up the names of all connections, which can take seconds.
  process.report.excludeNetwork = true;
  const { header, sharedObjects } = process.report.getReport();
  if (header.glibcVersionRuntime) return { os, cpu, libc: 'glibc' };
  const isMusl = sharedObjects.some((file) => file.includes('libc.musl-') || file.includes('ld-musl-'));
  return isMusl ? { os, cpu, libc: 'musl' } : { os, cpu };
}

/** Whether a start that adds something must ask for development packages too, lest npm removes them. */
export function hasDevelopmentPackages(installed) {
  // npm records folders of the project, such as one that tests depend on, whatever is left out.
  return Object.entries(installed).some(([path, { dev }]) => dev && path.includes('node_modules/'));
}

/** How many packages an install brings, and the version of the carried Node among them. */
export function contents({ wanted, dev, platform }) {
  const brought = Object.entries(wanted).filter(
    ([path, want]) =>
      path.includes('node_modules/') &&
      !want.link &&
      (dev || !want.dev) &&
      (!isPlatformPackage(want) || fits(want, platform)),
  );
  const node = brought.find(([path]) => isCarriedNode(path));
  return { packages: brought.length - (node ? 1 : 0), node: node?.[1].version };
}

function isCarriedNode(path) {
  return /^node_modules\/node-(?:bin-)?(?:linux|darwin|win)-\w+$/.test(path);
}

/** `--include` wins over NODE_ENV=production and over an `omit` in the user's npm settings. */
export function npmArguments(action, dev) {
  const set = dev ? '--include=dev' : '--omit=dev';
  // npm compares `engines` with the Node that runs it and would warn of every package that is made for the carried one.
  const always = ['--include=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  return action === 'add' ? ['install', '--no-save', set, ...always] : ['ci', set, ...always];
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

/**
 * How npm is started: a clean install by the system's Node, since it replaces the carried one; whatever is added by
 * the carried one, so that packages which need it are not left out.
 */
function npmCommand(root, action, args) {
  const path = pathWithoutNodeModules(process.env.PATH ?? '');
  if (action === 'ci') return { command: 'npm', args, path };
  const carried = join(root, 'node_modules/.bin');
  const script = npmScript(path);
  const carriedFirst = `${carried}${delimiter}${path}`;
  if (script === undefined) return { command: 'npm', args, path: carriedFirst };
  return { command: join(carried, 'node'), args: [script, ...args], path: carriedFirst };
}

/** The JavaScript behind `npm`; undefined where that is something else, such as a version manager's program. */
function npmScript(path) {
  const npm = path
    .split(delimiter)
    .map((entry) => join(entry, 'npm'))
    .find(existsSync);
  if (npm === undefined) return undefined;
  const script = realpathSync(npm);
  return /^#!.*\bnode\b/.test(readFileSync(script, 'latin1').slice(0, 200)) ? script : undefined;
}

/** Runs npm in `root`; it gets our signals, so that the lock outlives it, and a signal that came is the outcome. */
async function runNpm(root, action, dev) {
  const { command, args, path } = npmCommand(root, action, npmArguments(action, dev));
  let output = '';
  let child;
  let stoppedBy;
  const forward = (signal) => {
    stoppedBy = signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  child = spawn(command, args, { cwd: root, env: { ...process.env, PATH: path }, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += `npm could not be started: ${error.message}\n`;
      resolve(1);
    });
    child.on('close', (exitCode, signal) => resolve(exitCode ?? 128 + constants.signals[signal]));
  });
  for (const signal of SIGNALS) process.off(signal, forward);
  return stoppedBy === undefined ? { code, output } : { code: 128 + constants.signals[stoppedBy], output, stoppedBy };
}

/** One row that is written again while the work goes on; a log gets its beginning and its end only. */
export async function withProgress(beginning, work, { stream = process.stderr, everyMs = PROGRESS_MS } = {}) {
  const startedMs = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedMs) / 1_000)} s`;
  const again = stream.isTTY ? `\r${beginning}` : '';
  stream.write(beginning);
  const timer = stream.isTTY ? setInterval(() => stream.write(`${again} … ${seconds()}`), everyMs) : undefined;
  try {
    const ending = await work();
    stream.write(`${again} … ${ending} ${seconds()}.\n`);
  } finally {
    clearInterval(timer);
  }
}

/** Headers and manuals of the carried Node, a third of its package, which nothing here compiles against or reads. */
function trim(root, wanted) {
  for (const path of Object.keys(wanted).filter(isCarriedNode)) {
    for (const part of ['include', 'share']) rmSync(join(root, path, part), { recursive: true, force: true });
  }
}

function megabytes(directory) {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    bytes += lstatSync(join(entry.parentPath ?? entry.path, entry.name)).blocks * 512;
  }
  return Math.round(bytes / 1_048_576);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** What is there, what is wanted and what is therefore to be done; read again whenever it is asked. */
function stateOf(root, dev) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const platform = thisPlatform();
  const installed = () => readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  const hasNode = () => existsSync(join(root, 'node_modules/.bin/node'));
  const leftOut = () => readJson(join(root, LEFT_OUT));
  return {
    wanted,
    hasNode,
    decide: () =>
      decideInstall({ wanted, installed: installed(), hasNode: hasNode(), dev, platform, leftOut: leftOut() }),
    skipped: () => skippedPackages({ wanted, installed: installed() ?? {}, dev, platform }),
    keepsDev: () => dev || hasDevelopmentPackages(installed() ?? {}),
    contents: () => contents({ wanted, dev, platform }),
  };
}

/** In one row of a narrow terminal, with what follows it. */
export function beginningOf(decision, { contents: contentsOf }) {
  if (decision.reason !== 'node_modules is missing') return `Installing: ${decision.reason}`;
  const { packages, node } = contentsOf();
  if (node === undefined) return `First run: installing ${packages} packages, once`;
  return `First run: installing ${packages} packages and Node ${node}, once`;
}

/** Does what was decided, and adds the platform packages that npm left out because of the Node that ran it. */
async function install(root, state, decision, dev) {
  let { mayFail = false } = decision;
  let outcome;
  const isFailed = () => outcome.stoppedBy !== undefined || (outcome.code !== 0 && !mayFail);
  await withProgress(beginningOf(decision, state), async () => {
    outcome = await runNpm(root, decision.action, decision.action === 'ci' ? dev : state.keepsDev());
    if (outcome.code === 0 && decision.action === 'ci' && state.hasNode() && state.decide().action === 'add') {
      mayFail = true;
      outcome = await runNpm(root, 'add', state.keepsDev());
    }
    if (isFailed()) return outcome.stoppedBy === undefined ? 'failed after' : 'stopped after';
    trim(root, state.wanted);
    return decision.action === 'add' ? 'done in' : `${megabytes(join(root, 'node_modules'))} MB in`;
  });
  if (isFailed()) {
    process.stderr.write(outcome.output);
    return outcome.code;
  }
  const skipped = state.skipped();
  if (skipped.length > 0) {
    writeFileSync(join(root, LEFT_OUT), JSON.stringify(skipped));
    const names = skipped.map((path) => path.replace(/^.*node_modules\//, '')).join(', ');
    console.error(`${names} could not be installed, so what needs it is off; npm ci lets the next start try again.`);
  }
  return 0;
}

/** Resolves with 0 when everything is there, else with the exit code to end with. */
export async function ensureDependencies(root, dev) {
  const state = stateOf(root, dev);
  if (state.wanted === undefined) {
    console.error('package-lock.json is missing or is no JSON: restore it');
    return 1;
  }
  if (state.decide().action === 'none') return 0;

  const lock = join(root, '.install.lock');
  try {
    await takeLock(lock);
  } catch (error) {
    console.error(`packages are missing and ${root} cannot be written (${error.code}): run npm ci as a user who may`);
    return 1;
  }
  try {
    const decision = state.decide();
    if (decision.action === 'none') return 0;
    // What a link leads to belongs to another checkout, which npm would empty.
    if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
      const { reason } = decision;
      console.error(`node_modules is a link and does not fit (${reason}): install where it leads to, or remove it`);
      return 1;
    }
    const code = await install(root, state, decision, dev);
    if (code !== 0) return code;
    if (state.hasNode()) return 0;
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

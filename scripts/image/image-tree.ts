import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CHECKOUT } from '../pack/checkout-files.ts';
import { stagePackage } from '../pack/pack-all.ts';
import { IMAGE, stageServer } from '../pack/stage-server.ts';
import { fixedTar } from '../release/fixed-tar.ts';
import { corePackages } from './core-packages.ts';

export const USER = 10_001;
const HOME = 'opt/avouch';
const WRITABLE = ['var/cache/avouch', 'var/lib/avouch'];

const FILES: Readonly<Record<string, string>> = {
  'etc/passwd': `root:x:0:0::/:/\navouch:x:${USER}:${USER}::/var/lib/avouch:/\n`,
  'etc/group': `root:x:0:\navouch:x:${USER}:\n`,
  'etc/nsswitch.conf': 'hosts: files dns\n',
};

/** Only compilers and people read these. */
const UNREAD = /\.[cm]?ts$|\.map$|\.md$|\.markdown$|\.test\.\w+$|\/(?:tests?|benchmarks?)$/i;
const LICENCE = /^(?:licen[cs]e|notice|copying)/i;

/** Writes the root file system of the image as a tar, from the folder, and gives the packages of Debian in it. */
export function writeImageTree(folder: string, tar: string): string[] {
  for (const [name, text] of Object.entries(FILES)) put(folder, name, text);
  for (const name of [...WRITABLE, 'tmp']) mkdirSync(join(folder, name), { recursive: true });
  stagePackage('server', join(folder, HOME), (home) => stageServer(home, IMAGE));
  copyFileSync(join(CHECKOUT, 'bin/probe.mjs'), join(folder, HOME, 'bin/probe.mjs'));
  for (const path of corePackages()) copyPackage(path, join(folder, HOME, path));
  addNode(folder);
  const debianPackages = addLibraries(folder);
  fixedTar(tar, folder, [
    { names: ['etc', 'opt', 'usr', ...linkedFolders(folder)] },
    { names: WRITABLE, owner: USER, mode: '0700' },
    { names: ['tmp'], mode: '1777' },
  ]);
  return debianPackages;
}

function put(folder: string, name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

/** Without packages inside it: those that are needed are copied themselves. */
function copyPackage(path: string, target: string): void {
  const source = join(CHECKOUT, path);
  cpSync(source, target, {
    recursive: true,
    filter: (file) => {
      if (file === source) return true;
      if (basename(file) === 'node_modules') return false;
      return !UNREAD.test(file) || LICENCE.test(basename(file));
    },
  });
}

function addNode(folder: string): void {
  const node = join(folder, 'usr/bin/node');
  mkdirSync(dirname(node), { recursive: true });
  const carried = realpathSync(join(CHECKOUT, 'node_modules/.bin/node'));
  copyFileSync(carried, node);
  chmodSync(node, 0o755);
  put(folder, 'usr/share/doc/node/LICENSE', readFileSync(join(dirname(carried), '../LICENSE')));
}

/** Strips what is native, and adds the libraries of Debian it is linked with, their versions and their licences. */
function addLibraries(folder: string): string[] {
  const programs = [join(folder, 'usr/bin/node'), ...globSync(join(folder, HOME, 'node_modules/**/*.node'))];
  run('strip', '--strip-unneeded', ...programs);
  const linked = programs.flatMap((program) => run('ldd', program).match(/\/\S+(?= \()/g) ?? []);
  const libraries = [...new Set(linked)].toSorted();
  for (const library of libraries) put(folder, library.slice(1), readFileSync(realpathSync(library)));
  for (const library of libraries) chmodSync(join(folder, library), 0o755);
  const packages = new Set(libraries.map((library) => owner(library)));
  const shown = run('dpkg-query', '--show', '--showformat=${Package} ${Version}\n', ...packages);
  const versions = shown.trimEnd().split('\n').toSorted();
  put(folder, 'usr/share/doc/debian-packages', `${versions.join('\n')}\n`);
  for (const name of packages) {
    put(folder, `usr/share/doc/${name}/copyright`, readFileSync(`/usr/share/doc/${name}/copyright`));
  }
  return versions;
}

/** The Debian package of a library; its folder may be a link that dpkg does not follow. */
function owner(library: string): string {
  const place = `*/${basename(dirname(realpathSync(library)))}/${basename(library)}`;
  return run('dpkg', '--search', place).split(':')[0] ?? '';
}

function linkedFolders(folder: string): string[] {
  return globSync('lib*', { cwd: folder }).toSorted();
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C' } });
}

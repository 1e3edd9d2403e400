// The systemd way of docs/deploy.md, command by command, in a Debian that has nothing of this machine but Node and npm.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { missingTools } from '../../scripts/release/installed.ts';
import { OUT_OF_REACH } from '../outside/registry.ts';
import { ROOT } from '../support/child-service.ts';
import { releasableCopy } from '../support/releasable-copy.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const page = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
const SOURCES = '/etc/apt/sources.list.d/debian.sources';
const INCLUDED = 'sudo,openssl,curl,ca-certificates';
const skip =
  missingTools('debootstrap', 'unshare', 'ip', 'git') || (process.getuid?.() !== 0 && 'a fresh Debian needs root');

/** The commands of a section, without those of the headings that are left out. */
function commandsOf(heading: string, isWanted: (title: string) => boolean = () => true): string {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const parts = section.split(/^### /m).filter((part) => isWanted(part.split('\n')[0] ?? ''));
  return parts.flatMap((part) => Array.from(part.matchAll(/```sh\n(.*?)```/gs), ([, text]) => text)).join('');
}

suite('the systemd way of docs/deploy.md', { skip }, () => {
  let directory: string;
  let tree: string;
  let obstacle: string | undefined;

  before(async () => {
    directory = await temporaryDirectory();
    tree = join(directory, 'debian');
    obstacle = makeDebian(tree);
    if (obstacle === undefined) releasableCopy(directory).release(join(tree, 'root/release'), '--no-image');
  });
  after(() => rm(directory, { recursive: true, force: true }));

  /** Runs commands in it as root, in separate processes and mounts, which end with it. */
  function inside(commands: string, network: 'with' | 'without'): { status: number | null; text: string } {
    writeFileSync(join(tree, 'root/commands.sh'), `set -eu\ncd /root/release\n${commands}`);
    const enter = `${network === 'without' ? 'ip link set lo up; ' : ''}exec chroot "$0" /bin/sh /root/commands.sh`;
    const own = ['--mount', '--pid', '--fork', '--kill-child', `--mount-proc=${join(tree, 'proc')}`];
    const args = [...own, ...(network === 'without' ? ['--net'] : []), 'sh', '-c', enter, tree];
    const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LC_ALL: 'C' };
    const { status, stdout, stderr } = spawnSync('unshare', args, { env, encoding: 'utf8' });
    return { status, text: stdout + stderr };
  }

  test('checks, installs, starts, backs up and restores a release as printed', (t) => {
    if (obstacle !== undefined) return t.skip(obstacle);
    const isInstall = (title: string) => title.startsWith('1. ');
    const install = commandsOf('Check the release') + commandsOf('systemd', isInstall);
    const installed = inside(install, 'with');
    if (installed.status !== 0 && OUT_OF_REACH.test(installed.text))
      return t.skip('the package registry cannot be reached');
    assert.equal(installed.status, 0, installed.text);
    assert.match(installed.text, /Signature Verified Successfully[\s\S]*^Verified\.$/m);

    const body = '{"key":"acme/deploy#1","agent":"a7","mode":"exclusive"}';
    const claim = `curl -sf http://127.0.0.1:8402/v1/claim -H 'content-type: application/json' -d '${body}'\n`;
    const ran = inside(commandsOf('systemd', (title) => !isInstall(title)) + claim, 'without');
    assert.equal(ran.status, 0, ran.text);
    assert.match(ran.text, /"status":"ready"/);
    assert.match(ran.text, /^\d{4}-\d\d-\d\dT\d{6}Z$/m);
    assert.match(ran.text, /"fence":\d+/);
    assert.doesNotMatch(ran.text, /^\s*fail\b/m);
  });
});

/** A fresh Debian with Node and npm of this machine; a text says why there is none. */
function makeDebian(tree: string): string | undefined {
  const mirror = existsSync(SOURCES) ? /^URIs: (\S+)/m.exec(readFileSync(SOURCES, 'utf8'))?.[1] : undefined;
  const args = [
    '--variant=minbase',
    `--include=${INCLUDED}`,
    'bookworm',
    tree,
    ...(mirror === undefined ? [] : [mirror]),
  ];
  const { status, stdout } = spawnSync('debootstrap', args, { encoding: 'utf8' });
  if (status !== 0) return `debootstrap: ${stdout.trimEnd().split('\n').at(-1)}`;
  const find = (name: string) =>
    realpathSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8', env: OUTSIDE }).trim());
  cpSync(find('node'), join(tree, 'usr/local/bin/node'));
  const npm = dirname(dirname(find('npm')));
  cpSync(npm, join(tree, 'usr/local/lib/npm'), { recursive: true });
  symlinkSync('../lib/npm/bin/npm-cli.js', join(tree, 'usr/local/bin/npm'));
  for (const file of ['/etc/resolv.conf', '/etc/hosts', `${process.env.HOME}/.npmrc`]) {
    if (existsSync(file)) cpSync(realpathSync(file), join(tree, file.endsWith('.npmrc') ? 'root/.npmrc' : file));
  }
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (authorities !== undefined) {
    // What the machine trusts the registry with; sudo passes on no environment.
    cpSync(authorities, join(tree, 'etc/ssl/machine.pem'));
    appendFileSync(join(tree, 'root/.npmrc'), '\ncafile=/etc/ssl/machine.pem\n');
  }
  mkdirSync(join(tree, 'root/release'), { recursive: true });
  cpSync(join(ROOT, 'test/deploy/systemctl.mjs'), join(tree, 'usr/local/bin/systemctl'));
  chmodSync(join(tree, 'usr/local/bin/systemctl'), 0o755);
  return undefined;
}

/** Without the Node that the checkout carries. */
const OUTSIDE = {
  PATH: process.env.PATH?.split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':'),
};

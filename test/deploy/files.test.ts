// The files of deploy/, each judged by the program that reads it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { missingTools } from '../../scripts/release/installed.ts';
import { USER } from '../../scripts/image/image-tree.ts';
import { ROOT } from '../support/child-service.ts';
import { requireCommand } from '../support/command.ts';
import { PaidService } from '../support/paid-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const DEPLOY = join(ROOT, 'deploy');
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
}

const dashboard = JSON.parse(read('grafana/avouch.json')) as Dashboard;
const shown = [...dashboard.panels.flatMap(({ targets = [] }) => targets), ...dashboard.annotations.list];
const expressions = shown.map(({ expr }) => expr);
const alerts = [...read('alerts.yml').matchAll(/expr: (".*")$/gm)].map(([, text = '']) => JSON.parse(text) as string);

suite('the files of deploy/', () => {
  let directory: string;
  before(async () => {
    directory = await temporaryDirectory();
  });
  after(() => rm(directory, { recursive: true, force: true }));

  /** Passes where the program says nothing against it. */
  function accepts(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    const options = { cwd: directory, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(command, args, options);
    assert.equal(status, 0, stdout + stderr);
  }

  test('the alerts and what the dashboard asks are rules of Prometheus', { skip: missingTools('promtool') }, () => {
    accepts('promtool', ['check', 'rules', join(DEPLOY, 'alerts.yml')]);
    const rules = expressions.map((expr, index) => ({ record: `panel_${index}`, expr }));
    writeFileSync(join(directory, 'panels.json'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    accepts('promtool', ['check', 'rules', 'panels.json']);
  });

  test('every figure of alerts and dashboard is one that a running service has', async () => {
    assert.ok(alerts.length > 10 && expressions.length > 20);
    await using paid = await PaidService.start();
    const money = /^avouch_settler_(?:balance|min)_eth /m;
    assert.doesNotMatch((await paid.service.call('/metrics')).text, money, 'this backend pays no gas');
    Object.assign(paid.chain, { gas: () => ({ wei: 40n * 10n ** 15n, minWei: 10n ** 17n }) });
    const { text } = await paid.service.call('/metrics');
    assert.match(text, /^avouch_settler_balance_eth 0\.04$/m);
    assert.match(text, /^avouch_settler_min_eth 0\.1$/m);
    const known = new Set(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name]) => name));
    const { json } = await paid.service.call('/system/status');
    const ids = new Set((json['components'] as { id: string }[]).map(({ id }) => id));
    for (const expression of [...alerts, ...expressions]) {
      const names = expression.match(/\b(?:avouch|process|nodejs)_\w+/g) ?? [];
      const missing = names.filter((name) => !known.has(name.replace(/_bucket$/, '')));
      assert.deepEqual(missing, [], expression);
      const named = /avouch_component_up\{id=~?"([\w|]+)"\}/.exec(expression)?.[1]?.split('|') ?? [];
      assert.deepEqual(
        named.filter((id) => !ids.has(id)),
        [],
        expression,
      );
    }
  });

  test('the Caddyfile is valid, and formatted', { skip: missingTools('caddy') }, () => {
    accepts('caddy', ['validate', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'Caddyfile')], {
      HOME: directory,
    });
    const { stdout } = spawnSync('caddy', ['fmt', join(DEPLOY, 'Caddyfile')], { encoding: 'utf8' });
    assert.equal(stdout, read('Caddyfile'));
  });

  test('the compose file has nothing that compose does not know', { skip: missingTools('docker-compose') }, () => {
    const folder = join(directory, 'compose');
    mkdirSync(folder);
    cpSync(join(DEPLOY, 'compose.yaml'), join(folder, 'compose.yaml'));
    writeFileSync(join(folder, 'settings.env'), '');
    const args = ['--file', join(folder, 'compose.yaml'), 'config', '--quiet'];
    accepts('docker-compose', args, { PUBLIC_HOST: 'avouch.example' });
  });

  test('systemd has nothing to say against the units', { skip: missingTools('systemd-analyze') }, () => {
    const names = readdirSync(DEPLOY).filter((name) => /\.(?:service|timer)$/.test(name));
    assert.equal(names.length, 3);
    for (const name of names) {
      // Programs that a unit starts must be there.
      writeFileSync(join(directory, name), read(name).replaceAll('/opt/avouch/', ROOT));
    }
    const files = names.map((name) => join(directory, name));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  });
});

/** Libraries that the carried Node is linked with, and the package of a minimal Debian that has each. */
const IN_BASE = {
  'libc.so.6': 'libc6',
  'libdl.so.2': 'libc6',
  'libm.so.6': 'libc6',
  'libpthread.so.0': 'libc6',
  'libgcc_s.so.1': 'libgcc-s1',
  'libstdc++.so.6': 'libstdc++6',
};
const ADDED = { 'libatomic.so.1': 'libatomic1' };
const noLdd = process.platform !== 'linux' ? 'only on Linux' : missingTools('ldd');

suite('the Containerfile', () => {
  const stages = read('Containerfile')
    .split(/^(?=FROM )/m)
    .slice(1);
  const last = stages.at(-1) ?? '';

  test('installs every library of the carried Node that its base image lacks', { skip: noLdd }, () => {
    const node = realpathSync(join(ROOT, 'node_modules/.bin/node'));
    const { stdout } = spawnSync('ldd', [node], { encoding: 'utf8' });
    const linked = Array.from(stdout.matchAll(/^\s*(\S+) => /gm), ([, name = '']) => name);
    assert.ok(linked.includes('libc.so.6'), stdout);
    const unknown = linked.filter((name) => !(name in { ...IN_BASE, ...ADDED }));
    assert.deepEqual(unknown, [], 'no package is known for these libraries');
    const installed = /apt-get install (.*) \\$/m.exec(last)?.[1]?.split(' ') ?? [];
    const wanted = Object.entries(ADDED).flatMap(([name, debian]) => (linked.includes(name) ? [debian] : []));
    assert.deepEqual(
      wanted.filter((name) => !installed.includes(name)),
      [],
    );
  });

  test('copies files that are there, and runs the door and the probe as the user of the image', () => {
    const copied = stages.flatMap((stage) =>
      Array.from(stage.matchAll(/^COPY (?!--from)(.*) \S+$/gm), ([, names = '']) => names.split(' ')).flat(),
    );
    assert.ok(copied.includes('package-lock.json'));
    for (const name of copied) assert.ok(existsSync(join(ROOT, name)), name);
    for (const [program] of last.matchAll(/bin\/\w+\.mjs/g)) assert.ok(existsSync(join(ROOT, program)), program);
    assert.match(last, new RegExp(`--uid ${USER} avouch\\b`));
    assert.match(last, /^USER avouch$/m);
  });

  test('is built without keys, data and packages of this machine, and with all that the service needs', () => {
    // Docker reads no other name; podman would take .containerignore instead.
    assert.ok(!existsSync(join(ROOT, '.containerignore')));
    const patterns = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trimEnd().split('\n');
    const isLeftOut = (path: string) =>
      path
        .split('/')
        .map((_, index, parts) => parts.slice(0, index + 1).join('/'))
        .some((part) => patterns.some((pattern) => matchesGlob(part, pattern)));
    for (const path of [
      ...['.git/config', 'data/avouch.db', 'data/keys/receipts-001.pem', 'node_modules/zod/index.js', 'principal.seed'],
      ...['test/outside/ai/node_modules/ai/index.js', 'settings.env', 'etc/release-key.pem', 'x/avouch.db-wal'],
    ]) {
      assert.ok(isLeftOut(path), `${path} gets into the image`);
    }
    const needed = spawnSync('git', ['ls-files', '-z', 'src', 'bin', 'client', 'verify', 'docs', 'extras'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const files = needed.stdout.split('\0').filter((name) => name !== '');
    assert.ok(files.length > 500);
    assert.deepEqual([...files, 'package.json', 'package-lock.json', 'README.md'].filter(isLeftOut), []);
  });
});

suite('the page Deploy', () => {
  const page = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
  const section = (title: string) => page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${title}\n`)) ?? '';

  test('gives for each way the steps from the image or the files to a restore', () => {
    const steps: Readonly<Record<string, readonly RegExp[]>> = {
      systemd: [
        /npm ci/,
        / init /,
        / doctor/,
        /systemctl enable/,
        /health/,
        /backup\.service/,
        /alerts\.yml/,
        / restore /,
      ],
      Compose: [/skopeo copy/, / init /, / doctor/, /compose up/, /health/, /metrics/, / backup /, / restore /],
      Kubernetes: [/skopeo copy/, / init /, /kubectl apply/, / doctor/, /health/, /metrics/, /avouch-backup/, /drill/],
    };
    for (const [title, wanted] of Object.entries(steps)) {
      let rest = section(title);
      for (const step of wanted) {
        const at = rest.search(step);
        assert.ok(at >= 0, `${title}: no ${step} after the steps before it`);
        rest = rest.slice(at);
      }
      assert.ok(section('Upgrade').includes(`| ${title === 'Compose' ? 'compose' : title} |`), title);
    }
  });

  test('has only commands and options that Avouch has, also in the image', () => {
    const called =
      /(?:\/opt\/avouch\/avouch|\.\/avouch|node bin\/avouch\.mjs|(?:run --rm .*|--volume .*)avouch(?::[\d.]+)?) ([a-z].*)/;
    const lines = Array.from(page.matchAll(/```\w+\n(.*?)```/gs), ([, text = '']) => text.split('\n')).flat();
    const commands = lines.flatMap((line) => called.exec(line)?.[1] ?? []);
    assert.equal(commands.length, 9, commands.join('\n'));
    for (const command of commands) {
      const words = command.replace(/'$/, '').match(/(?:"[^"]*"|\S)+/g) ?? [];
      requireCommand(words);
    }
  });

  test('and compose trust the same proxy, and mount where the page backs up to', () => {
    const compose = read('compose.yaml');
    const trusted = /AVOUCH_TRUSTED_PROXIES: (\S+)/.exec(compose)?.[1];
    assert.equal(trusted, /ipv4_address: (\S+)/.exec(compose)?.[1]);
    assert.match(compose, /"\.\/backups:\/var\/backups\/avouch"/);
    for (const [, folder] of section('Compose').matchAll(/ (?:backup|restore) "([^"$]+)\//g)) {
      assert.equal(folder, '/var/backups/avouch');
    }
  });
});

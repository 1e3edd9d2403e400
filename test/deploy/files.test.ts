// The files of deploy/, each judged by the program that reads it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { missingTools } from '../../scripts/release/installed.ts';
import { ROOT } from '../support/child-service.ts';
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

#!/usr/bin/env node
// A substitute for systemctl where no systemd runs: starts what a unit says, as its user, with its environment.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const UNITS = '/etc/systemd/system';
const [verb, ...rest] = process.argv.slice(2);
for (const name of rest.filter((word) => !word.startsWith('--'))) {
  const unit = readUnit(name.includes('.') ? name : `${name}.service`);
  if (verb === 'start' || rest.includes('--now')) start(unit);
}

function readUnit(name) {
  const file = `${UNITS}/${name}`;
  if (!existsSync(file)) throw new Error(`Unit ${name} not found.`);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^\w+=/.test(line));
  const all = (key) => lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  return { name, all, one: (key) => all(key)[0] };
}

function start({ name, all, one }) {
  if (name.endsWith('.timer')) return;
  const given = all('Environment').filter((line) => !line.includes('%'));
  const read = `set -a; ${given.map((line) => `${line};`).join(' ')} . ${one('EnvironmentFile')}; set +a`;
  const run = (command) =>
    `cd ${one('WorkingDirectory')}; ${read}; exec ${command.replaceAll('%%', '%').replaceAll('$$', '$')}`;
  const as = (command) => [
    'setpriv',
    ['--reuid', one('User'), '--regid', one('Group'), '--init-groups', 'sh', '-c', run(command)],
  ];
  if (one('CacheDirectory')) {
    execFileSync('install', [
      '--directory',
      '--owner',
      one('User'),
      '--mode',
      '700',
      `/var/cache/${one('CacheDirectory')}`,
    ]);
  }
  if (one('Type') === 'oneshot') {
    for (const command of [...all('ExecStart'), ...all('ExecStartPost')])
      execFileSync(...as(command), { stdio: 'inherit' });
  } else {
    spawn(...as(one('ExecStart')), { stdio: 'inherit', detached: true }).unref();
  }
}

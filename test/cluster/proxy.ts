// HAProxy in front of the nodes: one address that always leads to the primary.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Laboratory } from './laboratory.ts';
import { DATABASE, type DatabaseNodes, PORTS } from './patroni.ts';
import { pathOf } from './packages.ts';

const HOST = 32;

/** Gives the connection url through it. */
export async function startProxy(laboratory: Laboratory, nodes: DatabaseNodes): Promise<string> {
  const machine = await laboratory.addMachine('proxy', HOST);
  const servers = nodes.machines.map(
    ({ name, address }) => `  server ${name} ${address}:${PORTS.postgres} check port ${PORTS.patroni}`,
  );
  const lines = [
    'defaults',
    '  mode tcp',
    '  timeout connect 3s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen primary',
    `  bind ${machine.address}:${PORTS.postgres}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers,
    '',
  ];
  const file = join(machine.directory, 'haproxy.cfg');
  await writeFile(file, lines.join('\n'));
  laboratory.startDaemon(machine, 'haproxy', [pathOf('haproxy') ?? 'haproxy', '-db', '-f', file]);
  return `postgres://${DATABASE}@${machine.address}:${PORTS.postgres}/${DATABASE}`;
}

// HAProxy in front of the nodes, as operators are told to set it up: one address that always leads to the primary.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/child-service.ts';
import { type Laboratory, NETWORK } from './laboratory.ts';
import { DATABASE, PORTS } from './patroni.ts';
import { pathOf } from './packages.ts';

const DEPLOYED = join(ROOT, 'deploy/haproxy.cfg');
const HOST = 32;

/** Gives the connection url through it. */
export async function startProxy(laboratory: Laboratory): Promise<string> {
  const machine = await laboratory.addMachine('proxy', HOST);
  const server = `${machine.address}:${PORTS.postgres}`;
  const deployed = await readFile(DEPLOYED, 'utf8');
  const file = join(machine.directory, 'haproxy.cfg');
  await writeFile(file, deployed.replaceAll('10.0.0.', NETWORK).replace(/bind .*/, `bind ${server}`));
  laboratory.startDaemon(machine, 'haproxy', [pathOf('haproxy') ?? 'haproxy', '-db', '-f', file]);
  return `postgres://${DATABASE}@${server}/${DATABASE}`;
}

// What is done to machines: cut off, frozen, killed, far away.
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Laboratory, Machine } from './laboratory.ts';
import { pathOf } from './packages.ts';

const LATE_PATH = fileURLToPath(new URL('late-path.py', import.meta.url));

export interface Fault {
  heal(): Promise<void>;
}

/** No packet passes between a machine of the one side and one of the other. */
export async function partition(
  laboratory: Laboratory,
  side: readonly Machine[],
  others: readonly Machine[],
): Promise<Fault> {
  const drops = others.flatMap(({ address }) => [`-A INPUT -s ${address} -j DROP`, `-A OUTPUT -d ${address} -j DROP`]);
  const rules = ['*filter', ...drops, 'COMMIT', ''].join('\n');
  const onSide = (command: readonly string[], input?: string) =>
    Promise.all(side.map((machine) => laboratory.execute(machine, command, input)));
  await onSide(['iptables-restore', '--noflush'], rules);
  return { heal: async () => void (await onSide(['iptables', '--flush'])) };
}

/** Every process of the machine stands still. */
export async function freeze(laboratory: Laboratory, machine: Machine): Promise<Fault> {
  await laboratory.signal(machine, 'SIGSTOP');
  return { heal: () => laboratory.signal(machine, 'SIGCONT') };
}

export interface LatePath {
  readonly delayMs: number;
  /** Of a hundred packets. */
  readonly lossPercent: number;
}

/**
 * Packets between the machine and the others take a way through a third machine, late and with losses in both directions: a
 * program carries them between two TUN devices, which needs no part of the kernel that a machine may lack.
 */
export async function moveAway(
  laboratory: Laboratory,
  machine: Machine,
  others: readonly Machine[],
  { delayMs, lossPercent }: LatePath,
): Promise<Fault> {
  const between = await laboratory.addMachine('wan', 31);
  const paths = [machine, between].map(({ namespace }) => `/run/netns/${namespace}`);
  const python = pathOf('/usr/bin/python3') ?? 'python3';
  const carrier = laboratory.startRoot([python, LATE_PATH, ...paths, String(delayMs), String(lossPercent)]);
  if (carrier.stdout === null) throw new Error('nothing can be heard of the late path');
  await once(carrier.stdout, 'data');
  const routesOf = (action: 'add' | 'del') => [
    ...others.map((other) => [
      '-n',
      machine.namespace,
      'route',
      action,
      other.address,
      'dev',
      'late0',
      'src',
      machine.address,
    ]),
    ...others.map((other) => ['-n', other.namespace, 'route', action, machine.address, 'via', between.address]),
  ];
  const ip = (command: readonly string[]) => laboratory.execute(between, ['ip', ...command]);
  const forwarding = [
    '-w',
    'net.ipv4.ip_forward=1',
    'net.ipv4.conf.all.rp_filter=0',
    'net.ipv4.conf.late0.rp_filter=0',
  ];
  await laboratory.execute(between, ['sysctl', '-q', ...forwarding]);
  await ip(['-n', between.namespace, 'route', 'add', machine.address, 'dev', 'late0']);
  for (const route of routesOf('add')) await ip(route);
  return {
    heal: async () => {
      for (const route of routesOf('del')) await ip(route);
      const ended = once(carrier, 'exit');
      carrier.kill('SIGKILL');
      await ended;
      await laboratory.removeMachine(between);
    },
  };
}

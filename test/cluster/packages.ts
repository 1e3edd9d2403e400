// What the laboratory needs of the machine, and the network of its own in which the command runs.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const POSTGRES_BINARIES = '/usr/lib/postgresql/15/bin';
/** Set in the command once it runs in a network of its own. */
const INSIDE = 'AVOUCH_CLUSTER_INSIDE';

/** A program of each Debian package. */
const PROGRAMS: Readonly<Record<string, string>> = {
  patroni: 'patroni',
  'etcd-server': 'etcd',
  'postgresql-15': join(POSTGRES_BINARIES, 'postgres'),
  iproute2: 'ip',
  iptables: 'iptables-restore',
  python3: 'python3',
  'util-linux': 'nsenter',
};
const PROXY_PROGRAMS: Readonly<Record<string, string>> = { haproxy: 'haproxy' };

/** Why the laboratory cannot run here; undefined where it can. */
export function whatIsMissing(needsProxy: boolean): string | undefined {
  if (process.platform !== 'linux') return 'this needs Linux';
  if (process.getuid?.() !== 0) return 'this needs root, for network namespaces';
  const programs = Object.entries({ ...PROGRAMS, ...(needsProxy && PROXY_PROGRAMS) });
  const missing = programs.filter(([, program]) => pathOf(program) === undefined).map(([name]) => name);
  if (missing.length > 0) return `missing packages: ${missing.join(' ')}`;
  return canMakeNetworks() ? undefined : 'this machine lets nobody make a network namespace';
}

/** A container may have root and none of its rights. */
function canMakeNetworks(): boolean {
  const bridge = 'ip link add br0 type bridge && ip link set br0 up && iptables -L -n';
  return spawnSync(pathOf('unshare') ?? '', ['--net', '--ipc', 'sh', '-c', bridge]).status === 0;
}

export function pathOf(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const paths = program.startsWith('/') ? [program] : folders.map((folder) => join(folder, program));
  return paths.find((path) => existsSync(path));
}

/** Newer ones take a leader key back only where it is still theirs, also by the v3 API of etcd. */
const LAST_UNSAFE = [3, 0, 2];

/** Whether this Patroni can lose answered writes where it uses the v3 API of etcd. */
export function isUnsafeWithV3(): boolean {
  const said = execFileSync('patroni', ['--version'], { encoding: 'utf8' });
  const version = /(\d+)\.(\d+)\.(\d+)/.exec(said)?.slice(1).map(Number);
  if (version === undefined) throw new Error(`the version of Patroni is not known: ${said}`);
  const differs = version.findIndex((part, index) => part !== LAST_UNSAFE[index]);
  return differs === -1 || (version[differs] ?? 0) < (LAST_UNSAFE[differs] ?? 0);
}

/**
 * Replaces this process by itself in a network and with shared memory of its own: the same process id, and whatever happens to
 * it, nothing of either is left. Gives nothing back but where it has been done.
 */
export function enterOwnNetwork(): void {
  if (process.env[INSIDE] !== undefined) return;
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(pathOf('unshare') ?? '', ['unshare', '--net', '--ipc', ...again], {
    ...process.env,
    [INSIDE]: 'yes',
  });
}

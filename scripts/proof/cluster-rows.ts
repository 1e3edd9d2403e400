// Faults of a replicated PostgreSQL under mixed load, with the target for each case.
import { at, type ProofRow, show } from './row.ts';

type ClusterRow = Omit<ProofRow, 'kind'>;

const SAFE = '0 lost, duplicated, forked or stale; the only errors are 503 with Retry-After; no call over 12 s';

function cluster(name: string, what: string, promised = ''): ClusterRow {
  return {
    id: `cluster-${name}`,
    what,
    target: promised === '' ? SAFE : `${SAFE}; ${promised}`,
    command: (sized) => ['test/cluster/cluster.ts', '--case', name, '--seconds', sized(120)],
    read: ([line]) => {
      if (typeof line?.['skipped'] === 'string') return { figure: `skipped, ${line['skipped']}`, met: false };
      const services = (line?.['services'] ?? []) as readonly { readonly slowest_s: number }[];
      const acknowledged = Object.values((line?.['acknowledged'] ?? {}) as Record<string, number>);
      const pauses = Object.entries((line?.['pauses_s'] ?? {}) as Record<string, number>);
      const violations = at(line, 'violations.length');
      const late = at(line, 'late.length');
      const figures = [
        `acknowledged ${show(acknowledged.reduce((sum, count) => sum + count, 0))}`,
        `primary changes ${show(at(line, 'changes'))}`,
        ...pauses.map(([pause, seconds]) => `pause at ${pause}: ${show(seconds)} s`),
        `slowest call ${show(Math.max(...services.map((service) => service.slowest_s)))} s`,
        `violations ${show(violations)}`,
        `later than the target ${show(late)}`,
      ];
      return { figure: figures.join(', '), met: violations === 0 && late === 0 };
    },
    timeoutMinutes: 20,
  };
}

/** Three nodes under Patroni and etcd, and two services with several hosts in DATABASE_URL; the final restart lists a standby first. */
export const CLUSTER_ROWS: readonly ClusterRow[] = [
  cluster('kill', "every process on the primary's node is killed", 'writes resume within 30 s'),
  cluster(
    'partition',
    'the primary and one service are cut off from the rest for 55 s',
    'writes resume within 30 s on the other side, and within 30 s of reconnection on this one',
  ),
  cluster(
    'alone',
    'one service is cut off from all three servers for 55 s',
    'writes resume within 30 s of reconnection',
  ),
  cluster('standby', 'the synchronous standby is cut off', 'writes resume within 10 s'),
  cluster('freeze', "the primary's node is frozen for 30 s", 'writes resume within 30 s'),
  cluster('latency', '200 ms latency and 5 % packet loss between one service and the database'),
  cluster(
    'rolling',
    'rolling upgrade: standbys restart, a switchover, then every node stops and starts',
    'writes resume within 10 s, 5 s after the switchover, 30 s after a stop',
  ),
  cluster(
    'fork',
    'a seal on the minority side of a partition, a lease released on the majority side',
    'the cut-off service confirms nothing that the log does not get, and shows no released lease as current',
  ),
];

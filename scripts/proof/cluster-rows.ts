// What a replicated PostgreSQL goes through under mixed load, with what is promised for each case.
import { at, type ProofRow, show } from './row.ts';

type ClusterRow = Omit<ProofRow, 'kind'>;

const SAFE = '0 lost, doubled, forked or stale; errors only 503 with Retry-After; no call over 12 s';

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
        `changes of primary ${show(at(line, 'changes'))}`,
        ...pauses.map(([pause, seconds]) => `pause at ${pause} ${show(seconds)} s`),
        `slowest call ${show(Math.max(...services.map((service) => service.slowest_s)))} s`,
        `violations ${show(violations)}`,
        `later than promised ${show(late)}`,
      ];
      return { figure: figures.join(', '), met: violations === 0 && late === 0 };
    },
    timeoutMinutes: 20,
  };
}

/** Three nodes under Patroni and etcd, two services with several hosts in DATABASE_URL, which restart on a standby first. */
export const CLUSTER_ROWS: readonly ClusterRow[] = [
  cluster('kill', "every process of the primary's node killed", 'writes again within 30 s'),
  cluster(
    'partition',
    'primary and one service cut off from the rest for 55 s',
    'writes again within 30 s on the other side, within 30 s of the heal on this one',
  ),
  cluster('alone', 'one service cut off from all three servers for 55 s', 'it writes again within 30 s of the heal'),
  cluster('standby', 'the synchronous standby cut off', 'writes again within 10 s'),
  cluster('freeze', "the primary's node frozen for 30 s", 'writes again within 30 s'),
  cluster('latency', '200 ms and 5 % loss between one service and the database'),
  cluster(
    'rolling',
    'standbys restarted, the lead handed over, every node stopped in order and started',
    'writes again within 10 s, 5 s after the handover, 30 s after a stop',
  ),
  cluster(
    'fork',
    'a seal sent to the service on the wrong side of a partition, a lease released on the right one',
    'no answer of the cut-off service holds what the log does not get, no released lease is current',
  ),
];
